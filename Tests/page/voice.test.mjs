// The sound of a room, with a client of LiveKit that does what a test says: when the page joins, and when it may open a microphone.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Problem } from "../../Sources/Page/client/auction-client.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { makeVoiceLoader } from "../../Sources/Page/voice-client.js";
import { microphoneFailure } from "../../Sources/Page/voice.js";
import { makeVoice } from "../../Sources/Page/views/voice.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { tick } from "./support/timers.mjs";

const begun = Date.parse("2026-11-21T09:00:00Z");
let body;
beforeEach(() => { body = mountedBody(); });

/**
 * A view of the sound, and what it meets: `rooms` of LiveKit, `calls` to them, `answers` of the server one after the other (the last one again
 * and again), and `refusesConnection`.
 */
function fixture({ answers = [{}], settings = { client: {} }, stored = [] } = {}) {
  const kept = new Map(stored);
  const it = { rooms: [], calls: [], asked: 0, now: begun, kept, refusesConnection: false, model: { archived: false, userID: "user_a", me: { role: "viewer", muted: false, banned: false }, stage: { seats: [] } } };
  class Room {
    canPlaybackAudio = true;
    handlers = new Map();
    localParticipant = {
      permissions: undefined,
      setMicrophoneEnabled: async (isOpen) => { it.calls.push(["microphone", isOpen]); if (it.microphoneError) throw it.microphoneError; },
    };
    constructor() { it.rooms.push(this); }
    on(event, act) { this.handlers.set(event, act); return this; }
    emit(event, ...given) { this.handlers.get(event)?.(...given); }
    async connect(url, token) { it.calls.push(["connect", url, token]); if (it.refusesConnection) throw new Error("no connection"); }
    async startAudio() { it.calls.push(["startAudio"]); this.canPlaybackAudio = true; }
    disconnect() { it.calls.push(["disconnect"]); }
  }
  it.view = makeVoice({
    settings, storage: { get: (key) => kept.get(key) ?? null, set: (key, value) => kept.set(key, value) }, clock: { now: () => it.now },
    async takeToken() {
      it.asked += 1;
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      return { url: "wss://voice.example", token: `t${it.asked}`, expiresAt: new Date(it.now + 600_000).toISOString(), canPublish: false, ...answer };
    },
    redraw: () => it.view?.update(it.model), load: settings?.client ? async () => ({ Room }) : null,
  });
  body.append(it.view.listen, it.view.microphone, it.view.how);
  it.draw = async (changes = {}) => { Object.assign(it.model, changes); it.view.update(it.model); await turn(); };
  it.label = () => it.view.listen.getAttribute("aria-label");
  it.press = async (button) => { button.click(); await turn(); };
  return it;
}

const seat = (more = {}) => ({ stage: { seats: [{ seat: 1, occupant: { user: { id: "user_a" } }, closed: false, muted: false, ...more }] } });
const says = (text) => body.querySelector(".notes").textContent.includes(text);

test("without an RTC service the page says nothing of sound, and with one that it cannot play it says who does", async () => {
  const none = fixture({ settings: null });
  await none.draw();
  assert.ok(none.view.listen.hidden && none.view.microphone.hidden && none.view.how.hidden);
  const elsewhere = fixture({ settings: { client: null } });
  await elsewhere.draw();
  assert.ok(!elsewhere.view.how.hidden && elsewhere.view.listen.hidden);
  assert.equal(elsewhere.asked, 0);
});

test("the page joins as a listener by itself, unless the user has switched the sound off in this browser", async () => {
  const it = fixture();
  await it.draw();
  assert.deepEqual(it.calls, [["connect", "wss://voice.example", "t1"]]);
  assert.equal(it.label(), "Stop the sound");
  assert.ok(it.view.microphone.hidden);
  await it.press(it.view.listen);
  assert.deepEqual([it.calls.at(-1), it.label(), it.kept.get("auction-room.voice")], [["disconnect"], "Listen to the room", "off"]);
  const later = fixture({ stored: [...it.kept] });
  await later.draw();
  assert.deepEqual(later.calls, []);
  await later.press(later.view.listen);
  assert.equal(later.label(), "Stop the sound");
});

test("what the browser does not play by itself is played by a press", async () => {
  const it = fixture();
  await it.draw();
  it.rooms[0].canPlaybackAudio = false;
  it.rooms[0].emit("audioPlaybackChanged");
  assert.equal(it.label(), "Play the sound");
  await it.press(it.view.listen);
  assert.deepEqual([it.calls.at(-1), it.label()], [["startAudio"], "Stop the sound"]);
});

test("the microphone opens by a press only, and only where seat and token let the user speak", async () => {
  const it = fixture({ answers: [{ canPublish: true }] });
  await it.draw();
  assert.ok(it.view.microphone.hidden, "a viewer has no microphone, whatever the token says");
  await it.draw(seat());
  assert.ok(!it.view.microphone.hidden);
  assert.ok(!it.calls.some(([name]) => name === "microphone"));
  await it.press(it.view.microphone);
  assert.deepEqual([it.calls.at(-1), it.view.microphone.getAttribute("aria-pressed")], [["microphone", true], "true"]);
  await it.press(it.view.microphone);
  assert.deepEqual(it.calls.at(-1), ["microphone", false]);
  it.rooms[0].localParticipant.permissions = { canPublish: false };
  it.rooms[0].emit("participantPermissionsChanged");
  await turn();
  assert.ok(it.view.microphone.hidden, "LiveKit does not let them speak yet");
});

test("a microphone closes at once when its seat is muted or gone, and the user is told so", async () => {
  for (const change of [seat({ muted: true }), { stage: { seats: [] } }]) {
    body.replaceChildren();
    body = mountedBody();
    const it = fixture({ answers: [{ canPublish: true }] });
    await it.draw(seat());
    await it.press(it.view.microphone);
    await it.draw(change);
    assert.deepEqual(it.calls.at(-1), ["microphone", false]);
    assert.ok(it.view.microphone.hidden);
    assert.ok(says("Your microphone is closed"));
  }
});

test("who is muted in the chat keeps the microphone of their seat", async () => {
  const it = fixture({ answers: [{ canPublish: true }] });
  await it.draw(seat());
  await it.press(it.view.microphone);
  await it.draw({ ...seat(), me: { role: "viewer", muted: true, banned: false } });
  assert.ok(!it.view.microphone.hidden);
  assert.deepEqual(it.calls.at(-1), ["microphone", true]);
});

test("a right that ends while the browser asks for the microphone leaves it closed", async () => {
  const it = fixture({ answers: [{ canPublish: true }] });
  await it.draw(seat());
  it.view.microphone.click();
  it.rooms[0].localParticipant.permissions = { canPublish: false };
  await turn();
  assert.deepEqual(it.calls.slice(-2), [["microphone", true], ["microphone", false]]);
});

test("why a microphone does not open is said in words", async () => {
  const it = fixture({ answers: [{ canPublish: true }] });
  await it.draw(seat());
  it.microphoneError = Object.assign(new Error(), { name: "NotAllowedError" });
  await it.press(it.view.microphone);
  assert.ok(says("The browser does not let this page use the microphone."));
  assert.equal(microphoneFailure(Object.assign(new Error(), { name: "NotFoundError" })), "voice.noMicrophone");
  assert.equal(microphoneFailure(new Error("insufficient permissions")), "voice.notYet");
});

test("an interrupted sound is joined again with a new token, later each time, and said once", async () => {
  const it = fixture();
  await it.draw();
  it.refusesConnection = true;
  it.rooms[0].emit("disconnected");
  await turn();
  assert.ok(says("The sound is interrupted."));
  for (const pause of [1_000, 2_000, 5_000]) {
    const before = it.rooms.length;
    tick(pause - 1);
    await turn();
    assert.equal(it.rooms.length, before, `before ${pause} ms`);
    tick(1);
    await turn();
    assert.equal(it.rooms.length, before + 1, `after ${pause} ms`);
  }
  it.refusesConnection = false;
  tick(10_000);
  await turn();
  assert.equal(it.label(), "Stop the sound");
  assert.equal(it.calls.filter(([name]) => name === "connect").at(-1)[2], `t${it.asked}`);
});

test("the kept token is renewed before it expires, and joins again while the server is away", async () => {
  const answers = [{}, {}, new TypeError("away")];
  const it = fixture({ answers });
  await it.draw();
  it.now += 539_999;
  tick(539_999);
  await turn();
  assert.equal(it.asked, 1);
  it.now += 1;
  tick(1);
  await turn();
  assert.equal(it.asked, 2, "a minute before");
  it.rooms[0].emit("disconnected");
  tick(1_000);
  await turn();
  assert.equal(it.asked, 3);
  assert.deepEqual(it.calls.at(-1), ["connect", "wss://voice.example", "t2"]);
});

test("who may not listen is told so once, and the page does not go on asking", async () => {
  const it = fixture({ answers: [new Problem({ code: "voice.banned", detail: "" }, 403)] });
  await it.draw();
  assert.ok(says("You cannot listen to this room."));
  tick(60_000);
  await turn();
  assert.deepEqual([it.asked, it.label()], [1, "Listen to the room"]);
  setLanguage("en");
  body = mountedBody();
  const stranger = fixture({ answers: [new Problem({ code: "token.missing", detail: "" }, 401)] });
  await stranger.draw({ userID: null, me: null });
  assert.equal(body.querySelector(".notes").textContent, "", "a visitor has not asked for sound");
  await stranger.press(stranger.view.listen);
  assert.ok(says("Enter a nickname to listen"));
});

test("the sound ends with the room, and with its view", async () => {
  const it = fixture();
  await it.draw();
  await it.draw({ archived: true });
  assert.deepEqual([it.calls.at(-1), it.view.listen.hidden], [["disconnect"], true]);
  const other = fixture();
  await other.draw();
  other.view.stop();
  other.rooms[0].emit("disconnected");
  tick(60_000);
  await turn();
  assert.equal(other.rooms.length, 1);
});

test("who is heard is known by their id", async () => {
  const it = fixture();
  await it.draw();
  it.rooms[0].emit("activeSpeakersChanged", [{ identity: "user_b" }]);
  assert.deepEqual([it.view.isHeard("user_b"), it.view.isHeard("user_a")], [true, false]);
});

test("the script is loaded once, with its hash, by the one policy of the page; and again after a failure", async () => {
  const made = [];
  const policies = [];
  const trustedTypes = { createPolicy: (name, rules) => { policies.push(name); return { createScriptURL: (text) => `trusted ${rules.createScriptURL(text)}` }; } };
  const document = {
    createElement: () => { const script = { handlers: {}, addEventListener(name, act) { this.handlers[name] = act; }, remove() { this.isRemoved = true; } }; made.push(script); return script; },
    head: { append() {} },
  };
  let library = null;
  const load = makeVoiceLoader({ url: "https://cdn.example/livekit.js", integrity: "sha384-x" }, { document, trustedTypes, library: () => library });
  const refused = assert.rejects(load(), /could not be loaded/);
  made[0].handlers.error();
  await refused;
  assert.ok(made[0].isRemoved);
  const loading = load();
  assert.equal(load(), loading);
  library = { Room: class {} };
  made[1].handlers.load();
  assert.equal(await loading, library);
  assert.deepEqual([made.length, policies, made[1].integrity, made[1].crossOrigin, made[1].src], [2, ["voice-client"], "sha384-x", "anonymous", "trusted https://cdn.example/livekit.js"]);
  const late = makeVoiceLoader({ url: "u", integrity: "i" }, { document, library: () => null });
  const slow = assert.rejects(late(), /not loaded in time/);
  tick(20_000);
  await slow;
});

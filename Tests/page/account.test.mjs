// The menu of a user, in a document without a browser: leaving the service for good.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Problem } from "../../Sources/Page/client/auction-client.js";
import { Session } from "../../Sources/Page/session.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { openAccount } from "../../Sources/Page/views/guest.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { shown } from "./support/page-dom.mjs";

let body;
beforeEach(() => { body = mountedBody(); });

/** A page whose user is Ann; `calls` are the requests to leave, which `answer` answers. */
function page(answer) {
  const kept = new Map([["auction-room.guest", JSON.stringify({ user: { id: "user_a", nickname: "Ann" }, token: "t", expiresAt: "9999-01-01T00:00:00.000Z" })]]);
  const storage = { get: (name) => kept.get(name) ?? null, set: (name, value) => kept.set(name, value), remove: (name) => kept.delete(name) };
  const session = new Session(storage);
  const calls = [];
  const app = { session, provider: { isOffered: false }, client: { leaveForGood: async (given) => { calls.push(given); return answer(session); } } };
  return { app, session, calls, kept };
}

const press = async (text) => {
  const button = shown(body, "dialog button", text).at(-1);
  assert.ok(button, `there is no ${text}`);
  button.click();
  await turn();
};

test("a user leaves for good after a question, is signed out, and is not asked who they are when the token ends before", async () => {
  const { app, session, calls, kept } = page((own) => { own.tokenAfter({ rejected: "t", problem: { isFromServer: true } }); return null; });
  session.onSignedOut = () => assert.fail("nobody asked the user to sign in");
  openAccount(app);
  await press("Leave for good…");
  assert.equal(calls.length, 0, "there is no way back, so there is a question first");
  assert.ok(shown(body, "dialog", "There is no way back")[0].textContent.includes("Ann"));
  await press("Leave for good");
  assert.deepEqual([calls.length, session.user, session.lastNickname], [1, null, ""]);
  assert.equal(JSON.parse(kept.get("auction-room.guest")).signedOut, "user_a", "other tabs go by this");
  assert.equal(shown(body, ".note", "You have left.").length, 1);
});

test("who came from another device can sign in, and leave this device without losing anything; a guest and a user of a provider cannot do both", async () => {
  for (const [issuer, entries] of [["", ["Sign in…", "Leave this device"]], ["https://sso.example", ["Sign out"]], [undefined, ["Sign in…", "Become another guest…"]]]) {
    body.replaceChildren();
    const { app, session } = page(() => assert.fail("no request"));
    app.provider.isOffered = true;
    if (issuer !== undefined) await session.enter(Promise.resolve({ user: { id: "user_b", nickname: "Bo" }, token: "b", expiresAt: "9999-01-01T00:00:00.000Z" }), issuer);
    openAccount(app);
    const all = ["Sign in…", "Sign out", "Leave this device", "Become another guest…"];
    assert.deepEqual(all.filter((text) => shown(body, "dialog button", text).length > 0), entries, issuer);
    if (issuer === "") {
      await press("Leave this device");
      assert.equal(session.user, null);
    }
  }
});

test("a user who changes their mind stays", async () => {
  const { app, session, calls } = page(() => assert.fail("no request"));
  openAccount(app);
  await press("Leave for good…");
  await press("Cancel");
  assert.deepEqual([calls.length, session.user.nickname], [0, "Ann"]);
});

test("who is needed by a round stays, and is told why and where, in both languages", async () => {
  for (const [language, entry, go, detail, link] of [
    ["en", "Leave for good…", "Leave for good", "You host a round that runs in the room \"Tonight\"; leave when it is over, or end it.", "To the room"],
    ["zh", "注销…", "永久注销", "您主持的房间“Tonight”正在进行拍卖,请在结束后再注销。", "前往该房间"],
  ]) {
    const { app, session } = page(() => {
      throw new Problem({ type: "conflict", code: "account.hosts_round", detail, required: "no running round", actual: "room_x" }, 409);
    });
    setLanguage(language);
    openAccount(app);
    await press(entry);
    await press(go);
    assert.equal(session.user.nickname, "Ann");
    const [note] = shown(body, ".note");
    assert.ok(note.textContent.includes(detail), note.textContent);
    assert.ok(!note.textContent.includes("room_x"), "an identifier is no word");
    const [room] = note.querySelectorAll("a");
    assert.deepEqual([room.getAttribute("href"), room.textContent], ["#/rooms/room_x", link]);
  }
});

test("another refusal is shown in its words", async () => {
  const { app, session } = page(() => { throw new Problem({ type: "rate", code: "command.rate", detail: "Too many commands." }, 429); });
  openAccount(app);
  await press("Leave for good…");
  await press("Leave for good");
  assert.deepEqual([session.user.nickname, shown(body, ".note", "Too many commands.").length], ["Ann", 1]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { defaults } from "../../Sources/Page/client/follow-rules.js";
import { event, refusal, fixture } from "./support/machine-fixture.mjs";

test("each event is delivered once and in order despite repeats", () => {
  const { open, events, told, machine } = fixture();
  open();
  events(11, 12);
  events(12, 13);
  assert.deepEqual([told.seqs, machine.cursor], [[11, 12, 13], 13]);
});

test("missing events are requested again instead of skipped", () => {
  const { open, events, told, fire, machine } = fixture();
  open();
  events(11, 13);
  assert.deepEqual([told.seqs, machine.cursor, machine.phase], [[11], 11, "waiting"]);
  fire("retry");
  open();
  events(12, 13);
  assert.deepEqual(told.seqs, [11, 12, 13]);
});

test("an unsupported transport is replaced at once by the next", () => {
  const { open, lost, told, last } = fixture();
  assert.equal(last().transport, "sse");
  lost("unsupported");
  assert.equal(last().transport, "socket");
  lost("unopened");
  assert.equal(last().transport, "poll");
  open();
  assert.deepEqual(told.states, ["connecting sse", "connecting socket", "connecting poll", "live poll"]);
});

test("a stream whose bytes do not get through gives way to the long-poll, and is tried again later", () => {
  const { open, lost, told, fire, last, report } = fixture({ transports: ["sse", "poll"] });
  report("progress", { stage: "sent" });
  assert.equal(told.timers.get("open"), defaults.openMs);
  report("progress", { stage: "answered" });
  fire("open");
  assert.equal(last().transport, "poll");
  open();
  told.now = defaults.blockMs + 1;
  lost("broken");
  fire("retry");
  assert.equal(last().transport, "sse");
});

test("a server that does not respond is not the transport's fault", () => {
  const { lost, fire, last, open } = fixture({ transports: ["sse", "poll"] });
  for (let attempt = 0; attempt < 9; attempt += 1) { lost("unreachable"); fire("retry"); }
  for (let attempt = 0; attempt < 9; attempt += 1) { lost(refusal(503)); fire("retry"); }
  assert.equal(last().transport, "sse");
  open();
});

test("a transport that keeps breaking after it opens is replaced", () => {
  const { open, lost, fire, last } = fixture();
  open();
  for (let attempt = 0; attempt < 2; attempt += 1) { lost("broken"); fire("retry"); open(); }
  lost("broken");
  fire("retry");
  assert.equal(last().transport, "socket");
});

test("while the device is offline, no failure counts against the transport", () => {
  const { open, lost, fire, last, input, told } = fixture();
  open();
  input("networkLost");
  assert.equal(told.statuses.at(-1).reason, "offline");
  for (let attempt = 0; attempt < 6; attempt += 1) { fire("retry"); lost("broken", false); }
  assert.equal(last().transport, "sse");
  input("networkReturned");
  assert.deepEqual([last().transport, told.statuses.at(-1).reason], ["sse", "networkReturned"]);
});

test("the only transport has no fallback", () => {
  const { lost, fire, told } = fixture({ transports: ["socket"] });
  for (let attempt = 0; attempt < 3; attempt += 1) { lost("unopened"); fire("retry"); }
  assert.deepEqual(told.connections.map((each) => each.transport), ["socket", "socket", "socket", "socket"]);
});

test("after an interruption it resumes from the cursor, and says that what is no event should be read again", () => {
  const { open, lost, events, fire, told, machine } = fixture();
  open();
  events(11);
  assert.equal(told.refreshes, 0);
  lost("broken");
  assert.deepEqual([told.states.at(-1), told.statuses.at(-1).retryInMs], ["reconnecting sse", 400]);
  fire("retry");
  assert.equal(machine.cursor, 11);
  open();
  assert.deepEqual([told.states.at(-1), told.refreshes], ["live sse", 1]);
});

test("delays are anything up to a ceiling that doubles, and begin anew after success", () => {
  const { open, lost, events, fire, told } = fixture({ transports: ["poll"] });
  open();
  events(11);
  const waits = [];
  for (let attempt = 0; attempt < 9; attempt += 1) { lost("unreachable"); waits.push(told.timers.get("retry")); fire("retry"); }
  assert.deepEqual(waits, [400, 800, 1600, 3200, 5_000, 5_000, 5_000, 5_000, 5_000]);
  open();
  events(12);
  lost("broken");
  assert.equal(told.timers.get("retry"), 400);
  const none = fixture({ random: () => 0 });
  none.lost("unreachable");
  assert.equal(none.told.timers.get("retry"), 0);
});

test("a server that accepts connections only to drop them is not asked ever faster", () => {
  const { open, lost, fire, told } = fixture({ transports: ["poll"] });
  for (let attempt = 0; attempt < 5; attempt += 1) { open(); lost("broken"); fire("retry"); }
  open();
  lost("broken");
  assert.equal(told.timers.get("retry"), 5_000);
  fire("retry");
  open();
  fire("steady");
  lost("broken");
  assert.equal(told.timers.get("retry"), 400, "one that lasted counts as a success");
});

test("Retry-After comes before the delay, so that not all return in the same second", () => {
  const { lost, told } = fixture();
  lost(refusal(429, 7));
  assert.equal(told.timers.get("retry"), 7400);
});

test("401, 403 and 404 end it with the problem; 429 and 503 do not", () => {
  for (const [status, reason] of [[401, "unauthorized"], [403, "forbidden"], [404, "notFound"], [400, "rejected"]]) {
    const { open, lost, told, machine, input } = fixture();
    open();
    lost(refusal(status));
    assert.deepEqual([machine.phase, told.statuses.at(-1).reason, told.ends[0].status, told.timers.size], ["stopped", reason, status, 0]);
    input("networkReturned");
    input("stop", { reason: "stopped" });
    assert.equal(told.ends.length, 1);
  }
  for (const status of [429, 500, 502, 503]) {
    const { lost, machine } = fixture();
    lost(refusal(status));
    assert.equal(machine.phase, "waiting");
  }
});

test("a connection that is silent for longer than a heartbeat is given up", () => {
  const { open, report, fire, told, machine } = fixture();
  open();
  report("heard");
  assert.equal(told.timers.get("stall"), defaults.stallMs);
  fire("stall");
  assert.deepEqual([machine.phase, told.statuses.at(-1).reason], ["waiting", "stalled"]);
});

test("a pause gives the connection up, and resuming goes on after the last event", () => {
  const { open, events, input, told, machine, last } = fixture();
  open();
  events(11);
  input("pause", { by: "paused" });
  input("pause", { by: "congested" });
  assert.deepEqual([machine.phase, told.timers.size], ["paused", 0]);
  input("networkReturned");
  input("resume", { by: "paused" });
  assert.equal(machine.phase, "paused", "there is another reason");
  const before = told.connections.length;
  input("resume", { by: "congested" });
  assert.equal(told.connections.length, before + 1);
  input("resume", { by: "congested" });
  assert.equal(told.connections.length, before + 1);
  assert.deepEqual([machine.cursor, last().do], [11, "connect"]);
});

test("what an abandoned connection reports is ignored", () => {
  const { open, input, report, told, machine, last } = fixture();
  open();
  const old = last().connection;
  input("networkReturned");
  input("events", { connection: old, events: [event(11)] });
  input("lost", { connection: old, failure: refusal(404) });
  input("opened", { connection: old });
  assert.deepEqual([told.seqs, machine.phase], [[], "connecting"]);
  open();
  report("events", { events: [event(11)] });
  assert.deepEqual(told.seqs, [11]);
});

test("a device that wakes up keeps a connection that is alive", () => {
  const { open, input, told } = fixture();
  told.now = 1000;
  open();
  told.now = 5000;
  input("networkReturned", { ifSilentForMs: 20_000 });
  assert.equal(told.connections.length, 1);
  told.now = 30_000;
  input("networkReturned", { ifSilentForMs: 20_000 });
  assert.equal(told.connections.length, 2);
});

test("without a cursor the room is read first, again and again until it can be", () => {
  const { lost, fire, report, last, told, machine } = fixture({ cursor: null });
  assert.equal(last().do, "read");
  lost("unreachable");
  fire("retry");
  assert.equal(last().do, "read");
  report("snapshot", { seq: 40 });
  assert.deepEqual([last().do, last().transport, machine.cursor], ["connect", "sse", 40]);
  const missing = fixture({ cursor: null });
  missing.lost(refusal(404));
  assert.equal(missing.machine.phase, "stopped");
  assert.equal(told.ends.length, 0);
});

test("a stopped machine asks for nothing", () => {
  const { open, input, report, told, machine } = fixture();
  open();
  input("stop", { reason: "archived" });
  assert.deepEqual([told.statuses.at(-1).reason, told.ends], ["archived", [null]]);
  for (const type of ["opened", "heard", "events", "lost"]) report(type, { events: [event(11)], failure: refusal(404) });
  for (const type of ["start", "resume", "networkReturned", "networkLost"]) input(type, { by: "paused" });
  assert.deepEqual([told.seqs, machine.phase, told.ends.length], [[], "stopped", 1]);
});

// Which failures the machine that follows a room blames on the transport, on the network, or on something in between.
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaults } from "../../Sources/Page/client/follow-rules.js";
import { refusal, fixture } from "./support/machine-fixture.mjs";

const both = { transports: ["sse", "poll"] };
const page = (status) => ({ kind: "refused", error: { status, retryAfter: null, isFromServer: false } });

test("a refusal by an intermediary does not end it", () => {
  for (const status of [400, 401, 403, 404, 410]) {
    const { open, lost, told, machine, fire, last } = fixture(both);
    open();
    lost(page(status));
    assert.deepEqual([machine.phase, told.ends, told.statuses.at(-1).reason], ["waiting", [], "refused"], String(status));
    fire("retry");
    assert.equal(last().transport, "sse");
    const reading = fixture({ cursor: null });
    reading.lost(page(status));
    assert.equal(reading.machine.phase, "waiting");
    reading.lost(refusal(status));
  }
});

test("a provider of tokens that takes its time is not the transport's fault", () => {
  const { reach, told, last, fire, open } = fixture(both);
  assert.equal(told.timers.get("open"), defaults.tokenMs, "it may show a dialog");
  reach("sent");
  assert.equal(told.timers.get("open"), defaults.openMs);
  reach("answered", "token");
  assert.equal(told.timers.get("open"), defaults.tokenMs, "asked again, after a 401");
  fire("open");
  assert.deepEqual([told.statuses.at(-1).reason, told.timers.has("retry")], ["unreachable", true]);
  fire("retry");
  assert.equal(last().transport, "sse");
  open();
  reach("token");
  assert.equal(told.timers.get("stall"), defaults.tokenMs, "for the next long-poll");
  reach("sent");
  assert.equal(told.timers.get("stall"), defaults.stallMs);
});

test("an unproven stream that stays silent after its headers is given up for long", () => {
  const { silence, told, last, open } = fixture(both);
  silence("sent", "answered");
  assert.equal(last().transport, "poll", "at once");
  open();
  assert.equal(told.timers.get("preferred"), defaults.blockMs);
});

test("one that stays silent altogether is tried again soon, and later each time", () => {
  const { silence, told, last, open, fire } = fixture(both);
  const waits = [];
  for (let count = 0; count < 5; count += 1) {
    silence("sent");
    assert.equal(last().transport, "poll");
    open();
    waits.push(told.timers.get("preferred"));
    told.now += waits.at(-1);
    fire("preferred");
    assert.deepEqual([last().transport, told.statuses.at(-1).reason], ["sse", "preferred"]);
  }
  assert.deepEqual(waits, [30_000, 60_000, 120_000, 240_000, 300_000]);
});

test("a healthy fallback goes back to the favourite when its time is over, and events go on after the last one", () => {
  const { lost, told, last, open, events, fire, machine, silence } = fixture(both);
  lost("unsupported");
  open();
  events(11);
  told.now += defaults.blockMs;
  fire("preferred");
  assert.deepEqual([last().transport, machine.cursor], ["sse", 11]);
  open();
  events(12);
  assert.deepEqual([told.seqs, told.timers.has("preferred")], [[11, 12], false], "the favourite has none");
  silence();
});

test("a network in which nothing arrives blames no transport for long, in whose turn it ever returns", () => {
  for (let turns = 0; turns < 40; turns += 1) {
    const { silence, told, last, open, fire, events } = fixture(both);
    open();
    events(11);
    fire("stall");
    fire("retry");
    for (let count = 0; count < turns; count += 1) silence("sent");
    open();
    const until = told.now + 61_000;
    for (; last().transport !== "sse" && told.now < until; open()) {
      told.now += told.timers.get("preferred");
      fire("preferred");
    }
    assert.equal(last().transport, "sse", `after ${turns} turns it stays with ${last().transport}`);
    assert.ok(told.now <= until, `after ${turns} turns it takes ${told.now - until + 61_000} ms`);
  }
});

test("a proven transport that is silent once is not replaced", () => {
  const { silence, last, open, lost, fire } = fixture(both);
  open();
  lost("broken");
  fire("retry");
  silence("sent", "answered");
  assert.equal(last().transport, "sse");
  open();
});

test("a WebSocket that does not open while the server is away is tried again soon after its return", () => {
  const { lost, told, last, open, events, fire } = fixture({ transports: ["socket", "sse", "poll"] });
  open();
  events(11);
  lost("broken");
  for (const kind of ["unopened", "unopened", "unreachable"]) {
    fire("retry");
    lost(kind);
  }
  fire("retry");
  open();
  assert.equal(last().transport, "sse");
  assert.ok(told.timers.get("preferred") <= defaults.probeMs, String(told.timers.get("preferred")));
  told.now += told.timers.get("preferred");
  fire("preferred");
  assert.equal(last().transport, "socket");
});

test("a WebSocket that never opens here is replaced at once, and for long", () => {
  const { lost, told, last, open } = fixture({ transports: ["socket", "sse", "poll"] });
  lost("unopened");
  assert.equal(last().transport, "sse");
  open();
  assert.equal(told.timers.get("preferred"), defaults.blockMs);
});

test("a room that is not found by a read may still say why; then the connection decides", () => {
  const { input, open, events, told, fire, last, lost, machine } = fixture(both);
  open();
  input("missing");
  assert.equal(told.timers.get("missing"), defaults.missingMs);
  events(11);
  assert.deepEqual([told.seqs, machine.phase], [[11], "live"]);
  fire("missing");
  assert.deepEqual([last().do, told.statuses.at(-1).reason], ["connect", "missing"]);
  input("missing");
  assert.equal(told.timers.has("missing"), false, "a new connection finds out by itself");
  lost(refusal(404));
  assert.equal(machine.phase, "stopped");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { Stream } from "../../Sources/Page/client/follow-machine.js";
import { knownTypes } from "../../Sources/Page/client/room-state.js";

const event = (seq) => ({ seq, type: "message.system", data: {} });

/** Transports and timers controlled by the test, and the notifications from the stream. */
function scene(options = {}, isOnline = () => true) {
  const links = [];
  const timers = [];
  const told = { seqs: [], states: [], resumes: 0, gone: null };
  const make = (name) => (link) => { const entry = { name, link, closed: false }; links.push(entry); return { close() { entry.closed = true; } }; };
  const stream = new Stream({
    room: "room_x", after: 10, request: null,
    onEvents: (events) => told.seqs.push(...events.map((each) => each.seq)),
    onState: (state, transport) => told.states.push(`${state} ${transport}`),
    onResume: () => { told.resumes += 1; }, onGone: (problem) => { told.gone = problem; }, ...options,
  }, {
    transports: { sse: make("sse"), socket: make("socket"), poll: make("poll") },
    timers: { setTimeout: (act, ms) => timers.push({ act, ms }), clearTimeout() {} },
    random: () => 1, isOnline,
  });
  stream.start();
  return { stream, links, timers, told, last: () => links.at(-1), fire: () => timers.pop().act() };
}

test("each event is delivered once and in order despite repeats", () => {
  const { last, told, stream } = scene();
  last().link.open();
  last().link.events([event(11), event(12)], true);
  last().link.events([event(12), event(13)], true);
  assert.deepEqual(told.seqs, [11, 12, 13]);
  assert.equal(stream.cursor, 13);
});

test("missing events are requested again instead of skipped", () => {
  const { last, told, links, fire } = scene();
  last().link.open();
  last().link.events([event(11), event(13)], true);
  assert.deepEqual(told.seqs, [11]);
  assert.ok(links[0].closed);
  fire();
  assert.equal(last().link.after(), 11);
  last().link.open();
  last().link.events([event(12), event(13)], true);
  assert.deepEqual(told.seqs, [11, 12, 13]);
});

test("server-sent events of unknown types are not a gap", () => {
  const { last, told } = scene();
  last().link.open();
  last().link.events([event(11)], false);
  last().link.events([event(14)], false);
  assert.deepEqual(told.seqs, [11, 14]);
});

test("an unsupported transport is replaced at once by the next", () => {
  const { last, told } = scene();
  assert.equal(last().name, "sse");
  last().link.lost(null);
  assert.equal(last().name, "socket");
  last().link.lost(null);
  assert.equal(last().name, "poll");
  last().link.open();
  assert.deepEqual(told.states, ["live poll"]);
});

test("a forced transport has no fallback", () => {
  const { last, links, fire } = scene({ transport: "socket" });
  last().link.lost(null);
  fire();
  last().link.lost(null);
  assert.deepEqual(links.map((each) => each.name), ["socket", "socket"]);
});

test("after an interruption the stream resumes from the cursor and reports it", () => {
  const { last, told, fire, timers } = scene();
  last().link.open();
  last().link.events([event(11)], true);
  last().link.lost(null);
  assert.equal(told.states.at(-1), "reconnecting sse");
  assert.equal(timers.length, 1);
  fire();
  assert.equal(last().link.after(), 11);
  last().link.open();
  assert.equal(told.states.at(-1), "live sse");
  assert.equal(told.resumes, 1);
});

test("the backoff grows up to a bound and resets after success", () => {
  const { last, timers, fire } = scene({ transport: "poll" });
  last().link.open();
  last().link.events([event(11)], true);
  const waits = [];
  for (let attempt = 0; attempt < 9; attempt += 1) {
    last().link.lost(null);
    waits.push(timers.at(-1).ms);
    fire();
  }
  assert.deepEqual(waits.slice(0, 4), [400, 800, 1600, 3200]);
  assert.equal(waits.at(-1), 15_000);
  last().link.events([event(12)], true);
  last().link.lost(null);
  assert.equal(timers.at(-1).ms, 400);
});

test("a transport that keeps breaking after it opens is replaced", () => {
  const { last, fire } = scene();
  last().link.open();
  for (let attempt = 0; attempt < 2; attempt += 1) { last().link.lost(null); fire(); last().link.open(); }
  last().link.lost(null);
  fire();
  assert.equal(last().name, "socket");
});

test("an offline network does not count against the transport, and is detected at once", () => {
  const { last, told, fire, stream, timers } = scene({}, () => false);
  last().link.open();
  stream.interrupt();
  assert.equal(told.states.at(-1), "reconnecting sse");
  for (let attempt = 0; attempt < 6; attempt += 1) { fire(); last().link.lost(null); }
  assert.equal(last().name, "sse");
  assert.equal(timers.length, 1);
  stream.kick();
  assert.equal(last().name, "sse");
});

test("events of an abandoned connection are ignored", () => {
  const { links, last, told, stream } = scene();
  last().link.open();
  stream.kick();
  links[0].link.events([event(11)], true);
  links[0].link.lost(null);
  assert.deepEqual(told.seqs, []);
  assert.equal(links.length, 2);
  last().link.events([event(11)], true);
  assert.deepEqual(told.seqs, [11]);
});

test("a banned user, or one whose room is gone, is notified and not reconnected", () => {
  const { last, told, timers } = scene();
  last().link.open();
  last().link.lost({ status: 404, isFinal: true });
  assert.equal(told.gone.status, 404);
  assert.equal(timers.length, 0);
});

test("a stopped stream delivers nothing", () => {
  const { last, told, stream } = scene();
  last().link.open();
  const { link } = last();
  stream.stop();
  link.events([event(11)], true);
  link.lost(null);
  assert.deepEqual(told.seqs, []);
});

test("every event type that changes the state is subscribed to", () => {
  for (const type of ["bid.placed", "countdown.moved", "message.sent", "stage.seated", "item.sold", "price.dropped"]) assert.ok(knownTypes.includes(type), type);
});

// The machine that follows a room, on a simulated network, for many seeds: whatever happens, every event arrives once and in order, the
// state is one that the server had, and when the network is well again nothing is missing. SEEDS=n runs more, SEED=n one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FollowMachine } from "../../Sources/Page/client/follow-machine.js";
import { applyEvent, initialState, withSnapshot } from "../../Sources/Page/client/room-state.js";
import { SimulatedNetwork } from "./simulation/network.mjs";
import { Agenda, generator } from "./simulation/random.mjs";
import { SimulatedServer } from "./simulation/server.mjs";

const seeds = process.env.SEED ? [Number(process.env.SEED)] : Array.from({ length: Number(process.env.SEEDS ?? 1_500) }, (_, index) => index + 1);
const stormMs = 120_000;
const calmMs = 200_000;

/** The follow's shell, as far as it matters here: it does what the machine asks for, and keeps the state. */
function follower(agenda, random, server, makeMachine) {
  const timers = new Map();
  const told = { seqs: [], statuses: [], begin: null };
  let state = initialState();
  let close = () => {};
  const machine = makeMachine({ transports: random.pick([["sse", "poll"], ["sse", "socket", "poll"], ["poll"]]), random: random.next });
  const network = new SimulatedNetwork(agenda, random, server, input);

  function input(given) {
    const hadBegun = machine.cursor !== null;
    for (const action of machine.handle(given, agenda.now)) perform(action);
    // As the shell does: the room that was read is the state with which events begin.
    if (!hadBegun && machine.cursor !== null) {
      told.begin = given.seq;
      state = { ...withSnapshot(state, given.room), seq: given.seq };
    }
  }
  function perform(action) {
    if (action.do === "read") network.read(action.connection);
    if (action.do === "connect") close = network.connect(action.connection, action.transport, machine.cursor);
    if (action.do === "close") { close(); close = () => {}; }
    if (action.do === "schedule") { timers.get(action.timer)?.(); timers.set(action.timer, agenda.after(action.ms, () => input({ type: "timer", name: action.timer }))); }
    if (action.do === "cancel") timers.get(action.timer)?.();
    if (action.do === "status") told.statuses.push(action.status);
    if (action.do === "deliver") for (const event of action.events) deliver(event);
  }
  function deliver(event) {
    assert.equal(event.seq, (told.seqs.at(-1) ?? told.begin) + 1, `event ${event.seq} after ${told.seqs.at(-1) ?? told.begin}`);
    told.seqs.push(event.seq);
    assert.deepEqual(event, server.log[event.seq - 1]);
    state = applyEvent(state, event);
    assert.deepEqual(state.room, server.roomAt(event.seq), `the room after event ${event.seq} is none that the server had`);
  }
  return { machine, network, told, input };
}

/** One storm, then calm. Throws if a promise is broken. */
function run(seed, makeMachine = (options) => new FollowMachine({ cursor: null, ...options })) {
  const random = generator(seed);
  const agenda = new Agenda();
  const server = new SimulatedServer();
  for (let count = random.below(20); count > 0; count -= 1) server.happen(random);
  const { machine, network, told, input } = follower(agenda, random, server, makeMachine);
  let isPaused = false;
  const mishaps = [
    () => network.cut(), () => network.stall(), () => { server.isUp = false; network.cut(); agenda.after(random.below(20_000), () => { server.isUp = true; }); },
    () => input({ type: "networkLost" }), () => input({ type: "networkReturned", ifSilentForMs: random.pick([0, 20_000]) }),
    () => { isPaused = !isPaused; input({ type: isPaused ? "pause" : "resume", by: "paused" }); },
  ];
  input({ type: "start" });
  while (agenda.now < stormMs) {
    agenda.runUntil(agenda.now + random.below(4_000));
    if (random.chance(0.7)) for (let count = random.below(4); count > 0; count -= 1) server.happen(random);
    network.publish();
    if (random.chance(0.15)) random.pick(mishaps)();
  }
  network.isCalm = true;
  agenda.after(20_000, () => { if (isPaused) input({ type: "resume", by: "paused" }); });
  agenda.runUntil(stormMs + calmMs);
  for (let count = 0; count < 3; count += 1) { server.happen(random); network.publish(); agenda.runUntil(agenda.now + 1_000); }
  assert.equal(machine.phase, "live", "the network is well, and the machine is not");
  assert.equal(told.seqs.at(-1), server.seq, "events are missing at the end");
  assert.equal(told.seqs.length, server.seq - told.begin);
  return told;
}

test(`no event is lost or doubled and no state invented (${seeds.length} seeds)`, () => {
  const reasons = new Set();
  for (const seed of seeds) {
    try {
      for (const status of run(seed).statuses) reasons.add(status.reason);
    } catch (error) {
      throw new Error(`SEED=${seed}: ${error.message}`, { cause: error });
    }
  }
  if (seeds.length < 100) return;
  // A storm in which something never happened shows nothing about it.
  for (const reason of ["unreachable", "refused", "broken", "protocol", "gap", "stalled", "silent", "unsupported", "preferred", "offline", "networkReturned", "paused", "resumed"]) {
    assert.ok(reasons.has(reason), `no seed had ${reason}`);
  }
});

test("the simulation finds machines that break a promise", () => {
  /** A machine with one defect: its actions or its inputs are changed. */
  const spoiled = (change) => (options) => {
    const machine = new FollowMachine({ cursor: null, ...options });
    return { get cursor() { return machine.cursor; }, get phase() { return machine.phase; }, handle: (input, now) => change(machine, input, now) };
  };
  const defects = {
    "repeats are delivered": spoiled((machine, input, now) => {
      const old = (input.events ?? []).filter((event) => event.seq <= machine.cursor);
      return machine.handle(input, now).map((action) => (action.do === "deliver" ? { ...action, events: [...old, ...action.events] } : action));
    }),
    "gaps are skipped": spoiled((machine, input, now) => {
      // Numbers the events anew, so that none seems to be missing.
      if (input.type !== "events") return machine.handle(input, now);
      const events = input.events.filter((event) => event.seq > machine.cursor).map((event, index) => ({ ...event, seq: machine.cursor + 1 + index, real: event }));
      return machine.handle({ ...input, events }, now).map((action) => (action.do === "deliver" ? { ...action, events: action.events.map((event) => event.real) } : action));
    }),
    "stalls are not noticed": spoiled((machine, input, now) => machine.handle(input, now).filter((action) => action.timer !== "stall" && action.timer !== "open")),
    "an intermediary's page ends it": spoiled((machine, input, now) => {
      if (input.failure?.error?.status >= 400) input = { ...input, failure: { ...input.failure, error: { ...input.failure.error, isFromServer: true } } };
      return machine.handle(input, now);
    }),
    "a provider that never returns is waited for": spoiled((machine, input, now) => machine.handle(input, now).filter((action) => action.timer !== "open" || action.ms < 100_000)),
    "a lost connection is not retried": spoiled((machine, input, now) => machine.handle(input, now).filter((action) => action.timer !== "retry")),
  };
  for (const [name, makeMachine] of Object.entries(defects)) {
    let found = 0;
    for (let seed = 1; seed <= 60 && found === 0; seed += 1) {
      try { run(seed, makeMachine); } catch { found = seed; }
    }
    assert.ok(found > 0, `not found: ${name}`);
  }
});

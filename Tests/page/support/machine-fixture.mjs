// The machine that follows a room, and a test that plays its connections.
import { FollowMachine } from "../../../Sources/Page/client/follow-machine.js";

export const event = (seq) => ({ seq, type: "message.system", data: {} });
/** A refusal of this server. */
export const refusal = (status, retryAfter = null) => ({ kind: "refused", error: { status, retryAfter, isFromServer: true } });

/** A machine after seq 10, and what it has asked for. Time stands still unless the test moves it. */
export function fixture({ transports = ["sse", "socket", "poll"], cursor = 10, random = () => 1 } = {}) {
  const machine = new FollowMachine({ cursor, transports, random });
  const told = { seqs: [], states: [], statuses: [], connections: [], closes: 0, refreshes: 0, ends: [], timers: new Map(), now: 0 };
  const input = (type, more = {}) => {
    for (const action of machine.handle({ type, ...more }, told.now)) {
      if (action.do === "deliver") told.seqs.push(...action.events.map((each) => each.seq));
      if (action.do === "status") { told.statuses.push(action.status); told.states.push(`${action.status.state} ${action.status.transport}`); }
      if (action.do === "connect" || action.do === "read") told.connections.push(action);
      if (action.do === "close") told.closes += 1;
      if (action.do === "refresh") told.refreshes += 1;
      if (action.do === "schedule") told.timers.set(action.timer, action.ms);
      if (action.do === "cancel") told.timers.delete(action.timer);
      if (action.do === "end") told.ends.push(action.error);
    }
  };
  const last = () => told.connections.at(-1);
  /** What the present connection reports. */
  const report = (type, more) => input(type, { connection: last().connection, ...more });
  const lost = (kind, isOnline = true) => report("lost", { failure: typeof kind === "string" ? { kind, error: null } : kind, isOnline });
  const fire = (name) => { told.timers.delete(name); input("timer", { name }); };
  /** The provider of tokens has responded, the request is out, and perhaps there are headers. */
  const reach = (...stages) => { for (const stage of stages) report("progress", { stage }); };
  /** Nothing comes: the connection is given up, and where another is not tried at once, after a pause. */
  const silence = (...stages) => {
    reach(...stages);
    told.now += told.timers.get("open");
    fire("open");
    if (machine.phase === "waiting") fire("retry");
  };
  input("start");
  return { machine, told, input, report, lost, fire, last, reach, silence, open: () => report("opened"), events: (...seqs) => report("events", { events: seqs.map(event) }) };
}

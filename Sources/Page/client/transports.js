// The three ways in which events come, behind one interface. A transport calls `open` when its first bytes are here, `events` for what
// came, `notice` for what has no place in the history, and `lost` once when it is over; it never reconnects by itself. `progress` has the
// stages before the first bytes: see Requests.stream in http.js.
import { Problem, ProtocolError } from "./errors.js";
import { EventStreamParser } from "./sse-parser.js";
import { jitter, pause } from "./timing.js";

const pollSeconds = 25;
const pageLimit = 200;
/** A held response that comes sooner has not been held: by an intermediary that keeps or makes responses, perhaps. */
const heldMs = 1_000;
/** Close codes of the WebSocket after which another connection would end the same way, and the status that means the same. */
const finalCodes = { 4403: 403, 4404: 404 };

/** An event as the contract has it, whatever its type. @throws ProtocolError */
export function checkedEvent(value) {
  const isEvent = Number.isSafeInteger(value?.seq) && value.seq > 0 && typeof value.type === "string"
    && value.data !== null && typeof value.data === "object";
  if (!isEvent) throw new ProtocolError("An event has no seq, type or data.");
  return value;
}

/** A room as far as the state relies on it. @throws ProtocolError */
export function checkedRoom(value) {
  if (!Number.isSafeInteger(value?.seq) || typeof value.state !== "string") throw new ProtocolError("The room has no seq or state.");
  return value;
}

function json(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProtocolError("An event is not JSON.", { cause: error });
  }
}

/** What ended a connection, for the machine that decides what follows: see `lost` in follow-machine.js. */
export function failureOf(error) {
  if (error instanceof ProtocolError) return { kind: "protocol", error };
  if (error instanceof Problem) return { kind: error.status === 406 || error.status === 501 ? "unsupported" : "refused", error };
  // Anything else was thrown before a response arrived, perhaps by the provider of tokens.
  return { kind: error instanceof Broken ? "broken" : "unreachable", error };
}

function sse(link) {
  const abort = new AbortController();
  const run = async () => {
    const response = await link.requests.stream(`${link.path}/events?after=${link.after()}`, { Accept: "text/event-stream" }, abort.signal, link.progress);
    const type = response.headers.get("Content-Type") ?? "";
    if (!/^text\/event-stream\b/i.test(type) || !response.body) return { kind: "unsupported", error: new ProtocolError(`Not a stream: ${type}`) };
    const reader = response.body.getReader();
    const parser = new EventStreamParser();
    for (;;) {
      const { value, done } = await reader.read().catch((error) => { throw new Broken(error); });
      if (done) return { kind: "broken", error: null };
      // The first bytes, not the headers: an intermediary that collects the body would let the headers pass.
      link.open();
      receive(link, parser.feed(value));
    }
  };
  run().then((failure) => link.lost(failure), (error) => {
    if (!abort.signal.aborted) link.lost(failureOf(error));
  }).finally(() => abort.abort());
  return { close() { abort.abort(); } };
}

/** Marks a body that broke off, unlike a request that got no response at all. */
class Broken extends Error {
  constructor(cause) { super(cause?.message, { cause }); }
}

/** Passes on what a stream has brought, in order, with neighbouring events in one call. */
function receive(link, messages) {
  let events = [];
  const flush = () => {
    if (events.length > 0) link.events(events);
    events = [];
  };
  for (const { type, id, data } of messages) {
    if (data === null) continue;
    if (type === "notice") {
      flush();
      link.notice(json(data));
      continue;
    }
    const event = checkedEvent(json(data));
    if (String(event.seq) !== id || event.type !== type) throw new ProtocolError("An event is not the one that its frame names.");
    events.push(event);
  }
  flush();
  link.heard();
}

function poll(link) {
  const abort = new AbortController();
  const run = async () => {
    let wait = 0;
    // In a row, held in name only and without an event.
    let empty = 0;
    for (;;) {
      const sentAt = link.timing.monotonic();
      // The first response is immediate, so that the connection counts as open only once it works.
      const page = await link.requests.request("GET", `${link.path}/events?after=${link.after()}&wait=${wait}&limit=${pageLimit}`,
        { signal: abort.signal, timeoutMs: (wait + 15) * 1000, isHeld: wait > 0, progress: link.progress });
      if (abort.signal.aborted) return;
      if (!Array.isArray(page?.events)) throw new ProtocolError("The response has no events.");
      link.open();
      link.heard();
      if (page.events.length > 0) link.events(page.events.map(checkedEvent));
      if (page.presence) link.notice({ notice: "presence", viewers: page.presence.viewers, serverTime: page.serverTime });
      if (abort.signal.aborted) return;
      const wasHeld = wait === 0 || page.events.length > 0 || link.timing.monotonic() - sentAt >= heldMs;
      empty = wasHeld ? 0 : empty + 1;
      if (!wasHeld) await pause(link.timing, heldMs + jitter(empty, link.random), abort.signal);
      wait = page.more ? 0 : pollSeconds;
    }
  };
  run().catch((error) => { if (!abort.signal.aborted) link.lost(failureOf(error)); });
  return { close() { abort.abort(); } };
}

function socket(link) {
  const abort = new AbortController();
  let channel = null;
  const end = (failure) => {
    if (abort.signal.aborted) return;
    abort.abort();
    channel?.close();
    link.lost(failure);
  };
  const run = async () => {
    const address = await socketAddress(link, abort.signal);
    if (abort.signal.aborted) return;
    link.progress("sent");
    try {
      channel = new link.WebSocket(address, "auction-room.v1");
    } catch (error) {
      // A browser may refuse the address by its own rules: another transport is not bound by them.
      return end({ kind: "unsupported", error });
    }
    channel.onopen = () => link.open();
    // A browser does not say why a WebSocket failed to open.
    let hasOpened = false;
    channel.onclose = ({ code, reason }) => {
      const status = finalCodes[code];
      if (status) end({ kind: "refused", error: closing(status, reason) });
      else end({ kind: hasOpened ? "broken" : "unopened", error: null });
    };
    channel.onerror = () => {};
    channel.onmessage = ({ data }) => {
      hasOpened = true;
      if (abort.signal.aborted) return;
      try { receiveFrame(link, json(data)); } catch (error) { end(failureOf(error)); }
    };
  };
  if (link.WebSocket) run().catch((error) => end(failureOf(error)));
  else queueMicrotask(() => end({ kind: "unsupported", error: null }));
  return { close() { abort.abort(); channel?.close(); } };
}

/** A close code of the server as the problem that it means. */
function closing(status, detail) {
  const [code, type] = status === 404 ? ["room.archived", "/problems/not-found"] : ["room.hidden", "/problems/permission-denied"];
  return new Problem({ detail, code, type }, status);
}

/** With a one-time ticket, since a WebSocket cannot carry the token in a browser; without a token none is needed. */
async function socketAddress(link, signal) {
  const query = new URLSearchParams({ after: String(link.after()) });
  if (await link.requests.token(signal) !== null) {
    const body = await link.requests.request("POST", `${link.path}/tickets`, { body: {}, signal, progress: link.progress });
    if (typeof body?.ticket !== "string") throw new ProtocolError("The response has no ticket.");
    query.set("ticket", body.ticket);
  }
  return `${link.requests.base.replace(/^http/, "ws")}${link.path}/socket?${query}`;
}

function receiveFrame(link, frame) {
  link.heard();
  if (frame?.notice) link.notice(frame);
  else if (frame?.seq !== undefined) link.events([checkedEvent(frame)]);
}

export const transports = { sse, socket, poll };

// The connection to a room as a machine: inputs go in, actions come out, and nothing here waits, sends or reads a clock. Whatever the
// network does, the events that it delivers are those after the cursor, each once and in order: the cursor moves only when an event is
// delivered, every connection starts at it, and inputs of a connection that was given up are ignored.
import { jitter } from "./timing.js";
import { TransportChoice } from "./transport-choice.js";

export const defaults = {
  /** A connection that has brought nothing after this does not get through. */
  openMs: 10_000,
  /** The server sends something at least every 15 s, and a long-poll lasts at most 25 s. */
  stallMs: 40_000,
  /** A connection that lasts this long counts as a success, also without events. */
  steadyMs: 10_000,
  /** A transport that breaks more often than this without an event is replaced by the next. */
  patience: 2,
  /** After this, a transport that did not get through is tried again. */
  blockMs: 300_000,
};

/** Statuses that no repetition would change. */
const finalReasons = { 400: "rejected", 401: "unauthorized", 403: "forbidden", 404: "notFound", 410: "notFound" };

export class FollowMachine {
  #config;
  #choice;
  #random;
  #cursor;
  /** "idle", "reading" (the room, where to begin), "connecting", "live", "waiting", "paused" or "stopped". */
  #phase = "idle";
  #serial = 0;
  #attempt = 0;
  #pauses = new Set();
  #wasLive = false;
  #heardAt = -Infinity;

  /**
   * @param options `cursor`: the seq after which events are wanted, or null to read the room first; `transports`: their names, the
   *   favourite first; `random`; and any of `defaults`
   */
  constructor({ cursor = null, transports, random, ...config }) {
    this.#config = { ...defaults, ...config };
    this.#choice = new TransportChoice(transports, this.#config.patience, this.#config.blockMs);
    this.#random = random;
    this.#cursor = cursor;
  }

  get cursor() { return this.#cursor; }
  get phase() { return this.#phase; }

  /**
   * @param input `type`, and `connection` in everything that a connection reports: "start", "snapshot" (`seq`: where to begin), "opened",
   *   "heard", "events" (`events`), "lost" (`failure`: `kind` and `error`; `isOnline`), "timer" (`name`), "networkLost",
   *   "networkReturned" (`ifSilentForMs`), "pause" and "resume" (`by`), "stop" (`reason`)
   * @param now milliseconds of a clock that never goes back
   * @returns actions in order: `do` is "read", "connect", "close", "schedule" (`timer`, `ms`), "cancel" (`timer`), "deliver" (`events`),
   *   "refresh" (events may have been missed elsewhere: what is not an event should be read again), "status" (`status`), "end" (`error`)
   */
  handle(input, now) {
    const out = [];
    const isStale = input.connection !== undefined && input.connection !== this.#serial;
    if (this.#phase !== "stopped" && !isStale) this.#take(input, now, out);
    return out;
  }

  #take(input, now, out) {
    switch (input.type) {
      case "start": return this.#start(now, out);
      case "snapshot": return this.#begin(input, now, out);
      case "opened": return this.#opened(now, out);
      case "heard": return this.#heard(now, out);
      case "events": return this.#events(input, now, out);
      case "lost": return this.#lost(input, now, out);
      case "timer": return this.#timer(input, now, out);
      case "networkLost": return this.#networkLost(now, out);
      case "networkReturned": return this.#networkReturned(input, now, out);
      case "pause": return this.#pause(input, out);
      case "resume": return this.#resume(input, now, out);
      case "stop": return this.#stop(out, input.reason, null);
      default: throw new TypeError(`no such input: ${input.type}`);
    }
  }

  #start(now, out) {
    if (this.#phase === "idle") this.#connect(now, out, "started");
  }

  #begin({ seq }, now, out) {
    if (this.#phase !== "reading") return;
    this.#cursor = seq;
    this.#attempt = 0;
    this.#connect(now, out, "started");
  }

  #opened(now, out) {
    this.#heardAt = now;
    if (this.#phase !== "connecting") return;
    const isReturn = this.#wasLive;
    this.#phase = "live";
    this.#wasLive = true;
    out.push({ do: "cancel", timer: "open" }, this.#schedule("stall", this.#config.stallMs), this.#schedule("steady", this.#config.steadyMs));
    this.#status(out, "live", null);
    if (isReturn) out.push({ do: "refresh" });
  }

  #heard(now, out) {
    this.#heardAt = now;
    if (this.#phase === "live") out.push(this.#schedule("stall", this.#config.stallMs));
  }

  #events({ events }, now, out) {
    if (this.#phase !== "live") return;
    this.#heard(now, out);
    const fresh = [];
    let hasGap = false;
    for (const event of events) {
      if (event.seq <= this.#cursor) continue;
      hasGap = event.seq !== this.#cursor + 1;
      // A gap is never skipped: the events after the same cursor are asked for again.
      if (hasGap) break;
      this.#cursor = event.seq;
      fresh.push(event);
    }
    if (fresh.length > 0) {
      this.#succeed();
      out.push({ do: "deliver", events: fresh });
    }
    if (hasGap) this.#lost({ failure: { kind: "gap", error: null }, isOnline: true }, now, out);
  }

  #lost({ failure, isOnline = true }, now, out) {
    if (!["reading", "connecting", "live"].includes(this.#phase)) return;
    const final = finalReasons[failure.error?.status];
    if (final) return this.#stop(out, final, failure.error);
    const wasReading = this.#phase === "reading";
    this.#close(out);
    if (!wasReading && this.#choice.failed(failure.kind, { wasLive: this.#wasLive, isOnline }, now)) return this.#connect(now, out, failure.kind);
    const delayMs = (failure.error?.retryAfter ?? 0) * 1000 + jitter(this.#attempt++, this.#random);
    this.#phase = "waiting";
    this.#status(out, this.#wasLive ? "reconnecting" : "connecting", failure.kind, { error: failure.error ?? null, retryInMs: delayMs });
    out.push(this.#schedule("retry", delayMs));
  }

  #timer({ name }, now, out) {
    if (name === "retry" && this.#phase === "waiting") this.#connect(now, out, "retry");
    if (name === "open" && this.#phase === "connecting") this.#lost({ failure: { kind: "silent", error: null } }, now, out);
    if (name === "stall" && this.#phase === "live") this.#lost({ failure: { kind: "stalled", error: null } }, now, out);
    if (name === "steady" && this.#phase === "live") this.#succeed();
  }

  #networkLost(now, out) {
    if (this.#phase === "live") this.#lost({ failure: { kind: "offline", error: null }, isOnline: false }, now, out);
  }

  #networkReturned({ ifSilentForMs = 0 }, now, out) {
    if (this.#phase === "idle" || this.#phase === "paused") return;
    if (this.#phase === "live" && now - this.#heardAt < ifSilentForMs) return;
    this.#close(out);
    this.#renew();
    this.#connect(now, out, "networkReturned");
  }

  #pause({ by }, out) {
    this.#pauses.add(by);
    if (this.#phase === "paused" || this.#phase === "idle") return;
    this.#close(out);
    this.#phase = "paused";
    this.#status(out, "paused", by);
  }

  #resume({ by }, now, out) {
    if (!this.#pauses.delete(by) || this.#pauses.size > 0 || this.#phase !== "paused") return;
    if (by !== "congested") this.#renew();
    this.#connect(now, out, "resumed");
  }

  #stop(out, reason, error) {
    this.#close(out);
    this.#phase = "stopped";
    this.#status(out, "stopped", reason, { error });
    out.push({ do: "end", error });
  }

  #connect(now, out, reason) {
    if (this.#pauses.size > 0) {
      this.#phase = "paused";
      return this.#status(out, "paused", [...this.#pauses][0]);
    }
    const connection = ++this.#serial;
    if (this.#cursor === null) {
      this.#phase = "reading";
      this.#status(out, "connecting", reason);
      return out.push({ do: "read", connection });
    }
    const transport = this.#choice.next(now);
    this.#phase = "connecting";
    this.#status(out, this.#wasLive ? "reconnecting" : "connecting", reason);
    out.push({ do: "connect", connection, transport }, this.#schedule("open", this.#config.openMs));
  }

  /** Ends the connection, if there is one, and makes its inputs stale. */
  #close(out) {
    this.#serial += 1;
    out.push({ do: "close" });
    for (const timer of ["open", "stall", "steady", "retry"]) out.push({ do: "cancel", timer });
  }

  /** Another network, perhaps: what did not get through before may now. */
  #renew() {
    this.#attempt = 0;
    this.#choice.forgive();
  }

  #succeed() {
    this.#attempt = 0;
    this.#choice.succeeded();
  }

  #schedule(timer, ms) { return { do: "schedule", timer, ms }; }

  #status(out, state, reason, more = {}) {
    out.push({ do: "status", status: { state, reason, transport: this.#choice.current, error: null, retryInMs: null, ...more } });
  }
}

// The connection to a room as a machine: inputs go in, actions come out, and nothing here waits, sends or reads a clock. Whatever the
// network does, the events that it delivers are those after the cursor, each once and in order: the cursor moves only when an event is
// delivered, every connection starts at it, and inputs of a connection that was given up are ignored.
import { defaults, finalReason, nextEvents, schedule, timers } from "./follow-rules.js";
import { jitter } from "./timing.js";
import { TransportChoice } from "./transport-choice.js";

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
  #lastReceivedAt = -Infinity;
  /** How far the connection is: "token" (it may wait for the provider), "sent" or "answered" (there are headers). */
  #progress = "token";

  /**
   * @param options `cursor`: the seq after which events are wanted, or null to read the room first; `transports`: their names, the
   *   favourite first; `random`; and any of `defaults` in follow-rules.js
   */
  constructor({ cursor = null, transports, random, ...config }) {
    this.#config = { ...defaults, ...config };
    this.#choice = new TransportChoice(transports, this.#config);
    this.#random = random;
    this.#cursor = cursor;
  }

  get cursor() { return this.#cursor; }
  get phase() { return this.#phase; }

  /**
   * @param input and @returns see follow-rules.js
   * @param now milliseconds of a clock that never goes back
   */
  handle(input, now) {
    const out = [];
    const isStale = input.connection !== undefined && input.connection !== this.#serial;
    if (this.#phase !== "stopped" && !isStale) this.#take(input, now, out);
    return out;
  }

  #take(input, now, out) {
    switch (input.type) {
      case "start": return this.#phase === "idle" ? this.#connect(now, out, "started") : undefined;
      case "snapshot": return this.#begin(input, now, out);
      case "progress": return this.#progressed(input, out);
      case "opened": return this.#opened(now, out);
      case "heard": return this.#heard(now, out);
      case "events": return this.#events(input, now, out);
      case "lost": return this.#lost(input, now, out);
      case "timer": return this.#timer(input, now, out);
      // Events that say why may still be on their way; a connection that is about to be made finds out by itself.
      case "missing": return this.#phase === "live" ? out.push(schedule("missing", this.#config.missingMs)) : undefined;
      case "networkLost": return this.#networkLost(now, out);
      case "networkReturned": return this.#networkReturned(input, now, out);
      case "pause": return this.#pause(input, out);
      case "resume": return this.#resume(input, now, out);
      case "stop": return this.#stop(out, input.reason, null);
      default: throw new TypeError(`no such input: ${input.type}`);
    }
  }

  #begin({ seq }, now, out) {
    if (this.#phase !== "reading") return;
    this.#cursor = seq;
    this.#attempt = 0;
    this.#connect(now, out, "started");
  }

  /** The time that a provider of tokens takes is not the connection's. */
  #progressed({ stage }, out) {
    this.#progress = stage;
    const { tokenMs, openMs, stallMs } = this.#config;
    if (stage === "answered") return;
    if (this.#phase === "connecting") out.push(schedule("open", stage === "token" ? tokenMs : openMs));
    if (this.#phase === "live") out.push(schedule("stall", stage === "token" ? tokenMs : stallMs));
  }

  #opened(now, out) {
    this.#lastReceivedAt = now;
    if (this.#phase !== "connecting") return;
    const isReturn = this.#wasLive;
    this.#phase = "live";
    this.#wasLive = true;
    out.push({ do: "cancel", timer: "open" }, schedule("stall", this.#config.stallMs), schedule("steady", this.#config.steadyMs));
    this.#choice.opened();
    const preferredAt = this.#choice.preferredAt();
    if (preferredAt !== null) out.push(schedule("preferred", Math.max(this.#config.steadyMs, preferredAt - now)));
    this.#status(out, "live", null);
    if (isReturn) out.push({ do: "refresh" });
  }

  #heard(now, out) {
    this.#lastReceivedAt = now;
    if (this.#phase === "live") out.push(schedule("stall", this.#config.stallMs));
  }

  #events({ events }, now, out) {
    if (this.#phase !== "live") return;
    this.#heard(now, out);
    const { fresh, hasGap } = nextEvents(events, this.#cursor);
    if (fresh.length > 0) {
      this.#cursor += fresh.length;
      this.#succeed();
      out.push({ do: "deliver", events: fresh });
    }
    // A gap is never skipped: the events after the same cursor are asked for again.
    if (hasGap) this.#lost({ failure: { kind: "gap", error: null }, isOnline: true }, now, out);
  }

  #lost({ failure, isOnline = true }, now, out) {
    if (!["reading", "connecting", "live"].includes(this.#phase)) return;
    const final = finalReason(failure.error);
    if (final) return this.#stop(out, final, failure.error);
    const wasReading = this.#phase === "reading";
    this.#close(out);
    const about = { wasLive: this.#wasLive, isOnline, hasAnswered: this.#progress === "answered" };
    if (!wasReading && this.#choice.failed(failure.kind, about, now)) return this.#connect(now, out, failure.kind);
    const delayMs = (failure.error?.retryAfter ?? 0) * 1000 + jitter(this.#attempt++, this.#random, this.#config.retryMs);
    this.#phase = "waiting";
    this.#status(out, this.#wasLive ? "reconnecting" : "connecting", failure.kind, { error: failure.error ?? null, retryInMs: delayMs });
    out.push(schedule("retry", delayMs));
  }

  #timer({ name }, now, out) {
    if (name === "retry" && this.#phase === "waiting") this.#connect(now, out, "retry");
    if (name === "open" && this.#phase === "connecting") {
      this.#lost({ failure: { kind: this.#progress === "token" ? "unreachable" : "silent", error: null } }, now, out);
    }
    if (name === "stall" && this.#phase === "live") this.#lost({ failure: { kind: "stalled", error: null } }, now, out);
    if (name === "steady" && this.#phase === "live") this.#succeed();
    if ((name === "preferred" || name === "missing") && this.#phase === "live") this.#reconnect(now, out, name);
  }

  #reconnect(now, out, reason) {
    this.#close(out);
    this.#connect(now, out, reason);
  }

  #networkLost(now, out) {
    if (this.#phase === "live") this.#lost({ failure: { kind: "offline", error: null }, isOnline: false }, now, out);
  }

  #networkReturned({ ifSilentForMs = 0 }, now, out) {
    if (this.#phase === "idle" || this.#phase === "paused") return;
    if (this.#phase === "live" && now - this.#lastReceivedAt < ifSilentForMs) return;
    this.#renew();
    this.#reconnect(now, out, "networkReturned");
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
    this.#progress = "token";
    this.#status(out, this.#wasLive ? "reconnecting" : "connecting", reason);
    out.push({ do: "connect", connection, transport }, schedule("open", this.#config.tokenMs));
  }

  /** Ends the connection, if there is one, and makes its inputs stale. */
  #close(out) {
    this.#serial += 1;
    out.push({ do: "close" });
    for (const timer of timers) out.push({ do: "cancel", timer });
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

  #status(out, state, reason, more = {}) {
    out.push({ do: "status", status: { state, reason, transport: this.#choice.current, error: null, retryInMs: null, ...more } });
  }
}

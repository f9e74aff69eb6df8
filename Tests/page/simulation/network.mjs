// The network between the machine and the simulated server. It cuts, stalls, delays, repeats and loses; what it passes on of a stream
// is what the server sent, in that order, as TCP has it. Reports of a connection that was given up may come late.
import { EventStreamParser } from "../../../Sources/Page/client/sse-parser.js";
import { frame, greeting, notice } from "./server.mjs";

const heartbeatMs = 15_000;

export class SimulatedNetwork {
  /** Until then nothing goes wrong; afterwards everything may. */
  isCalm = false;
  #open = new Set();

  /** @param report `(input)` hands an input to the machine */
  constructor(agenda, random, server, report) {
    Object.assign(this, { agenda, random, server, report });
  }

  get #isUnlucky() { return !this.isCalm && this.random.chance(0.08); }
  #delay() { return this.random.below(this.isCalm ? 50 : this.random.chance(0.1) ? 3_000 : 200); }

  /** All connections end, as when the server is killed. */
  cut() { for (const connection of [...this.#open]) this.#end(connection, { kind: "broken", error: null }); }

  /** Connections that are open, but on which nothing arrives any more. */
  stall() { for (const connection of this.#open) connection.isStalled = true; }

  read(connection) {
    this.agenda.after(this.#delay(), () => {
      const failure = this.#tokenFailure() ?? this.#refusal();
      if (failure) return this.report({ type: "lost", connection, failure, isOnline: true });
      const { seq } = this.server;
      this.agenda.after(this.#delay(), () => this.report({ type: "snapshot", connection, seq, room: this.server.roomAt(seq) }));
    });
  }

  connect(id, transport, after) {
    const connection = { id, transport, sent: after, isStalled: false, isOpen: true, parser: new EventStreamParser(), arrivesAt: 0 };
    this.#open.add(connection);
    if (!this.isCalm && this.random.chance(0.1)) connection.isStalled = true;
    this.agenda.after(this.#delay(), () => this.#authorize(connection, after));
    // Given up by the client: what is already on its way still arrives.
    return () => { connection.isOpen = false; this.#open.delete(connection); };
  }

  /** The provider of tokens throws, takes its time, or never returns. */
  #authorize(connection, after) {
    const failure = this.#tokenFailure();
    if (failure) return this.#end(connection, failure);
    if (this.#isUnlucky) {
      connection.isStalled = true;
      if (this.random.chance(0.5)) return undefined;
    }
    return this.agenda.after(this.#isUnlucky ? this.random.below(60_000) : this.#delay(), () => {
      this.#progress(connection, "sent");
      this.agenda.after(this.#delay(), () => this.#respond(connection, after));
    });
  }

  #respond(connection, after) {
    if (!connection.isOpen) return;
    const failure = this.#refusal();
    if (failure) return this.#end(connection, failure);
    // Something in between may pass the headers and hold the body.
    if (!connection.isStalled || this.random.chance(0.5)) this.#progress(connection, "answered");
    if (connection.transport === "sse") this.#bytes(connection, greeting(after));
    this.#pump(connection);
    this.#beat(connection);
  }

  #progress(connection, stage) {
    if (connection.isOpen) this.report({ type: "progress", connection: connection.id, stage });
  }

  /** New events reach those who listen. */
  publish() { for (const connection of this.#open) this.#pump(connection); }

  #tokenFailure() { return this.#isUnlucky && this.random.chance(0.3) ? { kind: "unreachable", error: { code: "client.tokenProvider" } } : null; }

  #refusal() {
    if (!this.server.isUp) return { kind: "unreachable", error: null };
    if (!this.#isUnlucky) return null;
    return this.random.pick([
      { kind: "unreachable", error: null }, { kind: "refused", error: { status: 503, retryAfter: this.random.below(3) } },
      { kind: "refused", error: { status: 429, retryAfter: 1 } }, { kind: "refused", error: { status: 502, retryAfter: null } },
      // The pages of intermediaries.
      ...[400, 401, 403, 404].map((status) => ({ kind: "refused", error: { status, retryAfter: null, isFromServer: false } })),
      { kind: "unsupported", error: null }, { kind: "protocol", error: null },
    ]);
  }

  #beat(connection) {
    if (!connection.isOpen) return;
    if (connection.transport === "sse") this.#bytes(connection, notice);
    else this.#arrive(connection, (report) => report("heard"));
    this.agenda.after(heartbeatMs, () => this.#beat(connection));
  }

  #pump(connection) {
    if (!connection.isOpen || !this.server.isUp) return;
    const events = this.server.after(connection.sent, 1 + this.random.below(8));
    if (connection.transport === "sse") {
      for (const event of events) this.#bytes(connection, frame(event));
    } else {
      // A response that was repeated by something in between, or has lost its beginning.
      const skipped = this.#isUnlucky ? 1 : 0;
      const repeated = this.#isUnlucky ? this.server.after(Math.max(0, connection.sent - 3), 3) : [];
      this.#arrive(connection, (report) => { report("opened"); report("events", { events: [...repeated, ...events.slice(skipped)] }); });
    }
    connection.sent += events.length;
    if (connection.sent < this.server.seq) this.agenda.after(1, () => this.#pump(connection));
    if (this.#isUnlucky) this.#end(connection, { kind: "broken", error: null });
  }

  /** In pieces of any size, one after the other. */
  #bytes(connection, bytes) {
    for (let start = 0; start < bytes.length;) {
      const piece = bytes.slice(start, start + 1 + this.random.below(120));
      start += piece.length;
      this.#arrive(connection, (report) => {
        report("opened");
        const messages = connection.parser.feed(piece).filter((message) => message.data !== null && message.type !== "notice");
        if (messages.length > 0) report("events", { events: messages.map((message) => JSON.parse(message.data)) });
        report("heard");
      });
    }
  }

  #arrive(connection, act) {
    if (connection.isStalled) return;
    connection.arrivesAt = Math.max(connection.arrivesAt, this.agenda.now + this.#delay());
    const report = (type, more) => this.report({ type, connection: connection.id, ...more });
    this.agenda.after(connection.arrivesAt - this.agenda.now, () => { if (!connection.isStalled) act(report); });
  }

  #end(connection, failure) {
    connection.isOpen = false;
    this.#open.delete(connection);
    this.#arrive(connection, (report) => report("lost", { failure, isOnline: true }));
  }
}

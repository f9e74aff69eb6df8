// A room as it is followed: the machine of follow-machine.js with a network, timers and listeners around it, and the state that its
// events make.
import { EventQueue } from "./event-queue.js";
import { FollowMachine } from "./follow-machine.js";
import { finalReason } from "./follow-rules.js";
import { FollowedRoom } from "./followed-room.js";
import { Listeners, iterate, statusesOf } from "./listeners.js";
import { Pages, query } from "./pages.js";
import { Refresher } from "./refresher.js";
import { Timers } from "./timing.js";
import { checkedRoom, failureOf, transports as real } from "./transports.js";

/** More events than these wait for a loop that takes its time: then the connection is given up until it has caught up. */
const queueLimit = 1_000;
/** As many bids as the state holds. */
const heldBids = 500;
/** A room that could not be read again is, after this and up to as much again, since others may be waiting too. */
const rereadMs = 2_000;

export class RoomFollow {
  status = { state: "idle", reason: null, transport: null, error: null, retryInMs: null };
  #client;
  #path;
  #options;
  #room;
  #machine;
  #refresher;
  #inputs = [];
  #isBusy = false;
  #connection = { id: null, close() {} };
  #timers;
  #listeners = new Listeners();
  #queue = null;
  #hasBegun = false;
  /** The last event when the room was last asked to be read again. */
  #askedSeq = 0;
  /** By how much the device's clock was ahead of the monotonic one when the connection last brought something. */
  #aheadMs;

  /** Made by `Room.follow`, which describes the options. `client` is what the room shares with its AuctionClient. */
  constructor(client, path, options = {}) {
    this.#client = client;
    this.#path = path;
    this.#options = { history: 0, refresh: true, transports: client.transports, connect: real, ...options };
    this.#room = new FollowedRoom(client.clock, client.userID);
    if (options.room) this.#begin(options.room);
    this.#machine = new FollowMachine({
      cursor: options.room ? this.state.seq : null, random: client.random, transports: this.#options.transports, ...options.tuning,
    });
    this.#timers = new Timers(client.timing, (name) => this.#input({ type: "timer", name }));
    this.#refresher = new Refresher(client.timing, () => this.#readAgain());
  }

  /** What is known of the room: see room-state.js. Replaced with every change, never changed in place. */
  get state() { return this.#room.state; }

  /** The seq of the last event, from which another follow could go on; null before the room was read. */
  get cursor() { return this.#machine.cursor; }

  /**
   * Calls `listener` until the returned function is called: "events" (`[{ event, state, isNew }]`), "change" (`state`, once for
   * everything that arrived together), "status" (`status`), "notice" (`notice`), "end" (the error, or null).
   */
  on(name, listener) { return this.#listeners.on(name, listener); }

  start() {
    this.#hasBegun = true;
    if (!this.#queue && this.state.room) this.#note(this.state);
    this.#input({ type: "start" });
    return this;
  }

  stop() { this.#input({ type: "stop", reason: "stopped" }); }

  /** Gives the connection up, as while an app is in the background; `resume` goes on after the last event. */
  pause() { this.#input({ type: "pause", by: "paused" }); }
  resume() { this.#input({ type: "resume", by: "paused" }); }

  /** The device knows that it is offline; an open connection would notice that only after a long time. */
  networkLost() { this.#input({ type: "networkLost" }); }

  /** The device is online again, or woke up: connects at once, unless the connection has brought something within `ifSilentForMs`. */
  networkReturned({ ifSilentForMs = 0 } = {}) {
    // Where the monotonic clock stands still while the device sleeps, the connection was silent for longer than that clock says.
    const sleptMs = Math.max(0, this.#clocksApartMs() - (this.#aheadMs ?? Infinity));
    this.#input({ type: "networkReturned", ifSilentForMs: Math.max(0, ifSilentForMs - sleptMs) });
    this.refreshSoon();
  }

  /** Each event once and in order, as `{ event, state, isNew }`, until the room is archived or `stop()`; the loop throws what ended it. */
  [Symbol.asyncIterator]() {
    if (this.#hasBegun) throw new TypeError("A follow is iterated once, and not after start(): call room.follow() again.");
    this.#queue = new EventQueue((left) => {
      if (left < queueLimit / 2) this.#input({ type: "resume", by: "congested" });
    });
    this.start();
    const loop = iterate(this.#queue, () => this.stop());
    return { ...loop, next: async () => {
      const taken = await loop.next();
      if (!taken.done) this.#note(taken.value.state);
      return taken;
    } };
  }

  /** The statuses, beginning with the present one, until the follow ends. */
  statuses() { return statusesOf(this); }

  /**
   * Adds what was read elsewhere: `room`, `members`, `member` (of a response to `changeMember`: its credit limit), `bids` of `round`, or `lots`
   * (`page` of the queued ones, `current`, `isMore`). A room and lots that are older than the events change nothing.
   */
  include(read) {
    this.#room.include(read);
    this.#changed();
  }

  /** Reads the room soon, for what events do not say: `me` and `allowedActions`. Called by itself wherever an event may have changed them. */
  refreshSoon() {
    const isAsleep = ["idle", "paused", "stopped"].includes(this.#machine.phase);
    if (isAsleep || !this.state.room || this.state.archived) return;
    this.#askedSeq = this.state.seq;
    this.#refresher.soon();
  }

  /** @returns after how many milliseconds to read the room once more; null if that is not needed, as where the next connection reads it */
  async #readAgain() {
    const askedSeq = this.#askedSeq;
    let againMs = null;
    try {
      const room = checkedRoom(await this.#client.requests.request("GET", this.#path));
      this.include({ room });
      // A node of the server may read late: the event that was the reason is not in there.
      if (room.seq < askedSeq || !await this.#readRewritten()) againMs = 0;
    } catch (error) {
      if (error?.status === 404 && error.isFromServer) this.#input({ type: "missing" });
      // A provider of tokens may ask the user, who is not asked again and again for this.
      const mayRepeat = !finalReason(error) && error?.code !== "client.tokenProvider";
      if (mayRepeat) againMs = (error?.retryAfter ?? 0) * 1000 + rereadMs * (1 + this.#client.random());
    }
    return this.#machine.phase === "live" ? againMs : null;
  }

  /** A loop has seen what it took, listeners what they were called with. */
  #changed() {
    if (this.#hasBegun && !this.#queue) this.#note(this.state);
    this.#listeners.emit("change", this.state);
  }

  #note(state) { if (state.room && this.#machine.phase !== "stopped") this.#client.rounds.note(this.#path, this, state); }

  /**
   * Reads the bids that a retraction has changed, unless their round is over: of those rounds the server lists the bids as they were placed.
   * @returns whether there are none left; another retraction may have come before the answer
   */
  async #readRewritten() {
    const { rewritten, retractions } = this.#room;
    if (!rewritten) return true;
    const { round, seq } = rewritten;
    const bids = [];
    const read = (cursor) => this.#client.requests.request("GET", `${this.#path}/bids?${query({ round, limit: 100, cursor })}`);
    if (this.state.room.round === round) {
      for await (const page of new Pages(read, "bids").pages()) {
        bids.push(...page.bids);
        if (bids.length >= heldBids || !(bids.at(-1)?.seq > seq)) break;
      }
      if (this.#room.retractions !== retractions) return false;
      this.include({ bids, round });
    }
    this.#room.rewritten = null;
    return true;
  }

  #clocksApartMs() { return this.#client.timing.now() - this.#client.timing.monotonic(); }

  // The machine, and what it asks for.

  /** Inputs wait for each other: one may come from a listener, in the middle of the actions of another. */
  #input(input) {
    this.#inputs.push(input);
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      while (this.#inputs.length > 0) {
        for (const action of this.#machine.handle(this.#inputs.shift(), this.#client.timing.monotonic())) this.#perform(action);
      }
    } finally {
      this.#isBusy = false;
    }
  }

  #perform(action) {
    switch (action.do) {
      case "read": return this.#read(action.connection);
      case "connect": return this.#connect(action);
      case "close": return this.#close();
      case "schedule": return this.#timers.schedule(action.timer, action.ms);
      case "cancel": return this.#timers.cancel(action.timer);
      case "deliver": return this.#deliver(action.events);
      case "refresh": return this.#options.refresh ? this.refreshSoon() : undefined;
      case "status": return this.#listeners.emit("status", this.status = action.status);
      default: return this.#end(action.error);
    }
  }

  #begin(room) { this.#room.begin(room, this.#options.after ?? Math.max(0, room.seq - this.#options.history)); }

  #read(connection) {
    const abort = new AbortController();
    this.#connection = { id: connection, close: () => abort.abort() };
    this.#client.requests.request("GET", this.#path, { signal: abort.signal }).then(checkedRoom).then((room) => {
      if (abort.signal.aborted) return;
      this.#begin(room);
      this.#changed();
      this.#input({ type: "snapshot", connection, seq: this.state.seq });
    }, (error) => this.#input({ type: "lost", connection, failure: failureOf(error), isOnline: this.#client.isOnline() }));
  }

  #connect({ connection, transport }) {
    const input = (type, more) => this.#input({ type, connection, ...more });
    const received = (type, more) => {
      if (this.#connection.id === connection) this.#aheadMs = this.#clocksApartMs();
      input(type, more);
    };
    // Before the transport has begun, which may report at once.
    this.#connection = { id: connection, close() {} };
    const { close } = this.#options.connect[transport]({
      path: this.#path, requests: this.#client.requests, WebSocket: this.#client.WebSocket, after: () => this.#machine.cursor,
      timing: this.#client.timing, random: this.#client.random,
      progress: (stage) => input("progress", { stage }),
      open: () => received("opened"),
      heard: () => received("heard"),
      events: (events) => received("events", { events }),
      notice: (notice) => { if (this.#connection.id === connection) this.#notice(notice); },
      lost: (failure) => input("lost", { failure, isOnline: this.#client.isOnline() }),
    });
    this.#connection.close = close;
  }

  #close() {
    const connection = this.#connection;
    this.#connection = { id: null, close() {} };
    connection.close();
  }

  #deliver(events) {
    const { entries, asks } = this.#room.apply(events);
    for (const entry of entries) this.#queue?.push(entry);
    this.#listeners.emit("events", entries);
    this.#changed();
    // Nothing more happens there, and the server knows the room no longer.
    if (this.state.archived) return this.#input({ type: "stop", reason: "archived" });
    if (this.#queue?.size > queueLimit) this.#input({ type: "pause", by: "congested" });
    if (asks && this.#options.refresh) this.refreshSoon();
  }

  #notice(notice) {
    this.#room.hear(notice);
    this.#listeners.emit("notice", notice);
    this.#changed();
  }

  #end(error) {
    this.#client.rounds.forget(this.#path, this);
    this.#refresher.stop();
    this.#queue?.finish(error);
    this.#listeners.emit("end", error);
  }
}

// One cursor, three transports. On every transport the listener gets each event once, in order; an interruption
// only delays events, because the cursor marks where to resume.
import { transports as real } from "./transports.js";

const order = ["sse", "socket", "poll"];
/** A transport that loses its connection more often than this without an event is replaced by the next. */
const patience = 2;

export class Stream {
  #options;
  #make;
  #timers;
  #cursor;
  #candidates;
  #attempt = 0;
  #failures = 0;
  #connection = null;
  #generation = 0;
  #retry = null;
  #stopped = false;
  #heardAt = 0;
  #isOnline;
  state = "connecting";

  /**
   * @param options `room`, `after`, `request` (see api.js), `onEvents(events)`, `onNotice(notice)`, `onState(state, transport)`,
   *   `onResume()` after an interruption, `onGone(problem)` when the server says that there is nothing to come.
   */
  constructor(options, {
    transports = real, timers = globalThis, random = Math.random, isOnline = () => globalThis.navigator?.onLine !== false,
  } = {}) {
    this.#options = options;
    this.#make = transports;
    this.#isOnline = isOnline;
    this.#timers = { set: timers.setTimeout.bind(timers), clear: timers.clearTimeout.bind(timers), random };
    this.#cursor = options.after;
    this.#candidates = order.includes(options.transport) ? [options.transport] : [...order];
  }

  get cursor() { return this.#cursor; }
  get transport() { return this.#candidates[0]; }

  start() { this.#connect(); }

  stop() {
    this.#stopped = true;
    this.#drop();
    this.#timers.clear(this.#retry);
  }

  /** The network is back, or the device woke up: a pending reconnection is attempted at once. */
  kick(silentForMs = 0) {
    if (this.#stopped) return;
    if (this.#connection && this.state === "live" && Date.now() - this.#heardAt < silentForMs) return;
    this.#drop();
    this.#timers.clear(this.#retry);
    this.#attempt = 0;
    this.#setState("reconnecting");
    this.#connect();
  }

  /** The network is gone; open connections would notice only after a long time. */
  interrupt() {
    if (!this.#stopped && this.state === "live") this.#lost(true, null);
  }

  #connect() {
    this.#drop();
    const generation = ++this.#generation;
    // Events of an abandoned connection are ignored: its successor has the cursor.
    const current = (act) => (...values) => { if (generation === this.#generation && !this.#stopped) act(...values); };
    let hasOpened = false;
    this.#heardAt = Date.now();
    this.#connection = this.#make[this.transport]({
      room: this.#options.room, request: this.#options.request, after: () => this.#cursor,
      open: current(() => {
        if (hasOpened) return;
        hasOpened = true;
        this.#heardAt = Date.now();
        const wasLost = this.state === "reconnecting";
        this.#setState("live");
        if (wasLost) this.#options.onResume?.();
      }),
      events: current((events, isContiguous) => this.#take(events, isContiguous)),
      notice: current((notice) => { this.#heardAt = Date.now(); this.#attempt = 0; this.#options.onNotice?.(notice); }),
      lost: current((problem) => this.#lost(hasOpened, problem)),
    });
  }

  #take(events, isContiguous) {
    this.#heardAt = Date.now();
    const fresh = [];
    for (const event of events) {
      if (event.seq <= this.#cursor) continue;
      if (isContiguous && event.seq !== this.#cursor + 1) {
        // A gap is never skipped; events after the same cursor are requested again.
        if (fresh.length > 0) this.#options.onEvents(fresh);
        return this.#lost(true, null);
      }
      this.#cursor = event.seq;
      fresh.push(event);
    }
    this.#attempt = 0;
    this.#failures = 0;
    if (fresh.length > 0) this.#options.onEvents(fresh);
  }

  #lost(hasOpened, problem) {
    this.#drop();
    if (problem && [401, 403, 404].includes(problem.status) && problem.isFinal) {
      this.#setState("gone");
      this.#options.onGone?.(problem);
      return;
    }
    this.#failures += 1;
    if (this.#candidates.length > 1 && !hasOpened && this.state === "connecting") {
      // This transport has never delivered anything: it is unsupported, rather than the network gone.
      this.#candidates.shift();
      this.#failures = 0;
      this.#connect();
      return;
    }
    this.#setState("reconnecting");
    if (this.#failures > patience && this.#isOnline()) {
      // An intermediary may block this transport; since it worked once, it is tried again later.
      this.#candidates.push(this.#candidates.shift());
      this.#failures = 0;
    }
    // Full jitter, so that readers of a failed server do not all reconnect at once.
    const ceiling = Math.min(15_000, 400 * 2 ** this.#attempt++);
    this.#retry = this.#timers.set(() => this.#connect(), ceiling * (0.3 + 0.7 * this.#timers.random()));
  }

  #drop() {
    this.#generation += 1;
    this.#connection?.close();
    this.#connection = null;
  }

  #setState(state) {
    if (state === this.state) return;
    this.state = state;
    this.#options.onState?.(state, this.transport);
  }
}

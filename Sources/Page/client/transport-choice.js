// Which transport the next connection uses: the favourite, unless it does not get through here.

/** Failures that may be the transport's own: an intermediary that cuts it, or changes what it carries. */
const suspicious = new Set(["broken", "protocol", "stalled", "gap", "unopened"]);

export class TransportChoice {
  #names;
  #patience;
  #blockMs;
  #current = null;
  #misses = 0;
  #blockedUntil = new Map();

  /**
   * @param names the favourite first
   * @param patience a transport that breaks more often than this without an event is blocked
   * @param blockMs for how long
   */
  constructor(names, patience, blockMs) {
    this.#names = names;
    this.#patience = patience;
    this.#blockMs = blockMs;
  }

  /** The one in use, or null. */
  get current() { return this.#current; }

  /** The first that is not blocked, or the one whose time is over first. */
  next(now) {
    const chosen = this.#candidate(now);
    if (chosen !== this.#current) this.#misses = 0;
    this.#current = chosen;
    return chosen;
  }

  /**
   * Counts a failure of the one in use. Without a response the network is gone, or the server: that is not the transport's fault.
   * @param wasLive whether any connection has worked before; then a WebSocket that does not open may be due to the network as well
   * @returns whether another one should be tried at once
   */
  failed(kind, { wasLive, isOnline }, now) {
    const isUnsupported = kind === "unsupported" || kind === "silent" || (kind === "unopened" && !wasLive);
    if (!isUnsupported && (!isOnline || !suspicious.has(kind))) return false;
    this.#misses += 1;
    if (!isUnsupported && this.#misses <= this.#patience) return false;
    this.#blockedUntil.set(this.#current, now + this.#blockMs);
    this.#misses = 0;
    return isUnsupported && !this.#isBlocked(this.#candidate(now), now);
  }

  /** The one in use has delivered something, or has lasted. */
  succeeded() { this.#misses = 0; }

  /** Another network, perhaps: what did not get through before may now. */
  forgive() {
    this.#misses = 0;
    this.#blockedUntil.clear();
  }

  #candidate(now) {
    const free = this.#names.find((name) => !this.#isBlocked(name, now));
    return free ?? [...this.#names].sort((a, b) => this.#blockedUntil.get(a) - this.#blockedUntil.get(b))[0];
  }

  #isBlocked(name, now) { return (this.#blockedUntil.get(name) ?? -Infinity) > now; }
}

// Which transport the next connection uses: the favourite, unless it does not get through here.

/** Failures that may be the transport's own: an intermediary that cuts it, or changes what it carries. */
const suspicious = new Set(["broken", "protocol", "stalled", "gap", "unopened"]);
/** A transport that never gets through is tried again after ever longer times, up to this many times the first. */
const longest = 12;

export class TransportChoice {
  #names;
  #config;
  #current = null;
  #misses = 0;
  #blockedUntil = new Map();
  /** How often each was blocked since it last worked. */
  #blocks = new Map();
  /** Blocked because of a silence that may be the network's, or the server's. */
  #silent = new Set();
  /** Those that have worked on this network. */
  #proven = new Set();

  /**
   * @param names the favourite first
   * @param config `attemptsBeforeFallback`, `probeMs` and `blockMs` of `defaults` in follow-rules.js
   */
  constructor(names, config) {
    this.#names = names;
    this.#config = config;
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

  /** When one that is preferred to the one in use may be tried again; null if this is the favourite. */
  preferredAt() {
    const preferred = this.#names.slice(0, this.#names.indexOf(this.#current));
    return preferred.length === 0 ? null : Math.min(...preferred.map((name) => this.#blockedUntil.get(name) ?? 0));
  }

  /**
   * Counts a failure of the one in use. Without a response the network is gone, or the server: that is not the transport's fault.
   * @param wasLive whether any connection has worked before; then a WebSocket that does not open may be due to the network as well
   * @param hasAnswered whether the headers of a response came, before the silence
   * @returns whether another one should be tried at once
   */
  failed(kind, { wasLive, isOnline, hasAnswered }, now) {
    const isHeld = kind === "silent" && hasAnswered && !this.#proven.has(this.#current);
    // A WebSocket does not say why it did not open. Where one has opened before, the server may be away, or the network.
    const isAway = kind === "unopened" && isOnline && this.#proven.has(this.#current);
    if ((kind === "silent" && !isHeld) || isAway) return this.#fellSilent(now);
    const isUnsupported = isHeld || kind === "unsupported" || (kind === "unopened" && !wasLive);
    if (!isUnsupported && (!isOnline || !suspicious.has(kind))) return false;
    this.#misses += 1;
    if (!isUnsupported && this.#misses <= this.#config.attemptsBeforeFallback) return false;
    this.#silent.delete(this.#current);
    this.#block(now, this.#config.blockMs, longest * this.#config.blockMs);
    return isUnsupported && !this.#isBlocked(this.#candidate(now), now);
  }

  /** The one in use has brought something. */
  opened() { this.#proven.add(this.#current); }

  /** The one in use has delivered an event, or has lasted. */
  succeeded() {
    this.#misses = 0;
    this.#blocks.delete(this.#current);
    this.#silent.delete(this.#current);
  }

  /** Another network, perhaps: what did not get through before may now. */
  forgive() {
    this.#misses = 0;
    for (const memory of [this.#blockedUntil, this.#blocks, this.#silent, this.#proven]) memory.clear();
  }

  /** Nothing came: the next is tried, but not for long. If none brings anything, it is the network, and the favourite is next. */
  #fellSilent(now) {
    this.#misses += 1;
    const isProven = this.#proven.has(this.#current);
    if (isProven && this.#silent.size === 0 && this.#misses <= this.#config.attemptsBeforeFallback) return false;
    this.#silent.add(this.#current);
    this.#block(now, this.#config.probeMs, this.#config.blockMs);
    if (!this.#isBlocked(this.#candidate(now), now)) return !isProven;
    for (const name of this.#silent) { this.#blockedUntil.delete(name); this.#blocks.delete(name); }
    this.#silent.clear();
    return false;
  }

  #block(now, firstMs, mostMs) {
    const before = this.#blocks.get(this.#current) ?? 0;
    this.#blocks.set(this.#current, before + 1);
    this.#blockedUntil.set(this.#current, now + Math.min(mostMs, firstMs * 2 ** Math.min(before, 20)));
    this.#misses = 0;
  }

  #candidate(now) {
    const free = this.#names.find((name) => !this.#isBlocked(name, now));
    return free ?? [...this.#names].sort((a, b) => this.#blockedUntil.get(a) - this.#blockedUntil.get(b))[0];
  }

  #isBlocked(name, now) { return (this.#blockedUntil.get(name) ?? -Infinity) > now; }
}

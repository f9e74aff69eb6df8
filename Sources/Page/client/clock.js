// An estimate of the server's clock. The device's own clock may be wrong by hours and may jump.

/** A sample older than this is replaced even by a worse new one, because the device's clock drifts. */
const sampleLifeMs = 120_000;
/** A difference that no delay explains: the device's clock was set, or slept through something. */
const jumpMs = 2_000;

export class ServerClock {
  #now;
  #offset = 0;
  #error = Infinity;
  #sampledAt = -Infinity;

  constructor(now = () => Date.now()) {
    this.#now = now;
  }

  /** An answer stamped `serverTime`, asked for at `sentAt` and here at `receivedAt`, both by the device's clock. */
  sample(serverTime, sentAt, receivedAt) {
    const stamp = typeof serverTime === "string" ? Date.parse(serverTime) : serverTime;
    if (!Number.isFinite(stamp)) return;
    const error = Math.abs(receivedAt - sentAt) / 2;
    this.#take(stamp - (sentAt + receivedAt) / 2, error);
  }

  /** A stamp that was pushed: how long it travelled is unknown, so it only repairs what is plainly wrong. */
  hint(serverTime) {
    const stamp = Date.parse(serverTime);
    if (!Number.isFinite(stamp)) return;
    const offset = stamp - this.#now();
    if (this.#error === Infinity || Math.abs(offset - this.#offset) > jumpMs) {
      this.#error = Infinity;
      this.#take(offset, 500);
    }
  }

  #take(offset, error) {
    const isStale = this.#now() - this.#sampledAt > sampleLifeMs;
    const disagrees = Math.abs(offset - this.#offset) > jumpMs + error;
    if (error > this.#error && !isStale && !disagrees) return;
    this.#offset = offset;
    this.#error = error;
    this.#sampledAt = this.#now();
  }

  /** Milliseconds since 1970 by the server's clock. */
  now() {
    return this.#now() + this.#offset;
  }

  /** What is added to the device's clock, in milliseconds; 0 before the first response. */
  get offset() { return this.#offset; }

  /** By how many milliseconds `now()` may be wrong: half of the round trip of the best sample; Infinity before the first response. */
  get uncertainty() { return this.#error; }

  /** Milliseconds until a time of the server such as `endsAt`, never negative; null for null. */
  remaining(time) {
    const at = typeof time === "string" ? Date.parse(time) : NaN;
    return Number.isFinite(at) ? Math.max(0, at - this.now()) : null;
  }
}

/** Text of a countdown. Tenths are shown only near the deadline, and never with reduced motion. */
export function countdownText(ms, showsTenths = true) {
  const left = Math.max(0, ms);
  if (showsTenths && left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  // Rounded up, so that "0:01" is still a second and "0:00" means over.
  const seconds = Math.ceil(left / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (part) => String(part).padStart(2, "0");
  return parts[0] > 0 ? `${parts[0]}:${two(parts[1])}:${two(parts[2])}` : `${parts[1]}:${two(parts[2])}`;
}

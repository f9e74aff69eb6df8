// Reading again, no more often than is useful, and never twice at the same time.

const everyMs = 400;
/** Events of one commit arrive together, and one reading serves them all. */
const afterMs = 30;

export class Refresher {
  #timing;
  #read;
  #timer = null;
  /** When the timer runs out. */
  #dueAt = 0;
  #isReading = false;
  #isDue = false;
  #readAt = -Infinity;
  #isStopped = false;

  /** @param read does the reading; resolves to after how many milliseconds it is to be done again, or to null; never rejects */
  constructor(timing, read) {
    this.#timing = timing;
    this.#read = read;
  }

  /** Reads in `ms` milliseconds, or as soon after that as is useful; a later reading that was asked for before is replaced. */
  soon(ms = afterMs) {
    this.#isDue = true;
    if (this.#isReading || this.#isStopped) return;
    const now = this.#timing.monotonic();
    const dueAt = Math.max(now + Math.max(afterMs, ms), this.#readAt + everyMs);
    if (this.#timer !== null && this.#dueAt <= dueAt) return;
    this.#timing.clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = this.#timing.setTimeout(() => this.#run(), dueAt - now);
  }

  stop() {
    this.#isStopped = true;
    this.#timing.clearTimeout(this.#timer);
  }

  async #run() {
    this.#timer = null;
    this.#isDue = false;
    this.#isReading = true;
    this.#readAt = this.#timing.monotonic();
    const againMs = await this.#read();
    this.#isReading = false;
    // What asked while it was reading may be newer than what it has read.
    if (this.#isDue) this.soon(); else if (againMs !== null) this.soon(againMs);
  }
}

// Reading again, no more often than is useful, and never twice at the same time.

const everyMs = 400;
/** Events of one commit arrive together, and one reading serves them all. */
const afterMs = 30;

export class Refresher {
  #timing;
  #read;
  #timer = null;
  #isReading = false;
  #isDue = false;
  #readAt = -Infinity;
  #isStopped = false;

  /** @param read does the reading; never rejects */
  constructor(timing, read) {
    this.#timing = timing;
    this.#read = read;
  }

  soon() {
    this.#isDue = true;
    if (this.#timer !== null || this.#isReading || this.#isStopped) return;
    const wait = Math.max(afterMs, this.#readAt + everyMs - this.#timing.monotonic());
    this.#timer = this.#timing.setTimeout(() => this.#run(), wait);
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
    await this.#read();
    this.#isReading = false;
    // What asked while it was reading may be newer than what it has read.
    if (this.#isDue) this.soon();
  }
}

// What has come and was not yet taken, between a connection and a loop that takes its time.

export class EventQueue {
  #items = [];
  #waiting = [];
  #end = null;
  #onTake;

  /** @param onTake called with the number of items that are left, after one was taken */
  constructor(onTake = () => {}) {
    this.#onTake = onTake;
  }

  get size() { return this.#items.length; }

  push(item) {
    if (this.#end) return;
    const waiting = this.#waiting.shift();
    if (waiting) waiting.resolve({ value: item, done: false });
    else this.#items.push(item);
  }

  /** No more will come. What is there can still be taken; then the loop ends, or throws the error. */
  finish(error = null) {
    if (this.#end) return;
    this.#end = { error };
    for (const waiting of this.#waiting.splice(0)) this.#settle(waiting);
  }

  /** Gives up what was not taken. */
  drop() { this.#items.length = 0; }

  next() {
    if (this.#items.length > 0) {
      const value = this.#items.shift();
      this.#onTake(this.#items.length);
      return Promise.resolve({ value, done: false });
    }
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject };
      if (this.#end) this.#settle(waiting); else this.#waiting.push(waiting);
    });
  }

  #settle({ resolve, reject }) {
    const { error } = this.#end;
    // Once only, as a generator would: after the error the loop is over.
    this.#end = { error: null };
    if (error) reject(error); else resolve({ value: undefined, done: true });
  }
}

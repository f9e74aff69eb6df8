// Functions to call, by name; and loops over what was reported.

/** Listeners of named reports. One that throws does not keep the others from being called, nor the connection from going on. */
export class Listeners {
  #all = new Map();

  /** Calls `listener` with every report of this name until the returned function is called. */
  on(name, listener) {
    const those = this.#all.get(name) ?? new Set();
    this.#all.set(name, those.add(listener));
    return () => { those.delete(listener); };
  }

  emit(name, report) {
    for (const listener of [...this.#all.get(name) ?? []]) {
      try { listener(report); } catch (error) { queueMicrotask(() => { throw error; }); }
    }
  }
}

/** A loop over a queue (see event-queue.js); leaving it calls `onReturn`. */
export function iterate(queue, onReturn) {
  return {
    next: () => queue.next(),
    return() {
      onReturn();
      queue.drop();
      queue.finish();
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]() { return this; },
  };
}

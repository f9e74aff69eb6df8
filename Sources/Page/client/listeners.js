// Functions to call, by name; and loops over what was reported.
import { EventQueue } from "./event-queue.js";

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

/** Of statuses that are not taken in time, the older ones are given up. */
const statusLimit = 100;

/** The statuses of a RoomFollow as a loop, beginning with the present one. */
export function statusesOf(follow) {
  const queue = new EventQueue();
  const offs = [follow.on("status", (status) => {
    if (queue.size >= statusLimit) queue.drop();
    queue.push(status);
  }), follow.on("end", () => queue.finish())];
  queue.push(follow.status);
  if (follow.status.state === "stopped") queue.finish();
  return iterate(queue, () => offs.forEach((off) => off()));
}

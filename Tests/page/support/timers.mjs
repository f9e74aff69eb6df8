// Timers that only `tick` moves on. Not `mock.timers` of node:test: in Node 18, which Debian 12 has, they take other arguments, and
// clearing a timer that does not wait removes another one.

let now, waiting;

/** Replaces `setTimeout` and `clearTimeout`; timers of before are gone. */
export function mockTimeouts() {
  [now, waiting] = [0, new Set()];
  globalThis.setTimeout = (callback, delay = 0) => {
    const timer = { at: now + delay, callback };
    waiting.add(timer);
    return timer;
  };
  globalThis.clearTimeout = (timer) => { waiting.delete(timer); };
}

/** Lets so many milliseconds pass; what becomes due runs in the order of its time. */
export function tick(milliseconds) {
  const end = now + milliseconds;
  for (;;) {
    const [next] = [...waiting].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
    if (!next) break;
    waiting.delete(next);
    now = next.at;
    next.callback();
  }
  now = end;
}

// Time and chance come in as values, so that a test decides about both.

/** The device's clock and timers. `monotonic` is for durations: setting the device's clock does not change it. */
export const systemClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (act, ms) => setTimeout(act, ms),
  clearTimeout: (timer) => clearTimeout(timer),
};

/**
 * The delay before another attempt, in milliseconds: anything from nothing up to a ceiling that doubles ("full jitter"), so that the
 * clients of a server that failed do not all return at the same time.
 * @param attempt 0 for the first repetition
 * @param random returns a number from 0 up to but not including 1
 * @param ceilingMs the largest ceiling
 */
export function jitter(attempt, random, ceilingMs = 4_000) {
  return random() * Math.min(ceilingMs, 400 * 2 ** Math.min(attempt, 20));
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
export function pause(clock, ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clock.clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** What the promise comes to, unless the signal is aborted before: then rejects with its reason. */
export function race(promise, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => reject(signal.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal?.removeEventListener("abort", onAbort));
  });
}

/**
 * A signal that is aborted with the given one, or with `onTimeout()` after `timeoutMs`. AbortSignal.any would be newer than Node 18.
 * @returns `signal`, `abort(reason)`, and `release()`, which must be called at the end
 */
export function deadline(clock, timeoutMs, signal, onTimeout) {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer = timeoutMs === null ? null : clock.setTimeout(() => controller.abort(onTimeout()), timeoutMs);
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release() {
      if (timer !== null) clock.clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** Timers by name; each runs at most once at a time. */
export class Timers {
  #clock;
  #act;
  #running = new Map();

  /** @param act called with the name of a timer that has run out */
  constructor(clock, act) {
    this.#clock = clock;
    this.#act = act;
  }

  schedule(name, ms) {
    this.cancel(name);
    this.#running.set(name, this.#clock.setTimeout(() => this.#act(name), ms));
  }

  cancel(name) {
    this.#clock.clearTimeout(this.#running.get(name));
    this.#running.delete(name);
  }
}

// Deterministic chance and time for the simulated network.

/** SplitMix32-like: the same seed gives the same numbers. */
export function generator(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (bound) => Math.floor(next() * bound),
    chance: (share) => next() < share,
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}

/** What will happen, in the order of its time; nothing passes but what is run. */
export class Agenda {
  now = 0;
  #entries = [];
  #serial = 0;

  /** @returns a function that cancels it */
  after(ms, act) {
    const entry = { at: this.now + ms, serial: this.#serial++, act };
    this.#entries.push(entry);
    return () => { entry.act = null; };
  }

  /** Runs what is due until then, and what that brings about. */
  runUntil(end) {
    for (;;) {
      let first = null;
      for (const entry of this.#entries) {
        if (entry.act && (!first || entry.at < first.at || (entry.at === first.at && entry.serial < first.serial))) first = entry;
      }
      if (!first || first.at > end) break;
      this.#entries = this.#entries.filter((entry) => entry.act && entry !== first);
      this.now = first.at;
      first.act();
    }
    this.now = end;
  }
}

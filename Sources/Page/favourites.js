// Lots of a room that the user has marked, in this browser.

/** More than anyone marks in a room. */
const most = 1_000;

export class Favourites {
  #storage;
  #key;
  #change;
  #ids;

  /** @param storage as `safeStorage` makes it @param change called after each change */
  constructor(storage, room, change) {
    this.#storage = storage;
    this.#key = `auction-room.favourites.${room}`;
    this.#change = change;
    let stored = null;
    try { stored = JSON.parse(storage.get(this.#key)); } catch { /* Not written by this page. */ }
    this.#ids = new Set(Array.isArray(stored) ? stored.slice(0, most) : []);
  }

  get size() { return this.#ids.size; }
  has(id) { return this.#ids.has(id); }

  toggle(id) {
    if (!this.#ids.delete(id) && this.#ids.size < most) this.#ids.add(id);
    if (this.#ids.size > 0) this.#storage.set(this.#key, JSON.stringify([...this.#ids])); else this.#storage.remove(this.#key);
    this.#change();
  }
}

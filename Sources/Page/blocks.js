// Users whom the reader does not want to see. The server sends what they write all the same: what is drawn leaves out their messages, and
// has other words in place of their names; their bids stay, so that a price stays explained.
import { floorID, renamed } from "./names.js";

/** The most that one may block. */
const most = 1_000;

export class Blocks {
  #client;
  #change;
  #ids = new Set();
  /** When each was blocked. */
  #since = new Map();
  #names = null;
  /** What was drawn with these names and blocks, by what it was made of. */
  #copies = new WeakMap();
  #states = new WeakMap();

  /** @param change called after each change */
  constructor(client, change) {
    this.#client = client;
    this.#change = change;
  }

  get size() { return this.#ids.size; }
  has(id) { return this.#ids.has(id); }
  /** `{ userId, blockedAt }` of each, the latest first. */
  get list() { return [...this.#since].map(([userId, blockedAt]) => ({ userId, blockedAt })).sort((a, b) => (a.blockedAt < b.blockedAt ? 1 : -1)); }

  async read() { this.#take((await this.#client.blocks().all(most)).map(({ userId, blockedAt }) => [userId, blockedAt])); }

  async block(id) {
    const { blockedAt } = await this.#client.block(id);
    this.#take([...this.#since, [id, blockedAt]]);
    return true;
  }

  async unblock(id) {
    await this.#client.unblock(id);
    this.#take([...this.#since].filter(([each]) => each !== id));
    return true;
  }

  #take(entries) {
    this.#since = new Map(entries);
    this.#ids = new Set(this.#since.keys());
    this.#forget(this.#names);
    this.#change();
  }

  /**
   * What of a room is drawn: a value in which blocked users, and the floor, have other names, and a state also without what blocked users
   * write. The same for the same value, until the names or the blocks change.
   * @param names `blocked` and `floor`: what they are called
   */
  masked(value, names) {
    if (names.blocked !== this.#names?.blocked || names.floor !== this.#names?.floor) this.#forget(names);
    const shown = renamed(value, (id) => (id === floorID ? names.floor : this.has(id) ? names.blocked : undefined), this.#copies);
    if (this.size === 0 || !shown?.messages) return shown;
    const known = this.#states.get(shown);
    if (known) return known;
    const without = { ...shown, messages: shown.messages.filter(({ author }) => !this.has(author?.id)) };
    this.#states.set(shown, without);
    return without;
  }

  #forget(names) {
    this.#names = names;
    this.#copies = new WeakMap();
    this.#states = new WeakMap();
  }
}

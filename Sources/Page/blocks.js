// Users whom the reader does not want to see. The server sends what they write all the same: what is drawn leaves out their messages, and
// has other words in place of their names; their bids stay, so that a price stays explained.

/** The most that one may block. */
const most = 1_000;

export class Blocks {
  #client;
  #change;
  #ids = new Set();
  /** When each was blocked. */
  #since = new Map();
  #masked = new WeakMap();

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
    this.#masked = new WeakMap();
    this.#change();
  }

  /** A state of the room, or rows of results, without what blocked users write, and with this name in place of theirs. The same for the same state. */
  masked(value, name) {
    if (this.size === 0 || !value) return value;
    const known = this.#masked.get(value);
    if (known?.name === name) return known.shown;
    const shown = Array.isArray(value) ? value.map((row) => this.#row(row, name)) : this.#state(value, name);
    this.#masked.set(value, { name, shown });
    return shown;
  }

  #person(person, name) { return person && this.has(person.id) ? { ...person, nickname: name } : person; }

  #row(row, name) { return this.has(row.winner?.id) ? { ...row, winner: this.#person(row.winner, name) } : row; }

  #state(state, name) {
    const { room, result } = state;
    return {
      ...state,
      messages: state.messages.filter((message) => !this.has(message.author?.id)),
      bids: state.bids.map((bid) => (this.has(bid.bidder.id) ? { ...bid, bidder: this.#person(bid.bidder, name) } : bid)),
      people: new Map([...state.people].map(([id, member]) => [id, this.has(id) ? { ...member, user: this.#person(member.user, name) } : member])),
      result: result && this.#row(result, name),
      room: room && {
        ...room, host: this.#person(room.host, name),
        currentBid: room.currentBid && { ...room.currentBid, bidder: this.#person(room.currentBid.bidder, name) },
      },
    };
  }
}

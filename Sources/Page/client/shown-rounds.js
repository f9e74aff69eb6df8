// The rounds of rooms, with their items, as the app has seen them last; of rooms that are followed only.

export class ShownRounds {
  /** By path of the room, then by follow, in the order in which they were seen: a room may be followed more than once. */
  #rooms = new Map();

  /** `round` and `item` (its id, undefined without one) as they were seen last; undefined for a room that is not followed. */
  of(path) { return [...this.#rooms.get(path)?.values() ?? []].at(-1); }

  /** The app has seen this state of the room. */
  note(path, follow, { room }) {
    const follows = this.#rooms.get(path) ?? new Map();
    this.#rooms.set(path, follows);
    follows.delete(follow);
    follows.set(follow, { round: room.round, item: room.item?.id });
  }

  /** The app has put another item up, of which the event may come later. */
  replace(path, item) {
    for (const [follow, { round }] of this.#rooms.get(path) ?? []) this.#rooms.get(path).set(follow, { round, item });
  }

  /** A follow has ended; the others of the room go on. */
  forget(path, follow) {
    this.#rooms.get(path)?.delete(follow);
    if (this.#rooms.get(path)?.size === 0) this.#rooms.delete(path);
  }
}

// The lots of the room that the page shows: read from the head of the queue as far as the reader has asked for them.

const pageSize = 50;
/** The longest page that the server gives. */
const mostInPage = 1_000;
/** Readers whose known part has come apart read it again, and not all at the same moment. */
const againAfterMs = 400;

export class LotsClient {
  #room;
  #follow;
  #wanted = pageSize;
  #isReading = false;
  #timer = null;

  /** @param follow returns the RoomFollow, once there is one */
  constructor(room, follow) {
    this.#room = room;
    this.#follow = follow;
  }

  get #state() { return this.#follow().state.lots; }

  /** The lots again from the first one on, at least as many as were known. */
  async read() {
    const current = await this.#room.lots({ state: "current", limit: 1 }).page();
    const page = await this.#room.lots({ state: "queued", limit: Math.min(this.#wanted, mostInPage) }).page();
    this.#follow().include({ lots: { page, current } });
    const mayReadOn = ({ queued, cursor, isStale, wasMoved }) => !isStale && !wasMoved && cursor !== null && queued.length < this.#wanted;
    while (mayReadOn(this.#state)) await this.#readOn();
  }

  async #readOn() {
    const page = await this.#room.lots({ state: "queued", limit: pageSize }).page(this.#state.cursor);
    this.#follow().include({ lots: { page, isMore: true } });
  }

  /** The next page; from the first one on again if lots were moved, of which the server would leave some out. */
  async more() {
    const { queued, cursor, wasMoved } = this.#state;
    if (cursor === null) return;
    this.#wanted = queued.length + pageSize;
    if (wasMoved) await this.read(); else await this.#readOn();
  }

  /** Reads what is due to be read: the lots of a sale that has just come to be, those that events cannot be applied to, and more as they are sold. */
  keep() {
    const { room, lots } = this.#follow().state;
    const isShort = lots.cursor !== null && lots.queued?.length < pageSize / 2;
    if (!room?.sale || (lots.queued && !lots.isStale && !isShort) || this.#isReading || this.#timer !== null) return;
    this.#timer = setTimeout(async () => {
      this.#timer = null;
      this.#isReading = true;
      const isRead = await this.read().then(() => true, () => false);
      this.#isReading = false;
      // What fails is due again at the next change: all readers of the room would repeat it at once, and of one that is gone for ever.
      if (isRead && this.#state.isStale) this.keep();
    }, againAfterMs * (0.5 + Math.random()));
  }

  /** The server is back: a read that waits for its next attempt is not waited for. */
  readAgain() {
    this.#isReading = false;
    this.keep();
  }

  stop() { clearTimeout(this.#timer); }
}

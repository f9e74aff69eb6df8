// The lots on which the reader has left a bid, with what became of it. The server tells them to no other reader, and by no event: they are
// read again after the events that may have changed them.

import { isSealed } from "./client/auction-client.js";

/** More than anyone leaves in a room. */
const most = 1_000;

/** Whether a bid that has become this is in the round that is open. */
export const isRunning = (standing) => ["leading", "outbid", "sealed"].includes(standing);

/** Whether the reader may leave a bid on a lot, as far as the page knows; the server decides. `can` says it of lots at large: whom the host has not approved may not. */
export function mayPlaceAbsenteeBid({ state, item, rules }, { me, userID, archived, phase, can }) {
  const waits = state === "queued" || (state === "current" && phase === "preparing");
  return waits && !archived && !me?.banned && ["bidder", "auctioneer"].includes(me?.role) && item.owner.id !== userID && (!can || can("placeAbsenteeBid"))
    && rules.format !== "dutch" && rules.buyNowPrice !== rules.startingPrice;
}

/** What has become of a bid that was left. While its lot is open, that follows from the bids of the room. */
export function standingOf({ id, myBid }, { room, phase, lots, userID }) {
  const isOpen = lots.current?.id === id && ["auctioning", "closing", "paused"].includes(phase) && (myBid.state === "standing" || isRunning(myBid.state));
  if (!isOpen || isSealed(room)) return myBid.state;
  // No bid at all: it was not enough, or its bidder may not bid any more.
  if (!room.currentBid) return myBid.state === "standing" ? "standing" : "unused";
  return room.currentBid.bidder.id === userID ? "leading" : "outbid";
}

export class OwnBids {
  /** As the server lists them, in the order of their turns; replaced with every change. */
  list = [];
  /** Whether they were read. */
  isRead = false;
  #room;
  #became;
  #byLot = new Map();
  #isDue = false;
  #isReading = false;
  #reads = 0;

  /** @param became called with a lot when what was read says something else of its bid than before */
  constructor(room, became) {
    this.#room = room;
    this.#became = became;
  }

  /** The lot with the reader's bid, as `myBid`; undefined without one. */
  of(lotID) { return this.#byLot.get(lotID); }

  /** Resolves also if they cannot be read: then they are due again. */
  async read() {
    this.#isDue = true;
    if (this.#isReading) return;
    this.#isReading = true;
    this.#reads += 1;
    const read = this.#reads;
    while (this.#isDue) {
      this.#isDue = false;
      const lots = await this.#room.lots({ bids: "mine", limit: most }).all(most).catch(() => null);
      // Another has begun meanwhile, since this one waited for its next attempt.
      if (read !== this.#reads) return;
      // What has changed while it was read may be missing.
      if (lots && !this.#isDue) this.#take(lots);
      if (!lots) { this.#isDue = true; break; }
    }
    this.#isReading = false;
  }

  #take(lots) {
    const before = this.#byLot;
    this.#set(lots);
    const changed = this.isRead ? lots.filter(({ id, myBid }) => before.has(id) && before.get(id).myBid.state !== myBid.state) : [];
    this.isRead = true;
    for (const lot of changed) this.#became(lot);
  }

  #set(lots) {
    this.list = lots;
    this.#byLot = new Map(lots.map((lot) => [lot.id, lot]));
  }

  /** What the server has just said of the reader's bid on a lot; null: it was taken back. */
  put(lot, myBid) {
    const own = { ...lot, myBid };
    if (!myBid) this.#set(this.list.filter(({ id }) => id !== lot.id));
    else this.#set(this.#byLot.has(lot.id) ? this.list.map((each) => (each.id === lot.id ? own : each)) : [...this.list, own]);
    if (this.#isReading) this.#isDue = true;
  }

  /** An event has happened: the bids are due to be read if it may have changed them. */
  note({ type, data }, currentLot, user) {
    const isOfLot = this.#byLot.has(data.lotId) || (this.#byLot.has(currentLot) && ["state.changed", "rules.adjusted"].includes(type));
    const isOfUser = (data.member ?? data.to)?.id === user && /^member\.(linked|creditLimitChanged|banned|joined|left|kicked|roleChanged)$/.test(type);
    if ((isOfLot && type !== "lot.bidsChanged" && type !== "lot.moved") || isOfUser) this.#isDue = true;
  }

  /** Reads them if they are due. @returns whether they were */
  async keep() {
    if (!this.#isDue || this.#isReading) return false;
    await this.read();
    return true;
  }

  /** The server is back: a read that waits for its next attempt is not waited for. */
  readAgain() {
    this.#isReading = false;
    return this.read();
  }
}

// The state of a room that is followed: what was read, and what its events have made of that. No connection, no timers.
import * as fold from "./room-state.js";

/** A stamp this far ahead shows that the device's clock was set back. */
const aheadMs = 5_000;

export class FollowedRoom {
  /** See room-state.js. Replaced with every change, never changed in place. */
  state = fold.initialState();
  /** The round, and the seq of a bid of which a retraction has changed later ones in a way that no event tells; null: all are known. */
  rewritten = null;
  /** How many retractions were applied: what was asked for before the last one is older than it. */
  retractions = 0;
  #clock;
  #userID;

  /**
   * @param clock the server's
   * @param userID returns the caller's id; null without a caller, undefined if it is not known
   */
  constructor(clock, userID) {
    this.#clock = clock;
    this.#userID = userID;
  }

  /** Begins with a room that was read, and with the events after `seq`. */
  begin(room, seq) { this.state = { ...fold.withSnapshot(this.state, room), seq }; }

  /** Adds what was read elsewhere. A room that is older than the events changes nothing. */
  include({ room, members, member, bids, round, lots, ownBid }) {
    if (room) this.state = fold.withSnapshot(this.state, room);
    if (members) this.state = fold.withMembers(this.state, members);
    if (member) this.state = fold.withMember(this.state, member);
    if (bids) this.state = fold.withBids(this.state, bids, round);
    if (lots) this.state = fold.withLots(this.state, lots);
    if (ownBid) this.state = fold.withOwnBid(this.state, ownBid);
  }

  /** Applies events in order. @returns `entries` for listeners, and whether the room should be read again, in `asks` */
  apply(events) {
    let asks = false;
    const entries = events.map((event) => {
      const isNew = event.seq > this.state.roomSeq;
      const { currentBid, me, applications = me?.application?.state === "open" ? 1 : 0 } = this.state.room;
      asks ||= isNew && fold.asksForRoom(event, this.#userID(), currentBid?.bidder, me?.role, applications);
      const { bids } = this.state;
      this.state = fold.applyEvent(this.state, event);
      if (event.type === "bid.retracted") this.retractions += 1;
      if (fold.hidesAmounts(bids, this.state.bids, event)) {
        const { seq } = bids.find((bid) => bid.id === event.data.bidId);
        const earlier = this.rewritten?.round === event.round ? this.rewritten.seq : seq;
        this.rewritten = { round: event.round, seq: Math.min(seq, earlier) };
        asks = true;
      }
      if (Date.parse(event.at) > this.#clock.now() + aheadMs) this.#clock.hint(event.at);
      return { event, state: this.state, isNew };
    });
    return { entries, asks };
  }

  /** What is said beside the events: how many are watching, and the time. */
  hear(notice) {
    if (typeof notice.serverTime === "string") this.#clock.hint(notice.serverTime);
    if (Number.isSafeInteger(notice.viewers)) this.state = fold.withViewers(this.state, notice.viewers);
  }
}

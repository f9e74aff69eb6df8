// A bid to which no answer came: what is known of it, and what the bids tell once they can be read again.
import { Problem, compareMoney, isDutch, isSealed } from "../client/auction-client.js";
import { floorID } from "../names.js";
import { t } from "../strings.js";

/** What could not be read is read again after this. */
const retryMs = 2_000;

/**
 * @param read `(round)` resolves with `bids` (the newest ones of the round), `isAll` (there are no older ones) and `me` (null in another round), as they are now
 * @param tell `(text, kind)` says what became of the bid, in the place of what was said of the connection; without a text it only takes that away
 */
export function makeUnanswered(read, tell) {
  let open = null;
  let timer = null;

  async function check() {
    if (!open) return tell();
    clearTimeout(timer);
    const asked = open;
    let now = null;
    let isOver = false;
    try { now = await read(asked.round); } catch (error) { isOver = error instanceof Problem && error.status === 404; }
    if (open !== asked) return;
    clearTimeout(timer);
    if (!now && !isOver) { timer = setTimeout(check, retryMs); return; }
    open = null;
    tell(...(now ? outcome(asked, now) : []));
  }

  return {
    /** Looks again: there is a connection. */
    check,
    /** The error of a bid; what it does not say is looked for. @param before what the page showed when the bid was sent */
    about(error, body, { room, state, userID, money }) {
      if (!error.mayHaveExecuted) return error;
      const round = body.round ?? room.round;
      const known = new Set(state.bids.filter((bid) => bid.round === round).map((bid) => bid.id));
      const isRaise = !body.amount && room.round === round && room.currentBid?.bidder.id === userID;
      open = { body, known, round, isRaise, isSealed: isSealed(room), isDutch: isDutch(room), buyNow: room.rules?.buyNowPrice, userID, money };
      check();
      return Object.assign(error, { told: t(body.floor ? "floor.unanswered" : "bid.unanswered") });
    },
    stop() {
      clearTimeout(timer);
      if (open) tell();
      open = null;
    },
  };
}

const isAmount = (text) => /^\d+(\.\d+)?$/.test(text);
/** What was typed may be no amount at all. */
const isSame = (amount, wanted) => Boolean(amount) && isAmount(wanted) && compareMoney(amount, wanted) === 0;

/**
 * Whether a bid of the list may be the one that was sent: the first Dutch bid pays the asking price, one with a maximum has what it took to
 * lead, or its maximum if that was not enough, and none has more than the price at which one buys at once.
 */
function fits({ amount }, { body, isDutch: isLowered, buyNow }) {
  if (!body.amount || !amount || isLowered || isSame(amount, body.amount)) return true;
  const top = body.maximum ?? body.amount;
  if (!isAmount(body.amount) || !isAmount(top) || compareMoney(amount, top) > 0) return false;
  return compareMoney(amount, body.amount) > 0 || isSame(amount, buyNow);
}

/** Whether the user has made a bid, or for the floor one with the paddle that was noted; only the host is told of paddles. */
function isBidder({ bidder, paddle }, { body: { floor }, userID }) {
  return floor ? bidder.id === floorID && (paddle === undefined || paddle === floor.paddle) : bidder.id === userID;
}

/** What is said of the bid. A bid that still is on its way somewhere may arrive later, so it is not said that it was not placed. */
export function outcome(asked, { bids, isAll, me }) {
  const { body, known, isRaise, isSealed: isHidden, money } = asked;
  // An automatic bid comes of a maximum, which may be an earlier one.
  const isIts = (bid) => isBidder(bid, asked) && !bid.automatic && !known.has(bid.id) && fits(bid, asked);
  const its = bids.find(isIts);
  if (its || (isHidden && isSame(me?.sealedAmount, body.amount))) {
    return [t(body.floor ? "floor.arrived" : "bid.arrived", { amount: money(its?.amount ?? body.amount) }), "good"];
  }
  if (body.maximum && isSame(me?.maximum, body.maximum)) return [t("bid.maximumRaised", { amount: money(body.maximum) }), "good"];
  // A maximum is told to the one who leads, and makes no bid: for others it cannot be known whether it was raised.
  if (isRaise && !me?.maximum) return [];
  // Of so many bids that those from before are not among them nothing is known.
  if (!isAll && !bids.some((bid) => known.has(bid.id))) return [];
  return [t(body.floor ? "floor.notArrived" : me?.maximum && !body.amount ? "bid.maximumNotArrived" : "bid.notArrived"), "bad"];
}

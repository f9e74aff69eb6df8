// A bid to which no answer came: what is known of it, and what the bids tell once they can be read again.
import { Problem, compareMoney, isSealed } from "../client/auction-client.js";
import { t } from "../strings.js";

/** What could not be read is read again after this. */
const retryMs = 2_000;

/**
 * @param read `(round)` resolves with `bids` (the newest ones of the round), `isAll` (there are no older ones) and `me`, as they are now
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
      open = { body, known, round, isSealed: isSealed(room), userID, money };
      check();
      return Object.assign(error, { told: t("bid.unanswered") });
    },
    stop() {
      clearTimeout(timer);
      if (open) tell();
      open = null;
    },
  };
}

/** What is said of the bid. A bid that still is on its way somewhere may arrive later, so it is not said that it was not placed. */
export function outcome({ body, known, isSealed: isHidden, userID, money }, { bids, isAll, me }) {
  // What was typed may be no amount at all.
  const isSame = (amount, wanted) => Boolean(amount) && /^\d+(\.\d+)?$/.test(wanted) && compareMoney(amount, wanted) === 0;
  const isIts = (bid) => bid.bidder.id === userID && !known.has(bid.id) && (!body.amount || !bid.amount || isSame(bid.amount, body.amount));
  const its = bids.find(isIts);
  if (its || (isHidden && isSame(me?.sealedAmount, body.amount))) {
    return [t("bid.arrived", { amount: money(its?.amount ?? body.amount) }), "good"];
  }
  if (body.maximum && isSame(me?.maximum, body.maximum)) return [t("bid.maximumRaised", { amount: money(body.maximum) }), "good"];
  // Of so many bids that those from before are not among them nothing is known.
  if (!isAll && !bids.some((bid) => known.has(bid.id))) return [];
  return [t(me?.maximum && !body.amount ? "bid.maximumNotArrived" : "bid.notArrived"), "bad"];
}

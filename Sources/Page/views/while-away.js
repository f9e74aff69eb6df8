// "While you were away": what became of the bid of the user who had left the page, or looked elsewhere.
import { compareMoney, isSealed } from "../client/auction-client.js";
import { h, icon, replace, show } from "../dom.js";
import { t } from "../strings.js";
import { totalOf } from "./hero.js";

const catchUpMs = 4_000;
/** The news stays at least as long as it takes to read. */
const readMs = 6_000;
/** The bids of one user by room, in this browser. */
const place = "auction-room.bids";
/** More rooms than one bids in at a time. */
const mostRooms = 50;

/**
 * The user's own best bid of the round, to be remembered; null without one. No event tells the amount of a sealed one, nor who leads. The
 * maximum is told to the one who leads only, so it is that of before for another.
 */
function ownBid({ room, state, userID }, kept) {
  const isOwn = (bid) => bid.round === room.round && bid.bidder.id === userID && !bid.retracted;
  // Until the room is read again, what it says of the reader is that of the round before.
  const sealed = isSealed(room) && state.bids.some(isOwn) && room.me?.sealedAmount;
  if (sealed) return { round: room.round, item: room.item?.name ?? "", amount: sealed, leads: false };
  const own = state.bids.filter((bid) => isOwn(bid) && bid.amount);
  if (own.length === 0) return null;
  const amount = own.map((bid) => bid.amount).reduce((a, b) => (compareMoney(a, b) >= 0 ? a : b));
  const leads = room.currentBid?.bidder.id === userID;
  const maximum = leads ? room.me?.maximum : kept?.round === room.round && kept.maximum;
  return { round: room.round, item: room.item?.name ?? "", amount, leads, ...maximum && { maximum } };
}

/** In words what has happened since a bid was remembered; null: nothing that the user does not know. @param results rows, and the end of the round of now */
export function newsOf(kept, model) {
  if (!kept) return null;
  const { room, results, state, phase, userID, money } = model;
  /** With what is to be paid, where there is a premium. */
  const whole = (price, total) => (total && total !== price ? t("away.price", { amount: money(price), total: money(total) }) : money(price));
  const { round, item, amount, maximum } = kept;
  /** Whether there was more than the bid, which this price has reached. */
  const isMaximumBeaten = (price) => maximum && compareMoney(maximum, amount) > 0 && compareMoney(price, maximum) >= 0;
  const row = results.find((each) => each.round === round);
  const end = state.result?.round === round ? { ...state.result, result: state.result.kind } : row;
  const isVoid = end?.voided && !end.isResold && (row?.total ?? null) === null;
  if (isVoid) return t("away.voided", { item, reason: end.voided.reason });
  if (end && end.result === "sold") {
    const price = whole(end.price, row?.total ?? (round === room.round ? room.total : null));
    return end.winner.id === userID ? t("away.won", { item, amount: price }) : isMaximumBeaten(end.price)
      ? t("away.lostMaximum", { item, name: end.winner.nickname, amount: price, own: money(maximum) }) : t("away.lost", { item, name: end.winner.nickname, amount: price, own: money(amount) });
  }
  if (end) return t("away.passed", { item });
  const leader = room.currentBid;
  if (round !== room.round || phase === "closed" || !kept.leads || !leader || leader.bidder.id === userID) return null;
  const words = { item, name: leader.bidder.nickname, amount: whole(room.currentPrice, totalOf(model, room.currentPrice)) };
  return isMaximumBeaten(room.currentPrice) ? t("away.outbidMaximum", { ...words, own: money(maximum) }) : t("away.outbid", { ...words, own: money(amount) });
}

const bidCount = ({ room, state }) => state.bids.filter((bid) => bid.round === room.round).length;

export function makeWhileAway(storage) {
  const words = h("p");
  const element = h("section.away-news", { hidden: true, "aria-label": t("away.title") }, h("div", h("h2", t("away.title")), words),
    h("button.quiet.round", { type: "button", "aria-label": t("app.close"), onclick: close }, icon("close")));
  /** Until then it is told what has happened: what was missed arrives a while after the user is back. */
  let newsUntil = Infinity;
  /** The round that the news is about, the room's round when it was told, and how many bids that had; null while nothing is told. */
  let told = null;
  let reading = null;
  let isOutdated = false;
  const turn = () => { newsUntil = document.hidden ? Infinity : Date.now() + catchUpMs; };
  document.addEventListener("visibilitychange", turn);

  function close() {
    clearTimeout(reading);
    [told, reading] = [null, null];
    show(element, false);
  }

  /** Closes the news as soon as the user has had the time to read it. */
  function outdated() {
    isOutdated = true;
    if (told && reading === null) close();
  }

  function tell(news, about, model) {
    close();
    replace(words, news);
    show(element, true);
    told = { about, round: model.room.round, bids: bidCount(model) };
    isOutdated = false;
    reading = setTimeout(() => { reading = null; if (isOutdated) close(); }, readMs);
  }

  function update(model) {
    if (document.hidden || !model.userID) return;
    const { id, round } = model.room;
    const bids = bidsOf(storage, model.userID);
    if (newsUntil === Infinity) turn();
    if (Date.now() < newsUntil) {
      const news = newsOf(bids[id], model);
      if (news) {
        tell(news, bids[id].round, model);
        newsUntil = 0;
      }
    }
    // Another lot has the room's attention.
    if (told && round > told.about && bidCount(model) > (round === told.round ? told.bids : 0)) outdated();
    const own = model.phase === "closed" ? null : ownBid(model, bids[id]);
    const { [id]: _, ...others } = bids;
    keep(storage, model.userID, own ? { ...others, [id]: own } : others);
  }

  return {
    element, update,
    /** The user does something in the room. */
    acted: outdated,
    stop() {
      clearTimeout(reading);
      document.removeEventListener("visibilitychange", turn);
    },
  };
}

function read(storage) {
  try { return JSON.parse(storage.get(place)); } catch { return null; }
}

function bidsOf(storage, user) {
  const kept = read(storage);
  return kept?.user === user && kept?.bids && typeof kept.bids === "object" ? kept.bids : {};
}

function keep(storage, user, bids) {
  const entries = Object.entries(bids).slice(-mostRooms);
  const text = entries.length > 0 ? JSON.stringify({ user, bids: Object.fromEntries(entries) }) : null;
  if (text === storage.get(place)) return;
  if (text) storage.set(place, text); else storage.remove(place);
}

/** Forgets what another user of this browser has bid, sealed amounts too. @param user the id of the one who is here; undefined without one */
export function forgetOthers(storage, user) {
  if (storage.get(place) !== null && read(storage)?.user !== user) storage.remove(place);
}

// "While you were away": what became of the bid of the user who had left the page, or looked elsewhere, and of those left on lots.
import { compareMoney, isSealed } from "../client/auction-client.js";
import { h, icon, replace, show } from "../dom.js";
import { named } from "../names.js";
import { standingOf } from "../own-bids.js";
import { t } from "../strings.js";
import { totalOf } from "./hero.js";
import { endOf, isVoid } from "./results.js";

const catchUpMs = 4_000;
/** The news stays at least as long as it takes to read. */
const readMs = 6_000;
/** The bids of one user by room, in this browser. */
const place = "auction-room.bids";
/** More rooms than one bids in at a time. */
const mostRooms = 50;
/** More lines are not read at a glance. */
const mostLines = 4;

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
  const whole = (price, total) => withTotal(price, total, money);
  const { round, item, amount, maximum } = kept;
  /** Whether there was more than the bid, which this price has reached. */
  const isMaximumBeaten = (price) => maximum && compareMoney(maximum, amount) > 0 && compareMoney(price, maximum) >= 0;
  const row = results.find((each) => each.round === round);
  const end = endOf({ room: { round }, result: state.result }, results);
  if (isVoid(end)) return t("away.voided", { item, reason: end.voided.reason });
  if (end?.kind === "sold") {
    const price = whole(end.price, row?.total ?? (round === room.round && !end.voided ? room.total : null));
    return end.winner.id === userID ? t("away.won", { item, amount: price }) : isMaximumBeaten(end.price)
      ? t("away.lostMaximum", { item, ...named(end.winner), amount: price, own: money(maximum) }) : t("away.lost", { item, ...named(end.winner), amount: price, own: money(amount) });
  }
  if (end) return t("away.passed", { item });
  const leader = room.currentBid;
  if (round !== room.round || phase === "closed" || !kept.leads || !leader || leader.bidder.id === userID) return null;
  const words = { item, ...named(leader.bidder), amount: whole(room.currentPrice, totalOf(model, room.currentPrice)) };
  return isMaximumBeaten(room.currentPrice) ? t("away.outbidMaximum", { ...words, own: money(maximum) }) : t("away.outbid", { ...words, own: money(amount) });
}

/** What the bids left on lots have become, by lot: to be remembered. */
const standingsOf = (model) => Object.fromEntries(model.ownBids.list.map((lot) => [lot.id, standingOf(lot, model)]));

/**
 * In words what has become of the bids that were left on lots, a line each.
 * @param kept by lot what they were when the user was last here; undefined if that is not known
 * @param toldRound the round of which another line tells already; null: none
 */
export function leftNewsOf(kept, model, toldRound = null) {
  const changed = model.ownBids.list.filter((lot) => kept?.[lot.id] && lot.round !== (toldRound ?? 0) && standingOf(lot, model) !== kept[lot.id]);
  const lines = changed.map((lot) => leftLine(lot, model)).filter(Boolean);
  return lines.length <= mostLines ? lines : [...lines.slice(0, mostLines - 1), t("away.more", { n: lines.length - mostLines + 1 })];
}

/** Of a void that the bidder did not bring about, and would not know of. */
const voidNews = { lotWithdrawn: "news.withdrawnBid", formatChanged: "news.formatChanged" };

function leftLine(lot, model) {
  const { result, myBid, item: { name } } = lot;
  const { money, room } = model;
  const own = money(myBid.maximum);
  switch (standingOf(lot, model)) {
    case "won": return t("away.won", { item: name, amount: withTotal(result.price, result.total, money) });
    case "lost": return t("away.lostMaximum", { item: name, ...named(result.winner), amount: withTotal(result.price, result.total, money), own });
    case "passed": return t("away.passed", { item: name });
    case "unused": return t("news.unused", { name });
    case "void": return voidNews[myBid.cause] ? t(voidNews[myBid.cause], { name }) : null;
    case "leading": return t("away.leftLeads", { item: name, amount: money(room.currentPrice) });
    case "outbid": return t("away.outbidMaximum", { item: name, ...named(room.currentBid.bidder), amount: money(room.currentPrice), own });
    default: return null;
  }
}

/** An amount, with what is to be paid where there is a premium. */
const withTotal = (price, total, money) => (total && total !== price ? t("away.price", { amount: money(price), total: money(total) }) : money(price));

const bidCount = ({ room, state }) => state.bids.filter((bid) => bid.round === room.round).length;

export function makeWhileAway(storage) {
  const words = h("div.away-words");
  const element = h("section.away-news", { hidden: true, "aria-label": t("away.title") }, h("div", h("h2", t("away.title")), words),
    h("button.quiet.round", { type: "button", "aria-label": t("app.close"), onclick: close }, icon("close")));
  /** Until then it is told what has happened: what was missed arrives a while after the user is back. */
  let newsUntil = Infinity;
  /** What the bids left on lots were when the user was last here; null until it is looked up. */
  let leftBefore = null;
  let toldLines = "";
  /** The round that the news is about, the room's round when it was told, and how many bids that had; null while nothing is told. */
  let told = null;
  let reading = null;
  let isOutdated = false;
  function turn() {
    newsUntil = document.hidden ? Infinity : Date.now() + catchUpMs;
    [leftBefore, toldLines] = [null, ""];
  }
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

  function tell(lines, about, model) {
    close();
    replace(words, lines.map((line) => h("p", line)));
    show(element, true);
    told = { about, round: model.room.round, bids: bidCount(model) };
    isOutdated = false;
    reading = setTimeout(() => { reading = null; if (isOutdated) close(); }, readMs);
  }

  function update(model) {
    if (document.hidden || !model.userID) return;
    const { id, round } = model.room;
    const { bids, left } = bidsOf(storage, model.userID);
    if (newsUntil === Infinity) turn();
    leftBefore ??= left[id] ?? {};
    if (Date.now() < newsUntil) {
      const news = newsOf(bids[id], model);
      const lines = [news, ...leftNewsOf(leftBefore, model, news && bids[id].round)].filter(Boolean);
      if (lines.length > 0 && lines.join() !== toldLines) {
        toldLines = lines.join();
        // With news of bids that were left it stays until the user closes it, or does something.
        tell(lines, lines.length > (news ? 1 : 0) ? Infinity : bids[id].round, model);
        if (news) newsUntil = 0;
      }
    }
    // Another lot has the room's attention.
    if (told && round > told.about && bidCount(model) > (round === told.round ? told.bids : 0)) outdated();
    const own = model.phase === "closed" ? null : ownBid(model, bids[id]);
    keep(storage, model.userID, { bids: withRoom(bids, id, own), left: model.ownBids.isRead ? withRoom(left, id, standingsOf(model)) : left });
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
  const byRoom = (given) => (kept?.user === user && given && typeof given === "object" ? given : {});
  return { bids: byRoom(kept?.bids), left: byRoom(kept?.left) };
}

/** With what is remembered of a room, as the latest; without it if that is nothing. */
function withRoom(byRoom, id, value) {
  const { [id]: _, ...others } = byRoom;
  return value && Object.keys(value).length > 0 ? { ...others, [id]: value } : others;
}

function keep(storage, user, { bids, left }) {
  const last = (byRoom) => Object.fromEntries(Object.entries(byRoom).slice(-mostRooms));
  const isAny = [bids, left].some((byRoom) => Object.keys(byRoom).length > 0);
  const text = isAny ? JSON.stringify({ user, bids: last(bids), ...(Object.keys(left).length > 0 && { left: last(left) }) }) : null;
  if (text === storage.get(place)) return;
  if (text) storage.set(place, text); else storage.remove(place);
}

/** Forgets what another user of this browser has bid, sealed amounts too. @param user the id of the one who is here; undefined without one */
export function forgetOthers(storage, user) {
  if (storage.get(place) !== null && read(storage)?.user !== user) storage.remove(place);
}

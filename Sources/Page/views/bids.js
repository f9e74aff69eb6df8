// The price over time, and the bids behind it.
import { isSealed, priceSteps } from "../client/auction-client.js";
import { h, icon, reconcile, setText, show } from "../dom.js";
import { makePlot } from "../plot.js";
import { locale, t } from "../strings.js";
import { askText } from "./confirm.js";
import { isVoid } from "./results.js";

const shownBids = 60;

export function makeBids(room) {
  const plot = makePlot();
  const list = h("ol.bid-list");
  const empty = h("p.empty", t("bids.empty"));
  const retract = h("button.quiet.small", { type: "button", hidden: true, onclick: () => ask(latestExplicit(room.model())) }, t("bids.retract"));
  const figure = h("div.plot-box", plot.element);
  const element = h("section.panel.bids", h("h2.panel-title", t("bids.title")), figure, empty, list, retract);

  function ask(bid, title = "bids.retract") {
    if (!bid) return;
    // Another may have come just before the press: the question says which one it is.
    const which = [bid.bidder.nickname, bid.amount && room.model().money(bid.amount)].filter(Boolean).join(" · ");
    askText({
      title: `${t(title)}: ${which}`, label: t("host.reason"), hint: t("host.reasonHint"), name: "reason", go: t("host.retractGo"), isDangerous: true,
    }, (reason) => room.retract(bid.id, reason));
  }

  function update(model) {
    const { state, room: it, money, userID } = model;
    const bids = state.bids.filter((bid) => bid.round === it.round);
    show(empty, bids.length === 0);
    setText(empty, t(isSealed(it) ? "bids.emptySealed" : "bids.empty"));
    show(retract, model.can("retractBid") && Boolean(latestExplicit(model)));
    const won = sealedWinner(bids, model);
    const isVoided = Boolean(state.result?.voided) && state.result.round === it.round;
    const leads = (bid) => !isVoided && (bid === won || it.currentBid?.id === bid.id) && !bid.retracted;
    const newest = bids.filter((bid) => bid !== won).slice(-shownBids).reverse();
    // Of a bidder who is banned the host takes back any bid; of others only the latest, by the button below the list.
    const canRetract = model.can("retractBid");
    const mayRetract = (bid) => canRetract && state.banned?.has(bid.bidder.id) && (!bid.automatic || bid.absentee) && !bid.retracted;
    reconcile(list, won ? [won, ...newest] : newest, (bid) => bid.id,
      (bid) => `${bid.bidder.nickname} ${bid.amount} ${bid.retracted} ${leads(bid)} ${userID} ${mayRetract(bid)}`,
      (bid) => row(bid, leads(bid), money, userID, mayRetract(bid) && (() => ask(bid, "bids.retractOne"))));
    drawPlot(model);
  }

  function drawPlot(model) {
    const { room: it, state, money, now } = model;
    const steps = priceSteps(state);
    show(figure, steps.length > 1);
    if (steps.length < 2) return;
    const opened = state.opened[it.round] ? Date.parse(state.opened[it.round]) : steps[0].at;
    plot.update({
      steps, start: opened, end: it.state === "auctioning" ? now : steps.at(-1).at, format: money, time: clockTime,
      label: t("bids.plot", { n: steps.length, first: money(steps[0].amount), last: money(steps.at(-1).amount) }),
    });
  }

  return { element, update };
}

function latestExplicit({ state, room }) {
  return state.bids.findLast((bid) => bid.round === room.round && !bid.automatic && !bid.retracted);
}

/** How many have bid in the round; with "+" if only a part of the bids is known. */
export function bidderCount({ state, room, hasMoreBids }) {
  const bidders = new Set(state.bids.filter((bid) => bid.round === room.round && !bid.retracted).map((bid) => bid.bidder.id));
  return hasMoreBids ? `${bidders.size}+` : String(bidders.size);
}

/** Of sealed bids no one leads; after the close the winner's stands. */
function sealedWinner(bids, { state: { result }, room, phase }) {
  if (!isSealed(room) || phase !== "closed" || result?.kind !== "sold" || result.round !== room.round || isVoid(result)) return undefined;
  return bids.findLast((bid) => bid.bidder.id === result.winner.id && !bid.retracted);
}

function clockTime(ms) {
  return new Date(ms).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

/** @param retract what asks whether to take the bid back; false: it cannot be */
function row(bid, leads, money, userID, retract) {
  const amount = h("span.bid-amount", bid.amount === null || bid.amount === undefined ? [icon("lock"), t("bids.sealed")] : money(bid.amount));
  const line = h("li.bid-row", h("span.bid-who", bid.floor ? t("floor.name") : bid.bidder.nickname),
    bid.bidder.id === userID && h("span.tag.mine", t("bids.you")),
    bid.automatic && h("span.tag.plain", t("bids.automatic")),
    bid.retracted && h("span.tag.plain", t("bids.retracted")),
    h("time.bid-time", { datetime: bid.at }, clockTime(Date.parse(bid.at))), amount,
    retract && h("button.quiet.small", { type: "button", "aria-label": `${t("bids.retractOne")}: ${bid.bidder.nickname} · ${amount.textContent}`, onclick: retract }, t("bids.retractOne")));
  line.classList.toggle("leads", leads);
  line.classList.toggle("gone", Boolean(bid.retracted));
  return line;
}

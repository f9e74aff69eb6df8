// What became of earlier rounds.
import { h, reconcile, setText, show } from "../dom.js";
import { busily, note } from "../feedback.js";
import { named } from "../names.js";
import { t } from "../strings.js";
import { askText } from "./confirm.js";
import { lotLabel, showLot } from "./lot.js";
import { isVoidRow, makeFiles, showOwn } from "./totals.js";

export function makeResults(room) {
  const list = h("ul.result-list");
  const more = h("button.quiet.small", {
    type: "button", onclick: (event) => busily(event.currentTarget, () => room.moreResults()),
  }, t("result.more"));
  const own = h("button.small", { type: "button", onclick: (event) => busily(event.currentTarget, () => showOwn(room)) });
  const files = makeFiles(room);
  const element = h("section.results", { hidden: true, "aria-label": t("result.history") },
    h("h3", t("result.history")), list, h("div.row.wrap", own, more, files.elements));

  /** Of what the rows were made. */
  let drawn = [];

  function update(model) {
    const { results, hasMoreResults, me, userID, unsold, lots, state, can } = model;
    show(element, results.length > 0);
    show(more, hasMoreResults);
    show(own, Boolean(me?.role));
    setText(own, t(me?.role === "host" ? "own.buyers" : "own.title"));
    files.update(model);
    const of = [results, unsold, lots, state.offered, userID, me?.role, can("voidResult"), can("reofferLot")];
    if (of.every((value, index) => value === drawn[index])) return;
    drawn = of;
    reconcile(list, results, (result) => result.round, (result) => JSON.stringify([result, userID, ...Object.values(allowed).map((may) => may(result, model))]), (result) => row(result, model, room));
  }

  return { element, update };
}

/** What the reader may do about a row; what the server would refuse is not offered. */
const allowed = {
  void: ({ result, total }, { can }) => can("voidResult") && result === "sold" && total !== null,
  /** Once for a sale, while the lot is not offered to all again, and where there was another bidder. */
  offer: (row, model) => model.can("voidResult") && isVoidRow(row) && !row.offer && row.bids > 1 && !model.state.offered.has(row.round) && (!row.lotId || isUnsold(row.lotId, model)),
  /** Of their own lots, and as the host of all. */
  again: (row, model) => model.can("reofferLot") && Boolean(row.lotId) && !row.offer && (row.result === "passed" || isVoidRow(row))
    && (model.me.role === "host" || row.seller?.id === model.userID) && isUnsold(row.lotId, model),
};

/** Whether a lot that ended does not wait, or have its turn, again. */
function isUnsold(lotId, { unsold, lots }) {
  const again = [lots?.current, ...(lots?.queued ?? [])].some((lot) => lot?.offeredBefore === lotId);
  return !again && (unsold === null || unsold.has(lotId));
}

/** The buttons for what the reader may do about a row. */
export function actionsOf(result, model, room) {
  const item = result.item?.name ?? "";
  const button = (key, name, act) => h("button.small.quiet", { type: "button", "aria-label": t(name, { item }), onclick: (event) => act(event.currentTarget) }, t(key));
  return [
    allowed.offer(result, model) && button("result.offer", "result.offerOf", (at) => busily(at, () => room.voidResult(result.round, { reason: result.voided.reason, offerTo: "next" }))),
    allowed.void(result, model) && button("result.void", "result.voidOf", () => askToVoid(room, result)),
    allowed.again(result, model) && button("lots.again", "lots.againFor", (at) => busily(at, () => offerAgain(room, result.lotId, item))),
  ].filter(Boolean);
}

function row(result, model, room) {
  const { money, userID } = model;
  const { lotId, item, winner } = result;
  const name = item?.name ?? "";
  return h("li", h("span.result-round", result.reference ?? lotLabel(result, result.round)),
    h("span.result-item", lotId ? h("button.lot-open", {
      type: "button", "aria-haspopup": "dialog", onclick: (event) => busily(event.currentTarget, async () => {
        const lot = await room.readLot(lotId);
        showLot(lot, money, result, allowed.again(result, room.model()) && !lot.offeredAgain ? () => offerAgain(room, lotId, name) : null);
      }),
    }, name) : name),
    h("span.result-end", isVoidRow(result) ? [result.voidedBefore, result.voided].filter(Boolean).map(({ price, reason }) => h("span", h("s", money(price)), ` ${t("result.voidedFor", { reason })} `)) : result.result === "sold"
      ? [h("strong", money(result.price)), h("span.quiet-text", ` ${winner.nickname}${result.paddle ? ` ${result.paddle}` : ""}`), winner.id === userID && h("span.tag.mine", t("bids.you")),
        result.premium && h("span.result-total", t("price.total", { amount: money(result.total) }))] : t("result.passed")),
    result.offer && h("span.result-total", t("result.offeredTo", { name: result.offer.to.nickname })),
    actionsOf(result, model, room));
}

/** Asks the host why a sale does not count; everybody reads it. */
const askToVoid = (room, { round, item, winner }) => askText({
  title: t("result.voidOf", { item: item.name }), label: t("result.voidReason"), hint: t("result.voidAbout", named(winner)), name: "reason", go: t("result.void"), isDangerous: true,
}, (reason) => room.voidResult(round, { reason }));

async function offerAgain(room, lotId, name) {
  await room.reofferLot(lotId);
  note(t("lots.waitsAgain", { item: name }), "good");
}

/** Whether a sale was voided, and the item has no other buyer. @param end of a round, as `endOf` gives it */
export const isVoid = (end) => Boolean(end?.voided) && !end.isResold;

/** How the round of the room ended, null before: by its event, or by its row where so much has happened since that the event is not read. */
export function endOf({ room, result }, results) {
  if (result?.round === room.round) return result;
  const row = results.find((each) => each.round === room.round);
  if (!row) return null;
  const { round, result: kind, winner, price, reason, voided, total } = row;
  return { round, kind, winner, price, reason, ...(voided && { voided, isResold: total !== null }) };
}

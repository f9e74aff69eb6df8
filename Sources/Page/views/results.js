// What became of earlier rounds.
import { h, replace, setText, show } from "../dom.js";
import { busily, note } from "../feedback.js";
import { named } from "../names.js";
import { t } from "../strings.js";
import { askText } from "./confirm.js";
import { lotLabel, showLot } from "./lot.js";
import { makeFiles, showOwn } from "./totals.js";

export function makeResults(room) {
  const list = h("ul.result-list");
  const more = h("button.quiet.small", {
    type: "button", onclick: (event) => busily(event.currentTarget, () => room.moreResults()),
  }, t("result.more"));
  const own = h("button.small", { type: "button", onclick: (event) => busily(event.currentTarget, () => showOwn(room)) });
  const files = makeFiles(room);
  const element = h("section.results", { hidden: true, "aria-label": t("result.history") },
    h("h3", t("result.history")), list, h("div.row.wrap", own, more, files.elements));
  let drawn = null;
  let drawnFor = "";

  function update(model) {
    const { results, hasMoreResults, me, userID, archived, lots } = model;
    show(element, results.length > 0);
    show(more, hasMoreResults);
    show(own, Boolean(me?.role));
    setText(own, t(me?.role === "host" ? "own.buyers" : "own.title"));
    files.update(model);
    const waiting = [lots?.current, ...(lots?.queued ?? [])].filter((lot) => lot?.offeredBefore).map((lot) => lot.offeredBefore);
    const version = JSON.stringify([me?.role, userID, archived, waiting]);
    if (drawn === results && version === drawnFor) return;
    [drawn, drawnFor] = [results, version];
    replace(list, results.map((result) => row(result, model, room, waiting)));
  }

  return { element, update };
}

/** Whether the user may offer the lot of a result again: of their own lots, and as the host of all. */
const mayOfferAgain = ({ lotId, result, seller, voided, total }, { me, userID, archived }) => !archived && lotId && (result === "passed" || (voided && total === null))
  && (me?.role === "host" || (me?.role === "auctioneer" && seller?.id === userID));

/** @param waiting the lots that wait, or have their turn, again */
function row(result, model, room, waiting) {
  const { money, userID } = model;
  const { lotId, item, winner } = result;
  const again = mayOfferAgain(result, model) && !waiting.includes(lotId) ? () => offerAgain(room, lotId, item?.name ?? "") : null;
  const name = item?.name ?? "";
  return h("li", h("span.result-round", result.reference ?? lotLabel(result, result.round)),
    h("span.result-item", lotId ? h("button.lot-open", {
      type: "button", "aria-haspopup": "dialog", onclick: (event) => busily(event.currentTarget, async () => {
        const lot = await room.readLot(lotId);
        showLot(lot, money, result, lot.offeredAgain ? null : again);
      }),
    }, name) : name),
    h("span.result-end", result.voided && result.total === null ? [h("s", money(result.price)), ` ${t("result.voidedFor", { reason: result.voided.reason })}`] : result.result === "sold"
      ? [h("strong", money(result.price)), h("span.quiet-text", ` ${winner.nickname}${result.paddle ? ` ${result.paddle}` : ""}`), winner.id === userID && h("span.tag.mine", t("bids.you")),
        result.premium && h("span.result-total", t("price.total", { amount: money(result.total) }))] : t("result.passed")),
    result.offer && h("span.result-total", t("result.offeredTo", { name: result.offer.to.nickname })),
    mayOffer(result, model) && h("button.small.quiet", {
      type: "button", "aria-label": t("result.offerOf", { item: name }), onclick: (event) => busily(event.currentTarget, () => room.voidResult(result.round, { reason: result.voided.reason, offerTo: "next" })),
    }, t("result.offer")),
    mayVoid(result, model) && h("button.small.quiet", { type: "button", "aria-label": t("result.voidOf", { item: name }), onclick: () => askToVoid(room, result) }, t("result.void")),
    again && h("button.small.quiet", { type: "button", "aria-label": t("lots.againFor", { item: name }), onclick: (event) => busily(event.currentTarget, again) }, t("lots.again")));
}

const mayOffer = ({ voided, total, offer }, { me, archived }) => !archived && me?.role === "host" && voided && total === null && !offer;

const mayVoid = ({ result, total }, { me, archived }) => !archived && me?.role === "host" && result === "sold" && total !== null;

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

// What became of earlier rounds.
import { h, replace, setText, show } from "../dom.js";
import { busily } from "../feedback.js";
import { t } from "../strings.js";
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

  function update(model) {
    const { results, hasMoreResults, money, me, userID } = model;
    show(element, results.length > 0);
    show(more, hasMoreResults);
    show(own, Boolean(me?.role));
    setText(own, t(me?.role === "host" ? "own.buyers" : "own.title"));
    files.update(model);
    if (drawn === results) return;
    drawn = results;
    replace(list, results.map((result) => row(result, money, userID, room)));
  }

  return { element, update };
}

function row(result, money, userID, room) {
  const { lotId, item, winner } = result;
  const name = item?.name ?? "";
  return h("li", h("span.result-round", result.reference ?? lotLabel(result, result.round)),
    h("span.result-item", lotId ? h("button.lot-open", {
      type: "button", "aria-haspopup": "dialog", onclick: (event) => busily(event.currentTarget, async () => showLot(await room.readLot(lotId), money, result)),
    }, name) : name),
    h("span.result-end", result.result === "sold"
      ? [h("strong", money(result.price)), h("span.quiet-text", ` ${winner.nickname}`), winner.id === userID && h("span.tag.mine", t("bids.you")),
        result.premium && h("span.result-total", t("price.total", { amount: money(result.total) }))] : t("result.passed")));
}

/** How the round of the room ended, null before: by its event, or by its row where so much has happened since that the event is not read. */
export function endOf({ room, result }, results) {
  if (result?.round === room.round) return result;
  const row = results.find((each) => each.round === room.round);
  return row ? { round: row.round, kind: row.result, winner: row.winner, price: row.price, reason: row.reason } : null;
}

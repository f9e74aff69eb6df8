// What became of earlier rounds, and which of that is the reader's own: bought or sold.
import { addMoney } from "../client/auction-client.js";
import { dialog, h, replace, show } from "../dom.js";
import { busily } from "../feedback.js";
import { t } from "../strings.js";

export function makeResults(room) {
  const list = h("ul.result-list");
  const more = h("button.quiet.small", {
    type: "button", onclick: (event) => busily(event.currentTarget, () => room.moreResults()),
  }, t("result.more"));
  const own = h("button.small", { type: "button", onclick: (event) => busily(event.currentTarget, () => showOwn(room)) }, t("own.title"));
  const csv = h("a.quiet-link", { download: "" }, t("result.csv"));
  const print = h("a.quiet-link", { target: "_blank", rel: "noopener", onclick: openPrivately }, t("result.print"));
  const element = h("section.results", { hidden: true, "aria-label": t("result.history") },
    h("h3", t("result.history")), list, h("div.row.wrap", own, more, print, csv));
  let drawn = null;

  /** A browser cannot send a token with an address that it opens; a ticket stands for it once. */
  function openPrivately(event) {
    const { room: it } = room.model();
    if (it.visibility === "public") return;
    event.preventDefault();
    busily(print, async () => open(`${print.href}?ticket=${encodeURIComponent(await room.ticket())}`, "_blank", "noopener"));
  }

  function update({ results, hasMoreResults, room: it, money, me, userID }) {
    show(element, results.length > 0);
    show(more, hasMoreResults);
    show(own, Boolean(me?.role));
    show(csv, it.visibility === "public");
    show(print, it.visibility === "public" || Boolean(me?.role));
    csv.href = `/v1/rooms/${it.id}/results.csv`;
    print.href = `/v1/rooms/${it.id}/results.html`;
    if (drawn === results) return;
    drawn = results;
    replace(list, results.map((result) => row(result, money, userID)));
  }

  return { element, update };
}

function row(result, money, userID) {
  const isSold = result.result === "sold";
  return h("li", h("span.result-round", result.reference ?? t("rooms.round", { n: result.round })),
    h("span.result-item", result.item?.name ?? ""),
    h("span.result-end", isSold
      ? [money(result.price), h("span.quiet-text", ` ${result.winner.nickname}`), result.winner.id === userID && h("span.tag.mine", t("bids.you")),
        result.premium && h("span.result-total", t("price.total", { amount: money(result.total) }))] : t("result.passed")));
}

const ownQueued = ({ queued }, userID) => (queued ?? []).filter((lot) => lot.item.owner.id === userID);

/** Everything of the room that the reader bought or offered. */
async function showOwn(room) {
  const rows = await room.allResults();
  const { userID, money, lots } = room.model();
  const wins = rows.filter((row) => row.winner?.id === userID);
  const sales = rows.filter((row) => row.seller?.id === userID);
  const queued = ownQueued(lots, userID);
  const amounts = (row) => [money(row.price), row.premium ? money(row.premium) : "–", money(row.total ?? row.price)];
  const sum = (member) => wins.map((row) => row[member] ?? row.price).reduce((all, amount) => addMoney(all, amount));
  const hasPremium = wins.some((row) => row.premium);
  const columns = (cells) => (hasPremium ? cells : [cells[0]]);
  dialog(t("own.title"), h("div.stack",
    h("section", h("h3", t("own.bought", { n: wins.length })), wins.length === 0 ? h("p.quiet-text", t("own.noneBought")) : table(
      [t("item.name"), ...columns([t("price.final"), t("own.premium"), t("own.total")])],
      wins.map((row) => [label(row), ...columns(amounts(row))]),
      [t("own.sum"), ...columns([money(sum("price")), "", money(sum("total"))])], "amounts")),
    (sales.length > 0 || queued.length > 0) && h("section", h("h3", t("own.offered")), table([t("item.name"), t("own.state"), t("price.final")], [
      ...queued.map((lot) => [label(lot), t("own.queued"), "–"]),
      ...sales.map((row) => [label(row), row.result === "sold" ? t("result.sold", { name: row.winner.nickname }) : t("result.passed"), money(row.price)]),
    ], null, "amounts"))), { closeLabel: t("app.close") });
}

const label = ({ reference, item }) => (reference ? `${reference} · ${item.name}` : item.name);

/** A table whose first column heads the rows. */
export function table(head, rows, foot = null, kind = "texts") {
  const line = (cells) => h("tr", cells.map((cell, index) => (index === 0 ? h("th", { scope: "row" }, cell) : h("td", cell))));
  return h("div.table-box", { tabindex: "0", role: "group", "aria-label": head.join(", ") }, h(`table.table.${kind}`,
    h("thead", h("tr", head.map((name) => h("th", { scope: "col" }, name)))), h("tbody", rows.map(line)), foot && h("tfoot", line(foot))));
}

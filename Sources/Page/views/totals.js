// What was sold in all: as files, by buyer, the reader's own, and when the sale is over.
import { addMoney, amountOf, fractionDigits } from "../client/auction-client.js";
import { dialog, h, set, setText, show, table } from "../dom.js";
import { busily } from "../feedback.js";
import { named } from "../names.js";
import { t } from "../strings.js";
import { isSaleOver } from "./sale.js";

/** Whether the sale of a row of the results was voided, and the item has no other buyer. */
export const isVoidRow = ({ voided, total }) => Boolean(voided) && total === null;
const isSold = (row) => row.result === "sold" && !isVoidRow(row);
const label = ({ reference, number, item }) => [reference ?? number, item.name].filter(Boolean).join(" · ");
/** With the digits of the currency, also where no row has the amount. */
const sum = (rows, of) => rows.map(of).filter(Boolean).reduce(addMoney, amountOf(0n, fractionDigits(rows[0]?.price ?? "0")));
const price = (row) => row.price;
const premium = (row) => row.premium;
const total = (row) => row.total ?? row.price;

/** The document with all totals, and the table as a file. */
export function makeFiles(room) {
  const csv = h("button.quiet.small", { type: "button", onclick: (event) => busily(event.currentTarget, () => saveTable(room)) }, t("result.csv"));
  const print = h("a.quiet-link", { target: "_blank", rel: "noopener", onclick: openPrivately }, t("result.print"));

  /** A browser cannot send a token with an address that it opens; a ticket stands for it once. */
  function openPrivately(event) {
    if (room.model().room.visibility === "public") return;
    event.preventDefault();
    busily(print, async () => open(`${print.href}?ticket=${encodeURIComponent(await room.ticket())}`, "_blank", "noopener"));
  }

  return {
    elements: [print, csv],
    update({ room: it, me, archived }) {
      for (const each of [print, csv]) show(each, !archived && (it.visibility === "public" || Boolean(me?.role)));
      print.href = `/v1/rooms/${it.id}/results.html`;
    },
  };
}

/** The results as a file. A browser sends no token with an address that it opens, so the page reads them and gives them to it. */
export async function saveTable(room) {
  saveCSV(room.model().room.name, await room.resultTable());
}

/** Spreadsheets take a file without the mark for one in an older encoding. */
const saveCSV = (name, csv) => saveFile(name, "csv", `\ufeff${csv}`, "text/csv");

/** Gives the browser a file to keep. @param name what it is called, without what file systems do not take */
export function saveFile(name, ending, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: address, download: `${name.replace(/[^\p{L}\p{N}]+/gu, " ").trim() || "auction"}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Rows as CSV (RFC 4180). What a spreadsheet would take for a formula, behind any separator, gets an apostrophe, as in the server's tables. */
export function csvTable(rows) {
  const cell = (text) => {
    const formula = /^['"]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
    const guarded = text.match(/[^,;\t|\n\r]*(?:[,;\t|\n\r]|$)/g).map((part) => (formula.test(part) ? `'${part}` : part)).join("");
    return /[,;\t|"\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Everything of the room that the reader bought or offered; for the host also who pays what. */
export async function showOwn(room) {
  const rows = await room.allResults();
  const { userID, money, lots, me, room: it } = room.model();
  const sold = rows.filter(isSold);
  const wins = sold.filter((row) => row.winner.id === userID);
  const offered = rows.filter((row) => row.seller.id === userID);
  const queued = (lots.queued ?? []).filter((lot) => lot.item.owner.id === userID);
  const hasPremium = sold.some(premium);
  const columns = hasPremium ? [price, premium, total] : [price];
  const shown = (amount) => (amount ? money(amount) : "–");
  const cells = (of) => columns.map((each) => shown(of(each)));
  const heads = hasPremium ? [t("price.final"), t("own.premium"), t("own.total")] : [t("price.final")];
  const isHost = me?.role === "host";
  const buyers = new Map();
  for (const row of sold) buyers.set(row.winner.id, [...(buyers.get(row.winner.id) ?? []), row]);
  const line = (name, of) => [name, String(of.length), ...columns.map((each) => sum(of, each))];
  const [whole, ...lines] = [line(t("own.sum"), sold), ...[...buyers.values()].map((bought) => line(bought[0].winner.nickname, bought))];
  const written = ([name, count, ...amounts]) => [name, count, ...amounts.map(shown)];
  // In the file the amounts are plain numbers, with which a spreadsheet can count.
  const save = () => saveCSV(`${it.name} ${t("own.buyers")}`, csvTable([
    [t("own.buyer"), t("own.lots"), ...heads.map((head) => `${head} (${it.currency})`)], ...lines, whole]));
  const byBuyer = isHost && (sold.length === 0 ? h("p.quiet-text", t("own.noneBought")) : [
    table([t("own.buyer"), t("own.lots"), ...heads], lines.map(written), written(whole), "amounts"),
    h("div.row", h("button.small", { type: "button", onclick: save }, t("own.save")))]);
  const bought = (!isHost || wins.length > 0) && h("section", h("h3", t("own.bought", { n: wins.length })),
    wins.length === 0 ? h("p.quiet-text", t("own.noneBought")) : table([t("item.name"), ...heads], wins.map((row) => [label(row), ...cells((each) => each(row))]),
      [t("own.sum"), ...cells((each) => sum(wins, each))], "amounts"));
  dialog(t(isHost ? "own.buyers" : "own.title"), h("div.stack", byBuyer, bought,
    (offered.length > 0 || queued.length > 0) && h("section", h("h3", t("own.offered")), table([t("item.name"), t("own.state"), t("price.final")], [
      ...queued.map((lot) => [label(lot), t("own.queued"), "–"]),
      ...offered.map((row) => [label(row), isSold(row) ? t("result.sold", named(row.winner)) : t(isVoidRow(row) ? "result.voided" : "result.passed"), isVoidRow(row) ? "–" : money(row.price)]),
    ], null, "amounts"))), { closeLabel: t("app.close") });
}

/** What became of the whole sale, or so far while none runs: who reads it sees at once what to do next. */
export function makeSaleEnd(room) {
  const lots = h("p");
  const own = h("p", h("strong"));
  const files = makeFiles(room);
  const more = h("button.small", { type: "button", onclick: (event) => busily(event.currentTarget, () => showOwn(room)) });
  const title = h("h2");
  const element = h("section.sale-end", { hidden: true }, title, lots, own, h("div.row.wrap", more, files.elements));
  let drawn = null;
  let hasBought = false;
  let wasOver = false;

  function update(model) {
    const { results, room: it, phase, me, sale, userID } = model;
    // The last one is read after its close.
    const isKnown = results[0]?.round >= (phase === "closed" ? it.round : it.round - 1);
    const isOver = isSaleOver(model);
    // Lots that are added afterwards do not change what is owed.
    hasBought ||= results.some((row) => isSold(row) && row.winner.id === userID);
    const isQuiet = Boolean(sale) && !sale.running && ["preparing", "closed"].includes(phase);
    wasOver = isOver || (wasOver && isQuiet);
    // Between the lots that the host starts, it would push away the button for the next one.
    show(element, isKnown && (isOver || (isQuiet && (hasBought || (wasOver && me?.role === "host")))));
    if (element.hidden) return;
    setText(title, t(isOver ? "end.title" : "end.soFar"));
    set(element, "aria-label", title.textContent);
    files.update(model);
    show(more, Boolean(me?.role));
    setText(more, t(me?.role === "host" ? "own.buyers" : "own.title"));
    if (drawn === results) return;
    drawn = results;
    if (model.hasMoreResults) room.allResults().then(draw, () => { drawn = null; }); else draw(results);
  }

  function draw(rows) {
    const { userID, money, me, sale } = room.model();
    const sold = rows.filter(isSold);
    const wins = sold.filter((row) => row.winner.id === userID);
    const whole = me?.role === "host" && sold.length > 0 && t(sale?.premium ? "end.wholePremium" : "end.whole", { amount: money(sum(sold, total)) });
    const voided = rows.filter(isVoidRow).length;
    setText(lots, [t("end.lots", { sold: sold.length, passed: rows.length - sold.length - voided }), voided > 0 && t("end.voided", { n: voided }), whole].filter(Boolean).join(" · "));
    // Possibly more than what is read of the results for the list.
    hasBought = wins.length > 0;
    show(own, me?.role === "bidder" || hasBought);
    setText(own.firstChild, wins.length > 0 ? t("end.own", { n: wins.length, amount: money(sum(wins, total)) }) : t("end.ownNone"));
  }

  return { element, update };
}

// Bids that are left on lots before their turn: leaving, changing and taking back, and what became of them.
import { currencySymbol, isSealed, typedAmount } from "../client/auction-client.js";
import { dialog, h, reconcile, setText, show } from "../dom.js";
import { busily, note } from "../feedback.js";
import { field, form } from "../forms.js";
import { named } from "../names.js";
import { isRunning, mayPlaceAbsenteeBid, standingOf } from "../own-bids.js";
import { knows, language, t } from "../strings.js";
import { costOf, moneyInput } from "./bid.js";
import { confirmDialog } from "./confirm.js";
import { lotLabel, showLot, thumbnail } from "./lot.js";

/** Rows that a short list shows. */
const few = 5;

/** The same in words, with the price. */
export function standingWords(lot, model) {
  const { myBid, result } = lot;
  const { money, room } = model;
  const standing = standingOf(lot, model);
  if (standing === "standing" && myBid.problem) return t(knows(`left.${problemOf(myBid)}`) ? `left.${problemOf(myBid)}` : "left.problem");
  if (standing === "void") return t(knows(`left.void_${myBid.cause}`) ? `left.void_${myBid.cause}` : "left.void");
  const price = result?.price ?? room.currentPrice;
  const amount = result?.total && result.total !== price ? t("away.price", { amount: money(price), total: money(result.total) }) : money(price);
  return t(knows(`left.${standing}`) ? `left.${standing}` : "left.problem", { amount, ...named(result?.winner ?? room.currentBid?.bidder) });
}

/** "below_start" of "absentee.below_start". */
const problemOf = ({ problem }) => problem.split(".").at(-1);

/** In the order in which they matter: what runs, what is decided, the latest first, and what waits. */
export function inOrder(list, model) {
  const rank = (lot) => (isRunning(standingOf(lot, model)) ? 0 : standingOf(lot, model) === "standing" ? 2 : 1);
  return list.map((lot) => [rank(lot), lot]).sort(([a, one], [b, other]) => a - b || (a === 1 ? (other.round ?? 0) - (one.round ?? 0) : 0)).map(([, lot]) => lot);
}

/** The maximum of the reader's bid on a lot that waits, for its row; null without one. */
export function bidTag(lot, model) {
  const own = model.ownBids.of(lot.id);
  return own && standingOf(own, model) === "standing" ? maximumTag(own, model) : null;
}

/** What the row of a lot that waits has to do about the reader's own bid; null for nothing. */
export function bidLine(room, lot, model) {
  const own = model.ownBids.of(lot.id);
  const { name } = lot.item;
  const button = (selector, key, run, more = {}) => h(`button.small${selector}`, { type: "button", "aria-label": t(`${key}Name`, { name }), onclick: (event) => run(event.currentTarget), ...more }, t(key));
  if (own && standingOf(own, model) === "standing") {
    return h("span.left-bid", own.myBid.problem && h("span.left-problem", standingWords(own, model)),
      model.archived ? null : [
        mayPlaceAbsenteeBid(lot, model) && button(".quiet", "left.change", () => openBid(room, lot), { "aria-haspopup": "dialog" }),
        button(".quiet", "left.takeBack", (pressed) => takeBack(room, lot, pressed)),
      ]);
  }
  if (!mayPlaceAbsenteeBid(lot, model)) return null;
  return h("span.left-bid", own && h("span", standingWords(own, model)), button("", "left.leave", () => openBid(room, lot), { "aria-haspopup": "dialog" }));
}

/** Of what the line of a lot depends on; a line with the same version is the same. */
export const bidVersion = (lot, model) => JSON.stringify([model.ownBids.of(lot.id)?.myBid, mayPlaceAbsenteeBid(lot, model)]);

const maximumTag = ({ myBid }, { money }) => h("span.tag.mine", t("left.upTo", { amount: money(myBid.maximum) }));

async function takeBack(room, lot, button) {
  const { money, ownBids } = room.model();
  const { name } = lot.item;
  const question = t("left.takeBackAsk", { name, amount: money(ownBids.of(lot.id).myBid.maximum) });
  if (!await confirmDialog(question, { title: t("left.takeBackName", { name }), go: t("left.takeBack"), isDangerous: true })) return;
  if (await busily(button, () => room.withdrawAbsenteeBid(lot))) note(t("left.takenBack", { name }));
}

/** Asks for the maximum of a bid on a lot that waits. */
export function openBid(room, lot) {
  const { money, ownBids, room: { currency } } = room.model();
  const { item: { name }, rules } = lot;
  const own = ownBids.of(lot.id);
  const known = own?.myBid.state === "standing" ? own.myBid.maximum : "";
  const input = moneyInput();
  input.value = known;
  input.setAttribute("autofocus", "");
  const maximum = field(t("left.maximum"), input, { name: "maximum", affix: currencySymbol(currency, language()), hint: " " });
  const hint = maximum.querySelector(".field-hint");
  /** What it costs at most, or else the least. */
  const advise = () => {
    const cost = costOf(typedAmount(input.value, currency), { rules, sale: room.model().sale });
    setText(hint, cost ? t("price.total", { amount: money(cost) }) : t("bid.amountHint", { amount: money(rules.startingPrice) }));
  };
  input.addEventListener("input", advise);
  advise();
  const box = dialog(t("left.leaveName", { name }), form("form.stack", [
    h("p", [t("left.from", { amount: money(rules.startingPrice) }), rules.buyNowPrice && t("price.buyNow", { amount: money(rules.buyNowPrice) })].filter(Boolean).join(" · ")),
    maximum,
    h("p.field-hint", t(isSealed({ rules }) ? "left.aboutSealed" : "left.about")),
    known && h("p.field-hint", t("left.aboutChange")),
    h("div.form-foot", h("button.primary", { type: "submit" }, t(known ? "app.save" : "left.leave"))),
  ], async () => {
    const { maximum: given } = await room.placeAbsenteeBid(lot, typedAmount(input.value, currency));
    box.close();
    note(t("left.done", { name, amount: money(given) }), "good");
  }), { closeLabel: t("app.close") });
  box.classList.add("narrow");
}

/** The reader's bids on lots of the room, with what became of them. */
export function makeOwnBids(room) {
  const heading = h("h3", { id: "own-bids" });
  const list = h("ol.lot-rows");
  const all = h("button.quiet.small", { type: "button", onclick: () => { isWhole = true; update(room.model()); } });
  const element = h("section.own-bids", { hidden: true, "aria-labelledby": heading.id }, heading, list, all);
  let isWhole = false;

  function update(model) {
    const lots = inOrder(model.ownBids.list, model);
    show(element, lots.length > 0);
    setText(heading, t("left.title", { n: lots.length }));
    show(all, !isWhole && lots.length > few);
    setText(all, t("left.all", { n: lots.length }));
    reconcile(list, isWhole ? lots : lots.slice(0, few), (lot) => lot.id, (lot) => JSON.stringify([lot, standingOf(lot, model), standingWords(lot, model), bidVersion(lot, model)]), (lot) => row(lot, model));
  }

  function row(lot, model) {
    const standing = standingOf(lot, model);
    const waits = standing === "standing";
    const { result } = lot;
    const name = h("button.lot-open", { type: "button", "aria-haspopup": "dialog", onclick: () => showLot(lot, model.money, result && { ...result, item: lot.item }) }, lot.item.name);
    return h("li.lot-row", { "data-standing": standing }, thumbnail(lot.item, 48), h("span.lot-row-words", name,
      h("span.lot-facts", h("span.tag.plain", lot.reference ?? lotLabel(lot)), maximumTag(lot, model),
        (!waits || !lot.myBid.problem) && h("span", standingWords(lot, model))),
      waits && bidLine(room, lot, model)));
  }

  return { element, update };
}

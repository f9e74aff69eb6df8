// What the host asks for as the next bid of an English auction: "I'll take 130".
import { addMoney, amountOf, compareMoney, currencySymbol, fractionDigits, minorUnits, typedAmount } from "../client/auction-client.js";
import { h, show } from "../dom.js";
import { busily } from "../feedback.js";
import { language, t } from "../strings.js";
import { amountButton, stepOf } from "./bid.js";
import { askText } from "./confirm.js";

/** How many increments above the price, in halves. */
const halves = [1, 2, 4, 10];

/** Amounts to ask for: above the price or, without a bid, the starting price; up to the buy-now price, and none that is the next minimum already. */
export function askAmounts({ rules, currentPrice, nextMinimum }) {
  if (!nextMinimum) return [];
  const price = currentPrice ?? rules.startingPrice;
  // Of the rules: what was asked for before is no increment.
  const step = stepOf({ rules, currentPrice: null, nextMinimum: price });
  const digits = Math.max(fractionDigits(step), fractionDigits(price));
  const units = minorUnits(step, digits);
  const amounts = halves.map((count) => addMoney(price, amountOf((units * BigInt(count) + 1n) / 2n, digits)));
  const isOffered = (amount) => compareMoney(amount, nextMinimum) !== 0 && (!rules.buyNowPrice || compareMoney(amount, rules.buyNowPrice) <= 0);
  return [...new Set(amounts)].filter(isOffered);
}

export function makeAsks(room) {
  const ask = (nextMinimum) => room.order("changeAsk", { nextMinimum });
  const buttons = halves.map(() => amountButton("button.small", "host.ask", (at, amount) => busily(at, () => ask(amount)), true));
  const other = h("button.small.quiet", { type: "button", "data-action": "host.askOther", onclick: askOther }, t("host.askOther"));
  const heading = h("p.quiet-text", { id: "host-asks" }, t("host.asks"));
  const element = h("div.asks", { role: "group", "aria-labelledby": heading.id, hidden: true },
    h("div.asks-head", heading, other), h("div.row.wrap.quick", buttons.map(({ button }) => button)));

  function askOther() {
    const { room: it, money } = room.model();
    const { round, item, currentPrice } = it;
    const hint = currentPrice ? t("host.askHint", { amount: money(currentPrice) }) : t("host.askHintFirst", { amount: money(it.rules.startingPrice) });
    askText({
      title: `${t("host.asks")}: ${item.name}`, label: t("bid.amount"), hint, name: "nextMinimum", go: t("host.askGo"),
      affix: currencySymbol(it.currency, language()),
    }, (text) => room.order("changeAsk", { nextMinimum: typedAmount(text, it.currency), expectedRound: round, expectedItem: item?.id }));
  }

  function update({ room: it, can, money }) {
    const isOffered = can("changeAsk") && Boolean(it.nextMinimum);
    show(element, isOffered);
    const amounts = isOffered ? askAmounts(it) : [];
    for (const [index, { button, update: name }] of buttons.entries()) {
      show(button, index < amounts.length);
      if (index < amounts.length) name(amounts[index], money);
    }
  }

  return { element, update };
}

// Bids of people in the hall or at the telephone, which the host or an auctioneer enters.
import { currencySymbol, typedAmount } from "../client/auction-client.js";
import { dialog, h, show } from "../dom.js";
import { busily } from "../feedback.js";
import { field, form } from "../forms.js";
import { settle } from "../settling.js";
import { language, t } from "../strings.js";
import { amountButton } from "./bid.js";
import { sameItem } from "./confirm.js";

/** As long as the server takes it. */
const paddleLength = 16;

export function makeFloor(room) {
  let item = null;
  const next = amountButton("button", "floor.next", (at, amount) => busily(at, () => room.bid({ amount, floor: {} })));
  const other = h("button.quiet", { type: "button", "data-action": "floor.other", onclick: ask }, t("floor.other"));
  const element = h("div.row.wrap", { role: "group", "aria-label": t("floor.title"), hidden: true }, next.button, other);

  /** Asks for the amount and who bids it. */
  function ask() {
    const { room: it, money } = room.model();
    const check = sameItem(room, "bid.otherItem");
    const amount = h("input.money", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", autofocus: true });
    const paddle = h("input", { type: "text", autocomplete: "off", maxlength: paddleLength });
    const least = it.currentPrice && it.rules.format === "dutch" ? it.currentPrice : it.nextMinimum;
    const box = dialog([t("floor.title"), it.item?.name].filter(Boolean).join(": "), form("form.stack", [
      field(t("bid.amount"), amount, { name: "amount", affix: currencySymbol(it.currency, language()), hint: t("bid.amountHint", { amount: money(least) }) }),
      field(t("floor.paddle"), paddle, { name: "floor.paddle", hint: t("floor.paddleHint") }),
      h("div.row.end", h("button.quiet", { type: "button", onclick: () => box.close() }, t("app.cancel")),
        h("button.primary", { type: "submit" }, t("floor.go"))),
    ], async () => {
      check();
      const noted = paddle.value.trim();
      await room.bid({ amount: typedAmount(amount.value, it.currency), floor: noted ? { paddle: noted } : {}, round: it.round, item: it.item?.id });
      box.close();
    }), { closeLabel: t("app.close") });
    box.classList.add("narrow");
  }

  function update({ room: it, can, money }) {
    const isOffered = can("placeFloorBid") && Boolean(it.nextMinimum);
    show(element, isOffered);
    if (!isOffered) return;
    // What was meant for one lot must be no bid on the next.
    if (it.item?.id !== item) settle(next.button);
    item = it.item?.id;
    next.update(it.nextMinimum, money);
  }

  return { element, update };
}

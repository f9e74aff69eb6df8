// The bidder's action. Its form depends on the user's role and on the format; there is one primary button.
import { currencySymbol, isDutch, isSealed, typedAmount } from "../client/auction-client.js";
import { h, icon, replace, set, setText, show } from "../dom.js";
import { busily, note, speak } from "../feedback.js";
import { field, form } from "../forms.js";
import { language, t } from "../strings.js";
import { confirmDialog } from "./confirm.js";

/** After a price change, a press within this time still means the previous price. */
export const settleMs = 250;

export function makeBid(room) {
  const element = h("section.action.bid", { "aria-label": t("bid.title") });
  let mode = null;
  let parts = {};

  function update(model) {
    const wanted = modeOf(model);
    show(element, wanted !== "none");
    if (wanted !== mode) {
      const hadFocus = element.contains(document.activeElement);
      mode = wanted;
      parts = (builders[mode] ?? empty)(room, model);
      replace(element, parts.children ?? []);
      if (hadFocus) (element.querySelector("button, input") ?? element).focus();
    }
    parts.update?.(model);
  }
  return { element, update };
}

/** What the panel is for this person now. */
export function modeOf({ room, me, phase, userID, archived }) {
  if (archived) return "none";
  if (!me?.role) return "join";
  if (me.role === "viewer") return "upgrade";
  if (me.role === "host") return "none";
  if (room.item?.owner.id === userID) return "own";
  if (phase !== "auctioning") return "wait";
  if (isSealed(room)) return "sealed";
  return isDutch(room) ? "dutch" : "open";
}

const empty = () => ({ children: [] });

const builders = {
  join: (room) => ({
    children: [
      h("button.primary.big", { type: "button", onclick: (event) => room.join("bidder", event.currentTarget) }, t("bid.joinBidder")),
      h("button.quiet", { type: "button", onclick: (event) => room.join("viewer", event.currentTarget) }, t("bid.joinViewer")),
    ],
  }),
  upgrade: (room) => ({
    children: [
      h("p.action-note", icon("eye"), t("bid.watchOnly")),
      h("button.primary.big", { type: "button", onclick: (event) => room.join("bidder", event.currentTarget) }, t("bid.joinBidder")),
    ],
  }),
  own: () => {
    const text = h("p.action-note");
    return { children: [text], update: ({ room }) => setText(text, t(room.state === "preparing" ? "item.waitHost" : "bid.own")) };
  },
  wait: () => {
    const text = h("p.action-note");
    return {
      children: [text],
      update: ({ room, phase }) => setText(text, t({
        preparing: room.item || room.sale?.queued ? "bid.waitOpen" : "bid.waitItem", listing: "bid.waitOpen", paused: "bid.waitPaused",
        closing: "clock.closing", closed: "bid.waitClosed",
      }[phase] ?? "bid.waitOpen")),
    };
  },
  open: openBid,
  dutch: dutchBid,
  sealed: sealedBid,
};

/** A button that names an amount, and sends the amount that it has been naming for a moment. */
function amountButton(selector, labelKey, act) {
  const label = h("span");
  let shown = null;
  let before = null;
  let changedAt = 0;
  const button = h(selector, { type: "button", onclick: () => act(button, Date.now() - changedAt < settleMs && before ? before : shown) }, label);
  return {
    button,
    update(amount, money, key = labelKey) {
      if (amount !== shown) { before = shown; shown = amount; changedAt = Date.now(); }
      setText(label, t(key, { amount: money(amount) }));
      button.disabled = !amount;
    },
  };
}

function openBid(room) {
  const one = amountButton("button.primary.big", "bid.one", (button, amount) => busily(button, () => room.bid({ amount })));
  const buy = amountButton("button", "bid.buyNow", async (button, amount) => {
    const question = t("bid.buyNow", { amount: room.model().money(amount) });
    if (await confirmDialog(question, { title: room.model().room.item?.name, go: question })) {
      await busily(button, () => room.bid({ amount }));
    }
  });
  const lead = h("div.lead-note", { tabindex: "-1" }, icon("check"), h("div", h("strong"), h("p")));
  const other = otherAmount(room);
  return {
    children: [lead, one.button, buy.button, other.element],
    update(model) {
      const { room: it, money, me } = model;
      const leads = it.currentBid?.bidder.id === model.userID;
      const price = it.rules?.buyNowPrice;
      const buysAlready = price && it.nextMinimum === price;
      // The leader has no action; the place keeps its size, so that the layout does not shift.
      const focused = document.activeElement;
      show(lead, leads);
      show(one.button, !leads);
      // Keyboard focus moves to the element that replaces the button, and back.
      if (focused === one.button && leads) lead.focus();
      if (focused === lead && !leads) one.button.focus();
      one.update(it.nextMinimum, money, buysAlready ? "bid.buyNow" : "bid.one");
      show(buy.button, Boolean(price) && !buysAlready);
      if (price) buy.update(price, money);
      setText(lead.querySelector("strong"), t("bid.leadingHint", { amount: money(it.currentPrice) }));
      setText(lead.querySelector("p"), me.maximum && me.maximum !== it.currentPrice
        ? t("bid.yourMaximum", { amount: money(me.maximum) }) : t("bid.leadingMore"));
      other.update(model, leads);
    },
  };
}

function otherAmount(room) {
  const amount = moneyInput();
  const maximum = moneyInput();
  const symbol = currencySymbol(room.model().room.currency, language());
  const amountField = field(t("bid.amount"), amount, { name: "amount", affix: symbol, hint: " " });
  const hint = amountField.querySelector(".field-hint");
  const send = h("button", { type: "submit" }, t("bid.send"));
  const element = h("details.other", h("summary", t("bid.other")), form("form.other-form", [
    amountField,
    field(t("bid.maximum"), maximum, { name: "maximum", affix: symbol, hint: t("bid.maximumHint") }),
    send,
  ], async () => {
    const body = {};
    if (!amountField.hidden && amount.value.trim()) body.amount = typedAmount(amount.value);
    if (maximum.value.trim()) body.maximum = typedAmount(maximum.value);
    // Nothing typed: the server names the field that is missing.
    await room.bid(body);
    amount.value = "";
    maximum.value = "";
    element.open = false;
  }));
  return {
    element,
    update({ room: it, money }, leads) {
      show(amountField, !leads);
      setText(hint, it.nextMinimum ? t("bid.amountHint", { amount: money(it.nextMinimum) }) : "");
      setText(send, t(leads ? "bid.raise" : "bid.send"));
    },
  };
}

function dutchBid(room) {
  const take = amountButton("button.primary.big", "bid.take", (button, amount) => busily(button, () => room.bid({ amount })));
  return { children: [take.button], update: ({ room: it, money }) => take.update(it.currentPrice ?? it.nextMinimum, money) };
}

function sealedBid(room) {
  const amount = moneyInput();
  const own = h("p.sealed-own", { hidden: true });
  const amountField = field(t("bid.amount"), amount, {
    name: "amount", affix: currencySymbol(room.model().room.currency, language()), hint: t("bid.sealedHint"),
  });
  const send = h("button.primary.big", { type: "submit" }, t("bid.sealedSend"));
  const element = form("form.stack.tight", [own, amountField, send], async () => {
    await room.bid({ amount: typedAmount(amount.value) });
    amount.value = "";
  });
  return {
    children: [element],
    update({ room: it, me, money }) {
      show(own, Boolean(me.sealedAmount));
      if (me.sealedAmount) setText(own, t("bid.sealedOwn", { amount: money(me.sealedAmount) }));
      setText(send, t(me.sealedAmount ? "bid.sealedReplace" : "bid.sealedSend"));
      set(amount, "placeholder", it.nextMinimum ?? "");
    },
  };
}

function moneyInput() {
  return h("input.money", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false" });
}

/** What became of a bid, in words. */
export function bidNote(answer, body, { money, room }) {
  if (!answer?.bid) return body.maximum && note(t("bid.maximumRaised", { amount: money(body.maximum) }), "good");
  if (isSealed(room)) return speak(t("bid.accepted", { amount: money(body.amount) }));
  const wasOnlyRaise = answer.bid.leading && !body.amount && body.maximum && room.currentBid?.id === answer.bid.id;
  if (wasOnlyRaise) return note(t("bid.maximumRaised", { amount: money(body.maximum) }), "good");
  if (!answer.bid.leading) return note(t("bid.beaten"), "plain");
  // The panel shows the leader; screen readers get an announcement.
  return speak(t("bid.accepted", { amount: money(answer.bid.amount) }));
}

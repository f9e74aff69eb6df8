// The bidder's action. Its form depends on the user's role and on the format; there is one primary button.
import { addMoney, amountOf, compareMoney, currencySymbol, fractionDigits, isDutch, isSealed, minorUnits, subtractMoney, typedAmount } from "../client/auction-client.js";
import { h, icon, replace, set, setText, show } from "../dom.js";
import { busily, note, speak } from "../feedback.js";
import { field, form } from "../forms.js";
import { named } from "../names.js";
import { mayPlaceAbsenteeBid } from "../own-bids.js";
import { guard, settle } from "../settling.js";
import { language, t } from "../strings.js";
import { confirmDialog, sameItem } from "./confirm.js";
import { totalOf, withPremium } from "./hero.js";
import { isSaleOver } from "./sale.js";

/** After a price change, a press within this time still means the previous price. */
export const settleMs = 250;

export function makeBid(room) {
  const element = h("section.action.bid", { "aria-label": t("bid.title"), tabindex: "-1" });
  let mode = null;
  let parts = {};
  /** The forms of this round by their modes: a pause must not empty what is being typed. */
  let kept = { of: null, modes: new Map(), focused: null };
  guard(element);

  /** What the mode is made of, as it was before a pause of the same lot. */
  function partsOf(model) {
    if (!kept.modes.has(mode)) kept.modes.set(mode, (builders[mode] ?? empty)(room));
    return kept.modes.get(mode);
  }

  const focus = () => (element.querySelector("button, input") ?? element).focus();

  /** The focus goes to what has come instead; after a pause to where it was. */
  function refocus(hadFocus, before) {
    const back = [document.body, element].includes(document.activeElement) && element.contains(kept.focused) ? kept.focused : null;
    if (back) back.focus(); else if (hadFocus) focus();
    if (back) kept.focused = null;
    else if (hadFocus && before.matches("input")) kept.focused = before;
  }

  function update(model) {
    const wanted = modeOf(model);
    show(element, wanted !== "none");
    const of = `${model.room.round} ${model.room.item?.id} ${model.userID}`;
    const isNext = kept.of !== of;
    if (isNext) kept = { of, modes: new Map(), focused: null };
    // One lot may follow another at once, where events are caught up with, and in another format.
    const isNextForm = isNext && forms.has(mode) && forms.has(wanted);
    if (wanted !== mode || isNextForm) {
      const takesPlace = joins.has(mode) || isNextForm;
      const before = document.activeElement;
      // What is being typed for one lot must not press the button of the next.
      const hadFocus = element.contains(before) && !(isNextForm && before.matches("input"));
      mode = wanted;
      parts = partsOf(model);
      replace(element, parts.children ?? []);
      // A bid takes the place of what was pressed to join, or of one on the lot before.
      if (takesPlace) for (const each of element.querySelectorAll("button")) settle(each);
      refocus(hadFocus, before);
    }
    parts.update?.(model);
  }
  return { element, update, focus };
}

/** What the panel is for this person now. */
export function modeOf(model) {
  const { room, me, phase, userID, archived, mustApply, can } = model;
  if (archived) return "none";
  if (me?.banned) return "banned";
  if (!me?.role) return "join";
  if (me.role === "host") return "none";
  // The server tells of it only while the host approves bidders.
  if (me.application) return me.application.state === "declined" ? "declined" : "applied";
  if (me.role === "viewer") return "upgrade";
  if (mustApply && me.role === "bidder" && !can?.("placeBid")) return "apply";
  if (room.item?.owner.id === userID) return "own";
  if (phase !== "auctioning") return "wait";
  if (isSealed(room)) return "sealed";
  return isDutch(room) ? "dutch" : "open";
}

/** Whether the user has bid in an open round and another leads. */
export function isOutbid({ room, state, phase, userID }) {
  const leader = room.currentBid?.bidder.id;
  if (isSealed(room) || isDutch(room) || !["auctioning", "paused"].includes(phase) || !leader || leader === userID) return false;
  return state.bids.some((bid) => bid.round === room.round && bid.bidder.id === userID && !bid.retracted);
}

const empty = () => ({ children: [] });

/** The modes in which one bids. */
const forms = new Set(["open", "dutch", "sealed"]);
/** The modes in which one joins, or asks to be a bidder. */
const joins = new Set(["join", "upgrade", "applied", "declined", "apply"]);

const builders = {
  join: (room) => ({
    children: [
      h("button.primary.big", { type: "button", onclick: (event) => room.join("bidder", event.currentTarget) }, t("bid.joinBidder")),
      h("button.quiet", { type: "button", onclick: (event) => room.join("viewer", event.currentTarget) }, t("bid.joinViewer")),
    ],
  }),
  banned: () => ({ children: [h("p.action-note", icon("lock"), t("bid.banned"))] }),
  applied: () => ({ children: [h("p.action-note", icon("clock"), t("bid.applied"))] }),
  declined: () => {
    const text = h("span");
    return {
      children: [h("p.action-note", icon("lock"), text)],
      update({ me: { application: { reason } } }) { setText(text, reason ? t("bid.declinedReason", { reason }) : t("bid.declined")); },
    };
  },
  apply: (room) => ({
    children: [
      h("p.action-note", icon("lock"), t("bid.mustApply")),
      h("button.primary.big", { type: "button", onclick: (event) => room.join("bidder", event.currentTarget) }, t("bid.apply")),
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
      update: (model) => setText(text, waitWords(model)),
    };
  },
  open: openBid,
  dutch: dutchBid,
  sealed: sealedBid,
};

/** What a bidder reads while there is nothing to bid on. */
export function waitWords(model) {
  const { me, phase, room, sale, lots, ownBids, money } = model;
  const own = phase === "closed" ? null : ownBids.of(lots.current?.id)?.myBid;
  if (own?.state === "standing") return t("bid.waitLeft", { amount: money(own.maximum) });
  if (isSaleOver(model)) return t("bid.waitOver");
  const next = lots.queued?.[0];
  if (phase === "closed" && sale?.running && next) return t("bid.waitNext", { name: next.item.name });
  const words = t({
    preparing: room.item || sale?.queued ? "bid.waitOpen" : "bid.waitItem", paused: "bid.waitPaused", closing: "clock.closing", closed: "bid.waitClosed",
  }[phase] ?? "bid.waitOpen");
  if (phase !== "preparing") return words;
  const text = lots.queued?.some((lot) => mayPlaceAbsenteeBid(lot, model)) ? t("bid.waitLeave") : words;
  return me.role === "bidder" ? t("bid.asBidder", { text }) : text;
}

/** Bids in the round that a form was made for, and on its item: the answer to its question may come when another is up. */
function bidder(room) {
  const { round, item } = room.model().room;
  const check = sameItem(room, "bid.otherItem");
  return async (body) => {
    check();
    return room.bid({ ...body, round, item: item?.id });
  };
}

/** A button that names an amount, and sends the amount that it has been naming for a moment. */
export function amountButton(selector, labelKey, act, isShort = false) {
  const label = h("span");
  let shown = null;
  let before = null;
  let changedAt = 0;
  const button = h(selector, { type: "button", onclick: () => act(button, Date.now() - changedAt < settleMs && before ? before : shown) }, label);
  return {
    button,
    update(amount, money, key = labelKey) {
      if (amount !== shown) { before = shown; shown = amount; changedAt = Date.now(); }
      const words = t(key, { amount: money(amount) });
      setText(label, isShort ? money(amount) : words);
      if (isShort) set(button, "aria-label", words);
      button.disabled = !amount;
    },
  };
}

/** By how many increments the quick amounts are above the next minimum. */
const quickSteps = [1, 2, 5];

/** What the next minimum is above the price; before the first bid, what the rules say. */
export function stepOf({ rules: { increment }, currentPrice, nextMinimum }) {
  if (currentPrice && compareMoney(nextMinimum, currentPrice) > 0) return subtractMoney(nextMinimum, currentPrice);
  if (increment.fixed) return increment.fixed;
  if (increment.tiers) return increment.tiers.filter(({ from }) => compareMoney(from, nextMinimum) <= 0).at(-1)?.step ?? increment.tiers[0].step;
  const digits = fractionDigits(nextMinimum);
  const units = minorUnits(nextMinimum, digits) * BigInt(Math.round(increment.percent * 100)) / 10_000n;
  return amountOf(units > 0n ? units : 1n, digits);
}

/** Amounts above the next minimum; without those that would buy at once. */
export function quickAmounts(room) {
  if (!room.nextMinimum) return [];
  const step = stepOf(room);
  const digits = Math.max(fractionDigits(step), fractionDigits(room.nextMinimum));
  const [first, each] = [room.nextMinimum, step].map((amount) => minorUnits(amount, digits));
  const amounts = quickSteps.map((count) => amountOf(first + each * BigInt(count), digits));
  return amounts.filter((amount) => !room.rules.buyNowPrice || compareMoney(amount, room.rules.buyNowPrice) < 0);
}

function openBid(room) {
  const bid = bidder(room);
  const quick = quickSteps.map(() => amountButton("button.small", "bid.one", (button, amount) => busily(button, () => bid({ amount })), true));
  const quickRow = h("div.row.wrap.quick", { role: "group", "aria-label": t("bid.quick") }, quick.map(({ button }) => button));
  const one = amountButton("button.primary.big", "bid.one", (button, amount) => busily(button, () => bid({ amount })));
  const buy = amountButton("button", "bid.buyNow", async (button, amount) => {
    const model = room.model();
    const go = t("bid.buyNow", { amount: model.money(amount) });
    const whole = totalOf(model, amount);
    const question = [go, whole && t("price.total", { amount: model.money(whole) })].filter(Boolean).join(" · ");
    if (await confirmDialog(question, { title: model.room.item?.name, go })) {
      await busily(button, () => bid({ amount }));
    }
  });
  const lead = h("div.lead-note", { tabindex: "-1" }, icon("check"), h("div", h("strong"), h("p")));
  const beaten = h("div.lead-note.outbid", { hidden: true }, icon("bell"), h("div", h("strong", t("bid.outbid")), h("p")));
  const other = otherAmount(room, bid);
  let wasLeading = false;
  let maximum = null;
  return {
    children: [lead, beaten, one.button, quickRow, buy.button, other.element],
    update(model) {
      const { room: it, money, me } = model;
      const leads = it.currentBid?.bidder.id === model.userID;
      const price = it.rules?.buyNowPrice;
      const buysAlready = price && it.nextMinimum === price;
      // The leader has no action; the place keeps its size, so that the layout does not shift.
      const focused = document.activeElement;
      // The server tells it to the one who leads only.
      if (leads && !wasLeading) maximum = null;
      if (leads && me.maximum && (maximum || me.maximum !== it.currentPrice)) ({ maximum } = me);
      wasLeading = leads;
      show(lead, leads);
      show(one.button, !leads);
      show(beaten, isOutbid(model));
      if (!beaten.hidden) {
        const isPassed = maximum && compareMoney(it.currentPrice, maximum) >= 0;
        setText(beaten.querySelector("p"), t(isPassed ? "bid.outbidMaximum" : "bid.outbidBy", {
          ...named(it.currentBid.bidder), amount: money(it.currentPrice), maximum: isPassed && money(maximum),
        }));
      }
      // Keyboard focus moves to the element that replaces the button, and back.
      if (focused === one.button && leads) lead.focus();
      if (focused === lead && !leads) one.button.focus();
      one.update(it.nextMinimum, money, buysAlready ? "bid.buyNow" : "bid.one");
      const amounts = leads || buysAlready ? [] : quickAmounts(it);
      if (leads && quickRow.contains(focused)) lead.focus();
      show(quickRow, amounts.length > 0);
      for (const [index, { button, update }] of quick.entries()) {
        show(button, index < amounts.length);
        if (index < amounts.length) update(amounts[index], money);
      }
      show(buy.button, Boolean(price) && !buysAlready);
      if (price) buy.update(price, money);
      setText(lead.querySelector("strong"), t("bid.leadingHint", { amount: money(it.currentPrice) }));
      setText(lead.querySelector("p"), me.maximum && me.maximum !== it.currentPrice
        ? t("bid.yourMaximum", { amount: money(me.maximum) }) : t("bid.leadingMore"));
      other.update(model, leads);
    },
  };
}

function otherAmount(room, bid) {
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
    if (!amountField.hidden && amount.value.trim()) body.amount = typedAmount(amount.value, room.model().room.currency);
    if (maximum.value.trim()) body.maximum = typedAmount(maximum.value, room.model().room.currency);
    // Nothing typed: the server names the field that is missing.
    await bid(body);
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
  const bid = bidder(room);
  const take = amountButton("button.primary.big", "bid.take", (button, amount) => busily(button, () => bid({ amount })));
  return { children: [take.button], update: ({ room: it, money }) => take.update(it.currentPrice ?? it.nextMinimum, money) };
}

function sealedBid(room) {
  const bid = bidder(room);
  const amount = moneyInput();
  const own = h("p.sealed-own", { hidden: true });
  const amountField = field(t("bid.amount"), amount, {
    name: "amount", affix: currencySymbol(room.model().room.currency, language()), hint: " ",
  });
  const hint = amountField.querySelector(".field-hint");
  const send = h("button.primary.big", { type: "submit" }, t("bid.sealedSend"));
  const element = form("form.stack.tight", [own, amountField, send], async () => {
    await bid({ amount: typedAmount(amount.value, room.model().room.currency) });
    amount.value = "";
    advise(room.model());
  });
  amount.addEventListener("input", () => advise(room.model()));

  /** What the typed amount costs, or else the least amount. */
  function advise({ room: it, money }) {
    const cost = costOf(typedAmount(amount.value, it.currency), it);
    const least = it.nextMinimum && t("bid.amountHint", { amount: money(it.nextMinimum) });
    setText(hint, [cost ? t("price.total", { amount: money(cost) }) : least, t("bid.sealedHint")].filter(Boolean).join(" · "));
  }

  return {
    children: [element],
    update(model) {
      const { me, money } = model;
      show(own, Boolean(me.sealedAmount));
      if (me.sealedAmount) setText(own, t("bid.sealedOwn", { amount: money(me.sealedAmount) }));
      setText(send, t(me.sealedAmount ? "bid.sealedReplace" : "bid.sealedSend"));
      advise(model);
    },
  };
}

/** With the premium, if there is one and the amount is one of the room's currency. */
export function costOf(typed, room) {
  const digits = fractionDigits(room.rules.startingPrice);
  const isAmount = /^\d{1,15}(\.\d{1,12})?$/.test(typed) && fractionDigits(typed) <= digits;
  return room.sale?.premium && isAmount ? withPremium(room, addMoney(typed, amountOf(0n, digits))) : null;
}

export function moneyInput() {
  return h("input.money", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false" });
}

/** What became of a bid, in words. */
export function bidNote(answer, body, { money, room }) {
  if (!answer?.bid) return body.maximum && note(t("bid.maximumRaised", { amount: money(body.maximum) }), "good");
  if (isSealed(room)) return speak(t("bid.accepted", { amount: money(body.amount) }));
  const wasOnlyRaise = answer.bid.leading && !body.amount && body.maximum && room.currentBid?.id === answer.bid.id;
  if (wasOnlyRaise) return note(t("bid.maximumRaised", { amount: money(body.maximum) }), "good");
  const isFloor = Boolean(body.floor);
  if (!answer.bid.leading) return note(t(isFloor ? "floor.beaten" : "bid.beaten"), "plain");
  // The panel shows the leader; screen readers get an announcement.
  return speak(t(isFloor ? "floor.accepted" : "bid.accepted", { amount: money(answer.bid.amount) }));
}

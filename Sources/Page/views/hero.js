// Price and countdown.
import { addMoney, countdownText, isDutch, isSealed, premiumOn } from "../client/auction-client.js";
import { h, icon, replace, setText, show } from "../dom.js";
import { speak } from "../feedback.js";
import { named } from "../names.js";
import { t } from "../strings.js";
import { bidderCount } from "./bids.js";
import { isVoid } from "./results.js";

const urgentMs = 10_000;
const dayMs = 24 * 3_600_000;

/** What is paid for an amount with the premium, of a round that is over with the premium of then; nothing without one. */
export function totalOf({ room, phase, state, results }, amount) {
  if (phase !== "closed") return room.sale?.premium && amount && withPremium(room, amount);
  if (!state?.result?.voided) return room.total;
  // The room has the total of the sale that does not count; what the next bidder pays is in the row of the results.
  const row = results.find(({ round }) => round === room.round);
  return row?.premium ? row.total : null;
}

export const withPremium = (room, amount) => addMoney(amount, premiumOn(amount, room.sale.premium.percent));

/** Time that is left: from a day on in days and hours, without seconds. */
export function leftText(ms, showsTenths = true) {
  if (ms < dayMs) return countdownText(ms, showsTenths);
  const hours = Math.floor(ms / 3_600_000);
  return t("clock.days", { d: Math.floor(hours / 24), h: hours % 24 });
}

/** The reader leads: by the bid that they left before, as long as they have given no other maximum. */
function leadWords({ me, money, lots, ownBids }) {
  const left = ownBids.of(lots.current?.id)?.myBid;
  return left && (me?.maximum ?? left.maximum) === left.maximum ? t("price.leftLeads", { amount: money(left.maximum) }) : t("price.youLead");
}

/** How long a countdown of the bidding is when it begins. */
const wholeMs = ({ rules }, dutch) => ((dutch ? rules?.dutchTickSeconds : rules?.biddingSeconds) || 15) * 1000;

export function makeHero(reducedMotion) {
  const priceLabel = h("p.eyebrow");
  const price = h("p.price");
  const leader = h("p.leader");
  const total = h("p.total", { hidden: true });
  const chips = h("p.chips");
  const clockLabel = h("p.eyebrow");
  const clock = h("p.clock", { role: "timer", "aria-live": "off" });
  const bar = h("span.bar-fill");
  const about = h("p.format-about", { hidden: true });
  const banner = h("div.banner", { hidden: true });
  const warning = h("p.warning", { hidden: true });
  const shortPrice = h("span");
  const shortClock = h("span.bar-clock");
  /** Price and time once more, for a narrow screen that has scrolled past them. */
  const shortBar = h("div.price-bar", { hidden: true, "aria-hidden": "true" }, shortPrice, shortClock);
  const figures = h("div.hero-figures",
    h("div.hero-price", priceLabel, price),
    h("div.hero-clock", clockLabel, clock),
    total, leader);
  const element = h("section.hero", { "aria-label": t("price.current") }, warning, figures, h("div.bar", { "aria-hidden": "true" }, bar), chips, about, banner, shortBar);
  const scrolling = new IntersectionObserver(([{ isIntersecting, boundingClientRect }]) => show(shortBar, !isIntersecting && boundingClientRect.bottom < 1));
  scrolling.observe(figures);
  let target = null;
  let spokenFor = null;
  /** The last round that was seen open: its end is celebrated, and who comes later reads it. */
  let openRound = null;
  let last = {};

  function update(model) {
    const { room, phase, money, state, me } = model;
    const dutch = isDutch(room);
    const sealed = isSealed(room) && phase !== "closed";
    const final = phase === "closed" && state.result?.kind === "sold" && !isVoid(state.result);
    const amount = final ? state.result.price : room.currentPrice;
    // Before the first lot is taken, the one that will be.
    const rules = room.rules ?? model.lots.queued?.[0]?.rules ?? null;
    element.classList.toggle("is-empty", !rules);
    setText(priceLabel, !rules ? "\u00a0" : t(final ? "price.final" : phase === "closed" && !dutch ? (amount ? "price.highest" : "price.start") : dutch ? "price.asking" : sealed ? "price.sealed"
      : amount ? "price.current" : "price.start"));
    const text = sealed && room.item ? t("price.sealedValue", { n: bidderCount(model) })
      : amount ? money(amount) : rules ? money(rules.startingPrice) : "—";
    if (price.textContent !== text) {
      setText(price, text);
      setText(shortPrice, text);
      // Long amounts get smaller rather than wrap, so that nothing below them moves.
      price.dataset.length = text.length > 12 ? "long" : text.length > 8 ? "medium" : "short";
      if (last.text && !reducedMotion.matches) price.animate([{ opacity: 0.35, transform: "translateY(0.12em)" }, {}], 220);
    }
    const whole = totalOf(model, amount ?? rules?.startingPrice);
    show(total, Boolean(rules && whole));
    if (rules && whole) setText(total, sealed ? t("sale.premium", { percent: room.sale.premium.percent }) : t("price.total", { amount: money(whole) }));
    const leads = room.currentBid?.bidder;
    const isMine = leads && leads.id === model.userID;
    setText(leader, sealed && room.item ? t("price.from", { amount: money(room.rules.startingPrice) })
      : phase === "closed" ? "\u00a0" : leads ? (isMine ? leadWords(model) : t("price.leads", named(leads)))
      : room.item && !dutch ? t("price.noBids") : "\u00a0");
    leader.classList.toggle("mine", Boolean(isMine));
    drawChips(model, sealed);
    drawBanner(model);
    drawWarning(model);
    drawClock(model);
    announce(model, amount, leads, isMine);
    last = { ...last, text, phase, amount, leads: leads?.id, wasMine: isMine, round: room.round, item: room.item?.id, role: me?.role };
  }

  function drawChips({ room, money, phase }, sealed) {
    const parts = [];
    // Before the first bid there is nothing that could meet it.
    if (typeof room.reserveMet === "boolean" && !sealed && (room.reserveMet || room.currentBid)) {
      parts.push(h(`span.tag.${room.reserveMet ? "good" : "plain"}`, room.reserveMet && icon("check"),
        t(room.reserveMet ? "price.reserveMet" : "price.reserveNotMet")));
    }
    if (room.rules?.buyNowPrice) parts.push(h("span.tag.plain", t("price.buyNow", { amount: money(room.rules.buyNowPrice) })));
    if (room.rules?.reservePrice) parts.push(h("span.tag.plain", t("rule.ownReserve", { amount: money(room.rules.reservePrice) })));
    const isSpecial = Boolean(room.rules) && room.rules.format !== "english";
    show(about, isSpecial);
    if (isSpecial) setText(about, t(`format.${room.rules.format}About`));
    if (isSpecial) parts.push(h("span.tag.plain", t(`format.${room.rules.format}`)));
    const version = `${parts.map((part) => part.textContent).join("|")} ${phase}`;
    if (chips.dataset.version !== version) { chips.dataset.version = version; replace(chips, parts); }
  }

  function drawBanner(model) {
    const { room, state: { result }, phase, money, userID } = model;
    const isShown = phase === "closed" && result?.round === room.round;
    if (phase !== "closed") openRound = room.round;
    show(banner, Boolean(isShown));
    if (!isShown) return;
    const isVoided = isVoid(result);
    const sold = result.kind === "sold" && !isVoided;
    const mine = sold && result.winner.id === userID;
    const item = room.item?.name ?? t("room.round", { n: room.round });
    const title = sold ? (mine ? t("result.soldYou") : t("result.sold", named(result.winner))) : t(isVoided ? "result.voided" : "result.passed");
    const whole = sold && totalOf(model, result.price);
    const words = sold ? t("result.for", { item, amount: money(result.price) }) + (whole ? ` · ${t("price.total", { amount: money(whole) })}` : "") : isVoided ? `${item}: ${result.voided.reason}` : t(`result.${result.reason}`, { item });
    if (banner.textContent === title + words) return;
    banner.className = `banner ${sold ? (mine ? "won" : "sold") : "passed"}`;
    replace(banner, h("p.banner-title", title), h("p", words), mine && openRound === room.round && h("div.confetti", { "aria-hidden": "true" }, Array.from({ length: 24 }, () => h("span"))));
    speak(`${title}. ${words}`);
  }

  /** Large, over the price: bidders look there. */
  function drawWarning({ room, phase }) {
    const isShown = room.warning > 0 && ["auctioning", "closing"].includes(phase);
    show(warning, isShown);
    const text = isShown ? t(`host.warn${room.warning}`) : "";
    if (warning.textContent === text) return;
    setText(warning, text);
    if (text) speak(text);
  }

  function drawClock({ room, phase, state }) {
    const dutch = isDutch(room);
    const { sale } = room;
    target = null;
    let label = t(`clock.${phase}`);
    if (phase === "paused") {
      write(state.frozenMs === null ? "–:––" : leftText(state.frozenMs, false));
      // Who comes in a pause has seen no countdown that has stopped.
      fill(state.frozenMs ?? 0, wholeMs(room, dutch));
    } else if (["listing", "auctioning"].includes(phase) && (room.endsAt || room.nextDropAt)) {
      const drops = dutch && phase === "auctioning" && room.nextDropAt;
      if (dutch && phase === "auctioning") label = t(drops ? "clock.drop" : "clock.lastTick");
      // A price about to drop is not shown as urgent.
      const end = Date.parse(drops ? room.nextDropAt : room.endsAt);
      target = { end, wholeMs: phase === "listing" ? (room.rules?.listingSeconds || 15) * 1000 : wholeMs(room, dutch), isFinal: phase === "auctioning" && !drops };
    } else if (sale?.nextLotAt && phase === "closed") {
      label = t("clock.nextLot");
      target = { end: Date.parse(sale.nextLotAt), wholeMs: (sale.pauseSeconds || 1) * 1000, isFinal: false };
    } else if (sale?.startsAt && ["preparing", "closed"].includes(phase)) {
      label = t("clock.sale");
      target = { end: Date.parse(sale.startsAt), wholeMs: 3600_000, isFinal: false };
    } else {
      const planned = phase === "preparing" && !dutch ? room.rules?.biddingSeconds : null;
      write(phase === "closing" ? "0:00" : planned ? leftText(planned * 1000, false) : "\u00a0");
      if (phase === "preparing" && !planned) label = "\u00a0";
      fill(0, 1);
    }
    setText(clockLabel, label);
    element.dataset.phase = phase;
    if (!target) element.classList.remove("urgent");
  }

  function write(text) {
    if (clock.textContent === text) return;
    setText(clock, text);
    setText(shortClock, text);
    clock.dataset.length = text.length > 8 ? "long" : text.length > 5 ? "medium" : "short";
  }

  const fill = (leftMs, ofMs) => { bar.style.transform = `scaleX(${Math.min(1, leftMs / ofMs).toFixed(4)})`; };

  /** Every frame: only the figures that change are written. */
  function tick(now) {
    if (!target) return false;
    const left = Math.max(0, target.end - now);
    write(leftText(left, !reducedMotion.matches));
    fill(left, target.wholeMs);
    element.classList.toggle("urgent", left < urgentMs && target.isFinal);
    const seconds = Math.ceil(left / 1000);
    // Said once when it gets serious, not every second.
    if (seconds === 10 && target.isFinal && spokenFor !== target.end && target.wholeMs > 15_000) {
      spokenFor = target.end;
      speak(t("clock.secondsLeft", { n: 10 }));
    }
    return left === 0;
  }

  function announce({ phase, room, money }, amount, leads, isMine) {
    if (last.phase === undefined) return;
    if (last.phase !== phase && phase !== "closed") return speak(`${t(`state.${phase}`)}. ${room.item?.name ?? ""}`);
    // Where events are caught up with, another lot may follow at once.
    const isSame = last.round === room.round && last.item === room.item?.id;
    if (isSame && last.wasMine && leads && !isMine && phase === "auctioning") return speak(`${t("bid.outbid")}. ${t("price.leads", named(leads))}, ${money(amount)}`);
    if (amount && amount !== last.amount && phase === "auctioning") {
      speak(`${money(amount)}${leads ? `, ${isMine ? t("price.youLead") : t("price.leads", named(leads))}` : ""}`);
    }
  }

  return { element, update, tick };
}

// How the lots are sold: what everyone reads of it, and the host's settings.
import { Problem, typedAmount } from "../client/auction-client.js";
import { dialog, h, show } from "../dom.js";
import { changedIn, choice, field, form } from "../forms.js";
import { knows, locale, t } from "../strings.js";

/** Whether all lots have had their turn. */
export const isSaleOver = ({ room, sale, phase }) => Boolean(sale) && !sale.running && !sale.startsAt && sale.lots > 0 && sale.queued === 0
  && (phase === "closed" || (phase === "preparing" && !room.item));

/** What a reader who has just come needs to know, as sentences. */
export function saleWords({ room, sale, phase }) {
  if (!sale) return [];
  const words = [];
  if (sale.running) words.push(t(phase === "paused" ? "sale.paused" : "sale.running"));
  else if (sale.postponed) words.push(t("sale.postponed"));
  else if (sale.startsAt) words.push(t("sale.startsAt", { time: localTime(sale.startsAt) }));
  else if (isSaleOver({ room, sale, phase })) words.push(t("sale.over"));
  if (sale.queued > 0) words.push(t(sale.queued === 1 ? "sale.oneLeft" : "sale.left", { n: sale.queued }));
  if (sale.mode === "automatic" && sale.queued > 0) words.push(t("sale.automatic", { n: sale.pauseSeconds }));
  if (sale.premium) words.push(t("sale.premium", { percent: sale.premium.percent }));
  return words;
}

/** What has just happened to the sale or to a lot, in words. */
export function saleNews(type, { cause, name, reason, hasBid = false }, phase) {
  if (type === "lot.withdrawn" && hasBid) return t(reason ? "news.withdrawnBidFor" : "news.withdrawnBid", { name, reason });
  if (type === "lot.withdrawn") return t(reason ? "news.withdrawnFor" : "news.withdrawn", { name, reason });
  if (type === "sale.stopped" && cause === "host" && !["closed", "preparing"].includes(phase)) return t("news.lastForNow");
  if (type === "sale.stopped") return knows(`stopped.${cause}`) ? t(`stopped.${cause}`) : t("news.stopped");
  return t({ "sale.started": "news.started", "sale.postponed": "news.postponed" }[type] ?? "news.finished");
}

/** In the reader's own time zone, which is named. */
export function localTime(time) {
  return new Intl.DateTimeFormat(locale(), {
    weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
  }).format(new Date(time));
}

/** What an input of the type datetime-local takes: the time in the reader's zone, without the zone. */
export function inputTime(time) {
  if (!time) return "";
  const date = new Date(time);
  return new Date(date - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** When most people have time for a sale, in hours of their day. */
const eveningHour = 20;

/** The next evening's hour of a sale, in the reader's time zone. @param now in milliseconds */
export function nextEvening(now) {
  const evening = new Date(now);
  evening.setHours(eveningHour, 0, 0, 0);
  const isToday = evening > now;
  if (!isToday) evening.setDate(evening.getDate() + 1);
  return { evening, isToday };
}

const options = (group, values) => values.map((value) => ({ value, label: t(`${group}.${value}`), hint: t(`${group}.${value}Hint`) }));

/** @param isScheduled it is opened for the time of the start, which an automatic sale has */
export function openSaleForm(room, isScheduled = false) {
  const { sale: known, now } = room.model();
  const sale = known ?? { mode: "manual", pauseSeconds: 10, startsAt: null, premium: null, attended: false, running: false };
  const number = (value) => h("input", { type: "text", inputmode: "decimal", autocomplete: "off", value });
  const pause = number(sale.pauseSeconds);
  const premium = number(sale.premium?.percent ?? "");
  const hasStart = isScheduled || Boolean(sale.startsAt);
  const time = h("input", { type: "datetime-local", value: inputTime(sale.startsAt), min: inputTime(now), autofocus: isScheduled });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // Only a sale whose lots follow one another begins by itself: the one choice makes the other.
  const start = choice(t("sale.start"), "start", options("start", ["byHand", "atTime"]), hasStart ? "atTime" : "byHand", {
    onchange(value) { if (value === "atTime") mode.value = "automatic"; arrange(); },
  });
  const mode = choice(t("sale.mode"), "mode", options("mode", ["automatic", "manual"]), hasStart ? "automatic" : sale.mode, {
    field: "mode", onchange(value) { if (value === "manual") start.value = "byHand"; arrange(); },
  });
  const attended = choice(t("sale.attended"), "attended", options("attended", ["false", "true"]), String(Boolean(sale.attended)), { field: "attended" });
  const { evening, isToday } = nextEvening(now);
  const timeField = h("div.stack.tight", field(t("sale.startTime"), time, { name: "startsAt", hint: t("sale.startHint", { zone }) }),
    h("div.row", h("button.small", { type: "button", onclick: () => { time.value = inputTime(evening); changedIn(time); } }, t(isToday ? "sale.today" : "sale.tomorrow", { time: `${eveningHour}:00` }))));
  const automatic = h("div.stack", field(t("sale.pause"), pause, { name: "pauseSeconds" }), attended.element);
  const isTimed = () => !sale.running && start.value === "atTime";
  function arrange() {
    show(start.element, !sale.running);
    show(timeField, isTimed());
    show(automatic, mode.value === "automatic");
  }
  arrange();
  const box = dialog(t("sale.settings"), form("form.stack", [
    start.element, timeField, mode.element, automatic,
    field(t("sale.percent"), premium, { name: "premium.percent", affix: "%", hint: t("sale.percentHint") }),
    h("div.form-foot", h("button.primary", { type: "submit" }, t("app.save"))),
  ], async () => {
    if (isTimed() && !time.value) throw new Problem({ detail: '"startsAt" is required.', field: "startsAt" }, 400);
    await room.configureSale(readSale({
      mode: mode.value, pause: pause.value, start: isTimed() ? time.value : "", premium: premium.value, known: sale.startsAt,
      attended: attended.value === "true" }));
    box.close();
  }), { closeLabel: t("app.close") });
  box.classList.add("narrow");
}

/**
 * What is sent for what was typed; the server refuses what is none of its values. A start that was not changed is sent as it is known: the
 * input has no seconds.
 */
export function readSale({ mode, pause, start, premium, known = null, attended = false }) {
  const seconds = pause.trim();
  const read = { mode, premium: premium.trim() ? { percent: typedAmount(premium.replace("%", "")) } : null };
  if (mode !== "automatic") return read;
  if (attended) read.attended = true;
  if (seconds) read.pauseSeconds = /^\d+$/.test(seconds) ? Number(seconds) : seconds;
  if (known && start === inputTime(known)) return { ...read, startsAt: known };
  return { ...read, startsAt: start ? new Date(start).toISOString() : null };
}

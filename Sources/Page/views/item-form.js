// The form of an item: for this round or as a lot, new or changed, and for its rules alone. The page checks next to nothing: the server does, and says where it is wrong.
import { currencySymbol, typedAmount } from "../client/auction-client.js";
import { dialog, h, setText, show } from "../dom.js";
import { note } from "../feedback.js";
import { choice, field, form } from "../forms.js";
import { language, t } from "../strings.js";
import { sameItem } from "./confirm.js";
import { changed, incrementFields, readEstimate, readRules, text } from "./item-rules.js";
import { makePictures } from "./pictures.js";
import { makeTempo, suitableIncrement } from "./tempo.js";

const formats = ["english", "dutch", "sealedFirstPrice", "vickrey"];
/** How long bidding lasts if nothing else is typed: no one can see a sealed bid and answer it. */
const usualSeconds = { open: 15, sealed: 60 };
const number = (value = "") => h("input", { type: "text", inputmode: "numeric", autocomplete: "off", value });
const options = (prefix, values) => values.map((value) => ({ value, label: t(`${prefix}.${value}`) }));

/** A new item for the round that is being prepared, in the place of the one that is there now, or of none. */
export function openUpload(room) {
  const { item } = room.model().room;
  // That one may have been sold since, and the next of one's own be prepared.
  const check = sameItem(room, "host.otherItem");
  return openForm(room, { title: t(item ? "item.replace" : "item.upload"), go: t("item.go") }, async (read) => {
    check();
    await room.upload(stated(read));
  });
}

/** The rules of the item of the round, which may be another when they are sent. */
export function openRules(room) {
  const { item, rules } = room.model().room;
  return openForm(room, { title: t("item.adjust"), go: t("item.adjustGo"), rules, isRulesOnly: true }, (read) => room.adjust(item.id, changed(read.rules, rules)));
}

/** Of the lot that was added last in this room: the next one begins with them, until its price suggests another step. */
const lastRules = new Map();

function keepRules(id, { format, biddingSeconds, increment }) {
  if (format === "dutch") return;
  lastRules.set(id, { ...lastRules.get(id), ...(biddingSeconds && { biddingSeconds }), ...(increment && { increment }) });
}

/** New lots, one after the other if the user likes; the next one begins with the rules of the one before, but without its prices. */
export function openNewLot(room) {
  const { id } = room.model().room;
  return openForm(room, { title: t("lots.add"), go: t("lots.addGo"), goOn: t("lots.addMore"), rules: lastRules.get(id), isLot: true, isNew: true }, async (read) => {
    await room.queueLot(stated(read));
    keepRules(id, read.rules);
    return t("lots.added", { name: read.name });
  });
}

/** A lot that waits. @param lot as its owner or the host has just read it */
export function openLot(room, lot) {
  const { name, description, media, estimate = null, condition = null } = lot.item;
  const now = { name, description, media, estimate, condition, reference: lot.reference };
  return openForm(room, { title: t("lots.edit"), go: t("app.save"), item: lot.item, rules: lot.rules, reference: lot.reference, isLot: true }, async (read) => {
    const rules = changed(read.rules, lot.rules);
    const given = { ...read, reference: read.reference || null };
    const changes = Object.fromEntries(Object.keys(now).filter((name) => JSON.stringify(given[name]) !== JSON.stringify(now[name])).map((name) => [name, given[name]]));
    if (Object.keys(rules).length > 0) changes.rules = rules;
    if (Object.keys(changes).length > 0) await room.changeLot(lot.id, changes);
  });
}

/** Without what was left empty. */
const stated = (read) => Object.fromEntries(Object.entries(read).filter(([, value]) => value !== "" && value !== null && value?.length !== 0));

function openForm(room, { title, go, goOn, item = null, rules: now = {}, reference = "", isRulesOnly = false, isLot = false, isNew = false }, submit) {
  const { room: it } = room.model();
  const money = { affix: currencySymbol(it.currency, language()) };
  const inputs = {
    name: text(item?.name, { maxlength: 200, autofocus: !isRulesOnly }),
    description: h("textarea", { rows: 2, maxlength: 5000 }),
    reference: text(reference ?? "", { maxlength: 64 }),
    estimateLow: text(item?.estimate?.low ?? "", { inputmode: "decimal" }), estimateHigh: text(item?.estimate?.high ?? "", { inputmode: "decimal" }),
    condition: text(item?.condition ?? "", { maxlength: 200 }),
    startingPrice: text(now.startingPrice, { inputmode: "decimal" }),
    reservePrice: text(now.reservePrice ?? "", { inputmode: "decimal" }),
    buyNowPrice: text(now.buyNowPrice ?? "", { inputmode: "decimal" }),
    floorPrice: text(now.floorPrice ?? "", { inputmode: "decimal" }),
    listingSeconds: number(now.listingSeconds ?? 3), biddingSeconds: number(now.biddingSeconds ?? usualSeconds.open),
    extendWindowSeconds: number(now.extendWindowSeconds ?? 10), extendBySeconds: number(now.extendBySeconds ?? 10),
    maxDurationSeconds: number(now.maxDurationSeconds ?? ""), dutchTickSeconds: number(now.dutchTickSeconds ?? 5),
  };
  inputs.description.value = item?.description ?? "";
  const pictures = makePictures(room, item?.media);
  const rule = (name, more = {}) => field(t(`rule.${name}`), inputs[name], { name: `rules.${name}`, ...more });
  const format = choice(t("item.format"), "format",
    formats.map((value) => ({ value, label: t(`format.${value}`), hint: t(`format.${value}Hint`) })), now.format ?? "english",
    { field: "rules.format", onchange: arrange });
  const countdown = choice(t("item.countdown"), "countdown", options("countdown", ["reset", "extend", "fixed"]), now.countdown ?? "reset",
    { field: "rules.countdown", onchange: arrange });
  const tie = choice(t("item.tie"), "tie", options("tie", ["earliest", "draw"]), now.tie ?? "earliest", { field: "rules.tie" });
  const increment = incrementFields(now.increment, money, it.currency, arrange);
  const tempo = makeTempo(inputs.biddingSeconds.value, ({ countdown: chosen, ...times }) => {
    for (const [name, seconds] of Object.entries(times)) inputs[name].value = seconds;
    for (const input of countdown.element.querySelectorAll("input")) input.checked = input.value === chosen;
    arrange();
  });
  inputs.biddingSeconds.addEventListener("input", () => tempo.show(inputs.biddingSeconds.value));
  if (isNew || !now.increment) inputs.startingPrice.addEventListener("input", () => increment.suit(suitableIncrement(typedAmount(inputs.startingPrice.value, it.currency))));
  const groups = {
    floor: rule("floorPrice", money), tick: rule("dutchTickSeconds"), reserve: rule("reservePrice", money),
    buyNow: rule("buyNowPrice", money), bidding: rule("biddingSeconds", { hint: " " }), maxDuration: rule("maxDurationSeconds"),
    extend: h("div.pair", rule("extendWindowSeconds"), rule("extendBySeconds")),
  };

  const more = h("details.more", h("summary", t("item.more")), h("div.stack",
    h("div.pair", groups.buyNow, groups.maxDuration), countdown.element, groups.extend, tie.element));

  let formatBefore = format.value;
  function arrange() {
    const chosen = format.value;
    const isEnglish = chosen === "english";
    const isDutch = chosen === "dutch";
    const usual = isEnglish ? usualSeconds.open : usualSeconds.sealed;
    if (!now.biddingSeconds && Object.values(usualSeconds).includes(Number(inputs.biddingSeconds.value)) && formatBefore !== chosen) inputs.biddingSeconds.value = usual;
    formatBefore = chosen;
    tempo.show(inputs.biddingSeconds.value);
    show(tempo.element, !isDutch);
    setText(groups.bidding.querySelector(".field-hint"), isEnglish ? t(`countdown.${countdown.value}About`) : "");
    show(more, !isDutch);
    show(groups.floor, isDutch);
    show(groups.tick, isDutch);
    show(groups.reserve, !isDutch);
    show(groups.buyNow, isEnglish);
    show(groups.bidding, !isDutch);
    show(groups.maxDuration, isEnglish);
    show(countdown.element, isEnglish);
    show(groups.extend, isEnglish && countdown.value === "extend");
    show(tie.element, !isEnglish && !isDutch);
    increment.arrange(isDutch, isEnglish || isDutch);
  }

  let isGoingOn = false;
  const element = form("form.stack.item-form", [
    !isRulesOnly && field(t("item.name"), inputs.name, { name: "name" }),
    h("div.pair", rule("startingPrice", money), groups.floor, groups.reserve),
    !isRulesOnly && [
      pictures.element,
      field(t("item.description"), inputs.description, { name: "description" }),
      field(t("item.condition"), inputs.condition, { name: "condition" }),
      h("div.pair", field(t("item.estimateLow"), inputs.estimateLow, { name: "estimate.low", ...money }),
        field(t("item.estimateHigh"), inputs.estimateHigh, { name: "estimate.high", ...money })),
      isLot && field(t("item.reference"), inputs.reference, { name: "reference", hint: t("item.referenceHint") }),
    ],
    format.element,
    increment.element,
    tempo.element,
    h("div.pair", groups.bidding, groups.tick, rule("listingSeconds")),
    more,
    h("div.form-foot", h("button.primary", { type: "submit", onclick: () => { isGoingOn = false; } }, go),
      goOn && h("button", { type: "submit", onclick: () => { isGoingOn = true; } }, goOn)),
  ], async () => {
    const rules = readRules(inputs, { format, countdown, tie, increment, currency: it.currency });
    const media = await pictures.addresses();
    const estimate = readEstimate(inputs, it.currency);
    const done = await submit({
      name: inputs.name.value.trim(), description: inputs.description.value.trim(), media, estimate, condition: inputs.condition.value.trim() || null,
      ...(isLot ? { reference: inputs.reference.value.trim() } : {}), rules,
    });
    if (!isGoingOn) box.close();
    // A note of an open dialog would go with it.
    if (typeof done === "string") note(done, "good");
    if (!isGoingOn) return;
    for (const name of ["name", "description", "condition", "estimateLow", "estimateHigh", "reference", "startingPrice", "reservePrice", "buyNowPrice", "floorPrice"]) inputs[name].value = "";
    pictures.clear();
    inputs.name.focus();
  });
  arrange();
  const box = dialog(title, element, { closeLabel: t("app.close") });
}

// The item: its pictures, description and rules. The same for a lot that waits.
import { dialog, h, icon, replace, set } from "../dom.js";
import { busily } from "../feedback.js";
import { named } from "../names.js";
import { t } from "../strings.js";
import { openPictures } from "./picture-viewer.js";
import { isVoidRow } from "./totals.js";

/** What a lot is called beside its name: the seller's number, or else the room's; by its round an item that is no lot. */
export const lotLabel = ({ reference, number } = {}, round) => (reference ?? number ? t("room.lot", { n: reference ?? number }) : t("room.round", { n: round }));

export function makeLot() {
  const media = h("div.lot-media");
  const words = h("div.lot-words");
  const element = h("section.lot", { "aria-label": t("room.details") }, media, words);
  let drawn = "";
  return {
    element,
    update({ room, money, lots, results }) {
      // Before the first lot is taken, the one that will be.
      const next = room.item ? null : lots.queued?.[0] ?? null;
      const item = room.item ?? next?.item ?? null;
      const rules = room.rules ?? next?.rules ?? null;
      // A page that is opened after the close learns the number from the result.
      const label = lotLabel(next ?? (item && [lots.current, ...results].find((each) => each?.item.id === item.id)) ?? {}, room.round);
      const version = JSON.stringify([item, rules, label, Boolean(next)]);
      if (version === drawn) return;
      drawn = version;
      element.classList.toggle("is-empty", !item);
      gallery(media, item);
      replace(words,
        h("p.eyebrow", [next && t("lots.next"), label].filter(Boolean).join(" · ")),
        h("h2.lot-name", item?.name ?? t("room.waitingItem")),
        item ? about(item, rules, money) : h("p.lot-owner", t("room.waitingItemHint")));
    },
  };
}

function about(item, rules, money) {
  return [
    h("p.lot-owner", t("room.by", { name: item.owner.nickname })),
    (item.estimate || item.condition) && h("dl.lot-about", appraisal(item, money).map(([name, value]) => h("div", h("dt", name), h("dd", value)))),
    item.description && h("p.lot-text", item.description),
    rules && h("details.rules", h("summary", t("room.details")), h("p.field-hint", t(`format.${rules.format}About`)), h("dl", ruleRows(rules, money).map(([name, value]) =>
      h("div", h("dt", name), h("dd", value))))),
  ];
}

/** What the seller says of the price and the state, as rows. */
export const appraisal = ({ estimate, condition }, money) => [
  [t("item.estimate"), estimate && (estimate.low === estimate.high ? money(estimate.low) : `${money(estimate.low)} – ${money(estimate.high)}`)],
  [t("item.condition"), condition],
].filter(([, value]) => value);

/** A lot of the catalogue. @param result what became of it, as a row of the results; `again`: offers it again, null if the user may not */
export function showLot({ item, rules }, money, result = null, again = null) {
  const media = h("div.lot-media");
  gallery(media, item);
  const box = dialog(item.name, h("div.lot-dialog", media, h("div.lot-words", result && h("p", h("strong", end(result, money))), again && h("p", h("button", {
    type: "button", onclick: (event) => busily(event.currentTarget, async () => { await again(); box.close(); }),
  }, t("lots.again"))), about(item, rules, money))), { closeLabel: t("app.close") });
}

const end = (row, money) => (row.result !== "sold" ? t("result.passed") : isVoidRow(row) ? t("result.voidedFor", { reason: row.voided.reason }) : soldWords(row, money));

const soldWords = ({ winner, price, premium, total }, money) => [t("result.sold", named(winner)), money(price), premium && t("price.total", { amount: money(total) })].filter(Boolean).join(" · ");

/** The first picture of an item, small. */
export function thumbnail(item, size) {
  const blank = () => h("span.thumb.blank", icon("gavel"));
  const address = item.media.find(isPicture);
  if (!address) return blank();
  return smallPicture("img.thumb", address, { alt: t("room.image", { n: 1, item: item.name }), width: size, height: size, loading: "lazy", decoding: "async" },
    (image) => image.replaceWith(blank()));
}

/**
 * The small version of a picture of this server; other servers have none. An older node, while nodes are replaced, refuses `?preview`: after an
 * error the picture itself is loaded, and only the next error is `failed`.
 */
export function smallPicture(selector, address, given, failed = () => {}) {
  const image = h(selector, { src: address.startsWith("/") ? `${address}?preview` : address, referrerpolicy: "no-referrer", ...given });
  image.addEventListener("error", () => {
    if (image.getAttribute("src") === address) failed(image);
    else image.setAttribute("src", address);
  });
  return image;
}

function gallery(place, item) {
  const addresses = (item?.media ?? []).filter(isPicture);
  if (addresses.length === 0) return replace(place, h("div.lot-blank", icon("gavel")));
  const shown = h("div.lot-stage");
  let chosen = 0;
  const zoom = h("button.lot-zoom", { type: "button", "aria-haspopup": "dialog", onclick: () => openPictures(addresses, chosen, item, choose) });
  const choose = (index) => {
    chosen = index;
    const image = h("img", {
      src: addresses[index], alt: t("room.image", { n: index + 1, item: item.name }), referrerpolicy: "no-referrer", decoding: "async",
    });
    // Not every attachment is a picture: what cannot be shown is still a link.
    image.addEventListener("error", () => replace(shown, h("a.lot-link", {
      href: addresses[index], target: "_blank", rel: "noopener noreferrer",
    }, icon("link"), t("room.media", { n: index + 1 }))));
    set(zoom, "aria-label", t("room.enlarge", { n: index + 1, item: item.name }));
    replace(zoom, image);
    // The button keeps its place, and the focus that a dialog gives back to it.
    if (!shown.contains(zoom)) replace(shown, zoom);
    for (const [at, button] of [...thumbs.children].entries()) button.setAttribute("aria-pressed", at === index);
  };
  const thumbs = h("div.lot-thumbs", addresses.length > 1 && addresses.map((_, index) => h("button", {
    type: "button", "aria-label": t("room.image", { n: index + 1, item: item.name }), onclick: () => choose(index),
  }, String(index + 1))));
  replace(place, shown, thumbs);
  choose(0);
}

/** The server only takes https and pictures of its own; an address is still never trusted to be one, since a link could run a script. */
export function isPicture(address) {
  if (/^\/v1\/media\/[\w-]+$/.test(address)) return true;
  try { return new URL(address).protocol === "https:"; } catch { return false; }
}

export function ruleRows(rules, money) {
  const seconds = (count) => t("rule.seconds", { n: count });
  const isSealed = ["sealedFirstPrice", "vickrey"].includes(rules.format);
  const rows = [
    ["rule.format", t(`format.${rules.format}`)],
    ["rule.startingPrice", money(rules.startingPrice)],
    [rules.format === "dutch" ? "rule.drop" : "rule.increment", !isSealed && incrementText(rules.increment, money)],
    ["rule.reservePrice", rules.reservePrice && money(rules.reservePrice)],
    ["rule.buyNowPrice", rules.buyNowPrice && money(rules.buyNowPrice)],
    ["rule.floorPrice", rules.floorPrice && money(rules.floorPrice)],
    ["rule.dutchTickSeconds", rules.format === "dutch" && seconds(rules.dutchTickSeconds)],
    ["rule.biddingSeconds", rules.format !== "dutch" && seconds(rules.biddingSeconds)],
    ["rule.countdown", rules.format === "english" && countdownWords(rules)],
    ["rule.maxDurationSeconds", rules.maxDurationSeconds && seconds(rules.maxDurationSeconds)],
    ["item.tie", rules.tie && isSealed && t(`tie.${rules.tie}`)],
  ];
  return rows.filter(([, value]) => value).map(([key, value]) => [t(key), value]);
}

function countdownWords(rules) {
  const words = t(`countdown.${rules.countdown}About`);
  return rules.countdown === "extend" ? t("countdown.extendTimes", { words, window: rules.extendWindowSeconds, by: rules.extendBySeconds }) : words;
}

function incrementText(increment, money) {
  if (increment?.fixed) return money(increment.fixed);
  if (increment?.percent !== undefined) return `${increment.percent} %`;
  return (increment?.tiers ?? []).map((tier) => `≥ ${money(tier.from)}: ${money(tier.step)}`).join(" · ");
}

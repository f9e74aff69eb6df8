// The item: its pictures, description and rules.
import { h, icon, replace } from "../dom.js";
import { t } from "../strings.js";

export function makeLot() {
  const media = h("div.lot-media");
  const words = h("div.lot-words");
  const element = h("section.lot", { "aria-label": t("room.details") }, media, words);
  let drawn = "";
  return {
    element,
    update({ room, money }) {
      const version = JSON.stringify([room.item, room.rules, room.round]);
      if (version === drawn) return;
      drawn = version;
      const { item, rules } = room;
      element.classList.toggle("is-empty", !item);
      gallery(media, item);
      replace(words,
        h("p.eyebrow", t("room.lot", { n: room.round })),
        h("h2.lot-name", item?.name ?? t("room.waitingItem")),
        item ? h("p.lot-owner", t("room.by", { name: item.owner.nickname })) : h("p.lot-owner", t("room.waitingItemHint")),
        item?.description && h("p.lot-text", item.description),
        rules && h("details.rules", h("summary", t("room.details")), h("dl", ruleRows(rules, money).map(([name, value]) =>
          h("div", h("dt", name), h("dd", value))))));
    },
  };
}

function gallery(place, item) {
  const addresses = (item?.media ?? []).filter(isHttps);
  if (addresses.length === 0) return replace(place, h("div.lot-blank", icon("gavel")));
  const shown = h("div.lot-stage");
  const choose = (index) => {
    const image = h("img", {
      src: addresses[index], alt: t("room.image", { n: index + 1, item: item.name }), referrerpolicy: "no-referrer", decoding: "async",
    });
    // Not every attachment is a picture: what cannot be shown is still a link.
    image.addEventListener("error", () => replace(shown, h("a.lot-link", {
      href: addresses[index], target: "_blank", rel: "noopener noreferrer",
    }, icon("link"), t("room.media", { n: index + 1 }))));
    replace(shown, image);
    for (const [at, button] of [...thumbs.children].entries()) button.setAttribute("aria-pressed", at === index);
  };
  const thumbs = h("div.lot-thumbs", addresses.length > 1 && addresses.map((_, index) => h("button", {
    type: "button", "aria-label": t("room.image", { n: index + 1, item: item.name }), onclick: () => choose(index),
  }, String(index + 1))));
  replace(place, shown, thumbs);
  choose(0);
}

/** The server only takes https; an address is still never trusted to be one, since a link could run a script. */
function isHttps(address) {
  try { return new URL(address).protocol === "https:"; } catch { return false; }
}

export function ruleRows(rules, money) {
  const seconds = (count) => `${count} s`;
  const rows = [
    ["rule.format", t(`format.${rules.format}`)],
    ["rule.startingPrice", money(rules.startingPrice)],
    [rules.format === "dutch" ? "rule.drop" : "rule.increment", incrementText(rules.increment, money)],
    ["rule.reservePrice", rules.reservePrice && money(rules.reservePrice)],
    ["rule.buyNowPrice", rules.buyNowPrice && money(rules.buyNowPrice)],
    ["rule.floorPrice", rules.floorPrice && money(rules.floorPrice)],
    ["rule.dutchTickSeconds", rules.format === "dutch" && seconds(rules.dutchTickSeconds)],
    ["rule.biddingSeconds", rules.format !== "dutch" && seconds(rules.biddingSeconds)],
    ["rule.countdown", rules.format === "english" && countdownWords(rules)],
    ["rule.maxDurationSeconds", rules.maxDurationSeconds && seconds(rules.maxDurationSeconds)],
    ["item.tie", rules.tie && ["sealedFirstPrice", "vickrey"].includes(rules.format) && t(`tie.${rules.tie}`)],
  ];
  return rows.filter(([, value]) => value).map(([key, value]) => [t(key), value]);
}

function countdownWords(rules) {
  const words = t(`countdown.${rules.countdown}`);
  return rules.countdown === "extend" ? `${words} (${rules.extendWindowSeconds} s → +${rules.extendBySeconds} s)` : words;
}

function incrementText(increment, money) {
  if (increment?.fixed) return money(increment.fixed);
  if (increment?.percent !== undefined) return `${increment.percent} %`;
  return (increment?.tiers ?? []).map((tier) => `≥ ${money(tier.from)}: ${money(tier.step)}`).join(" · ");
}

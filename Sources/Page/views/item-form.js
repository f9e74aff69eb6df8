// Putting an item up, and adjusting its rules. The page checks next to nothing: the server does, and says where it is wrong.
import { currencySymbol, typedAmount } from "../client/auction-client.js";
import { dialog, h, show } from "../dom.js";
import { choice, field, form } from "../forms.js";
import { language, t } from "../strings.js";

const formats = ["english", "dutch", "sealedFirstPrice", "vickrey"];
const text = (value = "", more = {}) => h("input", { type: "text", autocomplete: "off", value, ...more });
const number = (value = "") => h("input", { type: "text", inputmode: "numeric", autocomplete: "off", value });
const options = (prefix, values) => values.map((value) => ({ value, label: t(`${prefix}.${value}`) }));

/** @param adjusted the room whose rules are adjusted, or null to put a new item up */
export function openItemForm(room, adjusted) {
  const { room: it } = room.model();
  const now = adjusted?.rules ?? {};
  const money = { affix: currencySymbol(it.currency, language()) };
  const inputs = {
    name: text("", { maxlength: 200, autofocus: !adjusted }),
    description: h("textarea", { rows: 2, maxlength: 5000 }),
    media: h("textarea", { rows: 2, inputmode: "url", spellcheck: "false" }),
    startingPrice: text(now.startingPrice, { inputmode: "decimal" }),
    reservePrice: text(now.reservePrice ?? "", { inputmode: "decimal" }),
    buyNowPrice: text(now.buyNowPrice ?? "", { inputmode: "decimal" }),
    floorPrice: text(now.floorPrice ?? "", { inputmode: "decimal" }),
    listingSeconds: number(now.listingSeconds ?? 3), biddingSeconds: number(now.biddingSeconds ?? 15),
    extendWindowSeconds: number(now.extendWindowSeconds ?? 10), extendBySeconds: number(now.extendBySeconds ?? 10),
    maxDurationSeconds: number(now.maxDurationSeconds ?? ""), dutchTickSeconds: number(now.dutchTickSeconds ?? 5),
  };
  const rule = (name, more = {}) => field(t(`rule.${name}`), inputs[name], { name: `rules.${name}`, ...more });
  const format = choice(t("item.format"), "format",
    formats.map((value) => ({ value, label: t(`format.${value}`), hint: t(`format.${value}Hint`) })), now.format ?? "english",
    { field: "rules.format", onchange: arrange });
  const countdown = choice(t("item.countdown"), "countdown", options("countdown", ["reset", "extend", "fixed"]), now.countdown ?? "reset",
    { field: "rules.countdown", onchange: arrange });
  const tie = choice(t("item.tie"), "tie", options("tie", ["earliest", "draw"]), now.tie ?? "earliest", { field: "rules.tie" });
  const increment = incrementFields(now.increment, money, arrange);
  const groups = {
    floor: rule("floorPrice", money), tick: rule("dutchTickSeconds"), reserve: rule("reservePrice", money),
    buyNow: rule("buyNowPrice", money), bidding: rule("biddingSeconds"), maxDuration: rule("maxDurationSeconds"),
    extend: h("div.pair", rule("extendWindowSeconds"), rule("extendBySeconds")),
  };

  function arrange() {
    const chosen = format.value;
    const isEnglish = chosen === "english";
    const isDutch = chosen === "dutch";
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

  const element = form("form.stack.item-form", [
    !adjusted && [
      field(t("item.name"), inputs.name, { name: "name" }),
      field(t("item.description"), inputs.description, { name: "description" }),
      field(t("item.media"), inputs.media, { name: "media" }),
    ],
    format.element,
    h("div.pair", rule("startingPrice", money), groups.floor, groups.reserve),
    increment.element,
    h("div.pair", groups.bidding, groups.tick, rule("listingSeconds")),
    h("details.more", h("summary", t("item.more")), h("div.stack",
      h("div.pair", groups.buyNow, groups.maxDuration), countdown.element, groups.extend, tie.element)),
    h("button.primary", { type: "submit" }, t(adjusted ? "item.adjustGo" : "item.go")),
  ], async () => {
    const rules = readRules(inputs, { format, countdown, tie, increment });
    if (adjusted) await room.adjust(changed(rules, now));
    else await room.upload(readItem(inputs, rules));
    box.close();
  });
  arrange();
  const box = dialog(t(adjusted ? "item.adjust" : it.item ? "item.replace" : "item.upload"), element, { closeLabel: t("app.close") });
}

function incrementFields(now, money, onchange) {
  const kindNow = now?.percent !== undefined ? "percent" : now?.tiers ? "tiers" : "fixed";
  const kind = choice(t("item.increment"), "increment", options("item", ["fixed", "percent", "tiers"]), kindNow, { field: "rules.increment", onchange });
  const fixed = text(now?.fixed ?? "1", { inputmode: "decimal" });
  const percent = text(now?.percent ?? "5", { inputmode: "decimal" });
  const tiers = h("textarea", { rows: 3 });
  tiers.value = (now?.tiers ?? [{ from: "0", step: "1" }]).map((tier) => `${tier.from} ${tier.step}`).join("\n");
  const fields = {
    fixed: field(t("rule.increment"), fixed, { name: "rules.increment.fixed", ...money }),
    percent: field(t("item.percent"), percent, { name: "rules.increment.percent", affix: "%" }),
    tiers: field(t("item.tiers"), tiers, { name: "rules.increment.tiers", hint: t("item.tiersHint") }),
  };
  const element = h("div.stack.tight", kind.element, Object.values(fields));
  return {
    element,
    arrange(isDutch, isShown) {
      show(element, isShown);
      show(kind.element, !isDutch);
      for (const [name, each] of Object.entries(fields)) show(each, name === (isDutch ? "fixed" : kind.value));
    },
    read(isDutch) {
      const chosen = isDutch ? "fixed" : kind.value;
      if (chosen === "fixed") return { fixed: typedAmount(fixed.value) };
      // A number on the wire; other text is sent unchanged, and the server refuses it.
      if (chosen === "percent") return { percent: /^\d+(\.\d+)?$/.test(percent.value.trim()) ? Number(percent.value) : percent.value };
      return { tiers: tiers.value.split("\n").filter((line) => line.trim()).map((line) => {
        const [from, step = ""] = line.trim().split(/[\s:→]+/);
        return { from: typedAmount(from), step: typedAmount(step) };
      }) };
    },
  };
}

/** The rules as the form has them; what does not belong to the format is not sent. */
export function readRules(inputs, { format, countdown, tie, increment }) {
  const chosen = format.value;
  const isEnglish = chosen === "english";
  const isDutch = chosen === "dutch";
  const rules = { startingPrice: typedAmount(inputs.startingPrice.value) };
  const amount = (name) => { if (inputs[name].value.trim()) rules[name] = typedAmount(inputs[name].value); };
  const count = (name) => {
    const typed = inputs[name].value.trim();
    if (typed) rules[name] = /^\d+$/.test(typed) ? Number(typed) : typed;
  };
  if (!isEnglish) rules.format = chosen;
  if (isEnglish || isDutch) rules.increment = increment.read(isDutch);
  count("listingSeconds");
  if (isDutch) { amount("floorPrice"); count("dutchTickSeconds"); return rules; }
  amount("reservePrice");
  count("biddingSeconds");
  if (!isEnglish) {
    if (tie.value !== "earliest") rules.tie = tie.value;
    return rules;
  }
  amount("buyNowPrice");
  count("maxDurationSeconds");
  if (countdown.value !== "reset") rules.countdown = countdown.value;
  if (countdown.value === "extend") { count("extendWindowSeconds"); count("extendBySeconds"); }
  return rules;
}

function readItem(inputs, rules) {
  const body = { name: inputs.name.value.trim(), rules };
  if (inputs.description.value.trim()) body.description = inputs.description.value.trim();
  const media = inputs.media.value.split(/\s+/).filter(Boolean);
  if (media.length > 0) body.media = media;
  return body;
}

/** Only changed members: prices belong to the owner, so a host's unchanged prices must not be sent. */
export function changed(rules, now) {
  const patch = {};
  for (const [name, value] of Object.entries(rules)) {
    if (JSON.stringify(value) !== JSON.stringify(now[name])) patch[name] = value;
  }
  for (const name of ["reservePrice", "buyNowPrice", "maxDurationSeconds"]) {
    if (now[name] !== null && now[name] !== undefined && rules[name] === undefined) patch[name] = null;
  }
  for (const name of ["format", "countdown", "tie"]) {
    const standard = { format: "english", countdown: "reset", tie: "earliest" }[name];
    if (rules[name] === undefined && now[name] && now[name] !== standard) patch[name] = standard;
  }
  return patch;
}

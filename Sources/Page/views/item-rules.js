// The rules of an item in its form: the increment, what is sent, and what of it has changed.
import { typedAmount } from "../client/auction-client.js";
import { h, setText, show } from "../dom.js";
import { choice, field } from "../forms.js";
import { t } from "../strings.js";

export const text = (value = "", more = {}) => h("input", { type: "text", autocomplete: "off", value, ...more });

export function incrementFields(now, money, currency, onchange) {
  const typed = (value) => typedAmount(value, currency);
  const kindNow = now?.percent !== undefined ? "percent" : now?.tiers ? "tiers" : "fixed";
  const kind = choice(t("item.increment"), "increment", ["fixed", "percent", "tiers"].map((value) => ({ value, label: t(`item.${value}`) })), kindNow, { field: "rules.increment", onchange });
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
  let suited = fixed.value;
  return {
    element,
    /** Takes an amount that suits the price, unless another was typed. */
    suit(amount) {
      if (amount && fixed.value === suited) fixed.value = suited = amount;
    },
    arrange(isDutch, isShown) {
      show(element, isShown);
      show(kind.element, !isDutch);
      // A Dutch price falls by it.
      const label = t(isDutch ? "rule.drop" : "rule.increment");
      setText(fields.fixed.querySelector("label"), label);
      fixed.dataset.label = label;
      for (const [name, each] of Object.entries(fields)) show(each, name === (isDutch ? "fixed" : kind.value));
    },
    read(isDutch) {
      const chosen = isDutch ? "fixed" : kind.value;
      if (chosen === "fixed") return { fixed: typed(fixed.value) };
      // A number on the wire; other text is sent unchanged, and the server refuses it.
      const share = typedAmount(percent.value);
      if (chosen === "percent") return { percent: /^\d+(\.\d+)?$/.test(share) ? Number(share) : percent.value };
      return { tiers: tiers.value.split("\n").filter((line) => line.trim()).map((line) => {
        const [from, step = ""] = line.trim().split(/[\s:→]+/);
        return { from: typed(from), step: typed(step) };
      }) };
    },
  };
}

/** The rules as the form has them; what does not belong to the format is not sent. */
export function readRules(inputs, { format, countdown, tie, increment, currency }) {
  const chosen = format.value;
  const isEnglish = chosen === "english";
  const isDutch = chosen === "dutch";
  const rules = { startingPrice: typedAmount(inputs.startingPrice.value, currency) };
  const amount = (name) => { if (inputs[name].value.trim()) rules[name] = typedAmount(inputs[name].value, currency); };
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

/** Only changed members: prices belong to the owner, so a host's unchanged prices must not be sent. */
export function changed(rules, now) {
  const patch = {};
  for (const [name, value] of Object.entries(rules)) {
    if (JSON.stringify(value) !== JSON.stringify(now[name])) patch[name] = value;
  }
  for (const name of ["reservePrice", "buyNowPrice", "floorPrice", "maxDurationSeconds", "dutchTickSeconds"]) {
    if (now[name] !== null && now[name] !== undefined && rules[name] === undefined) patch[name] = null;
  }
  for (const name of ["format", "countdown", "tie"]) {
    const standard = { format: "english", countdown: "reset", tie: "earliest" }[name];
    if (rules[name] === undefined && now[name] && now[name] !== standard) patch[name] = standard;
  }
  return patch;
}

/** The estimate as the form has it; one bound alone is both. Null without any. */
export function readEstimate({ estimateLow, estimateHigh }, currency) {
  const [low, high] = [estimateLow, estimateHigh].map((input) => typedAmount(input.value, currency));
  return low || high ? { low: low || high, high: high || low } : null;
}

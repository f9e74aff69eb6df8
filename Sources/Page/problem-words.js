// What a refusal says, in the page's language and with the names that the forms have for the fields.
import { knows, language, t } from "./strings.js";

/** Texts that name a field, where they are not those of an item or its rules. */
const names = {
  amount: "bid.amount", maximum: "bid.maximum", nickname: "nick.label", currency: "create.currency", "premium.percent": "sale.percent",
  pauseSeconds: "sale.pause", startsAt: "sale.startTime", attended: "sale.attended", inviteCode: "room.code", reason: "host.reason", creditLimit: "people.credit",
  "estimate.low": "item.estimateLow", "estimate.high": "item.estimateHigh", media: "picture.title", text: "chat.label",
};

/** What is wrong, by the server's sentence about one field: it says "is required" and the like in English to everyone. */
const kinds = [
  [/ is required\b|: "" is not a |must have 1 to \d+ characters, not 0\b|must not be blank/, "problem.missing"],
  [/must be one of (.+?)[.。]?$|须为 (".+") 之一/, "problem.oneOf"],
  [/must have (\d+) to (\d+) characters/, "problem.length"],
  [/address (\d+) must begin with https:/, "problem.address"],
  [/address (\d+) has no (?:valid )?host/, "problem.addressHost"],
  [/address (\d+) must have a port from 1 to (\d+)/, "problem.addressPort"],
  [/address (\d+) must not contain a user name/, "problem.addressUser"],
  [/address (\d+) must have two hexadecimal digits/, "problem.addressEscape"],
  [/address (\d+) must have at most (\d+) bytes/, "problem.addressLength"],
  [/address (\d+) must not contain U\+[\dA-F]+ \((.+)\)\.$/, "problem.addressSign"],
  [/address (\d+) must not contain U\+/, "problem.addressCharacter"],
  [/must not contain (?:control characters|U\+)/, "problem.badCharacter"],
  [/must not contain characters that reverse/, "problem.reversed"],
  [/must be an active ISO 4217 code/, "problem.noCurrency"],
  [/must be a number from ([\d.]+) to ([\d.]*\d)/, "problem.range"],
  [/must have from (\d+) to (\d+) tiers/, "problem.tiers"],
  [/must begin at zero and rise/, "problem.tiersRise"],
  [/must be https:\/\/ addresses/, "problem.noAddress"],
  [/may have at most (\d+) addresses/, "problem.addresses"],
  [/(?:must be at least|不得低于) "?([\w.]*\w)"?[.。]/, "problem.atLeast"],
  [/(?:must be at most|不得高于) "?([\w.]*\w)"?[.。]/, "problem.atMost"],
  [/"(\d{1,3},\d{3})" is not a decimal number/, "problem.ambiguous"],
  [/"([^"]*)" is not a decimal number .* such as "([\d.]+)"/, "problem.noAmount"],
  [/"([^"]*)" has more fraction digits/, "problem.tooPrecise"],
  [/must be greater than zero/, "problem.zero"],
  [/must be a whole number/, "problem.noNumber"],
  [/must be from (\d+) to (\d+) seconds/, "problem.range"],
  [/must be a percentage from (\d+) to (\d+)/, "problem.noPercentage"],
];

/** Without its unit and its remarks: "Reserve (hidden)" is the reserve. */
export const plainLabel = (label) => label.replace(/[:：].*$/, "").replace(/\s*[(（][^)）]*[)）]/g, "").replace(/[,，]\s*s$/, "").trim();

/** The name of a field that is in no form, such as a column of a file. */
export function labelOf(path) {
  const clean = path.replace(/\[\d+\]/g, "");
  const last = clean.split(".").at(-1);
  const key = names[clean] ?? [`rule.${last}`, `item.${last}`].find(knows) ?? names[last];
  return key ? plainLabel(t(key)) : path;
}

/** The refusal of an amount, with its amounts as the page writes them: "25.00 EUR" is "€25.00". */
export function withMoney(error, money) {
  if (error?.category !== "amount") return error;
  const { required, actual } = error;
  error.detail = error.detail.replace(/(\d+(?:\.\d+)?)(?: [A-Z]{3}\b)?/g, (whole, amount) => (whole !== amount || [required, actual].includes(amount) ? money(amount) : whole));
  const shown = (amount) => (/^\d+(\.\d+)?$/.test(amount ?? "") ? money(amount) : amount);
  return Object.assign(error, { required: shown(required), actual: shown(actual) });
}

/** States and roles as the page calls them, where a text has nothing else; null for other words of the server in a page that is not English. */
export function termWords(text) {
  const named = String(text).split(/, | or /).map((word) => [`state.${word}`, `role.${word}`].find(knows));
  if (named.every(Boolean)) return named.map((key) => t(key)).join(language() === "zh" ? "、" : ", ");
  return language() === "zh" && /^[a-z][a-z ]*$/i.test(text) ? null : text;
}

/** Values as the server names them, which a file must have so in any language. */
const listed = (values) => values.replaceAll('"', "").replaceAll(", ", language() === "zh" ? "、" : ", ");

/** Where a refusal does not say when to try again. */
const usualSeconds = 60;

/** What to do where so many have come from one network that no more guests are made; null for another refusal. */
export function crowdWords({ code, retryAfter }) {
  return code === "guest.rate" ? t("refused.guests", { n: retryAfter ?? usualSeconds }) : null;
}

/** Why a server that answers gives no events; null if the refusal says nothing of that. It is asked again within seconds. */
export function streamWords({ code, status }) {
  if (status !== 429 && status !== 503) return null;
  return t(code === "stream.too_many" ? "refused.streams" : "refused.busy");
}

/**
 * The sentence of a refusal, or of a row that was refused.
 * @param name the name of a field by its path, in the form that is shown; null for a field that is not in it
 */
export function problemWords({ detail, field }, name = () => null) {
  if (!detail || !field) return detail;
  const labelled = (path) => name(path) ?? labelOf(path);
  const label = labelled(field);
  for (const [pattern, key] of kinds) {
    const found = pattern.exec(detail);
    if (!found) continue;
    const [first = "", second = ""] = found.slice(1).filter((part) => part !== undefined);
    const isField = key === "problem.atLeast" || key === "problem.atMost";
    return t(key, { label, first: isField ? labelled(first) : key === "problem.oneOf" ? listed(first) : first, second });
  }
  return detail.replaceAll(`"${field}"`, `“${label}”`).replace(/"?\b((?:rules|premium)\.[\w.]*\w)"?/g, (_, path) => `“${labelled(path)}”`);
}

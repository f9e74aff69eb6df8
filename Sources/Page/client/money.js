// Amounts are decimal strings and stay strings: a price that went through a float could differ from the server's by a unit.

const symbols = new Map();

/** The currency's symbol, such as "¥" or "€"; its code if it has none. */
export function currencySymbol(currency, language) {
  const key = `${currency} ${language}`;
  if (!symbols.has(key)) {
    let symbol = currency;
    try {
      symbol = new Intl.NumberFormat(language, { style: "currency", currency, currencyDisplay: "narrowSymbol" })
        .formatToParts(0).find((part) => part.type === "currency").value;
    } catch { /* A currency that this browser has not heard of is written by its code. */ }
    symbols.set(key, /^[A-Za-z]/.test(symbol) ? `${symbol}\u00a0` : symbol);
  }
  return symbols.get(key);
}

function currencyDigits(currency) {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
  } catch {
    return null;
  }
}

/** "1234567.50" → "1,234,567.50" */
export function grouped(amount) {
  const [whole, fraction] = amount.split(".");
  const marked = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? marked : `${marked}.${fraction}`;
}

/** The amount with its currency's symbol, such as "¥1,200.50"; a dash for none. */
export function formatMoney(amount, currency, language = "en") {
  return amount === null || amount === undefined ? "–" : currencySymbol(currency, language) + grouped(amount);
}

/**
 * User input in the form in which the server accepts amounts: without signs and spaces, full-width digits as plain ones. A comma may group
 * thousands, "1,000.50", or begin the fraction, "12,5" and "1.000,50". "1,000" is a thousand, but in a currency of three fraction digits, or
 * in an unknown one, it may be either and is left for the server to reject.
 * @param currency its code, if the text is an amount of money
 */
export function typedAmount(text, currency = null) {
  const plain = text.trim().replace(/[\uff10-\uff19\uff0e\uff0c]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/\u3002/g, ".").replace(/[\s\u00a0]/g, "").replace(/^\p{Sc}+/u, "");
  const hasGroups = /^\d{1,3}(,\d{3}){2,}$|^\d{1,3}(,\d{3})+\.\d*$/.test(plain)
    || (/^[1-9]\d{0,2},\d{3}$/.test(plain) && (currencyDigits(currency) ?? 3) < 3);
  const hasDecimalComma = /^(\d+|\d{1,3}(\.\d{3})+|),\d{1,2}$|^(0|\d{4,}),\d{3}$/.test(plain);
  const ungrouped = hasGroups ? plain.replaceAll(",", "") : hasDecimalComma ? plain.replaceAll(".", "").replace(",", ".") : plain;
  return ungrouped.startsWith(".") ? `0${ungrouped}` : ungrouped.replace(/\.$/, "");
}

const form = /^(-?)(\d{1,30})(?:\.(\d{1,12}))?$/;

/**
 * The amount as a whole number of its smallest unit: minorUnits("120.5", 2) is 12050n.
 * @param digits the currency's fraction digits, as an amount of the server has them; left out: those of the amount
 * @throws RangeError for anything but a decimal number, and for one with more fraction digits
 */
export function minorUnits(amount, digits = fractionDigits(amount)) {
  const [, sign, whole, fraction = ""] = parts(amount);
  if (fraction.length > digits) throw new RangeError(`${amount} has more than ${digits} fraction digits`);
  const units = BigInt(whole + fraction.padEnd(digits, "0"));
  return sign ? -units : units;
}

/** The amount of so many smallest units: amountOf(12050n, 2) is "120.50". */
export function amountOf(units, digits) {
  const written = (units < 0n ? -units : units).toString().padStart(digits + 1, "0");
  const sign = units < 0n ? "-" : "";
  return digits === 0 ? sign + written : `${sign}${written.slice(0, -digits)}.${written.slice(-digits)}`;
}

/** How many fraction digits an amount has. */
export function fractionDigits(amount) {
  return parts(amount)[3]?.length ?? 0;
}

function parts(amount) {
  const found = typeof amount === "string" ? form.exec(amount) : null;
  // A Number is refused on purpose: 0.1 + 0.2 would pass as an amount.
  if (!found) throw new RangeError(`${typeof amount === "string" ? JSON.stringify(amount.slice(0, 40)) : typeof amount} is not an amount`);
  return found;
}

function scaled(first, second) {
  const digits = Math.max(fractionDigits(first), fractionDigits(second));
  return [minorUnits(first, digits), minorUnits(second, digits), digits];
}

/** Negative, zero or positive, as for sorting. */
export function compareMoney(first, second) {
  const [a, b] = scaled(first, second);
  return a < b ? -1 : a > b ? 1 : 0;
}

export function addMoney(first, second) {
  const [a, b, digits] = scaled(first, second);
  return amountOf(a + b, digits);
}

export function subtractMoney(first, second) {
  const [a, b, digits] = scaled(first, second);
  return amountOf(a - b, digits);
}

/** The premium on a price, rounded half up to the smallest unit: premiumOn("10.01", "12.5") is "1.25". @param percent as the sale has it */
export function premiumOn(price, percent) {
  const digits = fractionDigits(price);
  return amountOf((minorUnits(price, digits) * minorUnits(percent, 2) + 5_000n) / 10_000n, digits);
}

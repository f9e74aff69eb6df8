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

/** "1234567.50" → "1,234,567.50" */
export function grouped(amount) {
  const [whole, fraction] = amount.split(".");
  const marked = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? marked : `${marked}.${fraction}`;
}

export function formatMoney(amount, currency, language = "en") {
  return amount === null || amount === undefined ? "–" : currencySymbol(currency, language) + grouped(amount);
}

/**
 * User input in the form in which the server accepts amounts: without signs and spaces, full-width digits as plain ones. Commas are
 * removed only where they group thousands: "1,50" may mean one and a half, and is left for the server to reject.
 */
export function typedAmount(text) {
  const plain = text.trim().replace(/[\uff10-\uff19\uff0e\uff0c]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/\u3002/g, ".").replace(/[\s\u00a0]/g, "").replace(/^\p{Sc}+/u, "");
  const ungrouped = /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain) ? plain.replaceAll(",", "") : plain;
  return ungrouped.startsWith(".") ? `0${ungrouped}` : ungrouped.replace(/\.$/, "");
}

function scaled(first, second) {
  const digits = (amount) => amount.split(".")[1]?.length ?? 0;
  const places = Math.max(digits(first), digits(second));
  const units = (amount) => {
    const [whole, fraction = ""] = amount.split(".");
    return BigInt(whole + fraction.padEnd(places, "0"));
  };
  return [units(first), units(second), places];
}

/** Negative, zero or positive, as for sorting. */
export function compareMoney(first, second) {
  const [a, b] = scaled(first, second);
  return a < b ? -1 : a > b ? 1 : 0;
}

export function addMoney(first, second) {
  const [a, b, places] = scaled(first, second);
  const digits = (a + b).toString().padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

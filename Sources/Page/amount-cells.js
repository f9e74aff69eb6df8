// Amounts in a file that can be read in two ways: "1.101" is a thousand in one office, and a fraction in another.

/** Up to three digits, a separator and three more, and no other separator that would say what this one is. */
const doubtful = /(?<![\d.,'’]|\d\s)([1-9]\d{0,2})([.,])(\d{3})(?!\d|[.,'’]\d|\s\d)/g;
/** The server reads no longer ones. */
const longest = 100;
const usualDigits = 2;

/** How many digits a fraction of the currency has. */
function digitsOf(currency) {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
  } catch { return usualDigits; }
}

/** A cell with what `use` makes of the parts of each doubtful amount: the whole text, the digits before the separator and those behind it. */
function replaced(cell, digits, use) {
  if (digits === 0 || cell.length > longest) return cell;
  // Full-width digits and separators are plain ones.
  const plain = cell.normalize("NFKC");
  if (plain.trim().endsWith("%")) return cell;
  // With three digits of a fraction, a point is the server's own.
  const written = plain.replace(doubtful, (text, whole, separator, rest) => (separator === "." && digits >= 3 ? text : use(text, whole, rest)));
  return written === plain ? cell : written;
}

/** The first amount of a cell that has two meanings; null without one. @param currency its code */
export function doubtfulAmount(cell, currency) {
  let found = null;
  replaced(cell, digitsOf(currency), (text) => { found ??= text; return text; });
  return found;
}

/** What a doubtful amount would be, in the form of the API: `thousands`, and `fraction`, which is null where it has too many digits. */
export function meaningsOf(text, currency) {
  const digits = digitsOf(currency);
  const [whole, rest] = text.split(/[.,]/);
  const isExact = /^0*$/.test(rest.slice(digits));
  return { thousands: whole + rest, fraction: isExact ? `${whole}.${rest.slice(0, digits)}` : null };
}

/** A cell whose doubtful amounts are written in one way. @param meaning "thousands" or "fraction" */
export const readAs = (cell, meaning, currency) => replaced(cell, digitsOf(currency), (text) => meaningsOf(text, currency)[meaning] ?? text);

// Amounts in a file that can be read in two ways: "1.101" is a thousand in one office, and a fraction in another.

/** Up to three digits, a separator and three more, and no other separator, nor ",-" for no fraction, that would say what this one is. */
const doubtful = /(?<![\d.,'’]|\d\s)([1-9]\d{0,2})([.,])(\d{3})(?!\d|[.,'’]\d|\s\d|\s*[.,]\s*[-–—])/g;
/** The server reads no longer ones. */
const longest = 100;
const usualDigits = 2;

/** How many digits a fraction of the currency has. */
function digitsOf(currency) {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
  } catch { return usualDigits; }
}

/** A cell with what `use` makes of the parts of each doubtful amount: the whole text, the digits before the separator, those behind it, and the separator. */
function replaced(cell, digits, use) {
  if (digits === 0 || cell.length > longest) return cell;
  // Full-width digits and separators are plain ones.
  const plain = cell.normalize("NFKC");
  if (plain.trim().endsWith("%")) return cell;
  // With three digits of a fraction, a point is the server's own.
  const written = plain.replace(doubtful, (text, whole, separator, rest) => (separator === "." && digits >= 3 ? text : use(text, whole, rest, separator)));
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

/** What separates the decimals of a number, as far as the number alone shows it: "35,50", "1.101,50" and "1.101.000" have a comma there; null: it does not. */
function decimalMark(number) {
  const marks = number.match(/[.,]/g) ?? [];
  const [first, last] = [marks[0], marks.at(-1)];
  const groups = number.split(/[.,]/);
  const isGrouped = (parts) => /^[1-9]\d{0,2}$/.test(parts[0]) && parts.slice(1).every((part) => part.length === 3);
  if (marks.length === 0) return null;
  if (marks.length === 1) return isGrouped(groups) ? null : first;
  if (marks.slice(0, -1).some((mark) => mark !== first)) return null;
  if (first !== last) return isGrouped(groups.slice(0, -1)) ? last : null;
  return isGrouped(groups) ? { ".": ",", ",": "." }[first] : null;
}

/**
 * How the doubtful amounts of cells are meant, where other amounts of the cells show it: an office writes all of them alike.
 * @returns a function that writes a cell so; null where none shows it, they differ, or an amount would have too many digits
 */
export function readingShownBy(cells, currency) {
  const digits = digitsOf(currency);
  const numbers = cells.filter((cell) => cell.length <= longest).flatMap((cell) => cell.normalize("NFKC").match(/\d+(?:[.,]\d+)*/g) ?? []);
  const marks = new Set(numbers.map(decimalMark).filter(Boolean));
  if (marks.size !== 1) return null;
  const [mark] = marks;
  let isPossible = true;
  const write = (cell) => replaced(cell, digits, (text, _, __, separator) => {
    const written = meaningsOf(text, currency)[separator === mark ? "fraction" : "thousands"];
    isPossible &&= written !== null;
    return written ?? text;
  });
  cells.forEach(write);
  return isPossible ? write : null;
}

/** A doubtful amount as it would be written in full, in each of its meanings. */
export function spelledOut(text, currency) {
  const [whole, rest] = text.split(/[.,]/);
  return { thousands: `${whole}${rest}.${"0".repeat(digitsOf(currency))}`, fraction: `${whole}.${rest}` };
}

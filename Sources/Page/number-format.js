// Numbers of a workbook as its cells show them (ECMA-376, 18.8.30), though always with a point and without separators of thousands: the
// decimals, percent signs and leading zeros of a format. Signs of currencies and colours are left out, and dates stay numbers.

/** The formats without a text of their own, as far as they change a number. */
const builtIn = {
  1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: "#,##0", 6: "#,##0", 7: "#,##0.00", 8: "#,##0.00", 9: "0%", 10: "0.00%",
  37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00", 41: "#,##0", 42: "#,##0", 43: "#,##0.00", 44: "#,##0.00",
};

const longestCode = 255;

/** What a program that computes with doubles shows of one where no format says it: 41.650000000000006 is 41.65. */
const general = (value) => String(Number(value.toPrecision(15)));

/** Times a power of ten, without the errors of a product: 0.07 is 7 %. */
function scaled(value, power) {
  const [digits, exponent = 0] = String(value).split("e");
  return Number(`${digits}e${Number(exponent) + power}`);
}

/** Rounded half away from zero by its decimal digits, as spreadsheets do: 1.005 is 1.01. */
function rounded(value, decimals) {
  const result = scaled(Math.round(scaled(Math.abs(Number(value.toPrecision(15))), decimals)), -decimals);
  return Number.isFinite(result) ? Math.sign(value) * result : value;
}

/** The part of a format for positive numbers: its placeholders and signs, and the texts before and behind them; null with a text between them. */
function partsOf(code) {
  const parts = { before: "", digits: "", behind: "" };
  for (const [token, quoted, escaped] of code.matchAll(/"([^"]*)"|\\(.)|[_*].|\[[^\]]*\]|./gs)) {
    if (token === ";") break;
    const text = quoted ?? escaped;
    if (text !== undefined) parts[parts.digits ? "behind" : "before"] += text;
    else if (token.length === 1) {
      if (parts.behind.trim() && /[#?0]/.test(token)) return null;
      parts.digits += token;
    }
  }
  parts.digits = parts.digits.trim();
  return parts;
}

/** @param id the number of a format @param codes those that a workbook defines, by their numbers @returns a function from a number to its text */
export function numberFormat(id, codes) {
  const { before = "", digits = "", behind = "" } = partsOf((codes.get(id) ?? builtIn[id] ?? "General").slice(0, longestCode)) ?? {};
  // Anything else is no plain number: a date, a fraction, an exponent, thousands left out.
  const [, whole, fraction = "", percent] = /^[^\d#?.,%A-Za-z]*([#?0,]*[#?0])(?:\.([#?0]*))?\s*(%?)[^\d#?.,%A-Za-z]*$/.exec(digits) ?? [];
  if (whole === undefined) return general;
  const zeros = whole.replace(/[^0]/g, "").length;
  // Of an id such as "A-007" the text belongs to it; of an amount it would be the sign of a currency.
  const isID = /^0{2,}$/.test(whole) && !fraction && !percent;
  // A sign that is a text multiplies nothing.
  const sign = percent || (behind.trim() === "%" ? "%" : "");
  return (value) => {
    const shown = rounded(percent ? scaled(value, 2) : value, fraction.length);
    if (zeros < 2 || /e/.test(String(shown))) return `${shown}${isID ? "" : sign}`;
    const [integer, rest = ""] = String(Math.abs(shown)).split(".");
    const decimals = rest.padEnd(fraction.replace(/[^0]/g, "").length, "0");
    const padded = `${shown < 0 ? "-" : ""}${integer.padStart(zeros, "0")}${decimals && `.${decimals}`}`;
    return isID ? before + padded + behind : padded + sign;
  };
}

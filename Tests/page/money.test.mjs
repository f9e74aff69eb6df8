import assert from "node:assert/strict";
import { test } from "node:test";
import { addMoney, amountOf, compareMoney, formatMoney, grouped, minorUnits, subtractMoney, typedAmount } from "../../Sources/Page/client/money.js";

test("amounts keep every digit, however large", () => {
  assert.equal(addMoney("90071992547409.90", "0.01"), "90071992547409.91");
  assert.equal(addMoney("0.99", "0.01"), "1.00");
  assert.equal(addMoney("1200", "50"), "1250");
  assert.equal(grouped("90071992547409.91"), "90,071,992,547,409.91");
  assert.ok(compareMoney("90071992547409.91", "90071992547409.90") > 0);
  assert.equal(compareMoney("1.5", "1.50"), 0);
});

test("amounts have their currency's symbol, or its code if it has none", () => {
  assert.equal(formatMoney("1200.50", "CNY", "en"), "¥1,200.50");
  assert.equal(formatMoney("1200", "JPY", "en"), "¥1,200");
  assert.equal(formatMoney("5.000", "KWD", "en"), "KWD\u00a05.000");
  assert.equal(formatMoney("5", "nonsense", "en"), "nonsense\u00a05");
  assert.equal(formatMoney(null, "CNY"), "–");
});

test("typed amounts are normalised for the server, and ambiguous ones are not guessed", () => {
  const cases = {
    " 120 ": "120", "12,5": "12.5", "112,50": "112.50", "€ 1.000,50": "1000.50", "0,125": "0.125", "１２，５": "12.5", "¥1,200.50": "1200.50", "1,200,000": "1200000", "１２０．５": "120.5", ".5": "0.5", "120.": "120",
    // Ambiguous, negative or no amount at all: the server says what is wrong with it.
    "1,000": "1,000", "12,": "12,", "1,000,00": "1,000,00", "-5": "-5", "1e3": "1e3", "1,2000": "1,2000", "12.3.4": "12.3.4", much: "much",
  };
  for (const [typed, amount] of Object.entries(cases)) assert.equal(typedAmount(typed), amount, typed);
  assert.deepEqual(["CNY", "JPY", "KWD", "nonsense"].map((currency) => typedAmount("1,000", currency)), ["1000", "1000", "1,000", "1,000"]);
  assert.deepEqual(["0,500", "12,5", "1,50"].map((text) => typedAmount(text, "EUR")), ["0.500", "12.5", "1.50"]);
});

test("amounts are whole numbers of minor units, and nothing else is taken for one", () => {
  assert.equal(minorUnits("120.5", 2), 12_050n);
  assert.equal(minorUnits("9007199254740993.00"), 900_719_925_474_099_300n);
  assert.equal(amountOf(12_050n, 2), "120.50");
  assert.equal(amountOf(5n, 3), "0.005");
  assert.equal(subtractMoney("1.00", "1.50"), "-0.50");
  for (const wrong of [1.1, "", "1e3", "1,5", ".5", "5.", "NaN", null, undefined, "9".repeat(31)]) assert.throws(() => minorUnits(wrong), RangeError, String(wrong));
  assert.throws(() => minorUnits("1.001", 2), RangeError);
});

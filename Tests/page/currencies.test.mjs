import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { codes, currencyList, likelyCurrency } from "../../Sources/Page/currencies.js";

test("the page offers the currencies that the server takes", () => {
  const swift = readFileSync(new URL("../../Sources/AuctionDomain/Money/Currency.swift", import.meta.url), "utf8");
  const lists = [...swift.matchAll(/let with\w+Digits = ("""\n.*?"""|"[^"\n]*")/gs)].flatMap(([, text]) => text.match(/\b[A-Z]{3}\b/g));
  assert.ok(lists.length > 150);
  assert.deepEqual([...codes].sort(), lists.sort());
});

test("the likely currency is that of the first language whose region has one", () => {
  const cases = { USD: ["en-US"], EUR: ["de-AT"], CNY: ["zh-CN"], TWD: ["zh-Hant-TW"], GBP: ["en-GB", "de"], CHF: ["x-nothing", "de-CH"] };
  for (const [currency, languages] of Object.entries(cases)) assert.equal(likelyCurrency(languages), currency);
  assert.equal(likelyCurrency(["ja"]), "JPY", "a language without a region is that of its own");
  assert.equal(likelyCurrency(undefined), "USD");
});

test("the list has names, with the likely one first and none twice", () => {
  const { usual, others } = currencyList("SEK", "en");
  assert.deepEqual(usual[0], { code: "SEK", label: "Swedish Krona (SEK)" });
  assert.equal(new Set([...usual, ...others].map(({ code }) => code)).size, codes.length);
  assert.equal(currencyList("EUR", "zh").usual[0].label, "欧元 (EUR)");
});

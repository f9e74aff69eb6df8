import assert from "node:assert/strict";
import { test } from "node:test";
import { encodingLabel, encodingOf, encodings, fileText } from "../../Sources/Page/file-text.js";
import { setLanguage } from "../../Sources/Page/strings.js";

const bytes = (...all) => Uint8Array.from(all.flat()).buffer;
const units = (text, isBigEndian = false) => [...text].flatMap((letter) => {
  const code = letter.charCodeAt(0);
  return isBigEndian ? [code >> 8, code & 255] : [code & 255, code >> 8];
});
const text = "Name;Preis\r\nSchüssel;€ 5";

test("UTF-8 and UTF-16 are read, with a byte-order mark or without one", () => {
  assert.equal(fileText(new TextEncoder().encode(`\uFEFF${text}`).buffer), text);
  assert.equal(fileText(new TextEncoder().encode(text).buffer), text);
  for (const isBigEndian of [false, true]) {
    assert.equal(fileText(bytes(units(`\uFEFF${text}`, isBigEndian))), text);
    assert.equal(fileText(bytes(units(text, isBigEndian))), text);
  }
  assert.equal(fileText(bytes()), "");
  assert.equal(fileText(bytes(0x61)), "a");
});

test("other bytes are what offices of the page's language save", () => {
  assert.equal(fileText(bytes(0x53, 0x63, 0x68, 0xFC, 0x73, 0x73, 0x65, 0x6C)), "Schüssel");
  setLanguage("zh");
  assert.equal(fileText(bytes(0xC7, 0xE0, 0xB4, 0xC9)), "青瓷");
  setLanguage("en");
});

test("the languages of the browser say what an office saves in that has no Unicode", () => {
  const known = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  const guess = (pages, ...languages) => {
    Object.defineProperty(globalThis, "navigator", { value: { languages }, configurable: true });
    setLanguage(pages);
    return encodingOf(bytes(0x41, 0xFC, 0x41));
  };
  try {
    assert.deepEqual([guess("en", "de-DE", "ja"), guess("en", "ja"), guess("en", "ru-RU"), guess("en", "pl"), guess("en")],
      ["windows-1252", "shift_jis", "windows-1251", "windows-1250", "windows-1252"]);
    assert.deepEqual([guess("zh", "en", "zh-TW"), guess("zh", "zh-Hant-HK"), guess("zh", "en"), guess("zh", "zh-Hans-CN"), guess("en", "zh-CN")],
      ["big5", "big5", "gb18030", "gb18030", "gb18030"]);
  } finally {
    Object.defineProperty(globalThis, "navigator", known ?? { value: undefined, configurable: true });
    setLanguage("en");
  }
});

test("a text is read in the encoding that was chosen, whatever its bytes show", () => {
  const samples = { big5: [0xAB, 0x43, 0xB2, 0xA1], gb18030: [0xC7, 0xE0, 0xB4, 0xC9], shift_jis: [0x90, 0xC2, 0x8E, 0xA5], "euc-kr": [0xC3, 0xBB, 0xC0, 0xDA], macintosh: [0x9F], "windows-1251": [0xC2, 0xE0, 0xE7, 0xE0], "windows-1250": [0xB3] };
  assert.deepEqual(Object.entries(samples).map(([encoding, sample]) => fileText(bytes(sample), encoding)), ["青瓷", "青瓷", "青磁", "청자", "ü", "Ваза", "ł"]);
  for (const encoding of Object.keys(encodings)) assert.match(encodingLabel(encoding), /^[A-Z][a-z]+.* \(.+\)$/);
});

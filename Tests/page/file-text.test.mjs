import assert from "node:assert/strict";
import { test } from "node:test";
import { fileText } from "../../Sources/Page/file-text.js";
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

// The text of a file that a spreadsheet has saved, whatever its encoding.
import { language, t } from "./strings.js";

/** Encodings that offices save in, by the browser's name: where it is used, and what people call it. */
export const encodings = {
  "utf-8": ["unicode", "UTF-8"], "utf-16le": ["unicode", "UTF-16 LE"], "utf-16be": ["unicode", "UTF-16 BE"],
  "windows-1252": ["western", "Windows-1252"], macintosh: ["western", "Mac OS Roman"], "windows-1250": ["central", "Windows-1250"],
  "windows-1251": ["cyrillic", "Windows-1251"], gb18030: ["simplified", "GBK"], big5: ["traditional", "Big5"], shift_jis: ["japanese", "Shift_JIS"],
  "euc-kr": ["korean", "EUC-KR"],
};

export const encodingLabel = (encoding) => `${t(`encoding.${encodings[encoding][0]}`)} (${encodings[encoding][1]})`;

/** What spreadsheets save in where this language is spoken, if it is not windows-1252. */
const usual = {
  zh: "gb18030", ja: "shift_jis", ko: "euc-kr", cs: "windows-1250", hr: "windows-1250", hu: "windows-1250", pl: "windows-1250", ro: "windows-1250",
  sk: "windows-1250", sl: "windows-1250", bg: "windows-1251", ru: "windows-1251", sr: "windows-1251", uk: "windows-1251",
};

function usualEncoding() {
  const own = globalThis.navigator?.languages ?? [];
  // Who reads the page in Chinese has a Chinese office, whatever the browser's first language is.
  const tag = language() === "zh" ? own.find((each) => /^zh/i.test(each)) ?? "zh" : own[0] ?? "en";
  return /^zh\b.*-(TW|HK|MO|Hant)\b/i.test(tag) ? "big5" : usual[tag.toLowerCase().split("-")[0]] ?? "windows-1252";
}

/** UTF-16 is known by its byte-order mark, or by the zero beside its first letter. */
function unicodeOf([first, second]) {
  if (first === 0xFF && second === 0xFE) return "utf-16le";
  if (first === 0xFE && second === 0xFF) return "utf-16be";
  if (second === 0) return "utf-16le";
  return first === 0 ? "utf-16be" : "utf-8";
}

/** The encoding that the bytes of a file show, or else the likely one: other bytes say nothing. @param bytes as an ArrayBuffer */
export function encodingOf(bytes) {
  const unicode = unicodeOf(new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength)));
  if (unicode !== "utf-8") return unicode;
  try {
    new TextDecoder(unicode, { fatal: true }).decode(bytes);
    return unicode;
  } catch { return usualEncoding(); }
}

/** @param bytes of the whole file, as an ArrayBuffer */
export const fileText = (bytes, encoding = encodingOf(bytes)) => new TextDecoder(encoding).decode(bytes);

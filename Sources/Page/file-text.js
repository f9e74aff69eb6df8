// The text of a file that a spreadsheet has saved, whatever its encoding.
import { language } from "./strings.js";

/** The encodings in which offices save, beside those that show themselves; the page's language says which is likely. */
const usualEncoding = () => (language() === "zh" ? "gb18030" : "windows-1252");

/** UTF-16 is known by its byte-order mark, or by the zero beside its first letter. */
function unicodeOf([first, second]) {
  if (first === 0xFF && second === 0xFE) return "utf-16le";
  if (first === 0xFE && second === 0xFF) return "utf-16be";
  if (second === 0) return "utf-16le";
  return first === 0 ? "utf-16be" : "utf-8";
}

/** @param bytes of the whole file, as an ArrayBuffer */
export function fileText(bytes) {
  const unicode = unicodeOf(new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength)));
  try {
    return new TextDecoder(unicode, { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(unicode === "utf-8" ? usualEncoding() : unicode).decode(bytes);
  }
}

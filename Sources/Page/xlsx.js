// The values of the first sheet of an Excel workbook (ECMA-376), numbers as their cells show them.
import { numberFormat } from "./number-format.js";
import { zipEntries, zipText } from "./zip.js";

/** Rows and cells beyond these are left out; an import takes fewer. */
const mostRows = 5_000;
const mostCells = 64;

const markup = /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<[?!][^>]*>|<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g;
const named = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** @returns the text with XML's entities resolved */
const plain = (text) => text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, digits, name) => {
  if (name) return named[name] ?? whole;
  const code = hex ? parseInt(hex, 16) : Number(digits);
  return code <= 0x10FFFF ? String.fromCodePoint(code) : "";
});

/** Excel writes what XML cannot have as _x000D_. */
const unescaped = (text) => text.replace(/_x([\dA-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))).replace(/\r\n?/g, "\n");

/**
 * Walks through XML. The page has no parser of the browser's: its policy lets no text become a document.
 * @param visit called with `open(name, attribute)`, `close(name)` and `text(text)`; prefixes of names are left out, those of attributes too
 */
function walk(xml, visit) {
  for (const [, data, slash, name, attributes, isEmpty, text] of xml.matchAll(markup)) {
    if (data !== undefined) visit.text?.(data);
    else if (text !== undefined) visit.text?.(plain(text));
    else if (name && slash) visit.close?.(name);
    else if (name) {
      visit.open?.(name, (wanted) => attributeOf(attributes, wanted));
      if (isEmpty) visit.close?.(name);
    }
  }
}

function attributeOf(attributes, wanted) {
  for (const [, name, value] of attributes.matchAll(/(?:[\w.-]+:)?([\w.-]+)\s*=\s*("[^"]*"|'[^']*')/g)) if (name === wanted) return plain(value.slice(1, -1));
  return null;
}

/** @param buffer an ArrayBuffer @returns rows as those of CSV, with their numbers in the sheet; null if it is no workbook */
export async function xlsxRows(buffer) {
  const entries = zipEntries(buffer);
  const read = (path) => zipText(buffer, entries?.get(path));
  const book = await targetOf(read, "", ([, type]) => type.endsWith("/officeDocument"));
  const books = book && await read(book);
  if (!books) return null;
  const first = firstSheet(books);
  const sheetPath = await targetOf(read, book, ([id]) => id === first);
  const sheet = sheetPath && await read(sheetPath);
  if (!sheet) return null;
  const partOf = async (name) => {
    const path = await targetOf(read, book, ([, type]) => type.endsWith(`/${name}`));
    return path ? await read(path) ?? "" : "";
  };
  return sheetRows(sheet, sharedStrings(await partOf("sharedStrings")), cellFormats(await partOf("styles")));
}

/** The path of what a file of the archive refers to. @param fits decides by `[id, type]` */
async function targetOf(read, path, fits) {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const relations = await read(`${folder}_rels/${path.slice(folder.length)}.rels`);
  let found = null;
  if (relations) walk(relations, { open(name, attribute) {
    if (name !== "Relationship" || found !== null || !fits(["Id", "Type"].map((each) => attribute(each) ?? ""))) return;
    const target = attribute("Target") ?? "";
    found = target.startsWith("/") ? target.slice(1) : folder + target;
  } });
  return found;
}

/** The relation of the first sheet that is not hidden. */
function firstSheet(book) {
  let found = null;
  walk(book, { open(name, attribute) {
    if (name === "sheet" && found === null && !/hidden/i.test(attribute("state") ?? "")) found = attribute("id");
  } });
  return found;
}

function sharedStrings(xml) {
  const strings = [];
  let text = null;
  let isText = false;
  let isPhonetic = false;
  walk(xml, {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") isPhonetic = true;
      if (name === "t") isText = !isPhonetic;
    },
    text(part) { if (isText) text += part; },
    close(name) {
      if (name === "t") isText = false;
      if (name === "rPh") isPhonetic = false;
      if (name === "si") strings.push(unescaped(text));
    },
  });
  return strings;
}

/** How the cells of each style show a number; by the index of the style. */
function cellFormats(xml) {
  const codes = new Map();
  const formats = [];
  let isOfCells = false;
  walk(xml, {
    open(name, attribute) {
      if (name === "numFmt") codes.set(Number(attribute("numFmtId")), attribute("formatCode") ?? "");
      if (name === "cellXfs") isOfCells = true;
      if (name === "xf" && isOfCells) formats.push(numberFormat(Number(attribute("numFmtId")), codes));
    },
    close(name) { if (name === "cellXfs") isOfCells = false; },
  });
  return formats;
}

const general = numberFormat(0, new Map());

function sheetRows(xml, strings, formats) {
  const rows = [];
  let row = null;
  let cell = null;
  let isValue = false;
  walk(xml, {
    open(name, attribute) {
      if (name === "row") row = { line: Number(attribute("r")) || (rows.at(-1)?.line ?? 0) + 1, cells: [] };
      if (name === "c" && row) cell = { column: columnOf(attribute("r")) ?? row.cells.length, type: attribute("t"), format: formats[Number(attribute("s"))] ?? general, text: "" };
      isValue = (name === "v" || name === "t") && cell !== null;
    },
    text(part) { if (isValue) cell.text += part; },
    close(name) {
      isValue = false;
      if (name === "c" && cell) {
        if (cell.column < mostCells) {
          while (row.cells.length < cell.column) row.cells.push("");
          row.cells[cell.column] = valueOf(cell, strings);
        }
        cell = null;
      }
      if (name === "row" && row) {
        if (rows.length < mostRows && row.cells.some((each) => each.trim())) rows.push(row);
        row = null;
      }
    },
  });
  return rows;
}

/** 0 for "A7", 27 for "AB7"; null for what is none. */
function columnOf(reference) {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference ?? "")?.[0];
  return letters ? [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1 : null;
}

function valueOf({ type, format, text }, strings) {
  if (type === "s") return strings[Number(text)] ?? "";
  // A cell that could not be computed has no value.
  if (type === "e") return "";
  if (type === "str" || type === "inlineStr") return unescaped(text);
  if (type === "b") return text === "1" ? "TRUE" : "FALSE";
  return text.trim() && Number.isFinite(Number(text)) ? format(Number(text)) : text;
}

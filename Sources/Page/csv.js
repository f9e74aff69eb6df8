// Rows of CSV: read as the server reads them, and written so that it reads the same.
import { Problem } from "./client/auction-client.js";
import { t } from "./strings.js";

/** More cells of a row than any file has columns that are used. */
const mostCells = 64;
const namedSeparator = /^"?sep=([,;\t])"?(?:\r\n?|\n|$)/i;

export const isBlank = ({ cells }) => cells.every((cell) => cell.trim() === "");

/**
 * The rows that are not blank, each with the line at which it begins.
 * @param isKnown whether a heading means something: the separator that gives most of these is that of the file
 * @throws Problem for a quotation mark that no other closes: the rows after it would be lost
 */
export function csvRows(text, isKnown) {
  const named = namedSeparator.exec(text)?.[1];
  const rows = [...rowsOf(text, named ?? likelySeparator(text, isKnown))].slice(named ? 1 : 0).filter((row) => !isBlank(row));
  const open = rows.find((row) => row.isOpen);
  if (open) throw new Problem({ detail: t("import.openQuote", { line: open.line }), field: "file" }, 400);
  return rows;
}

function likelySeparator(text, isKnown) {
  const [best] = [",", ";", "\t"].map((separator) => {
    const { cells } = headerOf(rowsOf(text, separator));
    return { separator, known: cells.filter(isKnown).length, count: cells.length };
  }).sort((a, b) => b.known - a.known || b.count - a.count);
  return best.separator;
}

function headerOf(rows) {
  for (const row of rows) if (!isBlank(row)) return row;
  return { cells: [] };
}

function* rowsOf(file, separator) {
  const text = file.replace(/\x1A+$/, "");
  const cellEnd = new RegExp(`[${separator}\r\n]`, "g");
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const row = { line, cells: [], isOpen: false };
    for (let isLast = false; !isLast;) {
      let cell = "";
      if (text[at] === '"') {
        let close = at;
        do {
          const open = close + 1;
          close = text.indexOf('"', open);
          row.isOpen ||= close < 0;
          if (close < 0) close = text.length;
          cell += `${text.slice(open, close)}"`;
          at = close + 1;
          close = at;
        } while (text[at] === '"');
        cell = cell.slice(0, -1);
        line += cell.match(/\r\n?|\n/g)?.length ?? 0;
        cell = cell.replace(/\r\n?/g, "\n");
      }
      // What stands behind a closing quotation mark, or has one inside, is taken as it is: it is shown before it is sent.
      cellEnd.lastIndex = at;
      const end = cellEnd.exec(text)?.index ?? text.length;
      if (row.cells.length < mostCells) row.cells.push(cell + text.slice(at, end));
      isLast = text[end] !== separator;
      at = end + (text.startsWith("\r\n", end) ? 2 : 1);
    }
    line += 1;
    yield row;
  }
}

const quoted = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The text of a file of these rows of cells, and by the number of a line the index of the row that begins there. */
export function csvText(rows) {
  const lines = rows.map((cells) => cells.map(quoted).join(","));
  const rowAt = new Map();
  let line = 1;
  for (const [index, text] of lines.entries()) {
    rowAt.set(line, index);
    line += text.split("\n").length;
  }
  return { text: `${lines.join("\n")}\n`, rowAt };
}

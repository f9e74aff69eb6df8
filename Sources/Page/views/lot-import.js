// Lots from a file: rows of a table or of JSON, all of them or none. The page says what it makes of the columns; the server reads the values.
import { Problem } from "../client/auction-client.js";
import { csvRows } from "../csv.js";
import { dialog, h, replace, setText, show, table } from "../dom.js";
import { note } from "../feedback.js";
import { encodingLabel, encodingOf, encodings, fileText } from "../file-text.js";
import { clearErrors, field, form, showProblem } from "../forms.js";
import { columnOf } from "../lot-columns.js";
import { problemWords } from "../problem-words.js";
import { t } from "../strings.js";
import { xlsxRows } from "../xlsx.js";
import { makeColumns } from "./import-columns.js";

const shownRows = 100;
const shownText = 80;

/** A text of a row, to be shown with what is wrong there. */
export const excerptOf = (text) => (text.length > shownText ? `${text.slice(0, shownText)}…` : text);

/** What a file begins with: the columns, and a lot of each format to be replaced. */
const example = "reference,name,description,condition,estimateLow,estimateHigh,format,startingPrice,increment,reservePrice,buyNowPrice,floorPrice,dutchTickSeconds,biddingSeconds,media\r\n"
  + "A-1,Blue bowl,\"Qing style, 24 cm.\",One chip at the rim,150,250,english,100,10,,,,,15,\r\nA-2,Oak chair,,,,,dutch,200,10,,,100,5,,\r\n"
  + "A-3,Old atlas,,,,,sealedFirstPrice,50,,,,,,60,\r\nA-4,Brass lamp,,,,,vickrey,50,,,,,,60,\r\n";

/** What an import did, from the counts of its response. */
export function importWords(counts) {
  const outcomes = ["added", "changed", "unchanged", "sold", "passed", "voided", "withdrawn"].filter((each) => counts[each] > 0);
  const what = outcomes.map((each) => t(`import.${each}`, { n: counts[each] })).join(" · ");
  return t(counts.added + counts.changed > 0 ? "import.done" : "import.nothing", { what });
}

/** The first bytes of a ZIP archive, which .xlsx is, and of what older programs and encrypted workbooks are. */
const beginsWith = (bytes, ...first) => first.every((byte, index) => bytes[index] === byte);

/**
 * @param encoding of a text; null: the one that its bytes show
 * @param guessed is told the one that the bytes of a text show, also if it cannot be read so
 * @returns the `rows` of a table, which may be that of a workbook (`isWorkbook`), or `lines` of JSON @throws Problem for a file that is neither
 */
export async function readFile(file, encoding = null, guessed = () => {}) {
  const buffer = await file.arrayBuffer();
  const bytes = new Uint8Array(buffer);
  const refuse = (key) => { throw new Problem({ detail: t(key), field: "file" }, 400); };
  if (beginsWith(bytes, 0xD0, 0xCF, 0x11, 0xE0)) refuse("import.oldWorkbook");
  if (beginsWith(bytes, 0x50, 0x4B)) return { rows: await xlsxRows(buffer) ?? refuse("import.noWorkbook"), isWorkbook: true };
  const guess = encodingOf(buffer);
  guessed(guess);
  const text = fileText(buffer, encoding ?? guess);
  if (/\.(ndjson|jsonl|json)$/i.test(file.name)) return { lines: text };
  const rows = csvRows(text, columnOf);
  return rows.length > 0 ? { rows } : refuse("import.noRows");
}

export function openImport(room) {
  const template = URL.createObjectURL(new Blob([example], { type: "text/csv" }));
  const input = h("input", { type: "file", accept: ".csv,.txt,.tsv,.xlsx,.ndjson,.jsonl,text/csv,text/plain,application/x-ndjson", required: true });
  const errors = h("div.stack.tight", { role: "alert", hidden: true });
  const automatic = h("option", { value: "" });
  const encoding = h("select", { onchange: readAgain }, automatic, Object.keys(encodings).map((each) => h("option", { value: each }, encodingLabel(each))));
  const encodingField = field(t("import.encoding"), encoding, { name: "encoding", hint: t("import.encodingHint") });
  show(encodingField, false);
  const columns = makeColumns(room.model().room.currency);
  const element = form("form.stack", [
    h("p", t("import.what")),
    h("p", h("a", { href: template, download: "lots.csv" }, t("import.template"))),
    field(t("import.file"), input, { name: "file" }),
    encodingField,
    columns.element,
    errors,
    h("div.form-foot", h("button.primary", { type: "submit" }, t("import.go"))),
  ], async () => {
    const { lines } = await load();
    const file = lines === undefined ? columns.read() : null;
    try {
      const counts = await room.importLots(file?.text ?? lines, file ? "text/csv" : "application/x-ndjson");
      box.close();
      note(importWords(counts), "good");
    } catch (error) {
      if (!(error instanceof Problem) || !Array.isArray(error.body.rows)) throw error;
      const all = lines?.split(/\r\n|\n|\r/);
      showRows(error, file ?? { rowOf: (line) => ({ line, cells: [all[line - 1] ?? ""] }), headingOf: String });
    }
  });
  /** Reads the file as it is now: it may have been put right, and browsers say nothing of a file that is chosen once more. */
  async function load() {
    const [file] = input.files;
    if (!file) throw new Problem({ detail: t("import.none"), field: "file" }, 400);
    const chosen = encoding.value;
    // Another may have been chosen meanwhile.
    const isCurrent = () => file === input.files[0] && chosen === encoding.value;
    const guessed = (guess) => {
      if (!isCurrent()) return;
      setText(automatic, t("import.automatic", { encoding: encodingLabel(guess) }));
      show(encodingField, true);
    };
    const read = await readFile(file, chosen || null, guessed)
      .catch((error) => { throw error instanceof Problem ? error : new Problem({ detail: t("import.fileChanged"), field: "file" }, 400); });
    if (isCurrent()) columns.showRows(read.rows ?? null, read.isWorkbook);
    return read;
  }

  function readAgain() {
    // What was wrong with one file, or with one way to read it, says nothing of the next.
    show(errors, false);
    clearErrors(element);
    if (input.files.length > 0) load().catch((error) => showProblem(element, error));
  }

  input.addEventListener("change", () => {
    encoding.value = "";
    show(encodingField, false);
    columns.showRows(null);
    readAgain();
  });
  const box = dialog(t("lots.import"), element, { closeLabel: t("app.close"), onclose: () => URL.revokeObjectURL(template) });

  function showRows(problem, { rowOf, headingOf }) {
    const { rows } = problem.body;
    replace(errors, h("p.field-error", problem.detail),
      table([t("import.line"), t("import.field"), t("import.detail"), t("import.text")], rows.slice(0, shownRows).map((row) => {
        const { line, cells } = rowOf(row.line);
        return [String(line), row.field ? headingOf(row.field) : "–", problemWords(row), h("code", excerptOf(cells.join(",")))];
      })),
      rows.length > shownRows && h("p.quiet-text", t("import.moreRows", { n: rows.length - shownRows })));
    show(errors, true);
    errors.scrollIntoView({ block: "nearest" });
  }
}

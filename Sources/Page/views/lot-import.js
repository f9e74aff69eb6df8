// Lots from a file: rows of CSV or of JSON, all of them or none. The server reads the file; what it refuses is shown at its row.
import { Problem } from "../client/auction-client.js";
import { dialog, h, replace, show, table } from "../dom.js";
import { note } from "../feedback.js";
import { fileText } from "../file-text.js";
import { clearErrors, field, form } from "../forms.js";
import { problemWords } from "../problem-words.js";
import { t } from "../strings.js";

const shownRows = 100;
const shownText = 80;

/** The text of a row, to be shown with what is wrong there. */
export function lineOf(lines, number) {
  const text = lines[number - 1] ?? "";
  return text.length > shownText ? `${text.slice(0, shownText)}…` : text;
}

/** The media type of a file by its name: browsers know few of them, and different ones. */
export const typeOf = (name) => (/\.(ndjson|jsonl|json)$/i.test(name) ? "application/x-ndjson" : "text/csv");

/** What a file begins with: the columns, and a lot of each format to be replaced. */
const example = "reference,name,description,condition,estimateLow,estimateHigh,format,startingPrice,increment,reservePrice,buyNowPrice,floorPrice,dutchTickSeconds,biddingSeconds,media\r\n"
  + "A-1,Blue bowl,\"Qing style, 24 cm.\",One chip at the rim,150,250,english,100,10,,,,,15,\r\nA-2,Oak chair,,,,,dutch,200,10,,,100,5,,\r\n"
  + "A-3,Old atlas,,,,,sealedFirstPrice,50,,,,,,60,\r\nA-4,Brass lamp,,,,,vickrey,50,,,,,,60,\r\n";

/** What an import did, from the counts of its response. */
export function importWords(counts) {
  const outcomes = ["added", "changed", "unchanged", "sold", "passed", "withdrawn"].filter((each) => counts[each] > 0);
  const what = outcomes.map((each) => t(`import.${each}`, { n: counts[each] })).join(" · ");
  return t(counts.added + counts.changed > 0 ? "import.done" : "import.nothing", { what });
}

export function openImport(room) {
  const template = URL.createObjectURL(new Blob([example], { type: "text/csv" }));
  const input = h("input", { type: "file", accept: ".csv,.txt,.tsv,.ndjson,.jsonl,text/csv,text/plain,application/x-ndjson", required: true });
  const errors = h("div.stack.tight", { role: "alert", hidden: true });
  const element = form("form.stack", [
    h("p", t("import.what")),
    h("p", h("a", { href: template, download: "lots.csv" }, t("import.template"))),
    field(t("import.file"), input, { name: "file" }),
    errors,
    h("button.primary", { type: "submit" }, t("import.go")),
  ], async () => {
    const [file] = input.files;
    if (!file) throw new Problem({ detail: t("import.none"), field: "file" }, 400);
    const text = fileText(await file.arrayBuffer());
    try {
      const counts = await room.importLots(text, typeOf(file.name));
      box.close();
      note(importWords(counts), "good", counts.ignoredColumns.length > 0 && t("import.ignored", { names: counts.ignoredColumns.join(", ") }));
    } catch (error) {
      if (!(error instanceof Problem) || !Array.isArray(error.body.rows)) throw error;
      showRows(error, text.split(/\r\n|\n|\r/));
    }
  });
  // What was wrong with one file says nothing of the next.
  input.addEventListener("change", () => { show(errors, false); clearErrors(element); });
  const box = dialog(t("lots.import"), element, { closeLabel: t("app.close"), onclose: () => URL.revokeObjectURL(template) });

  function showRows(problem, lines) {
    const { rows } = problem.body;
    replace(errors, h("p.field-error", problem.detail),
      table([t("import.line"), t("import.field"), t("import.detail"), t("import.text")],
        rows.slice(0, shownRows).map((row) => [String(row.line), row.field ?? "–", problemWords(row), h("code", lineOf(lines, row.line))])),
      rows.length > shownRows && h("p.quiet-text", t("import.moreRows", { n: rows.length - shownRows })));
    show(errors, true);
    errors.scrollIntoView({ block: "nearest" });
  }
}

// What the page has understood of a file of lots, column by column, to be put right before it is imported.
import { doubtfulAmount, meaningsOf, readAs, readingShownBy, spelledOut } from "../amount-cells.js";
import { Problem, currencySymbol } from "../client/auction-client.js";
import { csvText } from "../csv.js";
import { h, replace, setText, show } from "../dom.js";
import { choice, field } from "../forms.js";
import { columnOf, fitsCurrency, headingOf, headings, isAmount, pictures, required } from "../lot-columns.js";
import { language, t } from "../strings.js";

const labels = {
  name: "item.name", description: "item.description", reference: "item.reference", media: "picture.title", increment: "item.increment", format: "item.format", tie: "item.tie",
  condition: "item.condition", estimate: "item.estimate", estimateLow: "item.estimateLow", estimateHigh: "item.estimateHigh",
};
const labelOf = (column) => t(labels[column] ?? `rule.${column}`);
/** Of each column, to be recognized by. */
const shownExamples = 3;
const shownText = 40;
const short = (text) => (text.length > shownText ? `${text.slice(0, shownText)}…` : text);

/** A letter as spreadsheets have it, for a column without a heading. */
const letterOf = (index) => (index < 26 ? String.fromCharCode(65 + index) : letterOf(Math.floor(index / 26) - 1) + letterOf(index % 26));

/** @param currency the code of the room's */
export function makeColumns(currency) {
  const summary = h("p", { role: "status" });
  const list = h("div.column-list", { onchange: ask });
  const question = h("div", { hidden: true });
  const element = h("section.stack.tight", { hidden: true, "aria-label": t("import.columns") }, h("h3", t("import.columns")), summary, list, question);
  let rows = [];
  let columns = [];
  let drawn = "";
  /** The first amount that can be read in two ways, and the question what it means; null without one. */
  let doubt = null;
  /** How the amounts of the file show that all of them are meant; null where they do not. */
  let shownReading = null;
  let hasNumbers = false;

  /**
   * @param read the rows of the file, of which the first has the headings; null for a file without columns
   * @param areNumbers some cells are numbers of a workbook, whose point is not the file's
   */
  function showRows(read, areNumbers = false) {
    [rows, hasNumbers] = [read ?? [], areNumbers];
    show(element, rows.length > 0);
    const [header, ...body] = rows;
    setText(summary, t("import.found", { n: body.length }));
    const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
    const found = Array.from({ length: width }, (_, index) => ({
      index, heading: header.cells[index]?.trim() ?? "", examples: body.map(({ cells }) => cells[index]?.trim()).filter(Boolean).slice(0, shownExamples),
    })).filter(({ heading, examples }) => heading || examples.length > 0);
    const version = JSON.stringify(found);
    if (version === drawn) return ask();
    drawn = version;
    // What was chosen for these headings stays.
    const isSame = String(found.map(({ heading }) => heading)) === String(columns.map(({ heading }) => heading));
    const chosen = new Map(isSame ? columns.map(({ index, control }) => [index, control.value]) : []);
    const guesses = guessesOf(found.map(({ heading }) => heading));
    columns = found.map((column, at) => {
      const value = chosen.get(column.index) ?? guesses[at];
      return { ...column, control: h("select", { value }, h("option", { value: "" }, t("import.unused")),
        Object.keys(headings).map((each) => h("option", { value: each, selected: each === value }, labelOf(each)))) };
    });
    replace(list, columns.map(({ index, heading, examples, control }) => field(heading ? short(heading) : t("import.column", { letter: letterOf(index) }), control, {
      name: `column.${index}`, hint: examples.map(short).join(" · ") || t("import.blank"),
    })));
    ask();
  }

  const used = () => columns.filter(({ control }) => control.value);

  /** One question for all amounts that can be read in two ways, unless others in the file answer it: an office writes them alike. */
  function ask() {
    const indexes = used().filter(({ control }) => isAmount(control.value)).map(({ index }) => index);
    const amounts = rows.slice(1).flatMap(({ cells }) => indexes.map((index) => cells[index] ?? ""));
    shownReading = hasNumbers ? null : readingShownBy(amounts, currency);
    let text = null;
    if (!shownReading) for (const amount of amounts) text ??= doubtfulAmount(amount, currency);
    show(question, text !== null);
    if (text === (doubt?.text ?? null)) return;
    doubt = text && { text, answer: choice(t("import.doubt", { text }), "meaning", Object.entries(spelledOut(text, currency)).map(([value, amount]) => ({
      value, label: t(`meaning.${value}`), hint: amount,
    })), null, { field: "meaning" }) };
    replace(question, doubt?.answer.element);
  }

  /** How the amounts are written for the server. @throws Problem if that is not known, or an amount has no such meaning */
  function reading() {
    if (shownReading) return shownReading;
    if (!doubt) return (cell) => cell;
    const { text, answer: { value } } = doubt;
    const refuse = (key, words) => { throw new Problem({ detail: t(key, words), field: "meaning" }, 400); };
    if (!value) refuse("import.doubtAnswer", { text });
    return (cell) => {
      const found = doubtfulAmount(cell, currency);
      if (found && meaningsOf(found, currency)[value] === null) refuse("problem.tooPrecise", { first: found });
      return readAs(cell, value, currency);
    };
  }

  /** What headings mean, each column once; of two with amounts the one in the room's currency. */
  function guessesOf(cells) {
    const known = cells.map(columnOf);
    const symbol = currencySymbol(currency, language());
    const fits = cells.map((heading) => fitsCurrency(heading, currency, symbol));
    return known.map((column, index) => {
      const same = known.flatMap((each, at) => (each === column ? [at] : []));
      const best = same.find((at) => fits[at]) ?? same[0];
      return column && (column === pictures || best === index) ? column : "";
    });
  }

  /** The file as it is understood, in the server's form. @throws Problem at the column that is missing or doubled */
  function read() {
    const chosen = used();
    for (const column of required) {
      if (!chosen.some(({ control }) => control.value === column)) {
        throw new Problem({ detail: t("import.missing", { column: labelOf(column) }), field: `column.${columns.find(({ control }) => !control.value)?.index}` }, 400);
      }
    }
    for (const [at, { index, control }] of chosen.entries()) {
      if (control.value !== pictures && chosen.slice(0, at).some((each) => each.control.value === control.value)) {
        throw new Problem({ detail: t("import.doubled", { column: labelOf(control.value) }), field: `column.${index}` }, 400);
      }
    }
    const [, ...body] = rows;
    const written = reading();
    const { text, rowAt } = csvText([
      chosen.map(({ heading, control }) => headingOf(control.value, heading)),
      ...body.map(({ cells }) => chosen.map(({ index, control }) => (isAmount(control.value) ? written(cells[index] ?? "") : cells[index] ?? ""))),
    ]);
    return {
      text,
      /** The row of the chosen file that stands at a line of `text`. */
      rowOf: (line) => rows[rowAt.get(line)] ?? { line, cells: [] },
      headingOf: (column) => chosen.find(({ control }) => control.value === column)?.heading || (headings[column] === undefined ? column : labelOf(column)),
    };
  }

  return { element, showRows, read };
}

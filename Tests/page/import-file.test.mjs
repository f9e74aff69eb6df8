// Files of lots, as far as the page reads them itself.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { doubtfulAmount, meaningsOf, readAs, readingShownBy } from "../../Sources/Page/amount-cells.js";
import { csvRows, csvText } from "../../Sources/Page/csv.js";
import { columnOf, headingOf, headings } from "../../Sources/Page/lot-columns.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { makeColumns } from "../../Sources/Page/views/import-columns.js";
import { openImport, readFile } from "../../Sources/Page/views/lot-import.js";
import { xlsxRows } from "../../Sources/Page/xlsx.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { shown } from "./support/page-dom.mjs";

setLanguage("en");
const cells = (text) => csvRows(text, columnOf).map((row) => row.cells);
const file = (name, content) => ({ name, arrayBuffer: async () => (typeof content === "string" ? new TextEncoder().encode(content).buffer : content) });

test("the separator is the one that gives most known headings, or that the first line names", () => {
  assert.deepEqual(cells("Los;Bezeichnung;Startpreis\r\n1;Krug, rot;35,50\r\n"), [["Los", "Bezeichnung", "Startpreis"], ["1", "Krug, rot", "35,50"]]);
  assert.deepEqual(cells("name\tprice\nJug\t5"), [["name", "price"], ["Jug", "5"]]);
  assert.deepEqual(cells("sep=;\r\na,b;c,d\r\n"), [["a,b", "c,d"]]);
  assert.deepEqual(cells("\n,,\nname,price\n\u001A"), [["name", "price"]]);
});

test("quoted cells have separators, line breaks and quotation marks, and rows keep their lines", () => {
  assert.deepEqual(csvRows('name,price\r\n"Jug ""large"",\r\nred",5\r\nBowl 5" wide,\n', columnOf), [
    { line: 1, cells: ["name", "price"], isOpen: false }, { line: 2, cells: ['Jug "large",\nred', "5"], isOpen: false },
    { line: 4, cells: ['Bowl 5" wide', ""], isOpen: false },
  ]);
  assert.deepEqual(cells('""'), []);
  assert.deepEqual(cells('a,""""'), [["a", '"']]);
  assert.throws(() => csvRows('name\nJug\n"Bowl\nPlate\n', columnOf), (error) => error.field === "file" && error.detail.includes("line 3"));
});

test("what is written is read as the same rows, and each is found by its line", () => {
  const rows = [["name", "note"], ['5" bowl', "a,b"], ["two\nlines", " x"], ["last", "'=1"]];
  const { text, rowAt } = csvText(rows);
  assert.deepEqual(cells(text), rows);
  assert.deepEqual(csvRows(text, columnOf).map(({ line }) => rowAt.get(line)), [0, 1, 2, 3]);
});

test("random tables survive", () => {
  let seed = 7;
  const roll = (n) => { seed = (seed * 1103515245 + 12345) % 2 ** 31; return seed % n; };
  for (let count = 0; count < 300; count += 1) {
    const rows = [["name", "price", "x"], ...Array.from({ length: 1 + roll(5) }, () => ["z", ...Array.from({ length: 2 }, () => Array.from({ length: roll(5) }, () => 'a",\n;\t é'[roll(8)]).join(""))])];
    assert.deepEqual(cells(csvText(rows).text), rows);
  }
});

test("the page knows the headings that the server knows", () => {
  const swift = readFileSync(new URL("../../Sources/AuctionServer/Routes/Import/LotHeadings.swift", import.meta.url), "utf8");
  const table = /words: KeyValuePairs = \[(.*?)\n    \]/s.exec(swift)[1];
  const known = [...table.matchAll(/"(\w+)": (?:"""\n(.*?)"""|"([^"\n]*)")/gs)].map(([, name, many, few]) => [name, (many ?? few).replaceAll("\\\n", " ").split(/\s+/).filter(Boolean)]);
  assert.deepEqual(Object.entries(headings).map(([name, words]) => [name, words.split(" ").filter(Boolean)]), known);
});

test("a heading is known in any case, with punctuation, and with a currency behind an amount", () => {
  assert.deepEqual(["Lot No.", "START PRICE", "Start price (EUR)", "Startpreis €", "reservePrice", "名称", "Price paid", "Date", "Titel (kurz)", "Image 1", "photo12", "图片2", "Lot 1", "Image one"].map(columnOf),
    ["reference", "startingPrice", "startingPrice", "startingPrice", "reservePrice", "name", null, null, "name", "media", "media", "media", null, null]);
  assert.deepEqual(["Erho\u0308hung", "起拍价(\uFFE5)", "Losbezeichnung"].map(columnOf), ["increment", "startingPrice", "name"]);
  assert.equal(headingOf("startingPrice", "Limit in USD"), "startingPrice (USD)");
  assert.equal(headingOf("startingPrice", "Limit"), "startingPrice");
  assert.equal(headingOf("name", "Name (USD)"), "name");
});

test("each picture may have a column of its own, and a second price in another currency is left out", () => {
  const table = (header, ...more) => [header, ...more].map((row, index) => ({ line: index + 1, cells: row }));
  for (const [header, expected] of [
    [["Title", "Price USD", "Price EUR", "Image 1", "Image 2"], "name,startingPrice (EUR),media,media\nVase,2,a,b\n"],
    [["Title", "Price (€)", "Price $", "Picture", "Bild 2"], "name,startingPrice (€),media,media\nVase,1,a,b\n"],
    [["Title", "Price USD", "Weight", "Image", "x"], "name,startingPrice (USD),media\nVase,1,a\n"],
  ]) {
    mountedBody();
    const columns = makeColumns("EUR");
    columns.showRows(table(header, ["Vase", "1", "2", "a", "b"]));
    assert.equal(columns.read().text, expected);
  }
});

test("an amount with one separator and three digits behind it is doubtful, as it is for the server", () => {
  const amounts = (currency, ...texts) => texts.map((text) => doubtfulAmount(text, currency));
  assert.deepEqual(amounts("EUR", "1.101", "€ 1,101", "12.345 EUR", "１．１０１", "100 - 1.101"), ["1.101", "1,101", "12.345", "1.101", "1.101"]);
  assert.deepEqual(amounts("EUR", "1.101,-", "€ 1.101,–", "1.101,50", "1,101.50", "1'101", "1.101.000", "0.125", "1101.5", "1234.567", "1 234.567", "1.10", "1.1010", "", "much", "5.125%", "5.125 ％", "1.1 bis 2,22", `1.101${" ".repeat(100)}`),
    Array(18).fill(null));
  assert.deepEqual(amounts("JPY", "1.101", "1,101"), [null, null], "a currency without fractions leaves one meaning");
  assert.deepEqual(amounts("KWD", "1.101", "1,101"), [null, "1,101"], "with three digits the point is the server's own");
  assert.deepEqual(meaningsOf("1.101", "EUR"), { thousands: "1101", fraction: null });
  assert.deepEqual(meaningsOf("1,100", "EUR"), { thousands: "1100", fraction: "1.10" });
  assert.deepEqual(meaningsOf("1,101", "KWD"), { thousands: "1101", fraction: "1.101" });
  assert.deepEqual(["€ 1.101", "1.100 – 2.200", "25,50"].map((cell) => readAs(cell, "thousands", "EUR")), ["€ 1101", "1100 – 2200", "25,50"]);
  assert.deepEqual(["1.100 – 2.200", "1.101"].map((cell) => readAs(cell, "fraction", "EUR")), ["1.10 – 2.20", "1.101"]);
});

test("a column of doubtful amounts is one question, and the answer stands for all of them", () => {
  const lots = Array.from({ length: 30 }, (_, index) => [`Krug ${index}`, `1.${101 + index}`, "1.500", `${index}`]);
  const rows = [["Bezeichnung", "Startpreis", "Limit", "Gewicht"], ...lots].map((row, index) => ({ line: index + 1, cells: row }));
  for (const [language, words, thousands, hints, missing] of [
    ["en", "What does “1.101” mean?", "Thousands", ["1101.00", "1.101"], "Choose what “1.101” means."], ["zh", "“1.101”是什么意思？", "千位分隔", ["1101.00", "1.101"], "请选择“1.101”的含义"],
  ]) {
    const body = mountedBody();
    setLanguage(language);
    const columns = makeColumns("EUR");
    body.append(columns.element);
    columns.showRows(rows);
    const questions = () => shown(body, "fieldset legend").map((each) => each.textContent);
    assert.deepEqual(questions(), [words]);
    assert.deepEqual(shown(body, "fieldset .choice-hint").map((each) => each.textContent), hints);
    assert.throws(() => columns.read(), (error) => error.field === "meaning" && error.detail.includes(missing));
    const choose = (index) => shown(body, "fieldset input").forEach((input, at) => { input.checked = at === index; });
    choose(0);
    columns.showRows(rows);
    const [, first, ...others] = columns.read().text.split("\n");
    assert.deepEqual([first, others.length], ["Krug 0,1101,1500", 30], thousands);
    choose(1);
    assert.throws(() => columns.read(), (error) => error.field === "meaning" && error.detail.includes("1.101"), "euros have no third digit");
    for (const column of shown(body, ".column-list select")) if (column.value !== "name") column.value = "";
    shown(body, ".column-list select")[0].dispatch("change");
    assert.deepEqual(questions(), [], "these columns are not used");
    columns.showRows([rows[0], { line: 2, cells: ["Krug", "1.101,50", "1500", "1.101"] }]);
    assert.deepEqual(questions(), []);
  }
  setLanguage("en");
});

test("amounts that show which separator is that of the decimals answer for those that do not", () => {
  const written = (...texts) => { const read = readingShownBy(texts, "EUR"); return read && texts.map(read); };
  assert.deepEqual(written("3,751", "2,500.50", "80"), ["3751", "2,500.50", "80"]);
  assert.deepEqual(written("3.751", "35,50"), ["3751", "35,50"]);
  assert.deepEqual(written("1.500", "1.101.000", "€ 3.751,-"), ["1500", "1.101.000", "€ 3.751,-"]);
  assert.deepEqual(written("3,751", "0.125"), ["3751", "0.125"]);
  assert.deepEqual(written("3,751 – 4,100", "1234.5"), ["3751 – 4100", "1234.5"]);
  assert.deepEqual(written("1.500", "35.50", "2,100"), ["1.50", "35.50", "2100"], "a point is that of the decimals everywhere");
  for (const texts of [["3,751", "80"], ["3,751", "35,50", "2.5"], ["3.751", "35.50"], ["3,751", "24.12.2026"], ["3,751", ""]]) assert.equal(written(...texts), null, texts.join(" "));
  assert.deepEqual(readingShownBy(["1,101", "35.5"], "KWD")("1,101"), "1101");
});

test("a file whose amounts show their decimals is not asked about, but the point of a workbook's numbers shows nothing", () => {
  const rows = [["Name", "Price"], ["Jug", "3,751"], ["Bowl", "2,500.50"]].map((row, index) => ({ line: index + 1, cells: row }));
  const body = mountedBody();
  const columns = makeColumns("EUR");
  body.append(columns.element);
  columns.showRows(rows);
  assert.equal(shown(body, "fieldset").length, 0);
  assert.equal(columns.read().text, 'name,startingPrice\nJug,3751\nBowl,"2,500.50"\n');
  columns.showRows(rows, true);
  assert.equal(shown(body, "fieldset legend", "3,751").length, 1);
  columns.showRows(rows.slice(0, 2));
  assert.deepEqual(shown(body, "fieldset .choice-hint").map((each) => each.textContent), ["3751.00", "3.751"]);
});

/** A ZIP archive whose entries are stored as they are. */
function archive(entries) {
  const bytes = (text) => [...new TextEncoder().encode(text)];
  const number = (value, count) => Array.from({ length: count }, (_, index) => (value >>> (8 * index)) & 255);
  const all = [];
  const directory = [];
  for (const [name, content] of Object.entries(entries)) {
    const sizes = [...number(0, 4), ...number(bytes(content).length, 4), ...number(bytes(content).length, 4), ...number(bytes(name).length, 2), ...number(0, 2)];
    directory.push(0x50, 0x4B, 1, 2, ...number(20, 2), ...number(20, 2), ...number(0, 8), ...sizes, ...number(0, 10), ...number(all.length, 4), ...bytes(name));
    all.push(0x50, 0x4B, 3, 4, ...number(20, 2), ...number(0, 8), ...sizes, ...bytes(name), ...bytes(content));
  }
  const count = Object.keys(entries).length;
  const end = [0x50, 0x4B, 5, 6, ...number(0, 4), ...number(count, 2), ...number(count, 2), ...number(directory.length, 4), ...number(all.length, 4), ...number(0, 2)];
  return Uint8Array.from([...all, ...directory, ...end]).buffer;
}

const relation = (id, type, target) => `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
const workbook = (sheet, strings, styles = null) => archive({
  "_rels/.rels": `<?xml version="1.0"?><Relationships>${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
  "xl/workbook.xml": '<x:workbook><x:sheets><x:sheet name="Old" sheetId="1" state="hidden" r:id="rId9"/><x:sheet name="Lots" sheetId="2" r:id="rId2"/></x:sheets></x:workbook>',
  "xl/_rels/workbook.xml.rels": `<Relationships>${relation("rId2", "worksheet", "/xl/worksheets/sheet2.xml")}${relation("rId3", "sharedStrings", "sharedStrings.xml")}${styles ? relation("rId4", "styles", "styles.xml") : ""}</Relationships>`,
  "xl/worksheets/sheet2.xml": sheet, "xl/sharedStrings.xml": strings, ...(styles ? { "xl/styles.xml": styles } : {}),
});

test("the first sheet of a workbook that is not hidden gives its values, with the numbers of its rows", async () => {
  const sheet = '<worksheet><sheetData><row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c></row><row r="3"/>'
    + '<row r="4" spans="1:3"><c r="A4" t="inlineStr"><is><t>Jug &amp; lid</t></is></c><c r="B4" s="3"><v>35.299999999999997</v></c><c r="C4" t="e"><v>#N/A</v></c></row>'
    + '<row><c t="str"><f>A1&lt;"&gt;"</f><v>a_x000D_\nb</v></c><c t="b"><v>1</v></c><c><v>1200</v></c></row></sheetData></worksheet>';
  const strings = "<sst><si><r><t>Na</t></r><r><t>me</t></r><rPh><t>ruby</t></rPh></si><si><t xml:space='preserve'> Price </t></si></sst>";
  assert.deepEqual(await xlsxRows(workbook(sheet, strings)), [
    { line: 2, cells: ["Name", "", " Price "] }, { line: 4, cells: ["Jug & lid", "35.3", ""] }, { line: 5, cells: ["a\nb", "TRUE", "1200"] },
  ]);
});

test("a number of a workbook is read as its cell shows it: percent, leading zeros, rounded", async () => {
  const codes = ["000", "&quot;A-&quot;000", "0.0%", "#,##0.00\\ &quot;€&quot;", "[$€-407]\\ #,##0.00;[Red]-#,##0.00", "dd/mm/yyyy", "0.00E+00", "# ?/?", "0\\ %", "_-* #,##0.00_-;-* &quot;-&quot;??_-",
    "000\\-000", "00&quot;/&quot;00", "00.00", "0&quot;%&quot;", "&quot;#&quot;000&quot; b&quot;", "00.##"];
  const cases = [
    // Without a format, or with one that has no text of its own.
    [0, "41.650000000000006", "41.65"], [9, "0.05", "5%"], [10, "7.2499999999999995E-2", "7.25%"], [9, "7.0000000000000007E-2", "7%"], [1, "41.65", "42"], [4, "1200", "1200"], [2, "-1.005", "-1.01"],
    // Those of the workbook, from 164 on.
    [164, "7", "007"], [165, "7", "A-007"], [166, "0.125", "12.5%"], [167, "41.654", "41.65"], [168, "1.005", "1.01"], [169, "45000", "45000"], [170, "1234.5", "1234.5"], [171, "0.5", "0.5"],
    [172, "0.05", "5%"], [173, "1200.5", "1200.5"],
    [174, "123456", "123456"], [175, "1226", "1226"], [176, "5", "05.00"], [176, "-5.5", "-05.50"], [177, "5", "5%"], [10, "1E-9", "0%"], [0, "1E-9", "1e-9"], [178, "7", "#007 b"], [164, "1E21", "1e+21"], [164, "-7", "-007"], [179, "5.25", "05.25"], [179, "5", "05"],
  ];
  const styles = `<styleSheet><numFmts>${codes.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`).join("")}</numFmts>`
    + `<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${cases.map(([id]) => `<xf numFmtId="${id}" fontId="0"/>`).join("")}</cellXfs></styleSheet>`;
  const sheet = `<worksheet><sheetData>${cases.map(([, value], index) => `<row r="${index + 1}"><c r="A${index + 1}" s="${index}"><v>${value}</v></c></row>`).join("")}</sheetData></worksheet>`;
  assert.deepEqual((await xlsxRows(workbook(sheet, "<sst/>", styles))).map((row) => row.cells[0]), cases.map(([, , shown]) => shown));
  assert.equal((await xlsxRows(workbook(sheet, "<sst/>")))[0].cells[0], "41.65", "a workbook without styles");
});

test("a file that is none of these is refused with what to do, whatever its bytes are", async () => {
  const refusal = (name, content) => readFile(file(name, content)).then(() => null, (error) => error.detail);
  assert.match(await refusal("a.xls", Uint8Array.of(0xD0, 0xCF, 0x11, 0xE0).buffer), /\.xlsx/);
  assert.match(await refusal("a.xlsx", archive({ "word/document.xml": "<a/>" })), /workbook/);
  assert.match(await refusal("a.csv", "\r\n \r\n"), /no rows/);
  const whole = new Uint8Array(workbook("<worksheet/>", "<sst/>"));
  for (let length = 4; length < whole.length; length += 37) assert.ok(await refusal("a.xlsx", whole.slice(0, length).buffer), `${length} bytes`);
  for (let at = 4; at < whole.length; at += 11) {
    const damaged = whole.slice();
    damaged[at] ^= 0xFF;
    await refusal("a.xlsx", damaged.buffer);
  }
  assert.deepEqual(await readFile(file("a.jsonl", '{"name":"Jug"}\n')), { lines: '{"name":"Jug"}\n' });
});

test("a text shows the encoding that it was taken for, and is read again at once in another that is chosen", async () => {
  const body = mountedBody();
  openImport({ model: () => ({ room: { currency: "EUR" } }) });
  const choose = async (chosen) => {
    const [input] = shown(body, "input");
    input.files = [chosen];
    input.dispatch("change");
    for (let count = 0; count < 4; count += 1) await turn();
  };
  const select = () => shown(body, "select").find((each) => each.dataset.field === "encoding");
  const hints = () => shown(body, ".column-list .field-hint").map((each) => each.textContent);
  await choose(file("lots.csv", Uint8Array.from([...new TextEncoder().encode("Name;Startpreis\nVase "), 0xAB, 0x43, 0xB2, 0xA1, 0x3B, 0x35, 0x0A]).buffer));
  assert.equal(select().children[0].textContent, "Automatic: Western European (Windows-1252)");
  assert.deepEqual(hints(), ["Vase «C²¡", "5"]);
  const column = shown(body, ".column-list select")[0];
  column.value = "description";
  select().value = "big5";
  select().dispatch("change");
  for (let count = 0; count < 4; count += 1) await turn();
  assert.deepEqual(hints(), ["Vase 青瓷", "5"]);
  assert.equal(shown(body, ".column-list select")[0].value, "description", "what was chosen for a heading stays");
  await choose(file("open.csv", 'name\n"Jug\n'));
  assert.equal(select().value, "", "the next file is taken for what it shows");
  assert.equal(select().children[0].textContent, "Automatic: Unicode (UTF-8)", "also if it cannot be read so");
  await choose(file("lots.xlsx", workbook("<worksheet/>", "<sst/>")));
  assert.equal(select(), undefined, "a workbook has no such choice");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { LotsClient } from "../../Sources/Page/lots-client.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { excerptOf, importWords } from "../../Sources/Page/views/lot-import.js";
import { appraisal, isPicture, lotLabel } from "../../Sources/Page/views/lot.js";
import { appraisalWords, currentFacts } from "../../Sources/Page/views/lots.js";
import { totalOf } from "../../Sources/Page/views/hero.js";
import { inputTime, readSale, saleWords } from "../../Sources/Page/views/sale.js";

const settle = () => new Promise((resolve) => { setTimeout(resolve, 0); });

/** A queue of so many lots, read page by page as from a server, and a follow that has what was included. */
function fixture(count, most = 1_000) {
  const all = Array.from({ length: count }, (_, index) => ({ id: `lot_${index}` }));
  const asked = [];
  const follow = {
    state: { room: { sale: {} }, lots: { queued: null, cursor: null, isStale: false, wasMoved: false } },
    include({ lots: { page, isMore } }) {
      const known = isMore ? follow.state.lots.queued : [];
      follow.state = { ...follow.state, lots: { queued: [...known, ...page.lots], cursor: page.nextCursor, isStale: false, wasMoved: false } };
    },
  };
  const room = { lots: ({ state, limit }) => ({ async page(cursor = null) {
    asked.push([state, limit, cursor]);
    if (state === "current") return { lots: [] };
    const from = Number(cursor ?? 0);
    const to = Math.min(from + Math.min(limit, most), count);
    return { lots: all.slice(from, to), nextCursor: to < count ? String(to) : null, seq: 1 };
  } }) };
  return { client: new LotsClient(room, () => follow), follow, asked };
}

test("lots are read page by page as they are asked for, and from the first one on after a move", async () => {
  const { client, follow, asked } = fixture(120);
  await client.read();
  assert.equal(follow.state.lots.queued.length, 50);
  await client.more();
  assert.deepEqual(asked.at(-1), ["queued", 50, "50"]);
  follow.state.lots.wasMoved = true;
  await client.more();
  assert.deepEqual(asked.slice(-2), [["current", 1, null], ["queued", 150, null]]);
  assert.equal(follow.state.lots.queued.length, 120);
  const before = asked.length;
  await client.more();
  assert.equal(asked.length, before, "there is no more to read");
});

test("a page that ends early, by its bytes, is followed by another", async () => {
  const { client, follow } = fixture(60, 20);
  await client.read();
  assert.equal(follow.state.lots.queued.length, 60);
});

test("a page that is short because lots were moved is not followed by the next, which would leave them out", async () => {
  const { client, follow, asked } = fixture(120);
  const { include } = follow;
  follow.include = (read) => {
    include(read);
    follow.state.lots = { ...follow.state.lots, queued: follow.state.lots.queued.slice(1), wasMoved: true };
  };
  await client.read();
  assert.deepEqual([asked.length, follow.state.lots.queued.length], [2, 49]);
});

test("lots that events cannot be applied to are read again, once for all of them", async () => {
  const { client, follow, asked } = fixture(3);
  follow.state.lots = { queued: [], cursor: null, isStale: true, wasMoved: false };
  const known = globalThis.setTimeout;
  const due = [];
  globalThis.setTimeout = (act) => due.push(act);
  try { client.keep(); client.keep(); } finally { globalThis.setTimeout = known; }
  assert.equal(due.length, 1);
  await due[0]();
  await settle();
  assert.deepEqual([asked.length, follow.state.lots.queued.length], [2, 3]);
  client.keep();
  assert.equal(asked.length, 2);
});

test("lots that could not be read are read again at the next change, and not before", async () => {
  const { client, follow } = fixture(3);
  follow.state.lots = { queued: [], cursor: null, isStale: true, wasMoved: false };
  const { include } = follow;
  follow.include = () => { throw new Error("There is no such room."); };
  const known = globalThis.setTimeout;
  const due = [];
  globalThis.setTimeout = (act) => due.push(act);
  try {
    client.keep();
    await due[0]();
    assert.equal(due.length, 1);
    follow.include = include;
    client.keep();
    await due[1]();
  } finally { globalThis.setTimeout = known; }
  assert.deepEqual([due.length, follow.state.lots.queued.length], [2, 3]);
});

test("more lots are read before those that were read are all sold", async () => {
  const { client, follow, asked } = fixture(120);
  await client.read();
  const known = globalThis.setTimeout;
  const due = [];
  globalThis.setTimeout = (act) => due.push(act);
  try {
    follow.state.lots = { ...follow.state.lots, queued: follow.state.lots.queued.slice(25) };
    client.keep();
    assert.equal(due.length, 0);
    follow.state.lots = { ...follow.state.lots, queued: follow.state.lots.queued.slice(1) };
    client.keep();
  } finally { globalThis.setTimeout = known; }
  const { length } = asked;
  await due[0]();
  assert.deepEqual([due.length, asked.length - length, follow.state.lots.queued.length], [1, 2, 50]);
});

test("what was typed about the sale is sent as the server has it", () => {
  assert.deepEqual(readSale({ mode: "manual", pause: "7", start: "2026-11-24T20:00", premium: "" }), { mode: "manual", premium: null });
  const start = "2026-11-24T20:00";
  assert.deepEqual(readSale({ mode: "automatic", pause: " 7 ", start, premium: "12.5 %".replace(" ", "") }),
    { mode: "automatic", premium: { percent: "12.5" }, pauseSeconds: 7, startsAt: new Date(2026, 10, 24, 20, 0).toISOString() });
  assert.equal(readSale({ mode: "automatic", pause: "soon", start: "", premium: "" }).pauseSeconds, "soon", "the server says what is wrong with it");
  assert.equal(readSale({ mode: "automatic", pause: "7", start: "", premium: "", attended: true }).attended, true);
  assert.equal(inputTime(new Date(2026, 10, 24, 20, 0).toISOString()), start, "the reader's zone, there and back");
  const known = new Date(2026, 10, 24, 20, 3, 27, 250).toISOString();
  const read = (typed) => readSale({ mode: "automatic", pause: "7", start: typed, premium: "", known }).startsAt;
  assert.equal(read(inputTime(known)), known, "a start that was not changed keeps its seconds");
  assert.equal(read(start), new Date(2026, 10, 24, 20, 0).toISOString());
  assert.equal(read(""), null);
});

test("a round that is over shows the total with the premium that it had", () => {
  const room = { currency: "CNY", total: "110.00", sale: { premium: { percent: "20" } } };
  assert.equal(totalOf({ room, phase: "closed" }, "100.00"), "110.00");
  assert.equal(totalOf({ room, phase: "auctioning" }, "100.00"), "120.00");
  assert.ok(!totalOf({ room: { ...room, sale: undefined }, phase: "auctioning" }, "100.00"));
  assert.equal(totalOf({ room: { ...room, sale: undefined }, phase: "closed" }, "100.00"), "110.00");
});

test("a reader who comes late reads where the sale stands", () => {
  setLanguage("en");
  const sale = { mode: "automatic", pauseSeconds: 5, startsAt: null, premium: { percent: "10" }, running: true, nextLotAt: null, lots: 9, queued: 2 };
  const words = (more, phase = "auctioning", item = {}) => saleWords({ room: { item }, sale: more && { ...sale, ...more }, phase }).join(" · ");
  assert.equal(words({}), "The sale is running · 2 lots to come · 5\u00a0s between lots · 10\u00a0% buyer's premium");
  assert.equal(words({ running: false, queued: 0, premium: null }), "", "the last lot is being sold");
  assert.equal(words({ running: false, queued: 0, premium: null }, "closed"), "All lots have had their turn");
  assert.equal(words({ running: false, queued: 0, premium: null }, "preparing"), "", "the last lot is prepared");
  assert.equal(words({ mode: "manual", running: false, queued: 1, premium: null }, "preparing", null), "1 lot to come");
  assert.match(words({ running: false, postponed: true, premium: null }, "preparing", null), /^The sale begins when the host is here · 2 lots/);
  assert.equal(words(null), "");
});

test("errors quote the row", () => {
  assert.equal(excerptOf("Teapot"), "Teapot");
  assert.equal(excerptOf("x".repeat(500)).length, 81);
});

test("an import says what it did, and that a repeat did nothing", () => {
  const counts = { added: 2, changed: 1, unchanged: 0, sold: 27, passed: 0, withdrawn: 0 };
  assert.equal(importWords(counts), "Imported: 2 added · 1 changed · 27 sold already");
  assert.equal(importWords({ ...counts, added: 0, changed: 0, passed: 3 }), "Nothing was added or changed: 27 sold already · 3 passed already");
});

test("a lot is called by the seller's number, or the room's, and an item that is no lot by its round", () => {
  assert.deepEqual([{ reference: "A-12", number: 3 }, { reference: null, number: 3 }, {}, undefined].map((lot) => lotLabel(lot, 7)), ["Lot A-12", "Lot 3", "Round 7", "Round 7"]);
});

test("an estimate and a condition are shown where the seller says them", () => {
  const money = (amount) => `€${amount}`;
  assert.deepEqual(appraisal({ estimate: { low: "150.00", high: "250.00" }, condition: "Worn" }, money), [["Estimate", "€150.00 – €250.00"], ["Condition", "Worn"]]);
  assert.deepEqual(appraisal({ estimate: { low: "9.00", high: "9.00" } }, money), [["Estimate", "€9.00"]]);
  assert.deepEqual(appraisal({}, money), []);
  const words = (condition) => appraisalWords({ estimate: { low: "150.00", high: "250.00" }, condition }, money);
  assert.deepEqual([words("Worn"), words("A chip. ".repeat(9)), words(undefined)], [["Estimate €150.00 – €250.00", "Worn"], ["Estimate €150.00 – €250.00"], ["Estimate €150.00 – €250.00"]]);
  assert.deepEqual(appraisalWords({}, money), []);
});

test("only https and pictures of the server are shown", () => {
  assert.deepEqual(["https://example.org/a.jpg", "/v1/media/abc_-1", "http://example.org/a.jpg", "javascript:alert(1)", "/v1/media/../guests", "//evil/v1/media/a"]
    .map(isPicture), [true, true, false, false, false, false]);
});

test("the row of the current lot changes when the end of its round is known, also if the round before ended alike", () => {
  setLanguage("en");
  const money = (amount) => `¥${amount}`;
  const room = { round: 2, state: "closed", currentPrice: "5.00", rules: { startingPrice: "1.00" } };
  const facts = (phase, result, changes = {}) => currentFacts({ room: { ...room, ...changes }, state: { result }, money, phase });
  const passed = (round) => ({ round, kind: "passed", reason: "no_bids" });
  assert.deepEqual(facts("closed", null), ["¥5.00", "Closed"]);
  assert.deepEqual(facts("closed", passed(1)), ["¥5.00", "Closed"]);
  assert.deepEqual(facts("closed", passed(2), { currentPrice: null }), ["from ¥1.00", "Passed"]);
  assert.deepEqual(facts("closed", { round: 2, kind: "sold", price: "4.00" }), ["¥4.00", "Sold"]);
  assert.deepEqual(facts("closing", { round: 1, kind: "sold", price: "4.00" }), ["¥5.00", "Closing"]);
});

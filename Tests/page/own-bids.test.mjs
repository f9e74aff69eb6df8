// Bids that are left on lots before their turn: what the page knows of them, and how they are left, changed, taken back and told of.
import assert from "node:assert/strict";
import { test } from "node:test";
import { OwnBids, mayPlaceAbsenteeBid, standingOf } from "../../Sources/Page/own-bids.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { waitWords } from "../../Sources/Page/views/bid.js";
import { makeLots } from "../../Sources/Page/views/lots.js";
import { inOrder, standingWords } from "../../Sources/Page/views/own-bids.js";
import { makePeople } from "../../Sources/Page/views/people.js";
import { saleNews } from "../../Sources/Page/views/sale.js";
import { leftNewsOf, makeWhileAway } from "../../Sources/Page/views/while-away.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { ownBids } from "./support/own-bids.mjs";
import { makeDocument, shown, type } from "./support/page-dom.mjs";

const [ann, bo, sato] = [["user_a", "Ann"], ["user_b", "Bo"], ["user_s", "Sato"]].map(([id, nickname]) => ({ id, nickname }));
const lot = (id, more = {}) => ({
  id: `lot_${id}`, number: 1, reference: null, state: "queued", round: null, absenteeBids: 0, result: null, item: { id: `item_${id}`, name: id, description: "", owner: sato, media: [] },
  rules: { startingPrice: "100.00", format: "english", increment: { fixed: "10.00" } }, ...more,
});
const left = (id, state, more = {}, bid = {}) => lot(id, { ...more, myBid: { bidId: "bid_1", maximum: "120.00", placedAt: "2026-11-21T09:00:00.000Z", state, cause: null, problem: null, ...bid } });
const sold = (winner, price, total = price) => ({ state: "sold", round: 4, result: { result: "sold", winner, price, total } });
const model = (more = {}) => ({
  room: { id: "room_x", round: 7, item: null, state: "preparing", currency: "EUR", sale: null, currentPrice: null, currentBid: null }, sale: { queued: 2, lots: 2 }, phase: "preparing", userID: ann.id,
  lots: { queued: [], current: null, cursor: null }, ownBids: ownBids(), results: [], favourites: new Set(), me: { role: "bidder" }, archived: false, state: { bids: [], result: null },
  can: (action) => action === "placeAbsenteeBid", money: (amount) => `€${amount}`, ...more,
});
const opened = (id, leader, price = "110.00") => ({
  phase: "auctioning", lots: { queued: [], current: lot(id, { state: "current" }) },
  room: { ...model().room, round: 4, state: "auctioning", rules: { format: "english" }, currentPrice: leader && price, currentBid: leader && { bidder: leader } },
});

/** A server of the reader's bids: each reading waits until the test answers it. */
function server() {
  const waiting = [];
  const told = [];
  const room = { lots: (asked) => ({ all: () => new Promise((resolve, reject) => waiting.push({ asked, resolve, reject })) }) };
  const bids = new OwnBids(room, ({ item, myBid }) => told.push(`${item.name} ${myBid.state}`));
  const answer = async (lots) => { const { resolve, reject } = waiting.shift(); if (lots) resolve(lots); else reject(new Error("away")); await turn(); };
  return { bids, waiting, told, answer, names: () => bids.list.map(({ item }) => item.name) };
}

test("bids are read as the reader's own, put by answers, and read again after the events that may change them", async () => {
  const { bids, waiting, told, answer, names } = server();
  const reading = bids.read();
  assert.deepEqual(waiting[0].asked, { bids: "mine", limit: 1_000 });
  await answer([left("Vase", "standing"), left("Bowl", "standing")]);
  await reading;
  assert.deepEqual([names(), bids.isRead, told], [["Vase", "Bowl"], true, []]);
  bids.put(lot("Cup"), { state: "standing", maximum: "150.00" });
  bids.put(lot("Vase"), { state: "standing", maximum: "130.00" });
  assert.deepEqual([names(), bids.of("lot_Cup").myBid.maximum, bids.of("lot_Vase").myBid.maximum], [["Vase", "Bowl", "Cup"], "150.00", "130.00"]);
  bids.put(lot("Bowl"), null);
  assert.deepEqual([names(), bids.of("lot_Bowl")], [["Vase", "Cup"], undefined]);
  const due = async (type, data, current) => { bids.note({ type, data }, current, ann.id); const kept = bids.keep(); const isDue = waiting.length > 0; if (isDue) await answer([left("Vase", "standing")]); return [isDue, await kept]; };
  assert.deepEqual(await due("item.sold", { lotId: "lot_Bowl" }, "lot_Bowl"), [false, false], "no bid of the reader");
  assert.deepEqual(await due("lot.bidsChanged", { lotId: "lot_Vase" }), [false, false], "thousands may come");
  assert.deepEqual(await due("state.changed", { to: "auctioning" }, "lot_Vase"), [true, true]);
  for (const type of ["lot.changed", "lot.withdrawn", "item.sold", "item.passed"]) assert.deepEqual(await due(type, { lotId: "lot_Vase" }), [true, true], type);
  assert.deepEqual(await due("member.creditLimitChanged", { member: ann }), [true, true]);
  assert.deepEqual(await due("member.creditLimitChanged", { member: bo }), [false, false]);
  assert.deepEqual(await due("member.linked", { from: bo, to: ann }), [true, true]);
});

test("what is put while the bids are read is not lost, and a reading that fails is due again", async () => {
  const { bids, waiting, told, answer, names } = server();
  bids.read();
  bids.put(lot("Vase"), { state: "standing", maximum: "130.00" });
  await answer([]);
  assert.deepEqual([names(), waiting.length], [["Vase"], 1], "it is read once more");
  await answer(null);
  assert.deepEqual([names(), bids.isRead, waiting.length], [["Vase"], false, 0]);
  const again = bids.keep();
  await answer([left("Vase", "standing"), left("Bowl", "standing")]);
  assert.equal(await again, true);
  bids.read();
  const late = waiting.shift();
  bids.readAgain();
  await answer([left("Vase", "unused"), left("Bowl", "void")]);
  late.resolve([]);
  await turn();
  assert.deepEqual([names(), told], [["Vase", "Bowl"], ["Vase unused", "Bowl void"]], "an answer that came too late changes nothing");
});

test("who may bid may leave a bid, on a lot of another seller that waits and whose price bids make", () => {
  const may = (more, now) => mayPlaceAbsenteeBid(lot("Vase", more), model(now));
  assert.equal(may({}), true);
  assert.equal(may({ state: "current" }), true, "the prepared lot waits");
  assert.equal(may({ state: "current" }, { phase: "listing" }), false);
  assert.deepEqual([null, "viewer", "host", "auctioneer"].map((role) => may({}, { me: { role } })), [false, false, false, true]);
  assert.equal(may({}, { userID: sato.id }), false);
  assert.equal(may({}, { archived: true }), false);
  assert.equal(may({}, { me: { role: "bidder", banned: true } }), false);
  assert.equal(may({ rules: { startingPrice: "100.00", format: "dutch" } }), false);
  assert.equal(may({ rules: { startingPrice: "100.00", buyNowPrice: "100.00", format: "english" } }), false, "it sells at one price");
  assert.equal(may({}, { can: () => false }), false, "the host has not approved them");
  assert.equal(may({}, { can: undefined }), true);
});

test("while its lot is open, what a left bid has become follows from the bids of the room", () => {
  const bid = left("Vase", "standing");
  assert.equal(standingOf(bid, model(opened("Vase", ann))), "leading");
  assert.equal(standingOf(left("Vase", "leading"), model(opened("Vase", bo))), "outbid");
  assert.equal(standingOf(bid, model(opened("Bowl", bo))), "standing", "another lot");
  assert.equal(standingOf(left("Vase", "outbid"), model(opened("Vase", null))), "unused", "no bid was placed");
  assert.equal(standingOf(left("Vase", "void"), model(opened("Vase", bo))), "void");
  const sealed = opened("Vase", null);
  assert.equal(standingOf(left("Vase", "sealed"), model({ ...sealed, room: { ...sealed.room, rules: { format: "vickrey" } } })), "sealed");
  const closed = model({ ...opened("Vase", bo), phase: "closed" });
  assert.equal(standingOf(left("Vase", "won"), closed), "won");
});

test("what has become of a bid is said with the price, in both languages", () => {
  const words = {
    standing: ["Waits for the lot to open", "等待开拍"], won: ["Won for €110.00 (€121.00 with premium)", "以 €110.00（含佣金 €121.00） 拍得"],
    lost: ["Outbid: Bo bought it for €150.00", "未拍得：Bo 以 €150.00 拍得"], passed: ["Not sold", "流拍"], unused: ["Did not act", "未生效"],
  };
  const of = { won: sold(ann, "110.00", "121.00"), lost: sold(bo, "150.00") };
  for (const [index, language] of ["en", "zh"].entries()) {
    setLanguage(language);
    for (const [state, texts] of Object.entries(words)) assert.equal(standingWords(left("Vase", state, of[state]), model()), texts[index]);
    assert.equal(standingWords(left("Vase", "leading"), model(opened("Vase", ann))), ["Leads with €110.00", "以 €110.00 领先"][index]);
    assert.equal(standingWords(left("Vase", "leading"), model(opened("Vase", bo, "130.00"))), ["Outbid: Bo leads with €130.00", "已被超过：Bo 以 €130.00 领先"][index]);
    assert.equal(standingWords(left("Vase", "void", {}, { cause: "lotWithdrawn" }), model()), ["Void: the lot was withdrawn", "已失效：拍品已撤下"][index]);
    assert.equal(standingWords(left("Vase", "void", {}, { cause: "formatChanged" }), model()), ["Void: the format of the lot changed", "已失效：拍品的拍卖方式已更改"][index]);
    assert.equal(standingWords(left("Vase", "void", {}, { cause: "of another version" }), model()), ["Void", "已失效"][index]);
    assert.equal(standingWords(left("Vase", "standing", {}, { problem: "absentee.below_start" }), model()), ["Below the starting price of now: it would not act", "低于现在的起拍价，将不会生效"][index]);
    assert.equal(standingWords(left("Vase", "standing", {}, { problem: "absentee.of_another_version" }), model()), ["As things are, it would not act", "按现状将不会生效"][index]);
  }
  setLanguage("en");
  const list = [left("Cup", "standing"), left("Vase", "won", sold(ann, "110.00")), left("Bowl", "lost", { ...sold(bo, "150.00"), round: 6 }), left("Jug", "leading")];
  assert.deepEqual(inOrder(list, model()).map(({ item }) => item.name), ["Jug", "Bowl", "Vase", "Cup"], "what runs, the latest ends, what waits");
});

/** The lots of a room in a document, with what was asked of the server. */
function lotsPage(language, now = {}, refusal = null) {
  const body = mountedBody();
  setLanguage(language);
  const asked = [];
  const queued = ["Vase", "Bowl"].map((id) => lot(id, { absenteeBids: id === "Bowl" ? 3 : 0 }));
  let shownNow = { lots: { queued, current: null, cursor: null }, sale: { queued: 2, lots: 2, premium: { percent: "10" } }, ...now };
  const current = () => model(shownNow);
  const room = {
    model: current,
    async placeAbsenteeBid({ id }, maximum) { asked.push([id, maximum]); if (refusal) throw refusal; return { maximum: `${maximum}.00` }; },
    async withdrawAbsenteeBid({ id }) { asked.push([id]); return true; },
  };
  const view = makeLots(room);
  body.append(view.element);
  const update = (more = {}) => { shownNow = { ...shownNow, ...more }; view.update(current()); };
  update();
  const button = (name) => shown(body, "button").find((each) => (each.getAttribute("aria-label") ?? each.textContent) === name);
  const press = async (name) => { assert.ok(button(name), name); button(name).click(); await turn(); };
  return { body, asked, update, button, press };
}

test("a bid is left at a coming lot, by its maximum, with what it costs and what is told of it", async () => {
  for (const [language, leave, count, start, cost, done] of [
    ["en", "Leave a bid on Vase", "Bids in advance: 3", "Starting price €100.00", "€165.00 with premium", "Your bid on Vase is left: up to €150.00"],
    ["zh", "预先出价：Vase", "预先出价：3", "起拍价 €100.00", "含佣金 €165.00", "已对 Vase 预先出价，最高 €150.00"],
  ]) {
    const { body, asked, press } = lotsPage(language);
    assert.equal(shown(body, ".upcoming .lot-facts", count).length, 1);
    await press(leave);
    assert.equal(shown(body, "dialog p", start).length, 1);
    const [input] = shown(body, "dialog input");
    type(input, "150");
    assert.equal(shown(body, "dialog .field-hint", cost).length, 1);
    shown(body, "dialog button").at(-1).click();
    await turn();
    assert.deepEqual(asked, [["lot_Vase", "150"]]);
    assert.deepEqual([shown(body, "dialog").length, shown(body, ".note", done).length], [0, 1]);
  }
  setLanguage("en");
});

test("the row of a lot with a bid has its maximum, and it is changed or taken back there", async () => {
  const { body, asked, button, press } = lotsPage("en", { ownBids: ownBids([left("Vase", "standing")]) });
  const row = () => shown(body, ".upcoming .lot-row")[0];
  assert.ok(row().textContent.includes("Up to €120.00"), row().textContent);
  assert.equal(button("Leave a bid on Vase"), undefined);
  await press("Change the bid on Vase");
  const [input] = shown(body, "dialog input");
  assert.equal(input.value, "120.00");
  assert.equal(shown(body, "dialog p", "counts from now").length, 1);
  type(input, "140");
  shown(body, "dialog button").at(-1).click();
  await turn();
  await press("Take back the bid on Vase");
  assert.deepEqual(asked, [["lot_Vase", "140"]], "it is asked first");
  shown(body, "dialog button").at(-1).click();
  await turn();
  assert.deepEqual(asked.at(-1), ["lot_Vase"]);
});

test("a lot with a bid of the reader counts as marked, and all bids stand together with what became of them", () => {
  const list = [left("Vase", "standing"), ...["a", "b", "c", "d", "e"].map((id) => left(id, "lost", sold(bo, "150.00"))), left("Jug", "won", sold(ann, "110.00"))];
  const queued = ["Vase", "Bowl", "Cup", "Box", "Pen", "Ring"].map((id) => lot(id));
  const { body, update, button } = lotsPage("en", { ownBids: ownBids(list), lots: { queued, current: null, cursor: null } });
  const rows = () => shown(body, ".own-bids .lot-row");
  assert.equal(shown(body, ".own-bids h3")[0].textContent, "My bids (7)");
  assert.equal(rows().length, 5);
  assert.ok(rows()[0].textContent.includes("Up to €120.00"));
  button("Show all 7").click();
  assert.equal(rows().length, 7);
  const [jug] = shown(body, ".own-bids [data-standing=\"won\"]");
  assert.ok(jug.textContent.includes("Won for €110.00"), jug.textContent);
  button("Marked only").click();
  update();
  assert.deepEqual(shown(body, ".upcoming .lot-open").map((each) => each.textContent), ["Vase"]);
  update({ ownBids: ownBids() });
  assert.equal(shown(body, ".own-bids").length, 0);
});

test("sellers and hosts see how many bids were left, and leave none", () => {
  for (const role of ["host", "viewer"]) {
    const { body, button } = lotsPage("en", { me: { role } });
    assert.deepEqual([button("Leave a bid on Vase"), shown(body, ".upcoming .lot-facts", "Bids in advance: 3").length], [undefined, 1], role);
  }
  const own = lotsPage("en", { userID: sato.id, me: { role: "auctioneer" } });
  assert.equal(own.button("Leave a bid on Vase"), undefined);
});

test("who waits reads that bids can be left, and which one acts next", () => {
  const queued = [lot("Vase")];
  assert.ok(waitWords(model({ lots: { queued, current: null } })).includes("You can leave bids on the lots now"));
  assert.ok(!waitWords(model({ lots: { queued, current: null }, userID: sato.id })).includes("You can leave bids"));
  const prepared = { lots: { queued: [], current: lot("Vase", { state: "current" }) }, ownBids: ownBids([left("Vase", "standing", { state: "current" })]) };
  for (const phase of ["preparing", "listing"]) assert.equal(waitWords(model({ ...prepared, phase })), "Your bid of up to €120.00 acts when the lot opens.");
});

test("a bidder is told that a lot with their bid was withdrawn, and before they leave that their bids end", async () => {
  assert.equal(saleNews("lot.withdrawn", { name: "Vase", hasBid: true }), "Vase has been withdrawn, and your bid on it is void.");
  assert.equal(saleNews("lot.withdrawn", { name: "Vase", hasBid: true, reason: "Broken." }), "Vase has been withdrawn, and your bid on it is void: Broken.");
  assert.equal(saleNews("lot.withdrawn", { name: "Vase", hasBid: false }), "Vase has been withdrawn.");
  for (const [list, isAsked] of [[[left("Vase", "standing"), left("Bowl", "won", sold(ann, "1.00"))], true], [[left("Bowl", "lost", sold(bo, "1.00"))], false]]) {
    const body = mountedBody();
    let leaves = 0;
    const now = model({ ownBids: ownBids(list), stage: null, state: { people: new Map(), left: new Map(), bids: [] } });
    const view = makePeople({ model: () => now, async leave() { leaves += 1; return true; } });
    body.append(view.element);
    view.update(now);
    shown(body, "button", "Leave")[0].click();
    await turn();
    assert.equal(leaves, isAsked ? 0 : 1);
    assert.equal(shown(body, "dialog p", "become void: 1").length, isAsked ? 1 : 0);
  }
});

test("who was away reads what became of each bid that they had left", () => {
  const kept = { lot_Vase: "standing", lot_Bowl: "standing", lot_Cup: "standing", lot_Jug: "standing" };
  const list = [left("Vase", "won", sold(ann, "110.00", "121.00")), left("Bowl", "lost", { ...sold(bo, "150.00"), round: 5 }), left("Cup", "standing"), left("New", "won", sold(ann, "1.00"))];
  const now = model({ ownBids: ownBids(list) });
  assert.deepEqual(leftNewsOf(kept, now), ["You won Vase for €110.00 (€121.00 with premium).", "Bowl went to Bo for €150.00. Your maximum of €120.00 was beaten."]);
  assert.deepEqual(leftNewsOf(kept, now, 5).length, 1, "another line tells of that round");
  assert.deepEqual([leftNewsOf(undefined, now), leftNewsOf({}, now)], [[], []], "who was never here has missed nothing");
  const others = ["passed", "unused", "void"].map((state, index) => left(["Vase", "Bowl", "Cup"][index], state, {}, { cause: "lotWithdrawn" }));
  assert.deepEqual(leftNewsOf(kept, model({ ownBids: ownBids(others) })), ["Vase was not sold.", "Your left bid on Bowl did not act.", "Cup has been withdrawn, and your bid on it is void."]);
  assert.deepEqual(leftNewsOf(kept, model({ ownBids: ownBids([left("Jug", "void", {}, { cause: "left" })]) })), [], "they know that they left");
  assert.deepEqual(leftNewsOf(kept, model({ ownBids: ownBids([left("Jug", "void", {}, { cause: "formatChanged" })]) })), ["The format of Jug changed, and your bid on it is void."]);
  assert.deepEqual(leftNewsOf(kept, model({ ...opened("Vase", ann), ownBids: ownBids([left("Vase", "leading")]) })), ["Your left bid leads on Vase with €110.00."]);
  assert.deepEqual(leftNewsOf(kept, model({ ...opened("Vase", bo, "130.00"), ownBids: ownBids([left("Vase", "outbid")]) })), ["You were outbid on Vase: Bo leads with €130.00. Your maximum of €120.00 was beaten."]);
  const many = Array.from({ length: 6 }, (_, index) => left(`n${index}`, "passed"));
  assert.deepEqual(leftNewsOf(Object.fromEntries(many.map(({ id }) => [id, "standing"])), model({ ownBids: ownBids(many) })).slice(2), ["n2 was not sold.", "More of your left bids have changed: 3."]);
});

test("what was left in the evening is news in the morning, once, and to its bidder only", () => {
  const body = makeDocument();
  const stored = new Map();
  const storage = { get: (key) => stored.get(key) ?? null, set: (key, value) => stored.set(key, value), remove: (key) => stored.delete(key) };
  const visit = (now) => { const away = makeWhileAway(storage); body.replaceChildren(away.element); away.update(model(now)); const lines = shown(body, ".away-news p").map((each) => each.textContent); return { lines, away }; };
  visit({ ownBids: ownBids([left("Vase", "standing"), left("Bowl", "standing")]) }).away.stop();
  const morning = { ownBids: ownBids([left("Vase", "won", sold(ann, "110.00")), left("Bowl", "lost", { ...sold(bo, "150.00"), round: 5 })]) };
  assert.deepEqual(visit({ ...morning, userID: bo.id }).lines, [], "another guest of this browser");
  stored.clear();
  visit({ ownBids: ownBids([left("Vase", "standing"), left("Bowl", "standing")]) }).away.stop();
  visit({ ownBids: { ...ownBids(), isRead: false } }).away.stop();
  const { lines, away } = visit(morning);
  assert.deepEqual(lines, ["You won Vase for €110.00.", "Bowl went to Bo for €150.00. Your maximum of €120.00 was beaten."]);
  shown(body, ".away-news button")[0].click();
  away.update(model(morning));
  assert.deepEqual(shown(body, ".away-news p"), [], "it was read");
  away.stop();
  assert.deepEqual(visit(morning).lines, [], "it was told");
});

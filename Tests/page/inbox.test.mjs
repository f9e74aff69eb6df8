// What waits for the host, in a document without a browser.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { makeInbox } from "../../Sources/Page/views/inbox.js";
import { shown } from "./support/page-dom.mjs";
import { mountedBody, turn } from "./support/mounted.mjs";

const [bo, cy] = [{ id: "user_b", nickname: "Bo" }, { id: "user_c", nickname: "Cy" }];
const report = (id, more = {}) => ({
  id, reporter: cy, reason: "An insult.", at: "2026-11-21T09:00:00.000Z",
  message: { id: `message_${id}`, author: bo, text: "You fool", at: "2026-11-21T08:59:00.000Z", removed: false, ...more },
});
const mayDo = ["ban", "removeMessage", "reofferLot", "voidResult"];
let body;
beforeEach(() => { body = mountedBody(); });

function fixture(given = [report("r1")]) {
  const told = { reads: 0, removed: [], changes: [], asked: [], reports: given, results: [], applications: [], applicationReads: 0, decided: [] };
  const kept = new Map();
  const storage = { get: (key) => kept.get(key) ?? null, set: (key, value) => kept.set(key, value) };
  const room = {
    id: "room_x",
    async readReports() { told.reads += 1; return told.reports; },
    async readApplications() { told.applicationReads += 1; return told.applications; },
    async approve(id, limit) { told.decided.push(["approve", id, limit]); return {}; },
    async decline(id, reason) { told.decided.push(["decline", id, reason]); return {}; },
    model: () => ({ room: { currency: "CNY" } }),
    async removeMessage(id) { told.removed.push(id); told.reports = told.reports.map((each) => ({ ...each, message: { ...each.message, removed: true } })); },
    async reofferLot(id) { told.asked.push(id); },
    async voidResult(...given) { told.asked.push(given); },
    async changeMember(id, changes) { told.changes.push([id, changes]); },
  };
  const make = () => makeInbox(room, storage);
  let inbox = make();
  body.append(inbox.element);
  const draw = (reports = told.reports.length, isShown = false, banned = [], applicationChanges = 0) => inbox.update({
    applicationChanges, room: { reports, applications: told.applications.length },
    state: { banned: new Set(banned), offered: new Set() }, userID: "user_h", can: (action) => mayDo.includes(action),
    results: told.results, lots: { queued: [] }, unsold: new Set(["lot_1", "lot_2"]), me: { role: "host" },
  }, isShown);
  return { told, draw, again() { inbox = make(); } };
}

test("the host reads reports once for each number of them, with the reporter, the message and the reason", async () => {
  const { told, draw } = fixture();
  assert.equal(draw(0), 0);
  assert.equal(shown(body, ".empty", "Nothing waits for you.").length, 1);
  assert.equal(draw(1), 1);
  await turn();
  draw(1);
  draw(1);
  assert.equal(told.reads, 1);
  assert.deepEqual(["Reported by Cy", "You fool", "Reason: An insult."].map((text) => shown(body, ".inbox-row", text).length), [1, 1, 1]);
  told.reports = [report("r2"), report("r1")];
  draw(2);
  await turn();
  draw(2);
  assert.deepEqual([told.reads, shown(body, ".inbox-row").length], [2, 2]);
});

test("what the host has seen is not counted again in this browser", async () => {
  const { draw, again } = fixture();
  assert.equal(draw(1), 1);
  assert.equal(draw(1, true), 0);
  again();
  assert.deepEqual([draw(1), draw(3)], [0, 2]);
});

test("the host removes the message, and bans its author after a question", async () => {
  const { told, draw } = fixture();
  draw();
  await turn();
  draw();
  shown(body, ".inbox-row button", "Remove message")[0].click();
  await turn();
  draw();
  assert.deepEqual([told.removed, shown(body, ".inbox-row .tag", "Message removed").length], [["message_r1"], 1]);
  shown(body, ".inbox-row button", "Ban Bo")[0].click();
  await turn();
  assert.deepEqual(told.changes, []);
  shown(body, "dialog button", "Ban")[0].click();
  await turn();
  assert.deepEqual(told.changes, [["user_b", { banned: true }]]);
  draw(1, true, ["user_b"]);
  assert.equal(shown(body, ".inbox-row .tag", "Author banned").length, 1);
});

test("reports that could not be read are read with the next change", async () => {
  const { told, draw } = fixture();
  const { reports } = told;
  Object.defineProperty(told, "reports", { configurable: true, get() { throw new Error("lost"); } });
  draw(1);
  await turn();
  Object.defineProperty(told, "reports", { value: reports, writable: true });
  draw(1);
  await turn();
  draw(1);
  assert.equal(shown(body, ".inbox-row").length, 1);
});

/** Rows of the results: a lot that was passed, and one whose sale was voided. */
const passed = { round: 1, result: "passed", lotId: "lot_1", item: { name: "Vase" }, seller: cy, winner: null, price: null, total: null, voided: null, offer: null, bids: 0, closedAt: "2026-11-21T09:00:00.000Z" };
const voided = { ...passed, round: 2, result: "sold", lotId: "lot_2", item: { name: "Bowl" }, winner: bo, price: "5.00", bids: 2, voided: { at: "2026-11-21T09:10:00.000Z", reason: "Not paid." } };

test("what was not sold waits in the inbox: it is offered again, or to the next bidder", async () => {
  const { told, draw, again } = fixture([]);
  told.results = [voided, passed];
  assert.equal(draw(), 2);
  const labels = () => shown(body, ".inbox-row button").map((each) => each.getAttribute("aria-label"));
  assert.deepEqual(labels(), ["Offer to the next bidder: Bowl", "Offer again: Bowl", "Offer again: Vase"]);
  assert.deepEqual(["Voided: Bowl", "Reason: Not paid.", "Not sold: Vase"].map((text) => shown(body, ".inbox-row", text).length), [1, 1, 1]);
  for (const index of [0, 2]) { shown(body, ".inbox-row button")[index].click(); await turn(); }
  assert.deepEqual(told.asked, [[2, { reason: "Not paid.", offerTo: "next" }], "lot_1"]);
  assert.equal(draw(0, true), 0);
  told.results = [{ ...voided, offer: { to: cy } }, passed];
  draw();
  assert.deepEqual(labels(), ["Offer again: Vase"], "what is offered to one bidder waits for them");
  told.results = [voided, passed];
  again();
  assert.equal(draw(), 0, "it was seen in this browser");
});

test("applicants wait until the host has decided, and are read again after each change", async () => {
  const { told, draw } = fixture([]);
  told.applications = [bo, cy].map((applicant) => ({ applicant, at: "2026-11-21T09:00:00.000Z", state: "open", reason: null }));
  assert.equal(draw(), 2);
  await turn();
  assert.equal(draw(0, true), 2, "what was only seen waits on");
  assert.deepEqual(["Bo wants to bid", "Cy wants to bid"].map((text) => shown(body, ".inbox-row", text).length), [1, 1]);
  draw();
  assert.equal(told.applicationReads, 1);
  draw(0, true, [], 1);
  await turn();
  draw(0, true, [], 1);
  assert.equal(told.applicationReads, 2);
});

test("the host approves with a limit or without, and declines with a reason", async () => {
  const { told, draw } = fixture([]);
  told.applications = [bo, cy].map((applicant) => ({ applicant, at: "2026-11-21T09:00:00.000Z", state: "open", reason: null }));
  draw();
  await turn();
  draw();
  const [limit] = shown(body, ".inbox-row input");
  limit.value = "1,500";
  shown(body, ".inbox-row button", "Approve")[0].click();
  await turn();
  shown(body, ".inbox-row button", "Decline")[1].click();
  await turn();
  shown(body, "dialog textarea")[0].value = " Register first. ";
  shown(body, "dialog button", "Decline")[0].click();
  await turn();
  assert.deepEqual(told.decided, [["approve", "user_b", "1500"], ["decline", "user_c", "Register first."]]);
  draw(0);
  assert.equal(shown(body, ".inbox-row").length, 0);
});

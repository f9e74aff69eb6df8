// Rows of the results, and what their users may do with them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setLanguage } from "../../Sources/Page/strings.js";
import { makeResults } from "../../Sources/Page/views/results.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { shown, type } from "./support/page-dom.mjs";

const seller = { id: "user_o", nickname: "Otto" };
const passed = { round: 1, result: "passed", lotId: "lot_1", item: { id: "item_1", name: "Vase" }, seller, winner: null, price: null, total: null, voided: null, offer: null, bids: 0 };
const sold = { ...passed, round: 2, result: "sold", lotId: "lot_2", item: { id: "item_2", name: "Bowl" }, winner: { id: "user_b", nickname: "Bo" }, price: "5.00", total: "5.00", bids: 2 };
const voided = { ...sold, total: null, voided: { at: "2026-11-21T09:00:00.000Z", reason: "Not paid.", by: seller, winner: sold.winner, price: "5.00" } };

function view(me, more = {}) {
  const body = mountedBody();
  setLanguage("en");
  const asked = [];
  const room = { reofferLot: async (id) => { asked.push(id); }, readLot: async () => null, voidResult: async (...given) => { asked.push(given); } };
  const made = makeResults(room);
  body.append(made.element);
  const update = (changes = {}) => made.update({
    results: [sold, passed], hasMoreResults: false, money: (amount) => `€${amount}`, archived: false, lots: { current: null, queued: [] }, state: { bids: [], offered: new Set() }, room: {}, unsold: null,
    can: (action) => !more.archived && (action === "reofferLot" ? ["host", "auctioneer"] : ["host"]).includes(me.me?.role), ...me, ...more, ...changes,
  });
  update();
  const buttons = () => shown(body, "button", "Offer again");
  return { body, asked, update, buttons };
}

test("the host and the seller of a lot that was passed offer it again by one press", async () => {
  for (const me of [{ me: { role: "host" }, userID: "user_h" }, { me: { role: "auctioneer" }, userID: "user_o" }]) {
    const { asked, buttons } = view(me);
    assert.equal(buttons().length, 1, "of the one that was passed, not of the sold one");
    buttons()[0].click();
    await turn();
    assert.deepEqual(asked, ["lot_1"]);
  }
});

test("others have no button for it, and the host has none while the lot waits again", () => {
  for (const me of [{ me: { role: "bidder" }, userID: "user_o" }, { me: { role: "auctioneer" }, userID: "user_x" }, { me: null, userID: null }]) {
    assert.deepEqual(view(me).buttons(), []);
  }
  const host = { me: { role: "host" }, userID: "user_h" };
  assert.deepEqual(view(host, { archived: true }).buttons(), []);
  const { buttons, update } = view(host);
  update({ lots: { current: null, queued: [{ id: "lot_9", offeredBefore: "lot_1" }] } });
  assert.deepEqual(buttons(), []);
});

test("a row whose sale was voided twice says why each was", () => {
  const twice = { ...voided, winner: seller, price: "4.00", voided: { ...voided.voided, price: "4.00", reason: "Nor did he." }, voidedBefore: voided.voided };
  const words = (row) => view({ me: { role: "bidder" }, userID: "user_x" }, { results: [row] }).body.querySelector(".result-end").textContent.trim();
  assert.equal(words(voided), "€5.00 Voided: Not paid.");
  assert.equal(words(twice), "€5.00 Voided: Not paid. €4.00 Voided: Nor did he.");
});

test("the host voids a sale with a reason, and offers it to the next bidder by one press", async () => {
  const host = { me: { role: "host" }, userID: "user_h" };
  const { body, asked, update, buttons } = view(host);
  const press = async (text) => { shown(body, "button", text)[0].click(); await turn(); };
  await press("Void the sale");
  const dialog = shown(document.body, "dialog")[0];
  type(dialog.querySelector("input, textarea"), "Not paid.");
  shown(dialog, "button", "Void the sale")[0].click();
  await turn();
  assert.deepEqual(asked, [[2, { reason: "Not paid." }]]);
  update({ results: [voided, passed] });
  assert.match(body.textContent, /Voided: Not paid\./);
  assert.equal(shown(body, "button", "Void the sale").length, 0);
  assert.equal(buttons().length, 2, "the lot may be offered to all again, too");
  await press("Offer to the next bidder");
  assert.deepEqual(asked[1], [2, { reason: "Not paid.", offerTo: "next" }]);
  update({ results: [{ ...voided, offer: { id: "offer_1", to: { id: "user_c", nickname: "Cy" }, price: "4.00", expiresAt: "2026-11-21T09:10:00.000Z" } }] });
  assert.match(body.textContent, /Offered to Cy/);
  assert.equal(shown(body, "button", "Offer to the next bidder").length, 0);
});

test("what the server would refuse is not offered: a second offer of a sale, one without another bidder, and a lot that is offered again", () => {
  const host = { me: { role: "host" }, userID: "user_h" };
  const { body, update } = view(host);
  const labels = () => shown(body, ".result-list button.small").map((each) => each.getAttribute("aria-label"));
  const of = (result, more = {}) => { update({ results: [result], ...more }); return labels(); };
  const [next, again] = ["Offer to the next bidder: Bowl", "Offer again: Bowl"];
  assert.deepEqual(of(voided), [next, again]);
  assert.deepEqual(of(voided, { state: { bids: [], offered: new Set([2]) } }), [again], "it was declined");
  assert.deepEqual(of({ ...voided, bids: 1 }), [again]);
  assert.deepEqual(of({ ...voided, offer: { id: "offer_1", to: { id: "user_c", nickname: "Cy" } } }), [], "the lot is promised");
  assert.deepEqual(of(voided, { unsold: new Set(["lot_1"]) }), [], "the lot had its turn again, and was sold");
  assert.deepEqual(of(voided, { unsold: new Set(["lot_2"]) }), [next, again]);
  assert.deepEqual(of({ ...voided, lotId: null }), [next]);
});

test("a row that changes keeps the others, and with them the focus", () => {
  const { body, update } = view({ me: { role: "host" }, userID: "user_h" });
  const button = shown(body, "button", "Offer again")[0];
  button.focus();
  update({ results: [voided, passed] });
  assert.equal(document.activeElement, button);
});

// What is offered to a bidder, and the totals without what was voided.
import assert from "node:assert/strict";
import { test } from "node:test";
import { momentOf, newsBetween, subjectOf } from "../../Sources/Page/attention.js";
import { makeOffers } from "../../Sources/Page/views/offers.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { shown } from "./support/page-dom.mjs";

const offer = { id: "offer_1", round: 1, lotId: null, item: { id: "item_1", name: "Vase" }, price: "90.00", total: "99.00", expiresAt: "2026-11-21T09:10:00.000Z" };

/** The offers of a bidder, and what was asked of the room. */
function view() {
  const body = mountedBody();
  const asked = [];
  const made = makeOffers({ acceptOffer: async (id) => { asked.push(["accept", id]); }, declineOffer: async (id) => { asked.push(["decline", id]); } });
  body.append(made.element);
  const update = (offers, me = {}) => made.update({ me: { role: "bidder", offers, ...me }, money: (amount) => `€${amount}`, archived: false });
  return { body, made, asked, update };
}

test("an offer is shown with its price, its total and its time, and is answered by one press", async () => {
  const { body, made, asked, update } = view();
  update([]);
  assert.equal(made.element.hidden, true);
  update([offer]);
  assert.equal(made.element.hidden, false);
  assert.match(body.textContent, /Vase.*€90\.00.*€99\.00/);
  made.tick(Date.parse(offer.expiresAt) - 61_000);
  assert.match(body.textContent, /1:01/);
  shown(body, "button", "Buy it for €99.00")[0].click();
  shown(body, "button", "Decline")[0].click();
  await turn();
  assert.deepEqual(asked, [["accept", "offer_1"], ["decline", "offer_1"]]);
  update([]);
  assert.equal(made.element.hidden, true);
});

const second = { ...offer, id: "offer_2", item: { id: "item_2", name: "Bowl" }, expiresAt: "2026-11-21T09:20:00.000Z" };

test("of two offers each has its own time and its own names, and the focus stays when one goes", () => {
  const { body, made, update } = view();
  update([offer, second]);
  made.tick(Date.parse(offer.expiresAt) - 60_000);
  assert.deepEqual(shown(body, ".offer-clock").map((each) => each.textContent), ["1:00", "11:00"]);
  assert.deepEqual(shown(body, ".offer button").map((each) => each.getAttribute("aria-label")),
    ["Buy it for €99.00: Vase", "Decline: Vase", "Buy it for €99.00: Bowl", "Decline: Bowl"]);
  assert.deepEqual(shown(body, ".offer-clock").map((each) => each.getAttribute("aria-live")), ["off", "off"], "seconds are not read aloud");
  const button = shown(body, ".offer button")[2];
  button.focus();
  update([second]);
  made.tick(Date.parse(offer.expiresAt));
  assert.deepEqual([document.activeElement === button, shown(body, ".offer-clock").map((each) => each.textContent)], [true, ["10:00"]]);
});

test("an answer that the server would refuse is not offered, and the reason is there", () => {
  const { body, update } = view();
  const labels = () => shown(body, ".offer button").map((each) => each.textContent);
  update([offer], { creditLimit: "80.00" });
  assert.deepEqual([labels(), shown(body, ".offer", "It is above your credit limit of €80.00.").length], [["Decline"], 1]);
  update([offer], { banned: true });
  assert.deepEqual([labels(), shown(body, ".offer", "The host has banned you").length], [[], 1]);
  update([offer], { creditLimit: "90.00" });
  assert.deepEqual(labels(), ["Buy it for €99.00", "Decline"]);
});

const of = (offers, more = {}) => ({
  room: { round: 2, name: "Evening sale", item: { id: "item_9", name: "Jug" }, sale: { running: true } }, phase: "closed", userID: "user_b", state: { result: null }, lots: { queued: [] },
  favourites: new Set(), ownBids: { of: () => undefined }, me: { role: "bidder", offers }, ...more,
});
const moment = (offers) => momentOf(of(offers));

test("a bidder is called for each new offer, once, by the name of its item", () => {
  assert.deepEqual(newsBetween(moment([]), moment([offer])), ["offer"]);
  assert.deepEqual(newsBetween(moment([offer]), moment([offer])), []);
  assert.deepEqual(newsBetween(moment([offer]), moment([])), []);
  assert.deepEqual(newsBetween(moment([offer]), moment([offer, second])), ["offer"]);
  assert.deepEqual(newsBetween(moment([offer, second]), moment([second])), [], "it was told before");
  assert.equal(subjectOf("offer", moment([offer]), of([offer, second])), "Bowl");
  assert.equal(subjectOf("offer", moment([]), of([offer, second])), "Vase, Bowl");
});

test("other calls name what they are about: the lot that comes, or the one that is up", () => {
  const lot = (name) => ({ id: `lot_${name}`, item: { name, owner: { id: "user_b" } } });
  const ownBids = { of: (id) => (id === "lot_Cup" ? { myBid: { state: "standing" } } : undefined) };
  const model = of([], { lots: { queued: [lot("Tray"), lot("Cup")] }, ownBids });
  assert.deepEqual(["next", "soon", "outbid"].map((kind) => subjectOf(kind, moment([]), model)), ["Tray", "Cup", "Jug"]);
  assert.equal(subjectOf("won", moment([]), { ...model, room: { ...model.room, item: null } }), "Evening sale");
});

// What is looked for among the lots, and what the user has marked.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Favourites } from "../../Sources/Page/favourites.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { fitsWords } from "../../Sources/Page/views/lot-filter.js";
import { makeLots } from "../../Sources/Page/views/lots.js";
import { mountedBody } from "./support/mounted.mjs";
import { ownBids } from "./support/own-bids.mjs";
import { shown } from "./support/page-dom.mjs";

test("a lot fits if it has all words, in any case and without accents, in its name, description, condition or number", () => {
  const lot = { item: { name: "Große Schüssel", description: "Delft, café au lait", condition: "Two hairlines" }, reference: "A-12", number: 7 };
  for (const words of ["", "schussel", "SCHÜSSEL delft", "cafe", "a-12", " große  ", "hairlines delft"]) assert.ok(fitsWords(lot, words), words);
  for (const words of ["teapot", "schussel teapot"]) assert.ok(!fitsWords(lot, words), words);
  assert.ok(fitsWords({ item: { name: "青瓷瓶", description: "" }, reference: null }, "瓷"));
});

test("marks are kept by room, and what somebody else has stored does no harm", () => {
  const kept = new Map();
  const storage = { get: (key) => kept.get(key) ?? null, set: (key, value) => kept.set(key, value), remove: (key) => kept.delete(key) };
  let changes = 0;
  const open = (room) => new Favourites(storage, room, () => { changes += 1; });
  const first = open("room_a");
  first.toggle("lot_1");
  first.toggle("lot_2");
  first.toggle("lot_1");
  assert.equal(changes, 3);
  assert.deepEqual(["lot_1", "lot_2"].map((id) => open("room_a").has(id)), [false, true]);
  assert.equal(open("room_b").size, 0);
  open("room_a").toggle("lot_2");
  assert.equal(kept.size, 0);
  for (const odd of ["{", "{}", "7", "null"]) {
    kept.set("auction-room.favourites.room_a", odd);
    assert.equal(open("room_a").size, 0, odd);
  }
});

test("the star of a lot marks it, says so, and keeps the focus", () => {
  for (const [language, label] of [["en", "Mark Vase"], ["zh", "标记 Vase"]]) {
    const body = mountedBody();
    setLanguage(language);
    const kept = new Map();
    const storage = { get: (key) => kept.get(key) ?? null, set: (key, value) => kept.set(key, value), remove: (key) => kept.delete(key) };
    const favourites = new Favourites(storage, "room_x", () => view.update(model()));
    const queued = ["Vase", "Bowl"].map((name, index) => ({ id: `lot_${index}`, number: index + 1, item: { id: `item_${index}`, name, description: "", owner: { id: "user_s" }, media: [] }, rules: { startingPrice: "1.00", format: "english" } }));
    const lots = { queued, cursor: null, current: null };
    const room = { id: "room_x", item: null, state: "preparing", round: 1, sale: { mode: "manual", queued: 2, lots: 2 } };
    const model = () => ({
      room, sale: room.sale, lots, ownBids: ownBids(), results: [], favourites, phase: "preparing", state: { result: null }, me: { role: "bidder" }, userID: "user_a", can: () => false, money: (amount) => `€${amount}`,
    });
    const view = makeLots({ model });
    body.append(view.element);
    view.update(model());
    const star = () => shown(body, "button.star").find((button) => button.getAttribute("aria-label") === label);
    assert.equal(star().getAttribute("aria-pressed"), "false");
    star().focus();
    star().click();
    assert.equal(star().getAttribute("aria-pressed"), "true");
    assert.equal(document.activeElement, star(), "the row was drawn again, and the focus went elsewhere");
    assert.deepEqual([...kept.values()], ['["lot_0"]']);
    star().click();
    assert.deepEqual([star().getAttribute("aria-pressed"), kept.size], ["false", 0]);
  }
  setLanguage("en");
});

test("a seller manages lots of their own, and none once they are banned or the room is archived", () => {
  const body = mountedBody();
  const room = { id: "room_x", item: null, state: "preparing", round: 1, sale: { mode: "manual", queued: 2, lots: 2 } };
  const queued = ["user_a", "user_s"].map((owner, index) => ({ id: `lot_${index}`, number: index + 1, item: { id: `item_${index}`, name: `Vase ${index}`, description: "", owner: { id: owner }, media: [] }, rules: { startingPrice: "1.00", format: "english" } }));
  const model = (more) => ({
    room, sale: room.sale, lots: { queued, cursor: null, current: null }, ownBids: ownBids(), results: [], favourites: new Set(), phase: "preparing", state: { result: null },
    me: { role: "auctioneer" }, userID: "user_a", archived: false, can: () => false, money: (amount) => `€${amount}`, ...more,
  });
  const view = makeLots({ model });
  body.append(view.element);
  const handles = (more) => { view.update(model(more)); return shown(body, ".lot-handle").map((each) => each.getAttribute("aria-label")); };
  assert.deepEqual(handles(), ["Move Vase 0: drag it, or press the arrow keys"]);
  assert.deepEqual(handles({ me: { role: "auctioneer", banned: true } }), []);
  assert.equal(handles().length, 1);
  assert.deepEqual(handles({ archived: true }), []);
});

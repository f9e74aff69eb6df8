// What is looked for among the lots, and what the user has marked.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Favourites } from "../../Sources/Page/favourites.js";
import { fitsWords } from "../../Sources/Page/views/lot-filter.js";

test("a lot fits if it has all words, in any case and without accents, in its name, description or number", () => {
  const lot = { item: { name: "Große Schüssel", description: "Delft, café au lait" }, reference: "A-12", number: 7 };
  for (const words of ["", "schussel", "SCHÜSSEL delft", "cafe", "a-12", " große  "]) assert.ok(fitsWords(lot, words), words);
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

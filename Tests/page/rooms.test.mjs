// The list of rooms, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setLanguage } from "../../Sources/Page/strings.js";
import { roomsView } from "../../Sources/Page/views/rooms.js";
import { makeDocument, shown } from "./support/page-dom.mjs";
import { mockTimeouts, tick } from "./support/timers.mjs";

const turn = () => new Promise(setImmediate);

test("the time that is left of a round goes on in the list, also where nothing else happens", async () => {
  setLanguage("en");
  mockTimeouts();
  const body = makeDocument();
  const row = (id, endsAt) => ({
    id, name: id, host: { id: "user_h", nickname: "Hana" }, currency: "EUR", visibility: "public", state: "auctioning", round: 1, seq: 9, itemName: "Vase",
    currentPrice: "20.00", endsAt, viewers: 1, openedAt: "2026-11-21T08:00:00.000Z",
  });
  const own = { ...row("room_a", "2026-11-21T10:00:00.000Z"), total: "22.50" };
  const others = [own, row("room_b", "2026-11-21T09:30:00.000Z"), row("room_c", null)];
  let now = Date.parse("2026-11-21T09:00:00.000Z");
  const page = (value) => ({ page: async () => value, async *pages() { yield value; } });
  const view = roomsView({
    clock: { now: () => now }, session: { user: { id: "user_a", nickname: "Ann" } }, storage: { get: () => null }, title() {},
    client: { rooms: () => page({ rooms: others, nextCursor: null }), myRooms: () => page({ rooms: [{ room: own, role: "bidder" }], nextCursor: null }) },
  });
  body.append(view.element);
  const left = async () => {
    await turn();
    return shown(body, ".room-card-left").map((each) => each.textContent);
  };
  assert.deepEqual(await left(), ["1:00:00", "30:00"]);
  assert.deepEqual(shown(body, ".room-card-total").map((each) => each.textContent), ["€22.50 with premium"]);
  now += 29 * 60_000;
  tick(10_000);
  assert.deepEqual(await left(), ["31:00"], "of the last minute the list says nothing");
  view.stop();
});

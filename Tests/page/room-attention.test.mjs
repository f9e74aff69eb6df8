// What a room does about a user who looks elsewhere, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setLanguage } from "../../Sources/Page/strings.js";
import { shown } from "./support/page-dom.mjs";
import { fixture, turn } from "./support/room-view-fixture.mjs";
import { mockTimeouts, tick } from "./support/timers.mjs";

setLanguage("en");
const [ann, bo, hana] = [["user_a", "Ann"], ["user_b", "Bo"], ["user_h", "Hana"]].map(([id, nickname]) => ({ id, nickname }));
/** A round in which Bo leads. */
const open = {
  state: "auctioning", item: { id: "item_1", name: "Bowl", owner: hana, media: [] }, rules: { format: "english", startingPrice: "5.00", increment: { fixed: "1.00" }, biddingSeconds: 60 },
  currentPrice: "20.00", currentBid: { id: "bid_9", amount: "20.00", bidder: bo, at: "2026-11-21T09:00:00.000Z" }, nextMinimum: "21.00", me: { role: "bidder" },
};

test("who is back and bids has read the news of their absence", async () => {
  mockTimeouts();
  const stored = [["auction-room.bids", JSON.stringify({ user: ann.id, bids: { room_x: { round: 1, item: "Bowl", amount: "15.00", leads: true } } })]];
  const { body, stop } = await fixture({ room: open, stored });
  const news = () => shown(body, ".away-news", "You were outbid on Bowl").length;
  assert.equal(news(), 1);
  tick(10_000);
  await turn();
  assert.equal(news(), 1);
  shown(body, "button", "Bid ¥21.00")[0].click();
  await turn();
  assert.equal(news(), 0);
  stop();
});

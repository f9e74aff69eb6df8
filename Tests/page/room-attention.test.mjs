// What a room does about a user who looks elsewhere, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Attention } from "../../Sources/Page/attention.js";
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

/** A phone: how it has vibrated, and how many locks keep its screen on. */
function phone() {
  const told = { buzzes: [], locks: 0, asked: [] };
  navigator.vibrate = (pattern) => { told.buzzes.push(pattern); return true; };
  navigator.wakeLock = {
    async request(kind) {
      told.asked.push(kind);
      told.locks += 1;
      const lock = { released: false, async release() { if (!lock.released) { lock.released = true; told.locks -= 1; } } };
      /** As the system does with a page that is not seen. */
      told.takeAway = () => lock.release();
      return lock;
    },
  };
  return told;
}

/** A room on a phone, and what happens there: events that are drawn at once. */
async function onPhone(room, isOn = true) {
  mockTimeouts();
  let told;
  const { server, ...view } = await fixture({ room, attention: (storage) => { told = phone(); return new Attention(storage); }, stored: isOn ? [["auction-room.attention", "on"]] : [] });
  let seq = 0;
  const happens = async (type, data = {}) => {
    seq += 1;
    server.send({ seq, type, at: "2026-11-21T09:00:30.000Z", round: 1, data });
    await turn();
    tick(1_000);
    await turn();
  };
  // What the room has been read with.
  for (let count = 0; count < 3; count += 1) await happens("of.another.kind");
  const look = async (isHidden) => {
    document.hidden = isHidden;
    document.dispatch("visibilitychange");
    await turn();
  };
  return { ...view, told, happens, look };
}

const bidOf = (bidder, amount) => ({ bidId: `bid_${amount}`, amount, bidder, leading: true, automatic: false, nextMinimum: `${Number(amount) + 1}.00`, endsAt: null });
const to = (from, next) => ({ from, to: next, cause: "countdown" });

test("the screen of a bidder stays on in a round, and no longer after it", async () => {
  const { told, happens, look, stop } = await onPhone(open);
  assert.deepEqual([told.locks, told.asked], [1, ["screen"]]);
  await happens("bid.placed", bidOf(ann, "21.00"));
  assert.deepEqual([told.locks, told.asked.length], [1, 1], "one lock is enough");
  told.takeAway();
  await look(true);
  await happens("bid.placed", bidOf(bo, "22.00"));
  assert.equal(told.locks, 0, "a page that is not seen gets none");
  await look(false);
  assert.equal(told.locks, 1, "back at the page it is on again");
  await happens("state.changed", to("auctioning", "paused"));
  assert.equal(told.locks, 1);
  await happens("state.changed", to("paused", "auctioning"));
  await happens("state.changed", to("auctioning", "closed"));
  assert.equal(told.locks, 0);
  await look(true);
  await look(false);
  assert.equal(told.locks, 0, "nor when the page is seen again");
  stop();
});

test("who leaves the room's view, only watches or waits for the next round has a screen that may go dark", async () => {
  const { told, stop } = await onPhone(open);
  assert.equal(told.locks, 1);
  stop();
  await turn();
  assert.equal(told.locks, 0);
  for (const more of [{ me: { role: "viewer" } }, { state: "closed" }, { state: "preparing", currentBid: null }]) {
    const other = await onPhone({ ...open, ...more });
    assert.deepEqual(other.told.asked, [], JSON.stringify(more));
    other.stop();
  }
  const host = await onPhone({ ...open, me: { role: "host" } });
  assert.deepEqual(host.told.asked, []);
  host.stop();
});

test("a phone vibrates when its user is outbid and when they win, if that is switched on", async () => {
  for (const isOn of [true, false]) {
    const { told, happens, stop } = await onPhone({ ...open, currentBid: { ...open.currentBid, bidder: ann } }, isOn);
    assert.deepEqual(told.buzzes, []);
    await happens("bid.placed", bidOf(bo, "21.00"));
    const outbid = told.buzzes.splice(0);
    await happens("bid.placed", bidOf(ann, "22.00"));
    await happens("bid.placed", bidOf(ann, "23.00"));
    assert.deepEqual(told.buzzes, [], "who leads is not called");
    await happens("item.sold", { winner: ann, price: "23.00" });
    await happens("state.changed", to("auctioning", "closed"));
    assert.deepEqual([outbid.length, told.buzzes.length], isOn ? [1, 1] : [0, 0], String(isOn));
    if (isOn) assert.notDeepEqual(outbid, told.buzzes, "one feels which it is");
    stop();
  }
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Problem, Unreachable } from "../../Sources/Page/client/auction-client.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { makeUnanswered } from "../../Sources/Page/views/unanswered.js";
import { mockTimeouts, tick } from "./support/timers.mjs";

const turn = async () => { for (let count = 0; count < 5; count += 1) await null; };
const money = (amount) => `€${amount}`;
const mine = (id, amount) => ({ id, round: 1, amount, bidder: { id: "me" } });
const before = { room: { round: 1, rules: {} }, state: { bids: [mine("bid_1", "100.00")] }, userID: "me", money };

let answers, told, asked, unanswered;
beforeEach(() => {
  setLanguage("en");
  mockTimeouts();
  [answers, told, asked] = [[], [], 0];
  unanswered = makeUnanswered(async () => {
    asked += 1;
    const answer = answers.shift() ?? new Unreachable();
    if (answer instanceof Error) throw answer;
    return { isAll: true, me: {}, ...answer };
  }, (...words) => told.push(words.join(" | ")));
});

async function tells(body, answer, model = before) {
  told.length = 0;
  answers.push(answer);
  const lost = Object.assign(new Unreachable(), { mayHaveExecuted: true });
  assert.match(unanswered.about(lost, body, model).told, body.floor ? /the floor bid may have been entered or not/ : /your bid may have been placed or not/);
  await turn();
  return told.join();
}

test("what became of a bid without an answer is told by the bids, and only what they tell", async () => {
  const known = mine("bid_1", "100.00");
  assert.equal(await tells({ amount: "120" }, { bids: [mine("bid_9", "120.00"), known] }), "Connected again: your bid of €120.00 was placed. | good");
  assert.match(await tells({ amount: "120" }, { bids: [{ ...mine("bid_9", "120.00"), bidder: { id: "bo" } }, known] }), /not among the bids/);
  assert.match(await tells({ amount: "100" }, { bids: [known] }), /not among the bids/, "an earlier bid is another one");
  assert.match(await tells({ amount: "much" }, { bids: [known] }), /not among the bids/);
  assert.equal(await tells({ maximum: "500" }, { bids: [known], me: { maximum: "500.00" } }), "Your maximum is now €500. | good");
  assert.match(await tells({ maximum: "500" }, { bids: [known], me: { maximum: "300.00" } }), /your maximum has not changed/);
  assert.equal(await tells({ amount: "120" }, { bids: [], isAll: false }), "", "it may be among those that were not read");
  const sealed = { ...before, room: { round: 1, rules: { format: "vickrey" } } };
  assert.equal(await tells({ amount: "120" }, { bids: [], me: { sealedAmount: "120.00" } }, sealed), "Connected again: your bid of €120 was placed. | good");
});

test("a bid that was entered for the floor is looked for among those of the floor", async () => {
  const ofFloor = (more) => ({ ...mine("bid_9", "120.00"), bidder: { id: "user_floor" }, floor: true, ...more });
  const entered = "Connected again: the floor bid of €120.00 was entered. | good";
  const body = { amount: "120", floor: { paddle: "217" } };
  assert.equal(await tells(body, { bids: [ofFloor()] }), entered);
  assert.equal(await tells(body, { bids: [ofFloor({ paddle: "217" })] }), entered);
  for (const bid of [mine("bid_9", "120.00"), ofFloor({ paddle: "9" }), ofFloor({ amount: "110.00" })]) assert.match(await tells(body, { bids: [bid] }), /the floor bid is not among the bids/);
  assert.match(await tells({ amount: "120" }, { bids: [ofFloor()] }), /your bid is not among the bids/, "one's own bid is not that of the floor");
});

test("a bid is found also where the server has recorded another amount than was sent", async () => {
  const placed = (amount) => `Connected again: your bid of €${amount} was placed. | good`;
  const of = (rules) => ({ ...before, room: { round: 1, rules } });
  const both = { amount: "120", maximum: "300" };
  assert.equal(await tells(both, { bids: [mine("bid_9", "300.00")] }), placed("300.00"), "it was outbid at its maximum");
  assert.equal(await tells(both, { bids: [mine("bid_9", "210.00")] }), placed("210.00"), "it had to pass a maximum");
  assert.equal(await tells({ amount: "90.00" }, { bids: [mine("bid_9", "80.00")] }, of({ format: "dutch" })), placed("80.00"), "the price had dropped");
  assert.equal(await tells({ amount: "600" }, { bids: [mine("bid_9", "500.00")] }, of({ buyNowPrice: "500.00" })), placed("500.00"));
  for (const amount of ["310.00", "110.00"]) assert.match(await tells(both, { bids: [mine("bid_9", amount)] }), /not among the bids/);
});

test("of a maximum that was raised no automatic bid tells anything, nor what is known of another round", async () => {
  const leads = { ...before, room: { ...before.room, currentBid: { id: "bid_1", bidder: { id: "me" } } } };
  const known = mine("bid_1", "100.00");
  const automatic = { ...mine("bid_9", "160.00"), automatic: true };
  assert.match(await tells({ maximum: "500" }, { bids: [automatic, known], me: { maximum: "300.00" } }, leads), /your maximum has not changed/);
  assert.equal(await tells({ maximum: "500" }, { bids: [automatic, known], me: { maximum: "500.00" } }, leads), "Your maximum is now €500. | good");
  for (const me of [{}, null]) assert.equal(await tells({ maximum: "500" }, { bids: [known], me }, leads), "", "it may have been raised and passed");
});

test("it is looked for until the server answers, and no longer than the room is shown", async () => {
  await tells({ amount: "120" }, new Unreachable());
  assert.deepEqual([told, asked], [[], 1]);
  tick(2_000);
  await turn();
  assert.equal(asked, 2);
  answers.push({ bids: [] });
  unanswered.check();
  await turn();
  assert.match(told.join(), /not among/);
  assert.equal(asked, 3);
  await tells({ amount: "130" }, new Unreachable());
  unanswered.stop();
  tick(10_000);
  await turn();
  assert.deepEqual([told, asked], [[""], 4]);
  assert.equal(await tells({ amount: "130" }, new Problem({ code: "room.not_found", type: "/problems/x" }, 404)), "", "there is no room to read");
  tick(10_000);
  assert.equal(asked, 5);
});

test("a bid that was certainly not placed is not looked for", async () => {
  assert.equal(unanswered.about(new Unreachable(), { amount: "120" }, before).told, undefined);
  await turn();
  assert.equal(asked, 0);
});

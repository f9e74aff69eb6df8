// Users whom the reader does not want to see.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Blocks } from "../../Sources/Page/blocks.js";
import { shown } from "./support/page-dom.mjs";
import { fixture, turn } from "./support/room-view-fixture.mjs";
import { mockTimeouts, tick } from "./support/timers.mjs";

const [bo, cy] = [{ id: "user_b", nickname: "Bo" }, { id: "user_c", nickname: "Cy" }];
const message = (id, author) => ({ id, seq: 1, author, text: "Hello" });

function blocked(...ids) {
  const told = { calls: [], changes: 0 };
  const client = {
    blocks: () => ({ all: async () => ids.map((userId, index) => ({ userId, blockedAt: `2026-11-2${index}T09:00:00.000Z` })) }),
    async block(id) { told.calls.push(["block", id]); return { userId: id, blockedAt: "2026-11-29T09:00:00.000Z" }; },
    async unblock(id) { told.calls.push(["unblock", id]); },
  };
  return { told, blocks: new Blocks(client, () => { told.changes += 1; }) };
}

const words = { blocked: "Blocked user", floor: "Floor" };
const state = {
  messages: [message("m1", bo), message("m2", cy), { id: "s3", seq: 3, key: "state.listing" }],
  bids: [{ id: "b1", bidder: bo }, { id: "b2", bidder: cy }], result: { kind: "sold", winner: bo },
  people: new Map([[bo.id, { user: bo, role: "bidder" }], [cy.id, { user: cy, role: "viewer" }]]),
  room: { host: cy, currentBid: { id: "b1", bidder: bo } },
};

test("messages of blocked users are left out, and their names are others; their bids stay", async () => {
  const { blocks } = blocked(bo.id);
  await blocks.read();
  const masked = blocks.masked(state, words);
  const names = [masked.bids[0].bidder, masked.result.winner, masked.room.currentBid.bidder, masked.people.get(bo.id).user];
  assert.deepEqual(names, names.map(() => ({ id: bo.id, nickname: "Blocked user" })));
  assert.deepEqual([masked.messages.map(({ id }) => id), masked.bids[1].bidder, masked.room.host], [["m2", "s3"], cy, cy]);
  assert.equal(blocks.masked(state, words), masked, "the same for the same state");
  assert.equal(masked.people.get(cy.id), state.people.get(cy.id), "and for a part without them");
  assert.equal(blocks.masked(state, { ...words, blocked: "已屏蔽用户" }).bids[0].bidder.nickname, "已屏蔽用户");
  assert.deepEqual(state.bids[0].bidder, bo, "the state itself stays");
});

test("also on the stage, in lots, results and offers blocked users have the other name, however deep", async () => {
  const { blocks } = blocked(bo.id);
  await blocks.read();
  const named = JSON.stringify(blocks.masked([
    { seats: [{ occupant: { user: bo, role: "bidder" } }], queue: [{ guest: bo }], handshake: { guest: bo } }, { winner: bo, offer: { to: bo }, voided: { winner: bo, by: cy }, seller: bo },
    { queued: [{ item: { owner: bo } }], current: { result: { winner: bo } } }, { reason: "no_bids", winner: null },
  ], words));
  assert.ok(!named.includes(bo.nickname) && named.includes(cy.nickname), named);
});

test("the floor has its name in the reader's language, also without blocks", () => {
  const { blocks } = blocked();
  const floor = { id: "user_floor", nickname: "Floor" };
  const bids = [{ bidder: floor }, { bidder: bo }];
  assert.deepEqual(blocks.masked(bids, { ...words, floor: "现场" }).map(({ bidder }) => bidder.nickname), ["现场", "Bo"]);
  assert.equal(blocks.masked(bids, words), bids);
});

test("without blocks a state is shown as it is, and each change is told", async () => {
  const { blocks, told } = blocked();
  await blocks.read();
  assert.equal(blocks.masked(state, words), state);
  await blocks.block(bo.id);
  await blocks.block(cy.id);
  assert.deepEqual([blocks.has(bo.id), blocks.size, blocks.list.map(({ userId }) => userId).sort()], [true, 2, [bo.id, cy.id]]);
  await blocks.unblock(bo.id);
  assert.deepEqual([blocks.has(bo.id), told.changes, told.calls.at(-1)], [false, 4, ["unblock", bo.id]]);
});

/** The room as a reader sees it who may report, after Bo has written. */
async function written() {
  mockTimeouts();
  const { body, server, stop } = await fixture({ room: { allowedActions: ["sendMessage", "reportMessage"] } });
  let seq = 0;
  const drawn = async () => { await turn(); tick(1_000); await turn(); };
  const happens = async (type, data = {}) => {
    seq += 1;
    server.send({ seq, type, at: "2026-11-21T09:00:30.000Z", round: 1, data });
    await drawn();
  };
  // What the room has been read with.
  for (let count = 0; count < 3; count += 1) await happens("of.another.kind");
  await happens("member.joined", { member: bo, role: "bidder" });
  await happens("bid.placed", { bidId: "b1", amount: "120.00", bidder: bo, leading: true, automatic: false, nextMinimum: "130.00", reserveMet: null, endsAt: null });
  await happens("message.sent", { messageId: "m4", author: bo, text: "You fool" });
  shown(body, "[role=tab]", "Chat")[0].click();
  return { body, server, stop, drawn };
}

test("in a room a reader blocks a user by the people, and takes it back by the list", async () => {
  const { body, server, stop, drawn } = await written();
  assert.equal(shown(body, ".chat-text", "You fool").length, 1);
  shown(body, ".chat-line button")[0].click();
  assert.deepEqual(shown(body, "dialog .menu button").map((each) => each.textContent), ["Report", "Block"]);
  shown(body, "dialog .menu button", "Block")[0].click();
  await drawn();
  assert.deepEqual([shown(body, ".chat-text", "You fool").length, server.blocked], [0, [bo.id]]);
  shown(body, "[role=tab]", "Bids")[0].click();
  assert.deepEqual(shown(body, ".bid-who").map((each) => each.textContent), ["Blocked user"]);
  shown(body, "[role=tab]", "People")[0].click();
  assert.equal(shown(body, ".person-name", "Blocked user").length, 1);
  shown(body, "button", "Users you block")[0].click();
  shown(body, "dialog button", "Unblock")[0].click();
  await drawn();
  assert.deepEqual([shown(body, ".person-name", "Bo").length, server.blocked], [1, []]);
  stop();
});

test("a reader reports a message with a reason", async () => {
  const { body, server, stop, drawn } = await written();
  shown(body, ".chat-line button")[0].click();
  shown(body, "dialog .menu button", "Report")[0].click();
  shown(body, "dialog textarea")[0].value = "An insult.";
  shown(body, "dialog [type=submit]")[0].click();
  await drawn();
  assert.deepEqual(server.reported, [["m4", { reason: "An insult." }]]);
  assert.equal(shown(body, ".note", "Reported to the host.").length, 1);
  stop();
});

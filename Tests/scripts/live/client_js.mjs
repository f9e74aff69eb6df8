// An auction by the JavaScript client, on a server that is killed and started again while it runs.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuctionClient } from "../../../Sources/Page/client/auction-client.js";
import { Server, requireBinary } from "./program.mjs";

const kills = 4;
const bidsBetween = 6;

requireBinary();
const folder = mkdtempSync(join(tmpdir(), "auction-room-client-"));
const store = `sqlite:${folder}/rooms.db`;
let server = await Server.start(store);
const port = server.port;
const clientOf = (options = {}) => new AuctionClient({ baseURL: `http://127.0.0.1:${port}`, ...options });

/** Follows a room and keeps the seqs, the states and what the connection went through. */
function watch(name, client, room, options) {
  const follow = client.room(room).follow(options);
  const seen = { name, follow, seqs: [], statuses: [], last: null };
  follow.on("status", (status) => seen.statuses.push(status));
  seen.done = (async () => {
    for await (const { event, state, isNew } of follow) {
      // A room that was read in between may be ahead of its events, but never behind.
      assert.ok(isNew ? state.room.seq === event.seq : state.room.seq >= event.seq, `${name}: after event ${event.seq} the room is at ${state.room.seq}`);
      seen.seqs.push(event.seq);
      seen.last = state;
    }
  })();
  return seen;
}

async function reached(seen, seq) {
  const until = Date.now() + 30_000;
  while ((seen.seqs.at(-1) ?? 0) < seq) {
    assert.ok(Date.now() < until, `${seen.name} has ${seen.seqs.at(-1)}, not ${seq}: ${JSON.stringify(seen.follow.status)}`);
    await new Promise((resolve) => { const off = seen.follow.on("change", () => { off(); resolve(); }); setTimeout(resolve, 200); });
  }
}

/** Bids of a banned bidder are taken back: what the others see of the rest, from events, is what the server lists. */
async function retractions(host, shill, ann, bo) {
  const { id } = await host.openRoom({ name: "Shills" });
  for (const client of [shill, ann, bo]) await client.room(id).join({ role: "bidder" });
  await host.room(id).queueLot({ name: "Vase", rules: { startingPrice: "100", increment: { fixed: "10" }, listingSeconds: 0, biddingSeconds: 3600 } });
  while ((await host.room(id).startAuction()).state !== "auctioning");
  const early = host.room(id).follow().start();
  const place = async (client, bid) => {
    const outcome = await client.room(id).bid({ round: 1, ...bid });
    assert.ok(outcome.bid, `${JSON.stringify(bid)} is ${outcome.kind}: ${outcome.rule}`);
    return outcome.bid.id;
  };
  const own = await place(shill, { amount: "100", maximum: "500" });
  await place(bo, { amount: "150", maximum: "300" });
  await place(bo, { amount: "320", maximum: "330" });
  await place(ann, { amount: "350", maximum: "600" });
  const second = await place(shill, { maximum: "800" });
  await place(bo, { amount: "700", maximum: "750" });
  await host.room(id).changeMember(shill.user.id, { banned: true });
  for (const taken of [second, own]) {
    await host.room(id).retractBid(taken, "a shill");
    const late = host.room(id).follow({ history: 100 }).start();
    const listed = (await bo.room(id).bids().all()).reverse().map(({ id: bid, amount, leading, automatic }) => [bid, amount, leading, automatic]);
    for (const [name, follow] of [["early", early], ["late", late]]) {
      const until = Date.now() + 20_000;
      const shown = () => follow.state.bids.filter((bid) => !bid.retracted).map(({ id: bid, amount, leading, automatic }) => [bid, amount, leading, automatic]);
      while (JSON.stringify(shown()) !== JSON.stringify(listed)) {
        assert.ok(Date.now() < until, `who came ${name} sees ${JSON.stringify(shown())}, the server lists ${JSON.stringify(listed)}`);
        await new Promise((resolve) => { setTimeout(resolve, 50); });
      }
    }
    late.stop();
  }
  early.stop();
}

try {
  const [host, seller, ann, bo, anonymous] = Array.from({ length: 5 }, () => clientOf());
  for (const [client, name] of [[host, "Hana"], [seller, "Sato"], [ann, "Ann"], [bo, "Bo"]]) await client.signIn(name);
  const { id } = await host.openRoom({ name: "Evening sale" });
  await seller.room(id).join();
  await host.room(id).changeMember(seller.user.id, { role: "auctioneer" });
  for (const client of [ann, bo]) await client.room(id).join({ role: "bidder" });
  const watchers = [watch("by sse", ann, id), watch("by poll", bo, id, { transports: ["poll"] }), watch("anonymous", anonymous, id)];
  for (const seen of watchers) while (seen.follow.status.state !== "live") await new Promise((resolve) => { seen.follow.on("status", resolve); });
  const begins = watchers.map((seen) => seen.follow.cursor);

  await seller.room(id).uploadItem({ name: "Blue bowl", rules: { startingPrice: "100", increment: { fixed: "10" }, listingSeconds: 0, biddingSeconds: 3600 } });
  await host.room(id).startAuction({ expectedState: "preparing" });

  // Refused, with the rule and what it requires.
  const low = await ann.room(id).bid({ amount: "5", round: 1 });
  assert.deepEqual([low.kind, low.rule, low.required, low.actual], ["refused", "bid.below_minimum", "100.00", "5.00"]);
  assert.ok(low.allowedActions.includes("placeBid") && low.requestID);
  const banned = await anonymous.room(id).bid({ amount: "100", round: 1 }).catch((error) => error);
  assert.deepEqual([banned.status, banned.code], [401, "token.missing"]);

  // Bids and messages go on while the server is killed: what was sent into the outage is repeated with its key.
  const outcomes = [];
  let amount = 100n;
  for (let round = 0; round < kills; round += 1) {
    let killing = null;
    for (let count = 0; count < bidsBetween; count += 1) {
      // Not awaited: this bid and the next ones are sent while it dies, and while it is gone.
      if (count === bidsBetween / 2) killing = server.kill().then(async () => { server = await Server.start(store, port); });
      const client = count % 2 ? bo : ann;
      let outcome = await client.room(id).bid({ amount: String(amount), round: 1 });
      while (outcome.kind === "unknown") outcome = await client.send(JSON.parse(JSON.stringify(outcome.command)));
      outcomes.push([String(amount), outcome.kind, outcome.rule ?? null]);
      await client.room(id).sendMessage(`bid ${amount}`);
      amount += 10n;
    }
    await killing;
    const { seq } = await host.room(id).read();
    for (const seen of watchers) await reached(seen, seq);
  }
  assert.deepEqual(outcomes.filter(([, kind]) => kind !== "leading"), [], "every bid was next in turn");

  // A proxy bid is beaten at once; then the hammer.
  assert.equal((await ann.room(id).bid({ maximum: "900", round: 1 })).kind, "leading");
  assert.equal((await bo.room(id).bid({ amount: "500", round: 1 })).kind, "outbid");
  assert.deepEqual((await bo.myBids().all()).map(({ room, standing, amount }) => [room.id, standing, amount]), [[id, "outbid", "500.00"]]);
  await host.room(id).endAuction();
  const final = await ann.room(id).read();
  for (const seen of watchers) await reached(seen, final.seq);

  const all = await anonymous.room(id).history().all();
  assert.deepEqual(all.map((event) => event.seq), Array.from({ length: final.seq }, (_, index) => index + 1));
  for (const [index, seen] of watchers.entries()) {
    assert.deepEqual(seen.seqs, all.slice(begins[index]).map((event) => event.seq), `${seen.name}: events are lost or doubled`);
    for (const member of ["state", "currentPrice", "currentBid", "endsAt", "round", "seq"]) assert.deepEqual(seen.last.room[member], final[member], `${seen.name}: ${member}`);
    assert.ok(seen.statuses.filter(({ state }) => state === "live").length > kills, `${seen.name} did not notice every kill: ${JSON.stringify(seen.statuses.map(({ state, reason }) => `${state} ${reason}`))}`);
  }
  const placed = all.filter((event) => event.type === "bid.placed" && !event.data.automatic).map((event) => event.data.amount);
  assert.equal(new Set(placed).size, placed.length, `bids placed twice: ${placed}`);
  const [result] = await anonymous.room(id).results().all();
  assert.deepEqual([result.winner.nickname, result.price], ["Ann", final.currentPrice]);
  assert.ok(Math.abs(ann.clock.offset) < 2_000 && ann.clock.uncertainty < 2_000, `offset ${ann.clock.offset} ± ${ann.clock.uncertainty}`);

  assert.deepEqual((await ann.myWins().all()).map((win) => [win.room.id, win.price]), [[id, final.currentPrice]]);
  assert.deepEqual((await bo.myRooms().all()).map((own) => [own.room.id, own.role]), [[id, "bidder"]]);
  await bo.setNickname("Bob");
  assert.deepEqual([(await bo.me()).user.nickname, bo.user.nickname], ["Bob", "Bob"]);

  await retractions(host, seller, ann, bo);

  // The end of the room ends every loop.
  await host.room(id).archive();
  await Promise.all(watchers.map((seen) => seen.done));
  assert.deepEqual(watchers.map((seen) => seen.follow.status.reason), ["archived", "archived", "archived"]);
  console.log(`client-js: ${outcomes.length + 2} bids and ${all.length} events over ${kills} kills, each once: ${watchers.map((seen) => `${seen.name} ${seen.seqs.length}`).join(", ")}`);
} finally {
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
}

// Commands on a network that loses requests and responses, for many seeds: none is executed twice, and no outcome says what is not so.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AuctionClient } from "../../Sources/Page/client/auction-client.js";
import { generator } from "./simulation/random.mjs";

const seeds = Number(process.env.SEEDS ?? 600);

/** Accepts a bid once for each key, and refuses every third. */
class BidServer {
  executed = new Map();
  decide(key, amount, random) {
    if (this.executed.has(key)) return { status: 201, body: this.executed.get(key), replayed: true };
    // Decided before the key: they say nothing about an earlier attempt.
    if (random.chance(0.05)) return { status: 429, body: { code: "rate.exceeded" } };
    if (random.chance(0.05)) return { status: 503, body: { code: "service.unavailable" } };
    if (Number(amount) % 3 === 0) return { status: 422, body: { code: "bid.below_minimum", permission: { rule: "bid.below_minimum" } } };
    const body = { bid: { id: `bid_${amount}`, leading: true }, room: { seq: 1, currentBid: {} } };
    this.executed.set(key, body);
    // Executed, but the server could not learn that it is durable.
    return random.chance(0.1) ? { status: 503, body: { code: "service.outcome_unknown" } } : { status: 201, body };
  }
}

function scene(random) {
  const server = new BidServer();
  const fetching = async (address, { headers, body }) => {
    if (random.chance(0.25)) throw new TypeError("the request was lost");
    const { status, body: answer, replayed } = server.decide(headers["Idempotency-Key"], JSON.parse(body).amount, random);
    if (random.chance(0.25)) throw new TypeError("the response was lost");
    if (random.chance(0.05)) return new Response("<html>Bad gateway</html>", { status: 502 });
    return new Response(JSON.stringify(answer), { status, headers: replayed ? { "Idempotency-Replayed": "true" } : {} });
  };
  const client = new AuctionClient({
    baseURL: "https://auction.example", token: "t", fetch: fetching, random: random.next,
    clock: { now: () => 0, monotonic: () => 0, clearTimeout() {}, setTimeout: (act, ms) => { if (ms < 10_000) queueMicrotask(act); } },
  });
  return { client, server };
}

test(`no bid is placed twice, and no outcome is guessed (${seeds} seeds)`, async () => {
  const counts = {};
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = generator(seed);
    const { client, server } = scene(random);
    for (let amount = 1; amount <= 6; amount += 1) {
      const command = client.room("room_x").prepareBid({ amount: String(amount) });
      let outcome = await client.send(command, { retries: random.below(5) }).catch((error) => ({ kind: "failed", error }));
      counts[outcome.kind] = (counts[outcome.kind] ?? 0) + 1;
      const wasPlaced = () => server.executed.has(command.key);
      if (outcome.kind === "leading") assert.ok(wasPlaced(), `SEED=${seed}: it leads, and was never placed`);
      if (outcome.kind === "refused" || outcome.kind === "failed") assert.ok(!wasPlaced(), `SEED=${seed}: ${outcome.kind}, and it was placed`);
      // As after a reload: what is unknown becomes known, without a second bid.
      for (let attempt = 0; outcome.kind === "unknown" && attempt < 50; attempt += 1) {
        outcome = await client.send(random.chance(0.5) ? JSON.parse(JSON.stringify(command)) : command).catch((error) => ({ kind: "failed", error }));
        if (outcome.kind === "leading") assert.ok(wasPlaced(), `SEED=${seed}: it leads, and was never placed`);
        if (outcome.kind === "refused" || outcome.kind === "failed") assert.ok(!wasPlaced(), `SEED=${seed}: ${outcome.kind} when sent again, and it was placed`);
      }
      assert.notEqual(outcome.kind, "unknown", `SEED=${seed}`);
    }
    assert.ok(server.executed.size <= 4, `SEED=${seed}: ${server.executed.size} bids of four acceptable ones`);
  }
  for (const kind of ["leading", "refused", "unknown", "failed"]) assert.ok(counts[kind] > 10, `${kind}: ${counts[kind]}`);
});

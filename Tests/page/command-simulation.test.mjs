// Commands on a network that loses and delays requests and responses, behind something that responds in the server's place, with a provider of
// tokens that fails or hangs, for many seeds: none is executed twice, and no outcome says what is not so.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AuctionClient } from "../../Sources/Page/client/auction-client.js";
import { generator } from "./simulation/random.mjs";
import { tokenOf } from "./support/client-fixture.mjs";

const seeds = Number(process.env.SEEDS ?? 600);

const refuse = (status, code, more) => ({ status, body: { type: "/problems/of-a-kind", code, ...more } });

/** Accepts a bid once for each key, and refuses every third. */
class BidServer {
  executed = new Map();
  decide(key, amount, random) {
    // A token is checked before the key.
    if (random.chance(0.05)) return refuse(401, "token.expired");
    if (this.executed.has(key)) return { status: 201, body: this.executed.get(key), replayed: true };
    // Decided before the key: they say nothing about an earlier attempt.
    if (random.chance(0.05)) return refuse(429, "bid.rate");
    if (random.chance(0.05)) return refuse(random.pick([500, 503]), random.pick(["service.unavailable", "service.overloaded", "service.internal_error", "server.busy"]));
    if (Number(amount) % 3 === 0) return refuse(422, "bid.below_minimum", { permission: { rule: "bid.below_minimum" } });
    const body = { bid: { id: `bid_${amount}`, leading: true }, room: { seq: 1, currentBid: {} }, receipt: {} };
    this.executed.set(key, body);
    // Executed, but the server could not learn that it is durable.
    return random.chance(0.1) ? refuse(503, "service.outcome_unknown") : { status: 201, body };
  }
}

/** What something in between responds with: an error page, or a portal's page where the server would have succeeded. */
const foreign = (random) => random.pick([
  () => new Response("<html>Bad gateway</html>", { status: 502 }), () => new Response("<html>Blocked</html>", { status: 403 }),
  () => new Response("<html>Not found</html>", { status: 404 }), () => new Response('{"code":"E17"}', { status: 409 }),
  () => new Response("", { status: 200 }), () => new Response("{}", { status: 200 }), () => new Response("<html>Sign in</html>", { status: 200 }),
])();

function fixture(random) {
  const server = new BidServer();
  /** Requests that something in between still holds. */
  const held = [];
  const limits = new Set();
  const fetching = async (address, { headers, body }) => {
    const execute = () => server.decide(headers["Idempotency-Key"], JSON.parse(body).amount, random);
    while (held.length > 0 && random.chance(0.5)) held.shift()();
    if (random.chance(0.1)) held.push(execute);
    else if (random.chance(0.85)) return respond(execute());
    if (random.chance(0.2)) return foreign(random);
    throw new TypeError("the request was lost, or is late");
  };
  const respond = ({ status, body: answer, replayed }) => {
    if (random.chance(0.25)) throw new TypeError("the response was lost");
    if (random.chance(0.1)) return foreign(random);
    return new Response(JSON.stringify(answer), { status, headers: replayed ? { "Idempotency-Replayed": "true" } : {} });
  };
  /** Throws, hangs until the request's time is over, or has a new token of the same user. */
  const tokenProvider = async () => {
    if (random.chance(0.3)) throw new Error("the provider failed");
    if (random.chance(0.3)) {
      queueMicrotask(() => { for (const limit of [...limits]) { limits.delete(limit); limit.act(); } });
      return new Promise(() => {});
    }
    return tokenOf("user_a", random.below(1e6));
  };
  const client = new AuctionClient({
    baseURL: "https://auction.example", token: tokenOf("user_a"), tokenProvider, fetch: fetching, random: random.next,
    clock: {
      now: () => 0, monotonic: () => 0, clearTimeout: (limit) => limits.delete(limit),
      setTimeout(act, ms) {
        const limit = { act };
        if (ms < 10_000) queueMicrotask(act); else limits.add(limit);
        return limit;
      },
    },
  });
  return { client, server };
}

test(`no bid is placed twice, and no outcome is guessed (${seeds} seeds)`, async () => {
  const counts = {};
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = generator(seed);
    const { client, server } = fixture(random);
    for (let amount = 1; amount <= 6; amount += 1) {
      const command = client.room("room_x").prepareBid({ amount: String(amount), round: 1 });
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

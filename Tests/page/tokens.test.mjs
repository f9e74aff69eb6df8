// Providers of tokens that fail, hang, or use the client that asks them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AuctionClient } from "../../Sources/Page/client/auction-client.js";

const turn = async (count = 8) => { for (; count > 0; count -= 1) await new Promise(setImmediate); };
const json = (body, status = 200) => new Response(JSON.stringify(body.code ? { type: "/problems/of-a-kind", ...body } : body), { status });

/** A server that accepts `valid` tokens, and gives guests and renewals the token "new". Time passes by `pass`. */
function fixture({ valid = ["new"], anonymousReads = false, provider, ...options }) {
  const calls = [];
  const timers = new Set();
  const client = new AuctionClient({
    baseURL: "https://auction.example", ...options,
    ...(provider ? { tokenProvider: (question) => provider(client, question) } : {}),
    clock: {
      now: () => 0, monotonic: () => 0, clearTimeout: (timer) => timers.delete(timer),
      setTimeout: (act, ms) => { const timer = { act, ms }; timers.add(timer); return timer; },
    },
    fetch: async (address, { method, headers }) => {
      calls.push([address.slice("https://auction.example".length), headers.Authorization ?? null]);
      if (address.endsWith("/v1/guests")) return json({ user: { id: "user_a" }, token: "new" }, 201);
      const isValid = valid.includes(headers.Authorization?.slice("Bearer ".length)) || (anonymousReads && method === "GET" && !headers.Authorization);
      if (!isValid) return json({ code: headers.Authorization ? "token.expired" : "token.missing" }, 401);
      return json(address.endsWith("/renew") ? { user: { id: "user_a" }, token: "new" } : { seq: 1, state: "preparing" });
    },
  });
  /** Every timer of at most so many milliseconds runs out. */
  const pass = async (ms) => {
    for (const timer of [...timers]) if (timer.ms <= ms) { timers.delete(timer); timer.act(); }
    await turn();
  };
  return { client, calls, pass, room: client.room("room_x"), timers };
}

test("a provider may sign a guest in with the client that asks it", async () => {
  const { room, calls, client } = fixture({ provider: async (of) => (await of.signIn("Ann")).token });
  assert.equal((await room.read()).seq, 1);
  assert.deepEqual(calls, [["/v1/guests", null], ["/v1/rooms/room_x", "Bearer new"]]);
  assert.equal(client.user.id, "user_a");
});

test("a provider may renew the token with the client that asks it, and a renewal that is refused ends", async () => {
  const provider = async (of) => (await of.renewToken()).token;
  let first = true;
  const renewed = fixture({ token: "old", provider: async (of) => { of.useToken(first ? "new" : "x"); first = false; return (await of.renewToken()).token; } });
  assert.equal((await renewed.room.read()).seq, 1);
  const refused = fixture({ token: "old", provider });
  await assert.rejects(refused.room.read(), (error) => error.code === "client.tokenProvider" && error.cause.code === "token.expired");
  assert.deepEqual(refused.calls.map(([path]) => path), ["/v1/rooms/room_x", "/v1/tokens/renew"]);
});

test("a provider that waits for another request of its client fails clearly, and soon enough", async () => {
  const { room, pass } = fixture({ provider: async (of) => { await of.room("room_y").read(); return "new"; } });
  const reading = room.read().catch((error) => error);
  await turn();
  await pass(20_000);
  assert.equal((await reading).code, "client.tokenProvider");
});

test("waiting for a provider ends with the signal, and with the request's time", async () => {
  const { room, pass, timers } = fixture({ provider: () => new Promise(() => {}) });
  const abort = new AbortController();
  const aborted = room.read({ signal: abort.signal }).catch((error) => error);
  const timed = room.read().catch((error) => error);
  await turn();
  abort.abort(new RangeError("enough"));
  assert.ok(await aborted instanceof RangeError);
  await pass(20_000);
  assert.deepEqual([(await timed).code, (await timed).mayHaveExecuted, timers.size], ["client.tokenProvider", false, 1]);
});

test("a provider that never returns is asked again after two minutes, and its late answer still counts", async () => {
  const answers = [];
  const { room, pass, calls, client } = fixture({ provider: () => new Promise((resolve) => answers.push(resolve)) });
  room.read().catch(() => {});
  await turn();
  await pass(120_000);
  const second = room.read();
  await turn();
  assert.equal(answers.length, 2);
  answers[0]("new");
  assert.equal((await second).seq, 1);
  answers[1]("other");
  await turn();
  await client.room("room_x").read();
  assert.deepEqual(calls.map((call) => call[1]), ["Bearer new", "Bearer new"]);
});

test("requests that wait for a provider go on with a token that the app gives", async () => {
  const { room, client, calls } = fixture({ provider: () => new Promise(() => {}) });
  const reading = room.read();
  await turn();
  client.useToken("new", "user_a");
  assert.equal((await reading).seq, 1);
  assert.equal(calls[0][1], "Bearer new");
});

test("who was anonymous at first can sign in later: the provider is asked when the server wants a token", async () => {
  let token = null;
  const questions = [];
  const { room, calls } = fixture({ anonymousReads: true, provider: async (_, { rejected, problem }) => { questions.push([rejected, problem?.code]); return token; } });
  await room.read();
  await room.read();
  assert.equal(questions.length, 1);
  await assert.rejects(room.join(), { code: "token.missing" });
  token = "new";
  await room.join();
  assert.deepEqual(questions, [[null, undefined], [null, "token.missing"], [null, "token.missing"]]);
  assert.equal(calls.at(-1)[1], "Bearer new");
});

test("a token for a room's sound is asked for with the user's own", async () => {
  const calls = [];
  const client = new AuctionClient({
    baseURL: "https://auction.example", token: "one",
    fetch: async (address, { method, headers }) => {
      calls.push([method, new URL(address).pathname, headers.Authorization ?? null]);
      return json({ provider: "livekit", url: "wss://voice.example", token: "t", expiresAt: "2026-11-21T09:01:45.000Z", canPublish: true }, 200);
    },
  });
  const { url, token, canPublish } = await client.room("room_a").voiceToken();
  assert.deepEqual([url, token, canPublish], ["wss://voice.example", "t", true]);
  assert.deepEqual(calls, [["POST", "/v1/rooms/room_a/stage/voice", "Bearer one"]]);
});

test("a user of a provider signs in, another device becomes the same user, and all that a guest has is linked page by page", async () => {
  const calls = [];
  const answers = [
    [201, { user: { id: "user_a" }, token: "one" }], [201, { code: "K7QM2XWA", expiresAt: "2026-11-21T09:01:45.000Z" }],
    [200, { user: { id: "user_a" }, token: "two" }],
    [200, { user: { id: "user_a" }, linked: [1, 2], skipped: [], nextCursor: "7" }], [200, { user: { id: "user_a" }, linked: [3], skipped: [4], nextCursor: null }],
  ];
  const client = new AuctionClient({
    baseURL: "https://auction.example",
    fetch: async (address, { method, headers, body }) => {
      calls.push([method, new URL(address).pathname, headers.Authorization ?? null, body === undefined ? null : JSON.parse(body)]);
      const [status, answer] = answers.shift();
      return json(answer.code ? { ...answer, type: undefined } : answer, status);
    },
  });
  await client.signIn({ idToken: "i", nonce: "n" });
  assert.equal((await client.createPairing()).code, "K7QM2XWA");
  await client.redeemPairing("k7qm-2xwa");
  assert.deepEqual(await client.linkGuest("g"), { user: { id: "user_a" }, linked: [1, 2, 3], skipped: [4] });
  assert.deepEqual(calls, [
    ["POST", "/v1/sessions", null, { idToken: "i", nonce: "n" }], ["POST", "/v1/me/pairing", "Bearer one", null],
    ["POST", "/v1/tokens/pair", "Bearer one", { code: "k7qm-2xwa" }],
    ["POST", "/v1/me/link", "Bearer two", { guestToken: "g" }], ["POST", "/v1/me/link", "Bearer two", { guestToken: "g", cursor: "7" }],
  ]);
});

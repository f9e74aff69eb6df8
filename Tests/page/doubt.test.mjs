// What becomes of a command when something other than the server responds, or the app or the provider of tokens gives up.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem, ProtocolError } from "../../Sources/Page/client/auction-client.js";
import { subjectOf } from "../../Sources/Page/client/doubt.js";
import { accepted, lost, page, fixture, fixtureWith, tokenOf } from "./support/client-fixture.mjs";

const keys = (calls) => new Set(calls.map((call) => call.headers["Idempotency-Key"]));
const refusal = { status: 422, code: "bid.below_minimum", permission: { rule: "bid.below_minimum" } };
const bid = { amount: "120", round: 1 };

test("an intermediary's 200 is no accepted bid: it is repeated with the same key, and in the end unknown", async () => {
  const foreign = [{ body: "" }, {}, { bid: {} }, { ...accepted(), receipt: undefined }, { ...accepted(), bid: { id: "bid_1" } }, { status: 204 }];
  for (const each of foreign) {
    const { room, calls } = fixture(each, accepted());
    assert.deepEqual([(await room.bid(bid)).kind, calls.length, keys(calls).size], ["leading", 2, 1], JSON.stringify(each));
    const never = fixture(each, each, each, each, each);
    const outcome = await never.room.bid(bid);
    assert.deepEqual([outcome.kind, outcome.error instanceof ProtocolError, outcome.command.isInDoubt], ["unknown", true, true], JSON.stringify(each));
  }
});

test("an intermediary's 200 is no session: the client stays signed in", async () => {
  const { client } = fixture({ status: 201, user: { id: "user_a" }, token: "first" }, { body: "" }, {}, { user: { id: "user_b" } });
  await client.signIn("Ann");
  for (const each of ["empty", "{}", "no token"]) await assert.rejects(client.renewToken(), ProtocolError, each);
  assert.equal(client.user.id, "user_a");
});

test("other commands and reads do not take an intermediary's 200 either", async () => {
  const { room, client } = fixture({ body: "" }, { body: "" }, { body: "[]" });
  await assert.rejects(room.read(), ProtocolError);
  await assert.rejects(room.leave({ retries: 0 }), { name: "ProtocolError", mayHaveExecuted: true });
  await assert.rejects(room.join({}, { retries: 0 }), ProtocolError);
  await assert.rejects(fixtureWith({}, {}).client.openRoom({ name: "x" }, { retries: 0 }), ProtocolError);
  assert.equal(client.user, null);
});

test("a refusal by an intermediary decides nothing", async () => {
  for (const status of [400, 401, 403, 404, 409, 422, 429]) {
    const { room } = fixture(lost(), page(status));
    const outcome = await room.bid(bid, { retries: 1 });
    assert.deepEqual([outcome.kind, outcome.error.status, outcome.error.isFromServer], ["unknown", status, false]);
    assert.equal((await fixture(page(status)).room.bid(bid, { retries: 0 })).kind, "unknown", `${status}: it may have been passed on`);
  }
  const other = { status: 403, body: { code: "E17", detail: "Blocked by policy." } };
  assert.equal((await fixture(lost(), { ...other, body: { ...other.body, type: "https://waf.example/e17" } }).room.bid(bid)).kind, "unknown");
  assert.equal((await fixture(lost(), refusal).room.bid(bid)).kind, "refused", "the server's own refusal decides both");
});

test("where the server says that it has done nothing, there is no doubt", async () => {
  for (const code of ["service.internal_error", "service.unavailable", "service.overloaded", "server.busy", "connection.too_many", "idempotency.too_many_keys"]) {
    const { room } = fixture(...Array.from({ length: 5 }, () => ({ status: code.endsWith("error") ? 500 : 503, code })));
    await assert.rejects(room.bid(bid), (error) => error instanceof Problem && error.code === code && !error.mayHaveExecuted, code);
    assert.equal((await fixture(lost(), { status: 503, code }).room.bid(bid, { retries: 1 })).kind, "unknown", `${code}: of the first attempt it says nothing`);
  }
  for (const code of ["service.outcome_unknown", "service.stopping", "server.stopping", "service.of_a_later_version"]) {
    assert.equal((await fixture({ status: 503, code }).room.bid(bid, { retries: 0 })).kind, "unknown", code);
  }
});

test("a room that was opened by an attempt before is not refused", async () => {
  const error = await fixture(lost(), { status: 409, code: "room.exists" }).client.openRoom({ name: "x" }).catch((each) => each);
  assert.deepEqual([error.code, error.mayHaveExecuted], ["room.exists", true]);
});

test("a provider that fails leaves a bid that was sent unknown, and one that was not sent failed", async () => {
  const expired = { status: 401, code: "token.expired" };
  const tokenProvider = async () => { throw new RangeError("idp down"); };
  const { room } = fixtureWith({ tokenProvider }, lost(), expired);
  const outcome = await room.bid(bid);
  assert.deepEqual([outcome.kind, outcome.error.code, outcome.error.cause instanceof RangeError], ["unknown", "client.tokenProvider", true]);
  await assert.rejects(fixtureWith({ tokenProvider }, expired).room.bid(bid), { code: "client.tokenProvider", mayHaveExecuted: false });
  await assert.rejects(fixtureWith({ token: undefined, tokenProvider }).room.bid(bid), { code: "client.tokenProvider", mayHaveExecuted: false });
});

test("each of the requests that wait for a provider gets an error of its own", async () => {
  const problem = Object.assign(new Problem({ code: "x" }, 500), {});
  const { room } = fixtureWith({ token: undefined, tokenProvider: async () => { throw problem; } });
  const errors = await Promise.all([room.read(), room.read()].map((each) => each.catch((error) => error)));
  assert.notEqual(errors[0], errors[1]);
  assert.deepEqual(errors.map((error) => error.cause), [problem, problem]);
});

test("a bid that the app gives up after it was sent is unknown, with the command to send again", async () => {
  const abort = new AbortController();
  const hung = ({ signal }) => new Promise((_, reject) => { signal.addEventListener("abort", () => reject(signal.reason)); setImmediate(() => abort.abort()); });
  const { client, room, calls } = fixture(hung, { ...accepted(), headers: { "Idempotency-Replayed": "true" } });
  const outcome = await room.bid(bid, { signal: abort.signal });
  assert.deepEqual([outcome.kind, outcome.error.code, outcome.error.cause.name], ["unknown", "client.givenUp", "AbortError"]);
  assert.deepEqual([(await client.send(outcome.command)).kind, keys(calls).size], ["leading", 1]);
  await assert.rejects(room.bid(bid, { signal: abort.signal }), { name: "AbortError" }, "it was not sent");
  assert.equal(calls.length, 2);
});

test("a command in doubt is not repeated for another user", async () => {
  const expired = { status: 401, code: "token.expired" };
  const not = { status: 403, code: "bid.not_member" };
  const fixtureOf = (second) => fixtureWith({ token: tokenOf("user_a"), tokenProvider: () => second }, lost(), expired, not);
  const other = fixtureOf(tokenOf("user_b"));
  const outcome = await other.room.bid(bid);
  assert.deepEqual([outcome.kind, outcome.error.code, other.calls.length], ["unknown", "client.userChanged", 2]);
  assert.equal((await fixtureOf(tokenOf("user_a", 2)).room.bid(bid)).kind, "refused", "a new token of the same user");
  const certain = fixtureWith({ token: tokenOf("user_a"), tokenProvider: () => tokenOf("user_b") }, expired, accepted());
  assert.equal((await certain.room.bid(bid)).kind, "leading", "nothing was executed for the first");
});

test("a command that certainly was not executed is not repeated as another user either", async () => {
  const busy = { type: "/problems/unavailable", code: "service.unavailable" };
  /** The app goes on with a token while the command waits for its repetition; `later` are the responses after that. */
  const fixtureOf = (first, next, later, more = {}) => {
    const answer = () => { made.client.useToken(next); return new Response(JSON.stringify(busy), { status: 503 }); };
    const made = fixtureWith({ token: first, ...more }, answer, ...later);
    return made;
  };
  const other = fixtureOf(tokenOf("user_a"), tokenOf("user_b"), [accepted()]);
  await assert.rejects(other.room.bid(bid), { code: "client.userChanged", mayHaveExecuted: false });
  assert.equal(other.calls.length, 1);
  const renewed = fixtureOf(tokenOf("user_a"), tokenOf("user_a", 2), [accepted()]);
  assert.deepEqual([(await renewed.room.bid(bid)).kind, renewed.calls.length], ["leading", 2]);
  const opaque = fixtureOf("first", "second", [accepted()]);
  assert.equal((await opaque.room.bid(bid)).kind, "leading", "nothing is known of its user");
  const missing = { status: 401, code: "token.missing" };
  const signedOut = fixtureOf(tokenOf("user_a"), null, [missing, accepted()], { tokenProvider: () => tokenOf("user_b") });
  await assert.rejects(signedOut.room.bid(bid), { code: "client.userChanged", mayHaveExecuted: false });
  assert.equal(signedOut.calls.length, 2);
});

test("a command that was sent without a token is repeated with one", async () => {
  const { room, calls } = fixtureWith({ token: undefined, tokenProvider: ({ problem }) => (problem ? tokenOf("user_a") : null) }, lost(), page(401), accepted());
  assert.deepEqual([(await room.bid(bid)).kind, calls.length], ["leading", 3]);
});

test("a token's user is compared, not its other claims", () => {
  assert.equal(subjectOf(tokenOf("é", 1)), subjectOf(tokenOf("é", 2)));
  assert.notEqual(subjectOf(tokenOf("a")), subjectOf(tokenOf("b")));
  for (const opaque of ["opaque", "a.b.c", "", null]) assert.equal(subjectOf(opaque), opaque);
});

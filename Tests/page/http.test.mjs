import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem, ProtocolError, Unreachable, retryAfterSeconds } from "../../Sources/Page/client/errors.js";
import { Requests } from "../../Sources/Page/client/http.js";
import { TokenSource } from "../../Sources/Page/client/tokens.js";

/** A network stub with the test's responses, in order; a thrown value is a broken connection. Timers run out at once. */
function network(answers, { tokenProvider, ...given } = {}) {
  const token = "token" in given ? given.token : "t0ken";
  const calls = [];
  const told = { samples: [], waits: [], reports: [] };
  const fetching = async (address, given) => {
    given.signal.throwIfAborted();
    calls.push({ address, ...given });
    const answer = answers.shift();
    if (answer === "never") return new Promise((_, reject) => { given.signal.addEventListener("abort", () => reject(given.signal.reason)); });
    if (answer instanceof Error) throw answer;
    const { status = 200, body = {}, headers = {} } = answer ?? {};
    return new Response(status === 204 ? null : typeof body === "string" ? body : JSON.stringify(body.code ? { type: "/problems/of-a-kind", ...body } : body), { status, headers });
  };
  const requests = new Requests({
    base: "https://auction.example", tokens: new TokenSource(token, tokenProvider), language: () => "zh", fetch: fetching, random: () => 0.5,
    clock: { sample: (stamp) => told.samples.push(stamp), hint: (stamp) => told.samples.push(`hint ${stamp}`) },
    timing: {
      now: () => 0, monotonic: () => 0, clearTimeout() {},
      // A limit only runs out where the network never responds; every other timer is a pause before a repetition.
      setTimeout(act, ms) {
        if (ms < 10_000) { told.waits.push(ms); act(); } else if (answers[0] === "never") setImmediate(act);
      },
    },
    onRequest: (report) => told.reports.push(report),
  });
  return { calls, requests, told };
}
const lost = () => new TypeError("network");
const command = { body: {}, key: "k1", retries: 4 };

test("a command whose response was lost is repeated with its key", async () => {
  const { calls, requests, told } = network([lost(), lost(), { status: 201, body: { bid: 1 }, headers: { "X-Request-Id": "r3" } }]);
  const answer = await requests.exchange("POST", "/v1/rooms/r/bids", command);
  assert.deepEqual([answer.body, answer.status, answer.requestID, answer.isReplayed], [{ bid: 1 }, 201, "r3", false]);
  assert.deepEqual(calls.map((call) => call.headers["Idempotency-Key"]), ["k1", "k1", "k1"]);
  assert.deepEqual(told.waits, [200, 400], "half of a ceiling that doubles");
  assert.deepEqual(told.reports.map((report) => report.phase), ["failed", "retry", "failed", "retry", "response"]);
});

test("a repetition waits as long as the server asks, and not if that is too long", async () => {
  const busy = (seconds) => ({ status: 503, headers: { "Retry-After": seconds }, body: { code: "service.outcome_unknown" } });
  const { requests, told } = network([busy("2"), { body: { ok: 1 } }]);
  assert.deepEqual(await requests.request("POST", "/a", command), { ok: 1 });
  assert.deepEqual(told.waits, [2000]);
  const error = await network([busy("3600")]).requests.request("POST", "/a", command).catch((each) => each);
  assert.deepEqual([error.retryAfter, error.mayHaveExecuted], [3600, true]);
});

test("a refusal is not repeated, and carries what was required, what was found, and the request's id", async () => {
  const { calls, requests } = network([{ status: 422, headers: { "X-Request-Id": "req_1" }, body: {
    code: "bid.below_minimum", detail: "Too low.", weather: "rain",
    permission: { rule: "bid.below_minimum", category: "amount", required: "130.00", actual: "125.00", allowedActions: ["placeBid"] },
  } }]);
  const problem = await requests.request("POST", "/a", command).catch((error) => error);
  assert.ok(problem instanceof Problem);
  assert.deepEqual([problem.code, problem.required, problem.actual, problem.category, problem.requestID, problem.status, problem.mayHaveExecuted],
    ["bid.below_minimum", "130.00", "125.00", "amount", "req_1", 422, false]);
  assert.equal(problem.body.weather, "rain", "members that this version does not know are kept");
  assert.equal(calls.length, 1);
});

test("a failed command says whether it may have been executed", async () => {
  const failed = async (...answers) => (await network(answers).requests.exchange("POST", "/a", { ...command, retries: answers.length - 1 }).catch((error) => error)).mayHaveExecuted;
  const unavailable = { status: 503, body: { code: "service.unavailable" } };
  assert.equal(await failed(unavailable), false, "the server says that it did nothing");
  assert.equal(await failed(lost()), true);
  assert.equal(await failed(lost(), unavailable), true, "the first attempt may have been executed");
  assert.equal(await failed({ status: 504, body: "<html>" }), true);
  assert.equal(await failed({ status: 200, body: "<html>" }), true, "a page of an intermediary is no response");
  assert.equal(await failed(lost(), { status: 409, body: { code: "bid.not_auctioning" } }), false, "the same key is refused, so it was not accepted");
  assert.equal(await failed(lost(), { status: 401, body: { code: "token.expired" } }), true, "a token is checked before the key");
  assert.equal(await failed(lost(), { status: 429, body: { code: "rate.exceeded" } }), true, "so is the rate");
  const read = await network([lost()]).requests.request("GET", "/a").catch((error) => error);
  assert.equal(read.mayHaveExecuted, false);
});

test("a failed read is not repeated by itself, and repetitions stop after a limit", async () => {
  const read = network([lost()]);
  await assert.rejects(read.requests.request("GET", "/a"), Unreachable);
  assert.equal(read.calls.length, 1);
  const write = network(Array.from({ length: 9 }, lost));
  await assert.rejects(write.requests.request("POST", "/a", command), Unreachable);
  assert.equal(write.calls.length, 5);
});

test("a response that never arrives counts as lost after a while", async () => {
  const { requests } = network(["never"]);
  const error = await requests.request("GET", "/a").catch((each) => each);
  assert.ok(error instanceof Unreachable && error.isTimeout, String(error));
});

test("the caller's signal ends a request with the caller's reason", async () => {
  const abort = new AbortController();
  const { requests, calls } = network([{}]);
  abort.abort(new RangeError("enough"));
  await assert.rejects(requests.request("POST", "/a", { ...command, signal: abort.signal }), RangeError);
  assert.equal(calls.length, 0);
});

test("after a 401 the provider is asked once for another token, by all requests together", async () => {
  const questions = [];
  const tokenProvider = async ({ rejected, problem }) => { questions.push([rejected, problem?.code ?? null]); return rejected === null ? "old" : "new"; };
  const expired = { status: 401, body: { code: "token.expired" } };
  const { calls, requests } = network([expired, expired, { body: 1 }, { body: 2 }], { token: undefined, tokenProvider });
  assert.deepEqual((await Promise.all([requests.request("GET", "/a"), requests.request("GET", "/b")])).sort(), [1, 2]);
  assert.deepEqual(questions, [[null, null], ["old", "token.expired"]]);
  assert.deepEqual(calls.map((call) => call.headers.Authorization), ["Bearer old", "Bearer old", "Bearer new", "Bearer new"]);
});

test("a second 401, or the same token again, is the caller's to handle", async () => {
  const expired = { status: 401, body: { code: "token.expired" } };
  const twice = network([expired, expired], { tokenProvider: () => "new" });
  await assert.rejects(twice.requests.request("GET", "/a"), { status: 401 });
  assert.equal(twice.calls.length, 2);
  const same = network([expired], { tokenProvider: () => "t0ken" });
  await assert.rejects(same.requests.request("GET", "/a"), { status: 401 });
  assert.equal(same.calls.length, 1);
});

test("every response is a clock sample, except a replayed one", async () => {
  const { requests, told } = network([{ body: { serverTime: "A" } }, { body: { receipt: { serverTime: "B" } }, headers: { "Idempotency-Replayed": "true" } }, { body: { serverTime: "C" } }]);
  await requests.request("GET", "/a");
  assert.equal((await requests.exchange("POST", "/b", command)).isReplayed, true);
  await requests.request("GET", "/c", { isHeld: true });
  assert.deepEqual(told.samples, ["A", "hint C"]);
});

test("neither an empty body nor an empty key is sent, and a response without a body is null", async () => {
  const { calls, requests } = network([{ status: 204 }]);
  assert.equal(await requests.request("DELETE", "/a"), null);
  const { headers, body, credentials } = calls[0];
  assert.deepEqual([headers["Content-Type"], headers["Idempotency-Key"], body, credentials], [undefined, undefined, undefined, "omit"]);
  assert.deepEqual([headers["Accept-Language"], headers.Authorization, calls[0].address], ["zh", "Bearer t0ken", "https://auction.example/a"]);
});

test("the token goes to the server's own paths only", async () => {
  const { requests, calls } = network([{}]);
  for (const path of ["@evil.example/", "v1/rooms", ".evil.example/"]) await assert.rejects(requests.request("GET", path), TypeError);
  await requests.request("GET", "/v1/rooms");
  assert.deepEqual([calls.length, calls[0].redirect], [1, "error"]);
});

test("a response of millions of bytes is given up", async () => {
  const { requests } = network([{ body: `"${"x".repeat(17 * 1024 * 1024)}"` }]);
  await assert.rejects(requests.request("GET", "/a"), ProtocolError);
});

test("Retry-After is read in both forms, and nonsense is none", () => {
  assert.equal(retryAfterSeconds("7"), 7);
  assert.equal(retryAfterSeconds("Sat, 21 Nov 2026 09:00:10 GMT", Date.parse("2026-11-21T09:00:00Z")), 10);
  assert.equal(retryAfterSeconds("999999999"), 86_400);
  for (const none of [null, "", "soon", "-5", "Sat, 21 Nov 2020 09:00:10 GMT"]) assert.equal(retryAfterSeconds(none), null, String(none));
});

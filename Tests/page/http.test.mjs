import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { test } from "node:test";
import { Problem, Unreachable, makeRequest } from "../../Sources/Page/client/http.js";

// Debian 12's own Node has it only as a module; every browser has it.
globalThis.crypto ??= webcrypto;

/** A network stub with the test's responses, in order; a thrown value is a broken connection. */
function network(...answers) {
  const calls = [];
  const fetching = async (path, given) => {
    calls.push({ path, ...given });
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    const { status = 200, body = {}, headers = {} } = answer ?? {};
    return { ok: status < 400, status, headers: new Headers(headers), text: async () => (status === 204 ? "" : JSON.stringify(body)) };
  };
  const told = { unauthorized: 0, samples: [], waits: [] };
  const request = makeRequest({
    token: () => "t0ken", language: () => "zh", onUnauthorized: () => { told.unauthorized += 1; },
    clock: { sample: (stamp) => told.samples.push(stamp), hint: (stamp) => told.samples.push(`hint ${stamp}`) },
  }, fetching, async (ms) => { told.waits.push(ms); });
  return { calls, request, told };
}

test("a command whose response was lost is retried with the same key", async () => {
  const { calls, request } = network(new TypeError("network"), new TypeError("network"), { status: 201, body: { bid: 1 } });
  assert.deepEqual(await request("POST", "/v1/rooms/r/bids", { body: { amount: "1" } }), { bid: 1 });
  assert.equal(calls.length, 3);
  const keys = new Set(calls.map((call) => call.headers["Idempotency-Key"]));
  assert.equal(keys.size, 1);
  assert.match([...keys][0], /^[0-9a-f]{32}$/);
});

test("two commands have two keys", async () => {
  const { calls, request } = network({}, {});
  await request("POST", "/a", { body: {} });
  await request("POST", "/a", { body: {} });
  assert.notEqual(calls[0].headers["Idempotency-Key"], calls[1].headers["Idempotency-Key"]);
});

test("a command with an unknown outcome is retried after Retry-After", async () => {
  const { request, told } = network({ status: 503, headers: { "Retry-After": "2" }, body: { code: "service.outcome_unknown" } }, { body: { ok: 1 } });
  assert.deepEqual(await request("POST", "/a", { body: {} }), { ok: 1 });
  assert.deepEqual(told.waits, [2000]);
});

test("a refusal is not repeated, and carries what was required and found", async () => {
  const { calls, request } = network({ status: 422, body: {
    code: "bid.below_minimum", detail: "Too low.", permission: { category: "amount", required: "130.00", actual: "125.00", allowedActions: ["placeBid"] },
  } });
  const problem = await request("POST", "/a", { body: {} }).catch((error) => error);
  assert.ok(problem instanceof Problem);
  assert.deepEqual([problem.code, problem.required, problem.actual, problem.category], ["bid.below_minimum", "130.00", "125.00", "amount"]);
  assert.equal(calls.length, 1);
});

test("a failed read is not retried, and its error is reported", async () => {
  const { calls, request } = network(new TypeError("network"));
  await assert.rejects(request("GET", "/a"), Unreachable);
  assert.equal(calls.length, 1);
});

test("retries stop after a limit", async () => {
  const { calls, request } = network(...Array.from({ length: 9 }, () => new TypeError("network")));
  await assert.rejects(request("POST", "/a", { body: {} }), Unreachable);
  assert.equal(calls.length, 5);
});

test("an invalid token is reported", async () => {
  const { request, told } = network({ status: 401, body: { code: "token.expired" } });
  await assert.rejects(request("GET", "/a"), Problem);
  assert.equal(told.unauthorized, 1);
});

test("every response is a clock sample, except a replayed one", async () => {
  const { request, told } = network({ body: { serverTime: "A" } }, { body: { receipt: { serverTime: "B" } }, headers: { "Idempotency-Replayed": "true" } }, { body: { serverTime: "C" } });
  await request("GET", "/a");
  await request("POST", "/b", { body: {} });
  await request("GET", "/c", { isHeld: true });
  assert.deepEqual(told.samples, ["A", "hint C"]);
});

test("neither an empty body nor an empty key is sent", async () => {
  const { calls, request } = network({ status: 204 }, {});
  assert.equal(await request("DELETE", "/a"), null);
  await request("POST", "/v1/guests", { body: { nickname: "x" }, isCommand: false });
  assert.equal(calls[0].headers["Content-Type"], undefined);
  assert.equal(calls[0].headers["Accept-Language"], "zh");
  assert.equal(calls[0].headers.Authorization, "Bearer t0ken");
  assert.equal(calls[1].headers["Idempotency-Key"], undefined);
});

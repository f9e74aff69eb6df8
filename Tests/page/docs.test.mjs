import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { callView } from "../../Sources/Page/docs/calls.js";
import { Contract, boundWords, exampleOf, ranked, typeWords } from "../../Sources/Page/docs/contract.js";
import { anchorsOf, blocks, inlines, plainText } from "../../Sources/Page/docs/markdown.js";
import { Guest, curlOf, requestOf } from "../../Sources/Page/docs/requests.js";
import { parseYAML } from "../../Sources/Page/docs/yaml.js";
import { makeDocument } from "./support/page-dom.mjs";

// Browsers have it everywhere; the Node of Debian 12 has not.
globalThis.crypto ??= webcrypto;

const root = new URL("../../", import.meta.url);
const contract = new Contract(parseYAML(readFileSync(new URL("openapi/openapi.yaml", root), "utf8")));

test("YAML is read in the forms that the contract has", () => {
  const cases = [
    ["a: 1\nb: text # not this\nc:\n- x\n- {d: 'it''s', e: [1, -2.5, true, null]}\n", { a: 1, b: "text", c: ["x", { d: "it's", e: [1, -2.5, true, null] }] }],
    ["- name: a\n  in: path\n- - 1\n  - 2\n-\n  b: {}\n", [{ name: "a", in: "path" }, [1, 2], { b: {} }]],
    ["a: one\n  two\n\n  three\nb: 'one\n  two'\n", { a: "one two three", b: "one two" }],
    ["a: |-\n  x: 1\n\n    y\nb: |\n  z\n", { a: "x: 1\n\n  y", b: "z\n" }],
    ['a: "b\\\n  \\ c\\n"\n"d e": {f: [$ref: \'#/g\'],\n  h: 1}\n', { a: "b c\n", "d e": { f: [{ $ref: "#/g" }], h: 1 } }],
    ["'200': {}\n/v1/{id}: ~\nversion: 3.1.0\ntext/html; charset=utf-8: {schema: {type: string}}\nat: 10:30\n",
      { 200: {}, "/v1/{id}": null, version: "3.1.0", "text/html; charset=utf-8": { schema: { type: "string" } }, at: "10:30" }],
  ];
  for (const [text, value] of cases) assert.deepEqual(parseYAML(text), value, text);
});

test("what the reader of YAML does not know is an error that names the line", () => {
  for (const text of ["a: &b 1", "a: *b", "a: !!str 1", "a: >\n  b", "a: 1\na: 2", "a: {b", "a: 'b", "a: 1\n   b: 2", "a: [1 2}", "a: b\n  c: d"]) {
    assert.throws(() => parseYAML(text), SyntaxError, text);
  }
  assert.throws(() => parseYAML("a: 1\nb: >\n  c"), /line 2/);
});

test("every call of the contract has a request with all of its path, a curl command, and answers", () => {
  assert.ok(contract.calls.length >= 65);
  for (const call of contract.calls) {
    const values = { parameters: Object.fromEntries(call.parameters.map((each) => [each.name, String(exampleOf(each) ?? "")])), body: "{}", type: "text/plain", key: "k" };
    const request = requestOf(call, values);
    assert.doesNotMatch(request.target, /[{}]/, call.id);
    assert.match(curlOf(call, request, "http://a"), /^curl -s( -X [A-Z]+)? 'http:\/\/a\//, call.id);
    assert.ok(call.answers.length > 0 && call.answers.every(({ description }) => description), call.id);
    assert.ok(contract.tags.some(({ name }) => name === call.tag), `${call.id} is under a heading`);
  }
  for (const { name, schema } of contract.types) {
    for (const part of typeWords(schema)) if (part.type) assert.ok(contract.type(part.type), `${name}: ${part.type}`);
  }
});

test("a guest may try every call but those of operators and of users who have an account", () => {
  assert.deepEqual(contract.calls.filter(({ isForGuests }) => !isForGuests).map(({ id }) => id), [
    "linkGuest", "listServiceTokens", "createServiceToken", "revokeServiceToken", "signInUser", "listAudit",
    "revokeUserTokens", "banUser", "unbanUser", "listAllRooms", "readAnyRoom", "readFeed",
    "listWebhooks", "createWebhook", "deleteWebhook", "changeWebhook", "pauseWebhook", "resumeWebhook", "rotateWebhookSecret", "listDeliveries",
    "resendDeliveries", "testWebhook", "replayWebhook", "readMetrics",
  ]);
});

test("a search finds calls by name, path, meaning and problem code, those first that are named so", () => {
  const first = (text) => contract.search(text).calls[0]?.id;
  assert.equal(first("placeBid"), "placeBid");
  assert.equal(first("post bids"), "placeBid");
  assert.equal(first("results.csv"), "exportResults");
  assert.ok(contract.search("media.quota").calls.some(({ id }) => id === "uploadPicture"));
  assert.ok(contract.search("bid").calls.findIndex(({ id }) => id === "placeBid") < 6);
  assert.equal(contract.search("NewRules").types[0].name, "NewRules");
  assert.deepEqual(contract.search("no such words (["), { calls: [], types: [] });
  assert.deepEqual(contract.search(" "), { calls: [], types: [] });
  assert.deepEqual(ranked([[1, "a", "forbidden"], [2, "b", "a bid"], [3, "bids", ""]], ["bid"]), [3, 2]);
});

test("types and bounds are in words", () => {
  assert.deepEqual(typeWords({ type: "array", items: { $ref: "#/components/schemas/Bid" } }), ["array of ", { type: "Bid" }]);
  assert.deepEqual(typeWords({ oneOf: [{ type: "string" }, { type: "null" }] }), ["string", " or ", "null"]);
  assert.deepEqual(typeWords({ type: ["string", "null"] }), ["string", " or ", "null"]);
  assert.deepEqual(typeWords({ enum: ["a", "b"] }), ['"a" or "b"']);
  assert.deepEqual(boundWords({ minimum: 1, default: "x", "x-extensible-enum": ["a", "b"] }), ["at least 1", "default x", "so far: a, b"]);
});

test("a curl command quotes what a shell would read, and takes the token from a variable", () => {
  const call = contract.call("withdrawLot");
  const values = { parameters: { id: "room_1", lotId: "a/b", reason: "it's $HOME & more" }, body: null, type: null, key: "k 1" };
  assert.equal(curlOf(call, requestOf(call, values), "http://127.0.0.1:8080"),
    "curl -s -X DELETE 'http://127.0.0.1:8080/v1/rooms/room_1/lots/a%2Fb?reason=it'\\''s%20%24HOME%20%26%20more' \\\n"
    + '  -H "Authorization: Bearer $TOKEN" \\\n  -H \'Idempotency-Key: k 1\'');
  const guests = contract.call("createGuest");
  assert.match(curlOf(guests, requestOf(guests, { parameters: {}, body: '{"nickname":"O\'Neil"}', type: "application/json", key: "k" }), "http://a"),
    /-H 'Content-Type: application\/json' \\\n {2}--data-binary '\{"nickname":"O'\\''Neil"\}'$/);
  const read = contract.call("readRoom");
  assert.equal(curlOf(read, requestOf(read, { parameters: { id: "r" }, body: null }), "http://a"),
    "curl -s 'http://a/v1/rooms/r' \\\n  -H \"${TOKEN:+Authorization: Bearer $TOKEN}\"", "with or without a token");
  const upload = contract.call("uploadPicture");
  const file = { name: "a b.jpg" };
  assert.match(curlOf(upload, requestOf(upload, { parameters: { id: "r" }, body: file, type: "image/jpeg", key: "k" }), "http://a"), /--data-binary '@a b\.jpg'$/);
});

const room = "room_3pype17b8wec585enw02ex8qa0";
const answer = (status, body) => new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });

test("the page becomes a guest when a call needs a token, and examples then have the ids that it has seen", async () => {
  const sent = [];
  const guest = new Guest(async (target, options) => {
    sent.push([target, Object.fromEntries(options.headers)]);
    if (target === "/v1/guests") return answer(201, { user: { id: "user_01m7yn50kede3n4atvf2gzfe2s", nickname: "Reader" }, token: "secret" });
    return answer(201, { id: room, host: { id: "user_01m7yn50kede3n4atvf2gzfe2s" }, others: ["room_00000000000000000000000000"] });
  });
  const example = { room: "room_11111111111111111111111111", name: "room_1", list: ["user_11111111111111111111111111"] };
  assert.deepEqual(guest.fill(example), example, "nothing is known yet");
  const call = contract.call("openRoom");
  const received = await guest.send(call, requestOf(call, { parameters: {}, body: "{}", type: "application/json", key: "k" }));
  assert.deepEqual(sent.map(([target, { Authorization }]) => [target, Authorization]), [["/v1/guests", undefined], ["/v1/rooms", "Bearer secret"]]);
  assert.equal(received.status, 201);
  assert.match(received.text, /^\{\n {2}"id"/);
  assert.deepEqual(guest.fill(example), { room, name: "room_1", list: ["user_01m7yn50kede3n4atvf2gzfe2s"] });
  await guest.send(contract.call("readRoom"), { method: "GET", target: `/v1/rooms/${room}`, headers: [], body: null });
  assert.equal(sent.length, 3, "the same guest goes on");
  assert.equal(sent[2][1].Authorization, "Bearer secret", "and sees private rooms of its own");
});

test("calls that are tried at once are of one guest, and a try after a failure asks for one again", async () => {
  const tokens = [];
  let guests = 0;
  const guest = new Guest(async (target, options) => {
    if (target !== "/v1/guests") { tokens.push(Object.fromEntries(options.headers).Authorization); return answer(tokens.length > 2 ? 401 : 200, {}); }
    guests += 1;
    if (guests === 1) throw new TypeError("no answer");
    if (guests === 2) return answer(429, { code: "rate.limited" });
    return answer(201, { user: { id: "user_01m7yn50kede3n4atvf2gzfe2s" }, token: `secret ${guests}` });
  });
  const call = contract.call("listMyRooms");
  const tryTwo = () => Promise.allSettled([1, 2].map(() => guest.send(call, requestOf(call, { parameters: {}, body: null }))));
  assert.deepEqual((await tryTwo()).map(({ status }) => status), ["rejected", "rejected"]);
  assert.deepEqual((await tryTwo()).map(({ value }) => value.status), [429, 429]);
  assert.deepEqual((await tryTwo()).map(({ value }) => value.status), [200, 200]);
  assert.equal(guests, 3);
  await tryTwo();
  await tryTwo();
  assert.deepEqual(tokens, [...Array(4).fill("Bearer secret 3"), ...Array(2).fill("Bearer secret 4")], "another guest when the token has expired");
});

test("a command keeps its key and its ids until an answer decides what became of it", async () => {
  const body = makeDocument();
  const unknown = { type: "/problems/unavailable", status: 503, code: "service.outcome_unknown" };
  const answers = [() => { throw new TypeError("no answer"); }, () => answer(503, unknown), () => new Response("<h1>", { status: 502 }),
    () => answer(201, { id: room }), () => answer(403, { code: "item.not_auctioneer" }), () => answer(403, { code: "item.not_auctioneer" })];
  const sent = [];
  const guest = new Guest(async (target, options) => {
    if (target === "/v1/guests") return answer(201, { user: { id: "user_01m7yn50kede3n4atvf2gzfe2s" }, token: "secret", room });
    sent.push({ target, key: Object.fromEntries(options.headers)["Idempotency-Key"], command: body.querySelector(".scrolling code").textContent });
    return answers.shift()();
  });
  const box = callView({ contract, guest, linkOf: () => null }, contract.call("uploadItem"));
  body.append(box);
  box.open = true;
  box.dispatch("toggle");
  const example = contract.call("uploadItem").path.replace("{id}", body.querySelector("input").value);
  while (answers.length > 0) {
    box.querySelector("button.primary").click();
    await new Promise(setImmediate);
  }
  assert.equal(new Set(sent.slice(0, 4).map(({ key }) => key)).size, 1, "it is repeated as the same command");
  assert.equal(new Set(sent.slice(3).map(({ key }) => key)).size, 3, "a success and a refusal end it");
  assert.deepEqual(sent.map(({ target }) => target), [...Array(4).fill(example), ...Array(2).fill(`/v1/rooms/${room}/items`)]);
  for (const { key, command } of sent) assert.ok(command.includes(`Idempotency-Key: ${key}`), "the curl command has the same key");
});

test("a refused guest, a text, a file and an answer of a proxy are shown as they are", async () => {
  const call = contract.call("openRoom");
  const request = { method: "POST", target: "/v1/rooms", headers: [], body: "{}" };
  const send = (response) => new Guest(async () => response).send(contract.call("listRooms"), { ...request, method: "GET", body: null });
  const off = await new Guest(async () => answer(403, { code: "guest.off" })).send(call, request);
  assert.equal(off.status, 403);
  assert.match(off.text, /guest\.off/);
  assert.equal((await send(new Response("a,b", { headers: { "Content-Type": "text/csv" } }))).text, "a,b");
  assert.equal((await send(new Response("<h1>", { status: 502, headers: { "Content-Type": "text/html" } }))).text, "<h1>");
  const picture = await send(new Response(new Uint8Array(7), { headers: { "Content-Type": "image/png" } }));
  assert.deepEqual([picture.text, picture.size], ["", 7]);
  assert.equal((await send(new Response("x".repeat(70_000), { headers: { "Content-Type": "text/plain" } }))).size, 70_000);
});

const folders = ["Sources/AuctionServer/AuctionServer.docc", "Sources/AuctionClientCore/AuctionClient.docc", "Sources/StateMachines/StateMachines.docc", "openapi"];
const articles = folders.flatMap((folder) => readdirSync(new URL(folder, root)).filter((name) => name.endsWith(".md"))
  .map((name) => ({ name: name.slice(0, -3), blocks: blocks(readFileSync(new URL(`${folder}/${name}`, root), "utf8")) })));
/** The texts of a part, without code. */
function words(part) {
  if (typeof part === "string") return [part];
  if (Array.isArray(part)) return part.flatMap(words);
  return part.kind === "code" ? [] : ["parts", "items", "inner", "head", "rows"].flatMap((name) => words(part[name] ?? []));
}
const within = (value) => (value !== null && typeof value === "object" ? [value, ...Object.values(value).flatMap(within)] : [value]);

test("every article is read in whole: no mark is left in its words, and its links lead somewhere", () => {
  const names = new Set(articles.map(({ name }) => name));
  assert.equal(names.size, articles.length, "no name is in two folders");
  for (const { name, blocks: parts } of articles) {
    assert.equal(parts[0].kind, "heading", name);
    for (const text of words(parts)) assert.doesNotMatch(text, /[`*]|\]\(|<doc:|^\||\|$/, `${name}: ${text}`);
    for (const each of within(parts).filter((value) => value?.kind === "article")) assert.ok(names.has(each.name), `${name} → ${each.name}`);
    for (const each of within(parts).filter((value) => value?.kind === "link")) {
      assert.ok(/^https?:\/\//.test(each.to) || names.has(each.to.replace(/\.md$/, "")), `${name} → ${each.to}`);
    }
    const ids = parts.filter(({ kind }) => kind === "heading").map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, `${name}: two headings have one address`);
  }
});

test("Markdown is read in the forms that the articles have", () => {
  assert.deepEqual(blocks("# A `b`\n\none\ntwo\n\n```sh\n| x\n```\n- a\n  more\n  - b\n1. c\n"), [
    { kind: "heading", level: 1, parts: ["A ", { kind: "code", text: "b" }], id: "a-b" },
    { kind: "paragraph", parts: ["one two"] },
    { kind: "code", language: "sh", text: "| x" },
    { kind: "list", isOrdered: false, items: [
      { parts: ["a more"], inner: [{ kind: "list", isOrdered: false, items: [{ parts: ["b"], inner: [] }] }] }, { parts: ["c"], inner: [] }] },
  ]);
  assert.deepEqual(blocks("| a | b |\n| --- | --- |\n| `x \\| y` | |\n"), [{ kind: "table", head: [["a"], ["b"]], rows: [[[{ kind: "code", text: "x | y" }], []]] }]);
  assert.deepEqual(inlines("see <doc:ATour>, **now *and* `x`** or [here](b.md)."), [
    "see ", { kind: "article", name: "ATour" }, ", ", { kind: "strong", parts: ["now ", { kind: "em", parts: ["and"] }, " ", { kind: "code", text: "x" }] },
    " or ", { kind: "link", to: "b.md", parts: ["here"] }, "."]);
  assert.deepEqual(inlines("at http://a.example/b."), ["at ", { kind: "link", to: "http://a.example/b", parts: ["http://a.example/b"] }, "."]);
  assert.deepEqual(anchorsOf([plainText(inlines("What `PUT …` does")), "A", "a!"]), ["what-put-does", "a", "a-2"]);
});

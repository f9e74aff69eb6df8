import assert from "node:assert/strict";
import { test } from "node:test";
import { AuctionClient, AuctionError, Command, Problem, Unreachable } from "../../Sources/Page/client/auction-client.js";
import { accepted, lost, fixture, fixtureWith } from "./support/client-fixture.mjs";

test("an accepted bid leads, is outbid, or is sealed", async () => {
  const { room, calls } = fixture(accepted(true), accepted(false), accepted(false, null));
  const outcomes = [await room.bid({ amount: "120", round: 1 }), await room.bid({ maximum: "200", round: 2 }), await room.bid({ amount: "120", round: 3 })];
  assert.deepEqual(outcomes.map((each) => each.kind), ["leading", "outbid", "sealed"]);
  assert.equal(outcomes[0].bid.amount, "120.00");
  assert.equal(calls[0].address, "https://auction.example/sub/v1/rooms/room_x/bids");
  assert.deepEqual(calls.map((call) => call.body), [{ amount: "120", round: 1 }, { maximum: "200", round: 2 }, { amount: "120", round: 3 }]);
  assert.equal(new Set(calls.map((call) => call.headers["Idempotency-Key"])).size, 3);
});

test("a refused bid names the rule, what it requires and what is allowed", async () => {
  const permission = { rule: "bid.below_minimum", category: "amount", required: "130.00", actual: "120.00", allowedActions: ["placeBid"] };
  const { room } = fixture({ status: 422, code: "bid.below_minimum", detail: "Too low.", permission, headers: { "X-Request-Id": "req_7" }, body: undefined });
  const outcome = await room.bid({ amount: "120", round: 1 });
  assert.deepEqual([outcome.kind, outcome.rule, outcome.required, outcome.actual, outcome.allowedActions, outcome.requestID],
    ["refused", "bid.below_minimum", "130.00", "120.00", ["placeBid"], "req_7"]);
});

test("a bid without a response is unknown, never guessed; sent again later it has the same key", async () => {
  const { client, room, calls } = fixture(...Array.from({ length: 5 }, lost), { ...accepted(true), headers: { "Idempotency-Replayed": "true" } });
  const outcome = await room.bid({ amount: "120", round: 1 });
  assert.equal(outcome.kind, "unknown");
  assert.ok(outcome.error instanceof Unreachable);
  const kept = JSON.parse(JSON.stringify(outcome.command));
  const settled = await client.send(kept);
  assert.deepEqual([settled.kind, settled.isReplayed], ["leading", true]);
  assert.equal(new Set(calls.map((call) => call.headers["Idempotency-Key"])).size, 1);
  assert.deepEqual(calls.at(-1).body, { amount: "120", round: 1 }, "so that it is refused if the next lot is up by then");
});

test("a request that no rule was applied to is an error, not an outcome", async () => {
  const { room } = fixture({ status: 400, code: "money.malformed", field: "amount" }, { status: 401, code: "token.expired" }, { status: 404, code: "room.not_found" });
  await assert.rejects(room.bid({ amount: "1e3", round: 1 }), (error) => error instanceof Problem && error.field === "amount");
  await assert.rejects(room.bid({ amount: "1", round: 1 }), { status: 401 });
  await assert.rejects(room.bid({ amount: "1", round: 1 }), { status: 404 });
});

test("a command that was kept for a day is not sent again, and what is no command is refused", async () => {
  const { client, room, calls, later } = fixture();
  const command = room.prepareBid({ amount: "120", round: 1 });
  later(24 * 3600 * 1000);
  await assert.rejects(client.send(command), { code: "client.commandExpired" });
  for (const wrong of [null, {}, "x", { ...command, path: "https://evil.example/" }, { ...command, method: "GET" }, { ...command, key: "a b" }, { ...command, madeAt: null }]) {
    assert.throws(() => Command.from(wrong), AuctionError, JSON.stringify(wrong));
  }
  assert.equal(calls.length, 0);
});

test("a bid needs a round, and one without is no command: it could be a bid on another lot", async () => {
  const { room, calls } = fixture();
  for (const round of [undefined, null, 0, "1", 1.5]) {
    assert.throws(() => room.prepareBid({ amount: "120", round }), TypeError);
    await assert.rejects(room.bid({ amount: "120", round }), TypeError);
  }
  const kept = JSON.parse(JSON.stringify(room.prepareBid({ amount: "120", round: 1 })));
  delete kept.body.round;
  assert.throws(() => Command.from(kept), { code: "client.command" });
  assert.equal(calls.length, 0);
});

test("an order that names no round is sent once, and not again: it could be one about another lot", async () => {
  const orders = [["startAuction", "start"], ["endAuction", "end"], ["pause", "pause"], ["resume", "resume"], ["cancel", "cancel"]];
  for (const [kind, verb] of orders) {
    for (const failure of [lost(), { status: 503, code: "service.unavailable" }]) {
      const once = fixture(failure, {});
      await assert.rejects(once.room[kind]({ reason: "x" }, { retries: 4 }), kind);
      const repeated = fixture(failure, {});
      await repeated.room[kind]({ reason: "x", expectedRound: 1 });
      assert.deepEqual([once.calls.length, repeated.calls.length], [1, 2], kind);
    }
    const { client, calls } = fixture({});
    const kept = { kind, method: "POST", path: `/v1/rooms/room_x/auction/${verb}`, body: { reason: "x" }, key: "k", madeAt: client.clock.now() };
    await assert.rejects(client.send(kept), { code: "client.roundMissing", mayHaveExecuted: true });
    assert.equal(calls.length, 0, kind);
    await client.send({ ...kept, body: { reason: "x", expectedRound: 1 } });
    assert.equal(calls.length, 1, kind);
  }
});

test("every command has a key, and no read has one", async () => {
  const { room, client, calls } = fixture({}, { status: 204 }, {}, {}, {}, { id: "room_y" }, {});
  await room.join({ role: "bidder" });
  await room.leave();
  await room.changeMember("user_a", { creditLimit: null, role: undefined });
  await room.retractBid("bid_1", "a slip & more");
  await room.cancel({ reason: "x" });
  await client.openRoom({ name: "Tonight" });
  await room.read();
  assert.deepEqual(calls.map((call) => Boolean(call.headers["Idempotency-Key"])), [true, true, true, true, true, true, false]);
  assert.deepEqual(calls[2].body, { creditLimit: null }, "null removes, undefined was left out");
  assert.ok(calls[3].address.endsWith("/v1/rooms/room_x/bids/bid_1?reason=a+slip+%26+more"));
  assert.equal(calls[4].address, "https://auction.example/sub/v1/rooms/room_x/auction/cancel");
});

test("lots are queued, changed and withdrawn, and the sale is configured, each with a key", async () => {
  const { room, calls } = fixture({}, {}, {}, {}, {}, {}, {}, { lots: [{ id: "lot_1" }], nextCursor: null }, {});
  await room.queueLot({ name: "Vase", reference: undefined, rules: { startingPrice: "1" } });
  await room.changeLot("lot_1", { before: null });
  await room.withdrawLot("lot_1", "broken & gone");
  await room.configureSale({ mode: "automatic", premium: { percent: "12.5" } });
  await room.clearSale();
  await room.startSale();
  await room.stopSale();
  assert.deepEqual(await room.lots({ state: "queued" }).all(), [{ id: "lot_1" }]);
  await room.sale();
  const address = "https://auction.example/sub/v1/rooms/room_x";
  assert.deepEqual(calls.map((call) => `${call.method} ${call.address.slice(address.length)}`), [
    "POST /lots", "PATCH /lots/lot_1", "DELETE /lots/lot_1?reason=broken+%26+gone", "PUT /sale", "DELETE /sale",
    "POST /sale/start", "POST /sale/stop", "GET /lots?state=queued&limit=100", "GET /sale",
  ]);
  assert.deepEqual(calls.map((call) => Boolean(call.headers["Idempotency-Key"])), [...Array(7).fill(true), false, false]);
  assert.deepEqual(calls[0].body, { name: "Vase", rules: { startingPrice: "1" } });
  assert.deepEqual(calls[1].body, { before: null });
});

test("a bid is left on a lot and taken back with a key each, and read without one", async () => {
  const { room, calls } = fixture({ lotId: "lot_1", maximum: "300.00", state: "standing" }, { lotId: "lot_1" }, { status: 204 }, { lots: [{ id: "lot_1" }], nextCursor: null });
  assert.equal((await room.placeAbsenteeBid("lot_1", "300")).maximum, "300.00");
  await room.absenteeBid("lot_1");
  await room.withdrawAbsenteeBid("lot_1");
  assert.deepEqual(await room.lots({ bids: "mine" }).all(), [{ id: "lot_1" }]);
  const address = "https://auction.example/sub/v1/rooms/room_x";
  assert.deepEqual(calls.map((call) => `${call.method} ${call.address.slice(address.length)}`), ["PUT /lots/lot_1/bid", "GET /lots/lot_1/bid", "DELETE /lots/lot_1/bid", "GET /lots?bids=mine&limit=100"]);
  assert.deepEqual(calls.map((call) => Boolean(call.headers["Idempotency-Key"])), [true, false, true, false]);
  assert.deepEqual(calls[0].body, { maximum: "300" });
});

test("applications are listed, approved and declined, each decision with a key", async () => {
  const { room, calls } = fixture(
    { role: "viewer", application: { state: "open" } }, { applications: [{ applicant: { id: "user_a" } }], nextCursor: "7" }, { applications: [{ applicant: { id: "user_b" } }], nextCursor: null },
    { role: "bidder" }, { role: "bidder" }, { state: "declined" }, { state: "declined" },
  );
  assert.equal((await room.join({ role: "bidder" })).application.state, "open");
  assert.deepEqual((await room.applications({ state: "declined" }).all()).map((each) => each.applicant.id), ["user_a", "user_b"]);
  await room.approveApplication("user_a", "500");
  await room.approveApplication("user_a");
  assert.equal((await room.declineApplication("user_b/x", "Register first.")).state, "declined");
  await room.declineApplication("user_b");
  const address = "https://auction.example/sub/v1/rooms/room_x";
  assert.deepEqual(calls.map((call) => `${call.method} ${call.address.slice(address.length)}`), [
    "POST /members", "GET /applications?state=declined&limit=100", "GET /applications?state=declined&limit=100&cursor=7", "POST /applications/user_a/approve",
    "POST /applications/user_a/approve", "POST /applications/user_b%2Fx/decline", "POST /applications/user_b/decline",
  ]);
  assert.deepEqual(calls.map((call) => Boolean(call.headers["Idempotency-Key"])), [true, false, false, true, true, true, true]);
  assert.deepEqual(calls.slice(3).map((call) => call.body), [{ creditLimit: "500" }, {}, { reason: "Register first." }, {}]);
});

test("a decision about an application is repeated with its key, and a refusal is no reason to repeat it", async () => {
  const { room, calls } = fixture(lost(), { role: "bidder" }, { status: 404, code: "application.not_found" });
  await room.approveApplication("user_a");
  assert.equal(calls[0].headers["Idempotency-Key"], calls[1].headers["Idempotency-Key"]);
  await assert.rejects(room.declineApplication("user_a"), { code: "application.not_found" });
  assert.equal(calls.length, 3);
});

test("a file of lots is sent as it is, again with its key if no response came; an array becomes JSON lines", async () => {
  const { client, room, calls } = fixture(lost(), { rows: 1, lots: [] }, { rows: 1, lots: [] }, { status: 422, code: "import.bad_rows", rows: [{ line: 2 }] });
  const file = "name,startingPrice\r\nVase,1\r\n";
  await room.importLots(file);
  assert.deepEqual(calls.map((call) => [call.text, call.headers["Content-Type"]]), [[file, "text/csv"], [file, "text/csv"]]);
  assert.equal(calls[0].headers["Idempotency-Key"], calls[1].headers["Idempotency-Key"]);
  await room.importLots([{ name: "Vase" }, { name: "Bowl" }]);
  assert.deepEqual([calls[2].text, calls[2].headers["Content-Type"]], ['{"name":"Vase"}\n{"name":"Bowl"}', "application/x-ndjson"]);
  await assert.rejects(room.importLots(file), (error) => error instanceof Problem && error.body.rows[0].line === 2);
  const kept = { kind: "importLots", method: "POST", path: "/v1/rooms/room_x/lots/import", body: file, type: "text/csv", key: "k", madeAt: client.clock.now() };
  assert.equal(JSON.parse(JSON.stringify(Command.from(kept))).type, "text/csv");
  assert.throws(() => Command.from({ ...kept, body: {} }), AuctionError);
});

test("ids become one part of a path, whatever they contain", async () => {
  const { client, calls } = fixture();
  await client.room("../../evil?x=1#").read();
  assert.equal(calls[0].address, "https://auction.example/sub/v1/rooms/..%2F..%2Fevil%3Fx%3D1%23");
});

test("a list goes on to the next page by itself, and can be read page by page", async () => {
  const pages = () => [{ rooms: [{ id: 1 }, { id: 2 }], nextCursor: "a&b" }, { rooms: [{ id: 3 }], nextCursor: null }];
  const { client, calls } = fixture(...pages(), ...pages(), ...pages());
  const ids = [];
  for await (const room of client.rooms({ state: "auctioning" })) ids.push(room.id);
  assert.deepEqual(ids, [1, 2, 3]);
  assert.deepEqual(calls.map((call) => call.address.split("?")[1]), ["state=auctioning&limit=20", "state=auctioning&limit=20&cursor=a%26b"]);
  const sizes = [];
  for await (const page of client.rooms().pages()) sizes.push(page.rooms.length);
  assert.deepEqual(sizes, [2, 1]);
  assert.equal((await client.rooms().all(2)).length, 2);
  assert.equal(calls.length, 5, "what is not taken is not read");
});

test("a list whose cursor leads nowhere ends", async () => {
  const { client, calls } = fixture({ rooms: [{}], nextCursor: "a" }, { rooms: [{}], nextCursor: "a" }, { rooms: [{}], nextCursor: "a" });
  assert.equal((await client.rooms().all()).length, 2);
  assert.equal(calls.length, 2);
});

test("the past of a room is read in pages until there is no more", async () => {
  const { room, calls } = fixture({ events: [{ seq: 6 }, { seq: 7 }], next: 7, more: true }, { events: [{ seq: 8 }], next: 8, more: false });
  assert.deepEqual((await room.history({ after: 5 }).all()).map((event) => event.seq), [6, 7, 8]);
  assert.deepEqual(calls.map((call) => call.address.split("?")[1]), ["after=5&limit=200", "after=7&limit=200"]);
});

test("a guest signs in, renews, and signs out", async () => {
  const session = (token) => ({ status: 201, user: { id: "user_a", nickname: "Ann" }, token, expiresAt: "2026-11-28T09:00:00.000Z" });
  const { client, calls } = fixture(session("first"), session("second"), {}, {});
  assert.equal((await client.signIn("Ann")).token, "first");
  assert.equal(client.user.id, "user_a");
  await client.renewToken();
  await client.room("room_x").read();
  client.useSession(null);
  await client.room("room_x").read();
  assert.deepEqual(calls.map((call) => call.headers.Authorization), ["Bearer t", "Bearer first", "Bearer second", undefined]);
  assert.deepEqual([client.user, calls[0].headers["Idempotency-Key"]], [null, undefined]);
});

test("a guest's new nickname comes with a token that is used from then on", async () => {
  const session = (nickname, token) => ({ user: { id: "user_a", nickname }, token, expiresAt: "2026-11-28T09:00:00.000Z" });
  const { client, calls } = fixture(session("Ann", "first"), session("Anna", "second"), { user: {}, rooms: 2 });
  await client.signIn("Ann");
  assert.equal((await client.setNickname("Anna")).token, "second");
  assert.deepEqual([client.user.nickname, (await client.me()).rooms], ["Anna", 2]);
  assert.deepEqual(calls.map(({ method, address, body }) => [method, address.split("/sub")[1], body]),
    [["POST", "/v1/guests", { nickname: "Ann" }], ["PATCH", "/v1/me", { nickname: "Anna" }], ["GET", "/v1/me", undefined]]);
  assert.deepEqual(calls.map((call) => call.headers.Authorization), ["Bearer t", "Bearer first", "Bearer second"]);
});

test("a user who signs out while the nickname changes stays signed out", async () => {
  const session = (nickname, token) => ({ user: { id: "user_a", nickname }, token, expiresAt: "2026-11-28T09:00:00.000Z" });
  const { client, calls } = fixture(session("Ann", "first"), session("Anna", "second"), {}, session("Anna", "third"), {});
  await client.signIn("Ann");
  const change = client.setNickname("Anna");
  client.useSession(null);
  assert.equal((await change).token, "second", "the app may still keep it");
  await client.me();
  assert.deepEqual([client.user, calls.at(-1).headers.Authorization], [null, undefined]);
  client.useSession(session("Ann", "first"));
  const late = client.setNickname("Anna");
  client.useToken("of another");
  await late;
  await client.me();
  assert.deepEqual([client.user, calls.at(-1).headers.Authorization], [null, "Bearer of another"]);
});

test("a nickname that is refused, or a response without a session, leaves the user as they were", async () => {
  const session = { user: { id: "user_a", nickname: "Ann" }, token: "first", expiresAt: "2026-11-28T09:00:00.000Z" };
  const { client, calls } = fixture(session, { status: 403, code: "nickname.not_ours" }, { user: { id: "user_a" } }, {});
  await client.signIn("Ann");
  await assert.rejects(client.setNickname("Anna"), { code: "nickname.not_ours" });
  await assert.rejects(client.setNickname("Anna"), { code: "client.protocol" });
  await client.me();
  assert.deepEqual([client.user.nickname, calls.at(-1).headers.Authorization], ["Ann", "Bearer first"]);
});

test("the caller's rooms, bids and wins are lists", async () => {
  const { client, calls } = fixture({ rooms: [], nextCursor: "17" }, { rooms: [{ role: "bidder" }], nextCursor: null },
    { bids: [{ standing: "leading" }], nextCursor: null }, { wins: [{ price: "130.00" }], nextCursor: null });
  assert.deepEqual(await client.myRooms().all(), [{ role: "bidder" }], "an empty page is not the end");
  assert.deepEqual(await client.myBids({ limit: 50 }).all(), [{ standing: "leading" }]);
  assert.deepEqual(await client.myWins().all(), [{ price: "130.00" }]);
  assert.deepEqual(calls.map((call) => call.address.split("/v1/me/")[1]),
    ["rooms?limit=20", "rooms?limit=20&cursor=17", "bids?limit=50", "wins?limit=20"]);
});

test("Node needs an address, and only one of http counts", () => {
  assert.throws(() => new AuctionClient(), TypeError);
  assert.throws(() => new AuctionClient({ baseURL: "file:///etc" }), TypeError);
  assert.equal(new AuctionClient({ baseURL: new URL("http://127.0.0.1:8080/") }).baseURL, "http://127.0.0.1:8080");
});

test("a picture is sent as it is, with its own type, and once more if no response came", async () => {
  const { room, calls } = fixture(lost(), { url: "/v1/media/x", width: 4, height: 3 });
  const file = new Blob(["picture"], { type: "image/png" });
  assert.equal((await room.uploadPicture(file)).url, "/v1/media/x");
  assert.deepEqual(calls.map((call) => [call.method, call.text, call.headers["Content-Type"], call.headers["Idempotency-Key"]]),
    Array(2).fill(["POST", file, "image/png", undefined]));
});

test("a picture may be the bytes of a file, and what is no picture is refused with what it may be", async () => {
  const bytes = Buffer.from("picture");
  for (const file of [bytes, new Uint8Array(bytes), new DataView(new ArrayBuffer(4)), new ArrayBuffer(4)]) {
    const { room, calls } = fixture({ url: "/v1/media/x", width: 4, height: 3 });
    assert.equal((await room.uploadPicture(file)).url, "/v1/media/x");
    assert.deepEqual([calls[0].text, calls[0].headers["Content-Type"]], [file, "image/x-unknown"]);
  }
  for (const other of ["photo.jpg", null, undefined, {}]) {
    const { room, calls } = fixture();
    await assert.rejects(room.uploadPicture(other), { name: "TypeError", message: /A picture is a Blob, or its bytes/ });
    assert.equal(calls.length, 0);
  }
});

test("a picture's preview is sent after it, and a refused one of the app's own is reported", async () => {
  const [file, small] = [new Blob(["picture"], { type: "image/png" }), Buffer.from("small")];
  const { room, calls } = fixture({ url: "/v1/media/abc", width: 4, height: 3 }, { url: "/v1/media/abc?preview", width: 2, height: 1 });
  assert.equal((await room.uploadPicture(file, { preview: small, retries: 0 })).url, "/v1/media/abc");
  assert.deepEqual(calls.map((call) => [call.address.split("/media")[1], call.text]), [["", file], ["?previewOf=abc", small]]);
  const refused = fixture({ url: "/v1/media/abc", width: 4, height: 3 }, { status: 403, body: { status: 403, code: "media.not_yours" } });
  await assert.rejects(refused.room.uploadPicture(file, { preview: small }), { code: "media.not_yours" });
  const wrong = fixture();
  await assert.rejects(wrong.room.uploadPicture(file, { preview: "small.jpg" }), { name: "TypeError" });
  assert.equal(wrong.calls.length, 0);
});

test("where there is a canvas, a preview of at most 320 pixels and 64 kB is made, and a picture is there without one", async () => {
  const drawn = [];
  const sizes = [70_000, 60_000];
  class Canvas {
    constructor(width, height) { drawn.push([width, height]); }
    getContext() { return { drawImage() {}, fillRect() {} }; }
    async convertToBlob({ type, quality }) { drawn.push([type, quality]); return new Blob([new Uint8Array(sizes.shift() ?? 10)], { type }); }
  }
  const bitmap = { width: 2_048, height: 1_024, closed: 0, close() { this.closed += 1; } };
  Object.assign(globalThis, { OffscreenCanvas: Canvas, createImageBitmap: async () => bitmap });
  try {
    const file = new Blob([new Uint8Array(500_000)], { type: "image/jpeg" });
    const stored = { url: "/v1/media/abc", width: 2_048, height: 1_024 };
    const { room, calls } = fixture(stored, stored);
    await room.uploadPicture(file);
    assert.deepEqual(drawn.splice(0), [[320, 160], ["image/jpeg", 0.8], [320, 160], ["image/jpeg", 0.5]]);
    assert.deepEqual([calls[1].address.split("/media")[1], calls[1].text.size, calls[1].headers["Content-Type"], bitmap.closed], ["?previewOf=abc", 60_000, "image/jpeg", 1]);
    const refused = fixture(stored, { status: 403, body: { status: 403, code: "media.not_yours" } });
    assert.equal((await refused.room.uploadPicture(file)).url, stored.url);
    assert.equal(refused.calls.length, 2);
    const failed = fixture(stored, lost(), stored);
    assert.equal((await failed.room.uploadPicture(file, { retries: 4 })).url, stored.url);
    assert.equal(failed.calls.length, 2, "the picture's address does not wait for repetitions");
    const silent = ({ signal }) => new Promise((_, reject) => { signal.addEventListener("abort", () => reject(signal.reason)); });
    const waits = [];
    const setTimeout = (act, ms) => { waits.push(ms); if (ms <= 10_000) queueMicrotask(act); };
    const clock = { now: () => 0, monotonic: () => 0, clearTimeout() {}, setTimeout };
    const unanswered = fixtureWith({ clock }, stored, silent);
    assert.equal((await unanswered.room.uploadPicture(file)).url, stored.url);
    assert.deepEqual(waits, [120_000, 10_000]);
    for (const given of [{ preview: null }, {}]) {
      const none = fixture(stored);
      // Second: it is small already.
      if (!("preview" in given)) Object.assign(bitmap, { width: 320, height: 200 });
      await none.room.uploadPicture(file, given);
      assert.equal(none.calls.length, 1);
    }
  } finally {
    delete globalThis.OffscreenCanvas;
    delete globalThis.createImageBitmap;
  }
});

test("a table of results is read part by part, and has the names of its columns once", async () => {
  const link = '</v1/rooms/room_x/results.csv?cursor=2>; rel="next"';
  const csv = { "Content-Type": "text/csv; charset=utf-8" };
  const { room, calls } = fixture(
    { body: "round,item\r\n1,Bowl\r\n2,Vase\r\n", headers: { ...csv, Link: link } }, { body: "round,item\r\n3,Jar\r\n", headers: csv });
  assert.equal(await room.resultTable(), "round,item\r\n1,Bowl\r\n2,Vase\r\n3,Jar\r\n");
  assert.deepEqual(calls.map((call) => call.address.replace(/^.*room_x/, "")), ["/results.csv", "/results.csv?cursor=2"]);
  assert.match(calls[0].headers.Accept, /^text\/csv/);
  await assert.rejects(fixture({ status: 404, code: "room.not_found" }).room.resultTable(), (error) => error.code === "room.not_found");
  const portal = fixture({ body: "<html>Sign in</html>", headers: { "Content-Type": "text/html" } });
  await assert.rejects(portal.room.resultTable(), { code: "client.protocol" }, "an intermediary's page is no table");
});

test("a user leaves for good", async () => {
  const { client, calls } = fixture({ status: 204 });
  await client.leaveForGood();
  assert.deepEqual(calls.map(({ method, address }) => `${method} ${new URL(address).pathname}`), ["DELETE /sub/v1/me"]);
});

test("users are blocked, listed and unblocked", async () => {
  const block = { userId: "user_b", blockedAt: "2026-11-21T08:56:46.572Z" };
  const { client, calls } = fixture({ status: 201, ...block }, { blocks: [block], nextCursor: null }, { status: 204 });
  assert.equal((await client.block("user_b")).userId, "user_b");
  assert.deepEqual(await client.blocks().all(), [block]);
  await client.unblock("user_b");
  assert.deepEqual(calls.map(({ method, address }) => `${method} ${new URL(address).pathname}${new URL(address).search}`),
    ["POST /sub/v1/me/blocks", "GET /sub/v1/me/blocks?limit=1000", "DELETE /sub/v1/me/blocks/user_b"]);
  assert.deepEqual(calls[0].body, { userId: "user_b" });
});

// The code of the article on the JavaScript client, as it is written there: its commands and its programs, against a running server.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Server, requireBinary } from "./program.mjs";

const article = new URL("../../../Sources/AuctionServer/AuctionServer.docc/JavaScriptClient.md", import.meta.url);
const run = promisify(execFile);

requireBinary();
const folder = mkdtempSync(join(tmpdir(), "auction-room-article-"));
const store = `sqlite:${folder}/rooms.db`;
let server = await Server.start(store);
const watchers = [];

/** The blocks of one language, with the address of this server. */
function blocks(language) {
  const text = readFileSync(article, "utf8").replaceAll("http://127.0.0.1:8080", server.address);
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, name]) => name === language).map(([, , block]) => block);
}

async function node(...given) {
  const { stdout } = await run(process.execPath, given, { cwd: folder, timeout: 60_000 });
  return stdout.trim().split("\n");
}

try {
  for (const block of blocks("sh")) await run("bash", ["-euo", "pipefail", "-c", block], { cwd: folder });
  for (const block of blocks("js")) writeFileSync(join(folder, /^\/\/ (\w+\.js)$/m.exec(block)[1]), block);

  const round = await node("round.js");
  assert.deepEqual(round.slice(0, 3), ["refused bid.below_minimum 100.00", "leading 100.00 then at least 110.00", "Ann 100.00"]);
  const room = round[3];
  assert.match(room, /^room_\w+$/);

  const photo = fileURLToPath(new URL("../../Corpora/picture/photo.jpg", import.meta.url));
  writeFileSync(join(folder, "photo.js"), `
    import { AuctionClient } from "./client/auction-client.js";
    import { queueLot } from "./lot.js";
    const host = new AuctionClient({ baseURL: ${JSON.stringify(server.address)} });
    await host.signIn("Hana");
    const { id } = await host.openRoom({ name: "Photos" });
    const { item } = await queueLot(host.room(id), "Bowl", "10", ${JSON.stringify(photo)});
    console.log(item.media[0]);
  `);
  assert.match((await node("photo.js"))[0], /^\/v1\/media\/[0-9a-f]{64}$/);

  // It prints the past, and goes on waiting for more, also while the server is gone.
  const watcher = spawn(process.execPath, ["watch.js", room], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  watchers.push(watcher);
  const ended = new Promise((resolve) => watcher.once("exit", resolve));
  const lines = [];
  const read = createInterface({ input: watcher.stdout })[Symbol.asyncIterator]();
  while (!lines.at(-1)?.includes("item.sold")) lines.push((await read.next()).value);
  assert.deepEqual(lines.map((line) => Number(line.split(" ")[0])), lines.map((_, index) => index + 1));
  assert.deepEqual(lines.at(-1).split(" "), [String(lines.length), "item.sold", "–"]);

  // A bid that is sent while the server is gone, and settled after its restart.
  writeFileSync(join(folder, "outage.js"), `
    import { AuctionClient } from "./client/auction-client.js";
    import { bid, resend } from "./keep.js";
    const baseURL = ${JSON.stringify(server.address)};
    const session = process.env.SESSION && JSON.parse(process.env.SESSION);
    const client = new AuctionClient({ baseURL, clock: { now: Date.now, monotonic: () => performance.now(), clearTimeout, setTimeout: (act, ms) => setTimeout(act, ms < 10_000 ? 1 : ms) } });
    if (process.argv[2] === "prepare") {
      const host = new AuctionClient({ baseURL });
      const hostSession = await host.signIn("Hana");
      const { id } = await host.openRoom({ name: "Later" });
      for (const name of ["Bowl", "Vase"]) {
        await host.room(id).queueLot({ name, rules: { startingPrice: "1", listingSeconds: 0, biddingSeconds: 600 } });
      }
      await host.room(id).startAuction();
      const own = await client.signIn("Ann");
      await client.room(id).join({ role: "bidder" });
      console.log(JSON.stringify({ session: own, hostSession, id }));
    } else if (process.argv[2] === "next") {
      // The hammer, the next lot, and its bidding.
      client.useSession(session);
      const room = client.room(process.argv[3]);
      for (const act of ["endAuction", "startAuction", "startAuction"]) await room[act]();
      const { round, state, item } = await room.read();
      console.log(round, state, item.name);
    } else if (process.argv[2] === "bids") {
      console.log((await client.room(process.argv[3]).bids({ round: 2 }).all()).length, "bids");
    } else {
      client.useSession(session);
      const outcome = process.argv[2] === "bid" ? await bid(client, { id: process.argv[3], round: 1 }, process.argv[4]) : await resend(client);
      console.log([outcome.kind, outcome.rule].filter(Boolean).join(" "));
    }
  `);
  const { session, hostSession, id } = JSON.parse((await node("outage.js", "prepare"))[0]);
  const as = async (user, ...given) => {
    process.env.SESSION = JSON.stringify(user);
    return node("outage.js", ...given);
  };
  await server.kill();
  assert.deepEqual(await as(session, "bid", id, "5"), ["unknown"]);
  server = await Server.start(store, server.port);
  assert.deepEqual(await as(session, "resend"), ["leading"]);
  assert.throws(() => readFileSync(join(folder, "pending.json")), { code: "ENOENT" });

  // One that has not arrived when the next lot is up is no bid on that lot.
  await server.kill();
  assert.deepEqual(await as(session, "bid", id, "7"), ["unknown"]);
  server = await Server.start(store, server.port);
  assert.deepEqual(await as(hostSession, "next", id), ["2 auctioning Vase"]);
  assert.deepEqual(await as(session, "resend"), ["refused bid.wrong_round"]);
  assert.deepEqual(await as(hostSession, "bids", id), ["0 bids"]);
  assert.equal(watcher.exitCode, null, "it ended with the server");
  watcher.kill();
  await ended;
  console.log(`client-js: ${blocks("js").length} programs and ${blocks("sh").length} command block of the article run as written`);
} finally {
  for (const watcher of watchers) watcher.kill();
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
}

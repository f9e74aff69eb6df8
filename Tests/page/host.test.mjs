// What the host does with the link to the room.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isLoopback } from "../../Sources/Page/views/host.js";

test("an address of the same machine is known as such", () => {
  assert.deepEqual(["localhost", "room.localhost", "127.0.0.1", "127.1.2.3", "[::1]", "0.0.0.0", "[::]", "[::ffff:7f00:1]", "[::ffff:0:0]", "localhost."].filter((name) => !isLoopback(name)), []);
  assert.deepEqual(["192.168.1.20", "auction.example", "localhost.example", "127.example", "[fe80::1]", "[::ffff:c0a8:114]", "10.0.0.1", "[::2]"].filter(isLoopback), []);
});

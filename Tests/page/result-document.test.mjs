// The script of the page of results, which the server has in its sources, in a document without a browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const swift = readFileSync(new URL("../../Sources/AuctionServer/Representations/Results/ResultDocument+Look.swift", import.meta.url), "utf8");
const script = /static let script = """\n(.*?)\n {8}"""/s.exec(swift)[1];

/** Runs the script where the page was opened at an address. @returns what it did with the address, and the link to the room */
function opened(search) {
  const steps = [];
  const elements = { print: {}, turn: { lang: "zh" }, room: { href: "https://auction.example/#/rooms/room_x" } };
  const tools = { hidden: true };
  const document = { documentElement: { lang: "en" }, getElementById: (id) => elements[id], querySelector: () => tools, querySelectorAll: () => [] };
  const location = { search, reload: () => steps.push("loaded") };
  const history = { replaceState: (_, __, address) => steps.push(address) };
  new Function("document", "location", "history", "localStorage", script)(document, location, history, { getItem: () => null, setItem() {} });
  assert.equal(tools.hidden, false);
  return { steps, room: elements.room };
}

test("the address of the room replaces one with a ticket, which opens nothing twice", () => {
  const { steps, room } = opened("?ticket=0123456789abcdef");
  assert.deepEqual(steps, [room.href]);
  let isPrevented = false;
  room.onclick({ preventDefault() { isPrevented = true; } });
  assert.ok(isPrevented, "to a browser the link leads to a part of the page that is shown");
  assert.deepEqual(steps, [room.href, "loaded"]);
});

test("an address that opens the results again stays", () => {
  const { steps, room } = opened("");
  assert.deepEqual(steps, []);
  assert.equal(room.onclick, undefined);
});

// Back while a dialog is open, with a history as a browser has it: steps and events of closing come later.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DialogHistory } from "../../Sources/Page/dialog-history.js";
import { dialog, watchDialogs } from "../../Sources/Page/dom.js";
import { makeDocument, shown } from "./support/page-dom.mjs";

const turn = () => new Promise(setImmediate);

/** A browser that has come to a room from the list of rooms. */
function browser() {
  let entries = ["/", "/rooms/room_x"].map((route) => ({ route, state: null }));
  let index = 1;
  const push = (entry) => { entries = [...entries.slice(0, index + 1), entry]; index += 1; };
  const step = (by) => { index = Math.max(0, Math.min(entries.length - 1, index + by)); dialogs.moved(); };
  const history = {
    get state() { return entries[index].state; },
    pushState(state) { push({ route: entries[index].route, state }); },
    back() { setImmediate(() => step(-1)); },
  };
  const location = {
    set hash(route) { push({ route, state: null }); dialogs.moved(); },
    replace(hash) { entries[index] = { route: hash.slice(1), state: null }; dialogs.moved(); },
  };
  const dialogs = new DialogHistory(history, location);
  class Box extends EventTarget {
    open = true;
    constructor() { super(); dialogs.opened(this); }
    close() { this.open = false; setImmediate(() => dialogs.closed(this)); }
  }
  const back = async () => { history.back(); await turn(); await turn(); };
  return { dialogs, Box, back, route: () => entries[index].route, length: () => index + 1, turn: async () => { await turn(); await turn(); await turn(); } };
}

test("back closes the dialog and stays in the room, and the next one leaves it", async () => {
  const { Box, back, route, turn } = browser();
  const box = new Box();
  await back();
  assert.deepEqual([box.open, route()], [false, "/rooms/room_x"]);
  await turn();
  await back();
  assert.equal(route(), "/");
});

test("a dialog that is closed otherwise takes no step of the way back", async () => {
  const { Box, back, route, length, turn } = browser();
  const box = new Box();
  box.close();
  await turn();
  assert.deepEqual([route(), length()], ["/rooms/room_x", 2]);
  await back();
  assert.equal(route(), "/");
});

test("back closes one dialog after the other, the one on top first", async () => {
  const { Box, back, route, length, turn } = browser();
  const [below, above] = [new Box(), new Box()];
  assert.equal(length(), 3);
  await back();
  assert.deepEqual([below.open, above.open, route()], [true, false, "/rooms/room_x"]);
  await turn();
  await back();
  assert.deepEqual([below.open, route()], [false, "/rooms/room_x"]);
  await turn();
  await back();
  assert.equal(route(), "/");
});

test("a dialog that opens while another one closes is the one that back closes", async () => {
  for (const wait of [() => {}, turn]) {
    const { Box, back, route, turn: settle } = browser();
    new Box().close();
    await wait();
    const next = new Box();
    await settle();
    assert.equal(next.open, true);
    await back();
    assert.deepEqual([next.open, route()], [false, "/rooms/room_x"]);
    await settle();
    await back();
    assert.equal(route(), "/");
  }
});

test("a dialog may refuse to be closed by back, as by Escape", async () => {
  const { Box, back, route } = browser();
  const box = new Box();
  box.addEventListener("cancel", (event) => event.preventDefault());
  for (let count = 0; count < 2; count += 1) {
    await back();
    assert.deepEqual([box.open, route()], [true, "/rooms/room_x"]);
  }
});

test("a view that a dialog leads to is one step from the one before", async () => {
  for (const wait of [() => {}, turn]) {
    const { dialogs, Box, back, route, turn: settle } = browser();
    new Box().close();
    await wait();
    dialogs.go("/rooms/room_y");
    await settle();
    assert.equal(route(), "/rooms/room_y");
    await back();
    assert.equal(route(), "/rooms/room_x");
    dialogs.go("/");
    assert.equal(route(), "/");
  }
});

test("the page's dialogs are reported as they open and close", () => {
  const body = makeDocument();
  const told = [];
  watchDialogs({ opened: () => told.push("opened"), closed: () => told.push("closed") });
  const box = dialog("Title", "text", { closeLabel: "Close" });
  assert.deepEqual([told, shown(body, "dialog").length], [["opened"], 1]);
  box.close();
  assert.deepEqual([told, shown(body, "dialog").length], [["opened", "closed"], 0]);
  watchDialogs(null);
});

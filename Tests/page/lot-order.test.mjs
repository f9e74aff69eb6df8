// Dragging a lot to another place, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { h } from "../../Sources/Page/dom.js";
import { makeOrder } from "../../Sources/Page/views/lot-order.js";
import { makeDocument } from "./support/page-dom.mjs";

const rowHeight = 10;

/** A list of lots, one below the other; what is moved is in `moves`. */
function fixture(ids) {
  const body = makeDocument();
  Object.assign(globalThis, { scrollY: 0, innerHeight: 1_000, scrollBy() {}, getComputedStyle: () => ({ getPropertyValue: () => "" }) });
  const moves = [];
  const order = makeOrder(h("ol"), (id, distance) => moves.push([id, distance]));
  for (const id of ids) {
    const handle = order.handle({ id, item: { name: id } });
    handle.setPointerCapture = () => {};
    const row = h("li", handle);
    row.getBoundingClientRect = () => ({ top: order.list.children.indexOf(row) * rowHeight, height: rowHeight });
    order.list.append(row);
  }
  body.append(order.list);
  const at = (type, index, place) => handles[index].dispatch(type, { button: 0, pointerId: 1, clientY: (place + 0.5) * rowHeight });
  const handles = order.list.querySelectorAll("button");
  return { list: order.list, moves, at };
}

test("a lot goes to where it was dropped, also if the head of the queue was taken meanwhile", () => {
  const { list, moves, at } = fixture(["a", "b", "c", "d", "e"]);
  const drag = (index, from, to, meanwhile = () => {}) => {
    at("pointerdown", index, from);
    meanwhile();
    at("pointermove", index, to);
    at("pointerup", index, to);
  };
  drag(3, 3, 0.9);
  assert.deepEqual(moves.splice(0), [["d", -2]]);
  drag(4, 4, 0.9, () => list.children[0].remove());
  assert.deepEqual(moves.splice(0), [["e", -2]]);
  drag(3, 3, 2, () => list.children[0].remove());
  assert.deepEqual(moves, [], "it is where it was");
});

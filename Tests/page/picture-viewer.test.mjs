// Pictures of an item, large.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inFrame, largest, moved, pinched, whole, zoomed } from "../../Sources/Page/zoom.js";
import { openPictures } from "../../Sources/Page/views/picture-viewer.js";
import { shown } from "./support/page-dom.mjs";
import { mountedBody } from "./support/mounted.mjs";

const frame = { left: 0, top: 0, width: 200, height: 100 };

test("what is at a point stays there while the picture gets larger and smaller", () => {
  const point = { x: 30, y: -20 };
  const at = ({ scale, x, y }) => ({ x: (point.x - x) / scale, y: (point.y - y) / scale });
  const near = (a, b) => assert.ok(Math.hypot(a.x - b.x, a.y - b.y) < 1e-9, `${JSON.stringify(a)} is not ${JSON.stringify(b)}`);
  const larger = zoomed(whole, 2, point, frame);
  near(at(larger), at(whole));
  near(at(zoomed(larger, 1.5, point, frame)), at(whole));
  assert.deepEqual(zoomed(larger, 0.1, point, frame), { scale: 1, x: 0, y: 0 });
  assert.equal(zoomed(larger, 100, point, frame).scale, largest);
});

test("no part of the frame is left empty", () => {
  assert.deepEqual(moved({ scale: 2, x: 0, y: 0 }, 500, -500, frame), { scale: 2, x: 100, y: -50 });
  assert.deepEqual(inFrame({ scale: 1, x: 9, y: 9 }, frame), { scale: 1, x: 0, y: 0 });
});

test("two fingers that part make it larger, and together they move it", () => {
  const before = [{ x: -10, y: 0 }, { x: 10, y: 0 }];
  assert.deepEqual(pinched(whole, before, [{ x: -20, y: 0 }, { x: 20, y: 0 }], frame), { scale: 2, x: 0, y: 0 });
  const larger = { scale: 2, x: 0, y: 0 };
  assert.deepEqual(pinched(larger, before, [{ x: 5, y: 3 }, { x: 25, y: 3 }], frame), { scale: 2, x: 15, y: 3 });
  assert.ok(pinched(larger, [before[0], before[0]], before, frame).scale <= largest, "fingers at one point are no division by zero");
});

const named = (body, name) => shown(body, "button").filter((each) => each.getAttribute("aria-label") === name);

function viewer(count) {
  const body = mountedBody();
  const closed = [];
  const addresses = Array.from({ length: count }, (_, index) => `/v1/media/p${index}`);
  openPictures(addresses, 0, { name: "Jug" }, (index) => closed.push(index));
  const stage = body.querySelector(".viewer-stage");
  stage.getBoundingClientRect = () => frame;
  let now = 0;
  const point = (type, x, y = 50, pointerId = 1) => stage.dispatch(type, { pointerId, clientX: x, clientY: y, timeStamp: now += 10, type });
  return {
    body, closed, stage, point, wait: (ms) => { now += ms; },
    image: () => body.querySelector("img").getAttribute("src"),
    scale: () => Number(/scale\((.*)\)/.exec(body.querySelector("img").style.transform)[1]),
    key: (key, more) => body.querySelector("dialog").dispatch("keydown", { key, ...more }),
    press: (name) => named(body, name)[0].click(),
    swipe(from, to) { point("pointerdown", from); point("pointermove", to); point("pointerup", to); },
    tap(x) { point("pointerdown", x); point("pointerup", x); },
  };
}

test("a swipe, a button and an arrow key go to the next picture and back, around the end", () => {
  const { body, closed, image, key, press, swipe } = viewer(3);
  swipe(150, 40);
  assert.equal(image(), "/v1/media/p1");
  assert.equal(shown(body, ".viewer-place")[0].textContent, "Picture 2 of 3");
  press("Next picture");
  key("ArrowRight");
  assert.equal(image(), "/v1/media/p0");
  key("ArrowLeft");
  assert.equal(image(), "/v1/media/p2");
  swipe(40, 150);
  press("Previous picture");
  key("ArrowLeft", { altKey: true });
  assert.equal(image(), "/v1/media/p0", "that key belongs to the browser");
  swipe(100, 120);
  assert.equal(image(), "/v1/media/p0", "so short a way is no swipe");
  key("ArrowRight");
  body.querySelector("dialog").close();
  assert.deepEqual(closed, [1]);
});

test("a double tap, two fingers, buttons and keys zoom; then a finger moves the picture and turns no page", () => {
  const { image, key, point, press, scale, stage, swipe, tap, wait } = viewer(2);
  tap(150);
  tap(150);
  assert.ok(scale() > 1 && stage.classList.contains("enlarged"));
  swipe(150, 20);
  key("ArrowRight");
  assert.equal(image(), "/v1/media/p0");
  wait(1_000);
  tap(150);
  tap(150);
  assert.equal(scale(), 1);
  tap(150);
  wait(1_000);
  tap(150);
  assert.equal(scale(), 1, "two taps far apart are no double tap");
  point("pointerdown", 90, 50, 1);
  point("pointerdown", 110, 50, 2);
  point("pointermove", 150, 50, 2);
  point("pointerup", 150, 50, 2);
  point("pointerup", 90, 50, 1);
  assert.equal(scale(), 3);
  assert.equal(image(), "/v1/media/p0");
  key("0");
  press("Zoom in");
  assert.equal(scale(), 1.6);
  key("ArrowRight");
  key("-");
  assert.equal(scale(), 1);
  key("ArrowRight");
  assert.equal(image(), "/v1/media/p1");
  key("+");
  press("Zoom out");
  assert.equal(scale(), 1);
});

test("the wheel zooms by how far it turns, and up and down move only what is zoomed", () => {
  const { key, scale, stage } = viewer(1);
  const wheel = (more) => stage.dispatch("wheel", { clientX: 100, clientY: 50, ...more });
  const taken = (name) => { let is = false; key(name, { preventDefault() { is = true; } }); return is; };
  wheel({ deltaY: 0 });
  assert.deepEqual([scale(), taken("ArrowDown"), taken("ArrowUp")], [1, false, false]);
  wheel({ deltaY: -400 });
  assert.deepEqual([scale(), taken("ArrowDown")], [2, true]);
  wheel({ deltaY: 0 });
  assert.equal(scale(), 2, "a wheel that turns aside zooms nothing");
  wheel({ deltaY: 400 / 30, deltaMode: 1 });
  assert.equal(scale(), 1);
});

test("a picture alone has no other to go to, and what is no picture is a link", () => {
  const { body, image, key, swipe } = viewer(1);
  assert.deepEqual(named(body, "Next picture"), []);
  swipe(150, 20);
  key("ArrowRight");
  assert.equal(image(), "/v1/media/p0");
  body.querySelector("img").dispatch("error");
  assert.equal(shown(body, "a.lot-link")[0].getAttribute("href"), "/v1/media/p0");
  const around = viewer(3);
  around.key("ArrowLeft");
  around.body.querySelector("img").dispatch("error");
  const [link] = shown(around.body, "a.lot-link");
  assert.deepEqual([link.getAttribute("href"), link.textContent], ["/v1/media/p2", "Attachment 3"]);
});

// The pictures of an item, large: swiped or walked with buttons and arrow keys, zoomed with two fingers, a double tap, the wheel, buttons or keys.
import { dialog, h, icon, replace, set, setText, show } from "../dom.js";
import { t } from "../strings.js";
import { inFrame, largest, moved, pinched, whole, zoomed } from "../zoom.js";

const stepScale = 1.6;
const tapScale = 2.5;
const doubleTapMs = 320;
/** A finger that goes no further has tapped, and two taps no further apart are a double tap. */
const tapPx = 24;
const swipePx = 48;
/** By how much an arrow key moves a picture that is larger than its frame. */
const keyPx = 60;
/** By so much a wheel has to turn for twice the size. */
const wheelPx = 400;
const linePx = 30;
const centre = { x: 0, y: 0 };

const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** @param closed is told which picture was seen last */
export function openPictures(addresses, first, item, closed) {
  const button = (name, key, onclick) => h("button.round", { type: "button", "aria-label": t(key), title: t(key), onclick }, icon(name));
  const stage = h("div.viewer-stage");
  const place = h("p.viewer-place", { role: "status" });
  const walk = h("div.row", button("back", "picture.previous", () => turn(-1)), place, button("forward", "picture.next", () => turn(1)));
  const smaller = button("minus", "picture.zoomOut", () => zoom(1 / stepScale));
  const larger = button("plus", "picture.zoomIn", () => zoom(stepScale));
  let index = first;
  let image = null;
  let view = whole;
  const box = dialog(item.name, h("div", stage, h("div.viewer-bar", walk, h("div.row", smaller, larger))), {
    closeLabel: t("app.close"), onclose: () => closed(index),
  });
  box.classList.add("wide");
  show(walk, addresses.length > 1);

  const frame = () => stage.getBoundingClientRect();
  const picture = (at) => h("img.lot-large", {
    src: addresses[at], alt: t("room.image", { n: at + 1, item: item.name }), referrerpolicy: "no-referrer", decoding: "async", draggable: "false",
  });

  function choose(at) {
    index = (at + addresses.length) % addresses.length;
    const shown = index;
    const made = picture(shown);
    image = made;
    // Not every attachment is a picture: what cannot be shown is still a link.
    made.addEventListener("error", () => made.replaceWith(h("a.lot-link", { href: addresses[shown], target: "_blank", rel: "noopener noreferrer" },
      icon("link"), t("room.media", { n: shown + 1 }))));
    replace(stage, made);
    setText(place, t("picture.place", { n: index + 1, count: addresses.length }));
    look(whole);
    // The next swipe does not wait for its picture.
    if (addresses.length > 1) picture((index + 1) % addresses.length);
  }

  function turn(by) {
    if (addresses.length > 1) choose(index + by);
  }

  /** @param aside how far a swipe has come */
  function look(next, aside = 0) {
    view = next;
    image.style.transform = `translate(${(view.x + aside).toFixed(1)}px, ${view.y.toFixed(1)}px) scale(${view.scale.toFixed(3)})`;
    stage.classList.toggle("enlarged", view.scale > 1);
    // Disabled ones would lose the focus.
    set(smaller, "aria-disabled", view.scale === 1);
    set(larger, "aria-disabled", view.scale === largest);
  }

  const zoom = (factor, point = centre) => look(zoomed(view, factor, point, frame()));

  // Fingers, and the mouse.

  const pointers = new Map();
  /** The one finger of a gesture: where it began and whether another has joined. */
  let touch = null;
  let lastTap = null;
  const pointOf = ({ clientX, clientY }) => {
    const { left, top, width, height } = frame();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  };

  function pressed(event) {
    if (event.button > 0 || event.target.closest("a")) return;
    stage.setPointerCapture?.(event.pointerId);
    pointers.set(event.pointerId, pointOf(event));
    touch = pointers.size === 1 ? { from: pointOf(event), isOne: true } : { ...touch, isOne: false };
    stage.classList.add("held");
  }

  function dragged(event) {
    const before = [...pointers.values()];
    if (!pointers.has(event.pointerId)) return;
    const point = pointOf(event);
    const last = pointers.get(event.pointerId);
    pointers.set(event.pointerId, point);
    if (before.length === 2) return look(pinched(view, before, [...pointers.values()], frame()));
    if (view.scale > 1) return look(moved(view, point.x - last.x, point.y - last.y, frame()));
    if (touch.isOne && addresses.length > 1) look(view, point.x - touch.from.x);
  }

  function released(event) {
    if (!pointers.delete(event.pointerId) || pointers.size > 0) return;
    stage.classList.remove("held");
    const point = pointOf(event);
    const { from, isOne } = touch;
    const [across, down] = [point.x - from.x, point.y - from.y];
    look(inFrame(view, frame()));
    if (!isOne || event.type === "pointercancel") return;
    if (distance(point, from) <= tapPx) return tapped(point, event.timeStamp);
    if (view.scale === 1 && Math.abs(across) > Math.max(swipePx, Math.abs(down))) turn(across < 0 ? 1 : -1);
  }

  function tapped(point, at) {
    const isSecond = lastTap && at - lastTap.at < doubleTapMs && distance(point, lastTap.point) <= tapPx;
    lastTap = isSecond ? null : { point, at };
    if (isSecond) zoom(view.scale > 1 ? 1 / view.scale : tapScale, point);
  }

  for (const [name, act] of Object.entries({ pointerdown: pressed, pointermove: dragged, pointerup: released, pointercancel: released })) stage.addEventListener(name, act);
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    // Some browsers count lines.
    zoom(2 ** (-event.deltaY * (event.deltaMode === 1 ? linePx : 1) / wheelPx), pointOf(event));
  });

  // Keys.

  const shift = (across, down) => look(moved(view, across * keyPx, down * keyPx, frame()));
  const keys = {
    "+": () => zoom(stepScale), "=": () => zoom(stepScale), "-": () => zoom(1 / stepScale), 0: () => look(whole),
    ArrowLeft: () => (view.scale > 1 ? shift(1, 0) : turn(-1)), ArrowRight: () => (view.scale > 1 ? shift(-1, 0) : turn(1)),
    ArrowUp: () => shift(0, 1), ArrowDown: () => shift(0, -1),
  };
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    // Those scroll a dialog that is higher than its window.
    if (view.scale === 1 && ["ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });

  choose(first);
}

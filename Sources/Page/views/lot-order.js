// Another order for a list of lots: by dragging a row at its handle, or by the arrow keys on it.
import { h, icon } from "../dom.js";
import { t } from "../strings.js";

/** A row that is dragged this close to the end of what is seen scrolls it, by so much in each step. */
const edge = 48;
const scrollStep = 12;

/**
 * @param list the element whose children are the rows, each with the lot's id in `data-key`
 * @param move `(id, distance)`: to so many places further down, or up
 */
export function makeOrder(list, move) {
  let drag = null;

  function handle(lot) {
    return h("button.quiet.round.tiny.lot-handle", {
      type: "button", "aria-label": t("lots.handle", { name: lot.item.name }), "data-handle": lot.id,
      onkeydown: (event) => {
        const distance = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity }[event.key];
        if (distance === undefined) return;
        event.preventDefault();
        move(lot.id, distance);
      },
      onpointerdown: (event) => begin(event, lot.id),
    }, icon("grip"));
  }

  function begin(event, id) {
    if (event.button !== 0) return;
    const button = event.currentTarget;
    const row = button.closest("li");
    drag = { id, row, button, from: null, to: null, startY: placeOf(event) };
    button.setPointerCapture(event.pointerId);
    row.classList.add("dragged");
    button.addEventListener("pointermove", over);
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(name, end);
    addEventListener("keydown", cancel);
  }

  function over(event) {
    const rows = [...list.children];
    const place = rows.filter((row) => row !== drag.row && middle(row) < event.clientY).length;
    // A lot before it may have had its turn since the drag began.
    drag.from = rows.indexOf(drag.row);
    drag.to = place;
    drag.row.style.translate = `0 ${placeOf(event) - drag.startY}px`;
    const others = rows.filter((row) => row !== drag.row);
    mark(others[place] ?? null, others.at(-1), place !== drag.from);
    const box = list.getBoundingClientRect();
    const dock = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--dock")) || 0;
    if (event.clientY < Math.max(box.top, 0) + edge) scroll(-scrollStep);
    else if (event.clientY > Math.min(box.bottom, innerHeight - dock) - edge) scroll(scrollStep);
  }

  /** The list scrolls on a wide screen, and the page on a narrow one. */
  function scroll(step) {
    if (list.scrollHeight > list.clientHeight) list.scrollBy(0, step); else scrollBy(0, step);
  }

  const placeOf = (event) => event.clientY + scrollY + list.scrollTop;

  /** Shows where the row would go. */
  function mark(next, last, isElsewhere) {
    for (const row of list.children) row.classList.remove("drop-before", "drop-after");
    if (isElsewhere) (next ?? last)?.classList.add(next ? "drop-before" : "drop-after");
  }

  function end(event) {
    if (!drag) return;
    const { id, row, button, from, to } = drag;
    drag = null;
    mark(null, null, false);
    row.classList.remove("dragged");
    row.style.translate = "";
    button.removeEventListener("pointermove", over);
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) button.removeEventListener(name, end);
    removeEventListener("keydown", cancel);
    if (event.type === "pointerup" && to !== null && to !== from) move(id, to - from);
  }

  function cancel(event) {
    if (event.key === "Escape") end(event);
  }

  return { list, handle };
}

function middle(row) {
  const box = row.getBoundingClientRect();
  return box.top + box.height / 2;
}

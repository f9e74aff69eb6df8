// Controls that take the place of others: the second press of a double tap was meant for what was there before.

/** Such a control takes no press for this long. */
export const settlingMs = 1_000;

/** Less than half a finger: what has moved by no more is still under the finger that pressed it. */
const nearPx = 20;

/** The button takes no press for a moment, in a panel that is guarded. */
export function settle(button, ms = settlingMs) {
  button.classList.add("settling");
  setTimeout(() => button.classList.remove("settling"), ms);
}

/**
 * Keeps presses from the buttons of a panel that have not settled; those of the keyboard as well, as the focus goes to the successor. A key
 * that is held down presses once: what it would press next may be a higher bid.
 */
export function guard(panel) {
  panel.addEventListener("keydown", (event) => {
    if (event.repeat && event.key === "Enter" && event.target.closest("button")) event.preventDefault();
  });
  panel.addEventListener("click", (event) => {
    if (event.target.closest(".settling")) { event.preventDefault(); event.stopPropagation(); }
  }, true);
}

/**
 * Draws the buttons of a panel anew, each with its name in `data-action`; those that were not there before, or elsewhere, settle first.
 * @returns a function to call with what draws them
 */
export function makeSettling(panel, now = () => performance.now()) {
  let known = new Map();
  const buttons = () => [...panel.querySelectorAll("[data-action]")].map((button) => [button.dataset.action, button, button.getBoundingClientRect()]);
  return (draw) => {
    const before = new Map(buttons().map(([name, , box]) => [name, box]));
    draw();
    const at = now();
    const next = new Map();
    for (const [name, button, box] of buttons()) {
      // Where there were none, there is nothing that a press could have been meant for.
      const stays = before.size === 0 || isNear(before.get(name), box);
      const since = stays ? known.get(name) ?? -Infinity : at;
      next.set(name, since);
      if (at - since < settlingMs) settle(button, settlingMs - (at - since));
    }
    known = next;
  };
}

const isNear = (one, other) => Boolean(one) && Math.abs(one.left - other.left) <= nearPx && Math.abs(one.top - other.top) <= nearPx;

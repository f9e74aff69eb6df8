// Panels of which one shows: a tab list that the arrow keys walk. On a wide screen the first panel stands beside the others
// instead of among them.
import { h, set, setText, show } from "../dom.js";

let count = 0;

/** @param panels [{name, title, element}]; `apart` is the panel that a wide screen shows elsewhere */
export function makeTabs(label, panels, apart, wide) {
  const id = `tabs-${++count}`;
  let chosen = panels[0].name;
  const buttons = new Map(panels.map(({ name, title }) => [name, h("button.tab", {
    type: "button", role: "tab", id: `${id}-${name}`, "aria-controls": `${id}-${name}-panel`,
    onclick: () => choose(name),
  }, h("span", title), h("span.tab-badge", { hidden: true, "aria-hidden": "true" }))]));
  const list = h("div.tab-list", { role: "tablist", "aria-label": label }, [...buttons.values()]);
  for (const { name, element } of panels) {
    element.id = `${id}-${name}-panel`;
    set(element, "role", "tabpanel");
    set(element, "aria-labelledby", `${id}-${name}`);
  }
  const left = new Set();
  const offered = () => panels.map((panel) => panel.name).filter((name) => !left.has(name) && !(wide.matches && name === apart));

  function draw() {
    if (!offered().includes(chosen)) chosen = offered()[0];
    for (const { name, element } of panels) {
      const button = buttons.get(name);
      const isApart = wide.matches && name === apart;
      set(button, "aria-selected", name === chosen);
      set(button, "tabindex", name === chosen ? 0 : -1);
      show(button, !isApart && !left.has(name));
      show(element, isApart || name === chosen);
    }
    badge(chosen, 0);
  }

  function choose(name) {
    chosen = name;
    draw();
  }

  /** Takes a panel out of the list, or in again. */
  function offer(name, isOffered) {
    if (left.has(name) !== isOffered) return;
    if (isOffered) left.delete(name); else left.add(name);
    draw();
  }

  function badge(name, number) {
    const mark = buttons.get(name).querySelector(".tab-badge");
    setText(mark, number > 99 ? "99+" : String(number || ""));
    show(mark, number > 0);
  }

  list.addEventListener("keydown", (event) => {
    const names = offered();
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step ? names[(names.indexOf(chosen) + step + names.length) % names.length]
      : { Home: names[0], End: names.at(-1) }[event.key];
    if (!next) return;
    event.preventDefault();
    choose(next);
    buttons.get(next).focus();
  });
  wide.addEventListener("change", draw);
  draw();
  return { list, choose, offer, badge, isShown: (name) => name === chosen, stop: () => wide.removeEventListener("change", draw) };
}

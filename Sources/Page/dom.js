// Elements without a framework. Text only ever becomes text: nothing here, or anywhere in the page, parses HTML, and the policy
// the page is served with makes the browser refuse it too.

const svgNames = new Set(["svg", "path", "circle", "line", "text", "g", "rect", "title"]);

/** h("p.note", {id: "x", onclick: f}, "text", child, [children]); nothing for null, undefined and false. */
export function h(selector, ...rest) {
  const [name, ...classes] = selector.split(".");
  const isSVG = svgNames.has(name) && name !== "title";
  const element = isSVG ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  if (classes.length > 0) element.classList.add(...classes);
  const hasProperties = rest.length > 0 && isPlain(rest[0]);
  if (hasProperties) for (const [key, value] of Object.entries(rest[0])) set(element, key, value);
  append(element, hasProperties ? rest.slice(1) : rest);
  return element;
}

const isPlain = (value) => value !== null && typeof value === "object" && !(value instanceof Node) && !Array.isArray(value);

export function set(element, key, value) {
  if (key.startsWith("on")) return element.addEventListener(key.slice(2), value);
  // "false" means something there, unlike an attribute that is not there.
  if (key.startsWith("aria-") && typeof value === "boolean") return element.setAttribute(key, String(value));
  if (value === null || value === undefined || value === false) return element.removeAttribute(key);
  if (key === "value") element.value = value;
  else element.setAttribute(key, value === true ? "" : String(value));
}

function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/** Writes only what differs: an untouched node keeps its selection, and a live region stays quiet. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function show(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}

export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

const pressable = (element) => [...element.querySelectorAll("a, button")];

/**
 * Brings the children of a list in line with the items: an item keeps its element, and so its focus, while its key and
 * what it shows stay the same.
 */
export function reconcile(list, items, keyOf, versionOf, make) {
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  const known = new Map([...list.children].map((child) => [child.dataset.key, child]));
  let place = list.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    const version = String(versionOf(item));
    let element = known.get(key);
    known.delete(key);
    if (element && element.dataset.version !== version) {
      const next = make(item);
      if (place === element) place = next;
      const at = pressable(element).indexOf(document.activeElement);
      element.replaceWith(next);
      if (at >= 0) (pressable(next)[at] ?? pressable(next)[0])?.focus();
      element = next;
    }
    element ??= make(item);
    element.dataset.key = key;
    element.dataset.version = version;
    if (place === element) place = place.nextElementSibling;
    else list.insertBefore(element, place);
  }
  for (const stale of known.values()) stale.remove();
  // An element that is moved loses the focus.
  if (focused?.isConnected && document.activeElement !== focused && !list.contains(document.activeElement)) focused.focus();
}

/** Where no frame comes, because the page is not seen or the machine is busy, what waits for one is done after this. */
const framelessMs = 100;

/** A function that has `work` done once, in the next frame, for all its calls before that: a burst of events is drawn once. */
export function oncePerFrame(work) {
  let late = null;
  const go = () => {
    if (late === null) return;
    clearTimeout(late);
    late = null;
    work();
  };
  return () => {
    if (late !== null) return;
    late = setTimeout(go, framelessMs);
    requestAnimationFrame(go);
  };
}

const shapes = {
  back: "M15 5l-7 7 7 7",
  bell: "M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 21h4",
  forward: "M9 5l7 7-7 7",
  check: "M5 13l4 4L19 7",
  gavel: "M14 4l6 6M11 7l6 6M12.5 5.5l-5 5M18.5 11.5l-5 5M10 12l-7 7 2 2 7-7M13 21h8",
  send: "M4 12l16-8-6 16-3-7-7-1z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c.5-4 3-6 6.500-6s6 2 6.500 6M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500c2 .8 3.200 2.700 3.500 5.500",
  close: "M6 6l12 12M18 6L6 18",
  lock: "M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.500 9.500h.01",
  star: "M12 4l2.500 5.200 5.700.8-4.100 4 1 5.700-5.100-2.700-5.100 2.700 1-5.700-4.100-4 5.700-.8z",
  microphone: "M12 14a3 3 0 0 0 3-3V6a3 3 0 0 0-6 0v5a3 3 0 0 0 3 3M5.500 11a6.500 6.500 0 0 0 13 0M12 17.500V21M8.500 21h7",
  muted: "M9 9V6a3 3 0 0 1 6 0v5M9 9v2a3 3 0 0 0 4.500 2.600M5.500 11a6.500 6.500 0 0 0 10.500 5.100M18.500 11a6.500 6.500 0 0 1-.5 2.500M12 17.500V21M8.500 21h7M4 4l16 16",
  sound: "M4 9.500v5h3.500L12 18.500v-13L7.500 9.500zM15.500 9a4.200 4.200 0 0 1 0 6M18 6.500a7.800 7.800 0 0 1 0 11",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l3 2",
};

/** A drawing beside words; readers of the screen hear the words. */
export function icon(name) {
  return h("svg.icon", { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, h("path", { d: shapes[name] }));
}

let watcher = null;

/** @param given its `opened` and `closed` are called with each dialog from now on; null: nothing is */
export function watchDialogs(given) { watcher = given; }

/** As if the user had closed them, all that are open. */
export function closeDialogs() {
  for (const box of document.querySelectorAll("dialog[open]")) box.close();
}

/** Whether a form in it has what was not sent yet. */
const isChanged = (box) => Boolean(box.querySelector("form[data-changed]"));

/** What a control is called by those who hear the page. */
const nameOf = (element) => element.getAttribute("aria-label") ?? element.textContent;

/**
 * What has the focus now. The platform gives it back when a dialog closes; the function that is returned gives it to the control of the same
 * name in the same row, or to the first one there, if the one of before has been drawn anew meanwhile.
 */
function focusOfNow() {
  const from = document.activeElement;
  const key = from?.closest("[data-key]")?.dataset.key;
  const around = [];
  for (let at = from?.parentElement; at && at !== document.body; at = at.parentElement) around.push(at);
  return () => {
    if (from?.isConnected || (document.activeElement !== document.body && document.activeElement?.isConnected)) return;
    const place = around.find((each) => each.isConnected);
    if (!place) return;
    const row = [...place.children].find((each) => key !== undefined && each.dataset.key === key);
    const controls = pressable(row ?? place);
    (controls.find((each) => nameOf(each) === nameOf(from)) ?? controls[0])?.focus();
  };
}

/** A dialog of the platform: it traps the focus, closes on Escape and gives the focus back. */
export function dialog(title, content, { closeLabel, onclose } = {}) {
  const refocus = focusOfNow();
  const heading = h("h2", { id: `dialog-${Math.random().toString(36).slice(2)}` }, title);
  const box = h("dialog.dialog", { "aria-labelledby": heading.id },
    h("header.dialog-head", heading,
      h("button.quiet.round", { type: "button", "aria-label": closeLabel, onclick: () => box.close() }, icon("close"))),
    content);
  // The browser asks before what was typed is lost with the page. Only then: some keep no page that may ask for the way back to it.
  const ask = (event) => {
    if (!isChanged(box)) return;
    event.preventDefault();
    event.returnValue = true;
  };
  box.addEventListener("input", () => addEventListener("beforeunload", ask));
  box.addEventListener("close", () => { removeEventListener("beforeunload", ask); box.remove(); refocus(); watcher?.closed(box); onclose?.(); });
  // The key that has opened it, held down, must not go on to press what has the focus here.
  box.addEventListener("keydown", (event) => {
    if (event.repeat && event.key === "Enter" && event.target.matches("button, input")) event.preventDefault();
  });
  // A press beside it closes it; one that began inside, as when selecting text, does not, nor does any while something typed would be lost.
  let beganBeside = false;
  box.addEventListener("pointerdown", (event) => { beganBeside = event.target === box; });
  box.addEventListener("click", (event) => { if (event.target === box && beganBeside && !isChanged(box)) box.close(); });
  document.body.append(box);
  box.showModal();
  watcher?.opened(box);
  return box;
}

/**
 * A table whose first column heads the rows. On a narrow screen a row is a block of lines, each with the name of its column; the roles say
 * what it was, as a browser forgets them with the layout.
 * @param kind "amounts": the last column is what matters, and stands beside the first; "texts": all columns are below each other
 */
export function table(head, rows, foot = null, kind = "texts") {
  const line = (cells) => h("tr", { role: "row" }, cells.map((cell, index) => (index === 0 ? h("th", { scope: "row", role: "rowheader", "data-head": head[0] }, cell)
    : h("td", { role: "cell", "data-head": head[index] }, cell))));
  const group = (name, lines) => h(name, { role: "rowgroup" }, lines);
  return h("div.table-box", { tabindex: "0", role: "group", "aria-label": head.join(", ") }, h(`table.table.${kind}`, { role: "table" },
    group("thead", h("tr", { role: "row" }, head.map((name) => h("th", { scope: "col", role: "columnheader" }, name)))),
    group("tbody", rows.map(line)), foot && group("tfoot", line(foot))));
}

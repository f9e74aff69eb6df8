// As much of a browser's document as the views of the page use, so that they can be tested in Node: elements, selectors of tags, classes
// and attributes, events, focus and dialogs. No layout: everything is at the origin and has no size.

const names = (text) => text.split(/\s+/).filter(Boolean);

class ClassList {
  constructor(element) { this.element = element; }
  get #names() { return names(this.element.className); }
  contains(name) { return this.#names.includes(name); }
  add(...added) { this.element.className = [...new Set([...this.#names, ...added])].join(" "); }
  remove(...removed) { this.element.className = this.#names.filter((name) => !removed.includes(name)).join(" "); }
  toggle(name, force = !this.contains(name)) { if (force) this.add(name); else this.remove(name); return force; }
}

/** An element, or with the tag "#text" a text. */
class Node {
  parentElement = null;
  childNodes = [];
  listeners = [];
  attributes = new Map();
  className = "";
  #value = "";
  style = { setProperty() {} };
  classList = new ClassList(this);
  dataset = new Proxy(this, {
    get: (_, name) => this.getAttribute(`data-${name}`) ?? undefined,
    set: (_, name, value) => { this.setAttribute(`data-${name}`, value); return true; },
    deleteProperty: (_, name) => { this.removeAttribute(`data-${name}`); return true; },
  });

  constructor(tag, text = "") { Object.assign(this, { tag, text, scrollHeight: 0, scrollTop: 0, clientHeight: 0, offsetHeight: 0 }); }

  get value() { return this.#value; }
  set value(given) { this.#value = String(given); }
  get children() { return this.childNodes.filter((node) => node.tag !== "#text"); }
  get firstElementChild() { return this.children[0] ?? null; }
  get lastChild() { return this.childNodes.at(-1) ?? null; }
  get nextElementSibling() { const all = this.parentElement?.children ?? []; return all[all.indexOf(this) + 1] ?? null; }
  get isConnected() { return document.documentElement.contains(this); }
  get textContent() { return this.text + this.childNodes.map((node) => node.textContent).join(""); }
  set textContent(text) { if (this.tag === "#text") this.text = text; else this.replaceChildren(text); }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
  setAttribute(name, value) { this.attributes.set(name, String(value)); }
  removeAttribute(name) { this.attributes.delete(name); }
  getBoundingClientRect() { return { left: 0, top: 0, width: 0, height: 0 }; }

  insertBefore(node, place) {
    node.remove();
    this.childNodes.splice(place ? this.childNodes.indexOf(place) : this.childNodes.length, 0, node);
    node.parentElement = this;
    return node;
  }
  append(...nodes) { for (const node of nodes) this.insertBefore(node instanceof Node ? node : new Node("#text", String(node)), null); }
  replaceChildren(...nodes) { for (const node of [...this.childNodes]) node.remove(); this.append(...nodes); }
  replaceWith(node) { this.parentElement.insertBefore(node, this); this.remove(); }
  remove() {
    const place = this.parentElement?.childNodes.indexOf(this) ?? -1;
    if (place >= 0) this.parentElement.childNodes.splice(place, 1);
    this.parentElement = null;
  }
  contains(node) { return node === this || this.childNodes.some((child) => child.contains(node)); }

  matches(selector) { return selector.split(",").some((each) => fits(this, each.trim().split(/\s+/))); }
  closest(selector) { return this.matches(selector) ? this : this.parentElement?.closest(selector) ?? null; }
  querySelectorAll(selector) { return this.children.flatMap((child) => [...(child.matches(selector) ? [child] : []), ...child.querySelectorAll(selector)]); }
  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }

  addEventListener(type, act) { this.listeners.push({ type, act }); }
  removeEventListener(type, act) { this.listeners = this.listeners.filter((each) => each.type !== type || each.act !== act); }
  /** Calls the listeners here and further up. */
  dispatch(type, more = {}) {
    for (let at = this; at; at = at.parentElement) {
      for (const each of [...at.listeners]) if (each.type === type) each.act({ type, target: this, currentTarget: at, preventDefault() {}, stopPropagation() {}, ...more });
    }
  }
  /** As a browser does: a button that submits submits its form. */
  click() {
    this.dispatch("click");
    if (this.type === "submit") this.closest("form")?.dispatch("submit", { submitter: this });
  }
  focus() { document.activeElement = this; this.dispatch("focus"); }
  select() {}
  animate() {}
  showModal() { this.setAttribute("open", ""); }
  close() { this.removeAttribute("open"); this.dispatch("close"); }
}

for (const name of ["hidden", "disabled", "checked", "open"]) {
  Object.defineProperty(Node.prototype, name, {
    get() { return this.attributes.has(name); }, set(isOn) { if (isOn) this.setAttribute(name, ""); else this.removeAttribute(name); },
  });
}
for (const name of ["id", "type"]) {
  Object.defineProperty(Node.prototype, name, { get() { return this.getAttribute(name) ?? ""; }, set(value) { this.setAttribute(name, value); } });
}

/** Whether the element is what the last part of a selector says, and is in elements that are what those before it say. */
function fits(element, parts) {
  const last = parts.at(-1);
  const isIt = [...last.matchAll(/^[\w-]+|\.[\w-]+|\[[^\]]+\]|:checked/g)].every(([part]) => {
    if (part === ":checked") return element.checked;
    if (part.startsWith(".")) return element.classList.contains(part.slice(1));
    if (!part.startsWith("[")) return element.tag === part;
    const [, name, value] = /^\[([\w-]+)(?:="?([^"\]]*)"?)?\]$/.exec(part);
    return value === undefined ? element.attributes.has(name) : element.getAttribute(name) === value;
  });
  if (!isIt || parts.length === 1) return isIt;
  for (let at = element.parentElement; at; at = at.parentElement) if (fits(at, parts.slice(0, -1))) return true;
  return false;
}

/** Puts an empty document, and what else the views take from the browser, into the global scope. @returns its body */
export function makeDocument() {
  const document = new Node("#document");
  Object.assign(document, {
    documentElement: new Node("html"), body: new Node("body"), hidden: false,
    createElement: (tag) => new Node(tag), createElementNS: (_, tag) => new Node(tag),
  });
  document.append(document.documentElement);
  document.documentElement.append(document.body);
  document.activeElement = document.body;
  Object.assign(globalThis, {
    Node, document, location: { origin: "https://auction.example", hash: "" },
    matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
    ResizeObserver: class { observe() {} disconnect() {} }, IntersectionObserver: class { observe() {} disconnect() {} },
    requestAnimationFrame: () => 0, cancelAnimationFrame() {}, addEventListener() {}, removeEventListener() {},
  });
  Object.defineProperty(globalThis, "navigator", { value: { onLine: true }, configurable: true, writable: true });
  return document.body;
}

/** The shown elements that a selector finds, with a text in them if one is given. */
export const shown = (root, selector, text = "") => root.querySelectorAll(selector).filter((each) => !each.closest("[hidden]") && each.textContent.includes(text));

/** Types into a field that had something else, and lets its form know. */
export function type(input, text) {
  input.value = text;
  input.dispatch("input");
}

// Elements of what is written in Markdown and JSON.
import { h } from "../dom.js";
import { t } from "../strings.js";
import { blocks, inlines, plainText } from "./markdown.js";

/** Below it are the articles, by their names. */
export const articlesPath = "/docs/articles/";

/** @param linkOf the address of what a word in code names, or null */
function texts(parts, linkOf) {
  return parts.map((part) => {
    if (typeof part === "string") return part;
    const to = part.kind === "code" ? linkOf(part.text) : null;
    switch (part.kind) {
      case "code": return to ? h("a", { href: to }, h("code", part.text)) : h("code", part.text);
      case "strong": case "em": return h(part.kind, texts(part.parts, linkOf));
      case "picture": return h("em.quiet-text", part.text);
      case "article": return h("a", { href: articlesPath + part.name }, linkOf(`doc:${part.name}`) ?? wordsOf(part.name));
      default: return h("a", { href: addressOf(part.to), rel: "noreferrer" }, texts(part.parts, linkOf));
    }
  });
}

/** "TheWayOfOneBid" until its title is known. */
const wordsOf = (name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, " ");

/** Articles name files of their folders and of the repository, those of other sites have whole addresses. */
function addressOf(to) {
  const article = /^(?:[\w./-]*\/)?([\w-]+)\.md(#.*)?$/.exec(to);
  if (article) return articlesPath + article[1] + (article[2] ?? "");
  return /^(?:https?:\/\/|#|\/)/.test(to) ? to : `/${to}`;
}

/** A table or code may be wider than the screen: it scrolls by itself, also by the keyboard. */
export const scrolling = (label, ...content) => h("div.scrolling", { tabindex: "0", role: "group", "aria-label": label }, content);

export const code = (text, label = t("docs.example")) => scrolling(label, h("pre", h("code", text)));

/** @param shift how many levels lower the headings are than in the text */
export function markdown(text, { linkOf = () => null, shift = 0 } = {}) {
  const render = (block) => {
    switch (block.kind) {
      case "heading": return h(`h${Math.min(6, block.level + shift)}`, { id: block.id }, texts(block.parts, linkOf));
      case "code": return code(block.text);
      case "list": return h(block.isOrdered ? "ol.text" : "ul.text", block.items.map((item) => h("li", texts(item.parts, linkOf), item.inner.map(render))));
      case "table": return scrolling(plainText(block.head[0] ?? []) || t("docs.table"), h("table",
        h("thead", h("tr", block.head.map((cell) => h("th", { scope: "col" }, texts(cell, linkOf))))),
        h("tbody", block.rows.map((row) => h("tr", row.map((cell) => h("td", texts(cell, linkOf))))))));
      default: return h("p", texts(block.parts, linkOf));
    }
  };
  return blocks(text).map(render);
}

/** A text of one paragraph within another element. */
export const line = (text, linkOf) => texts(inlines(text.replaceAll("\n", " ")), linkOf);

/** A button that copies a text; without HTTPS browsers have no clipboard for pages, but copy what is selected. */
export function copyButton(textOf, box) {
  const button = h("button.small", { type: "button", onclick: copy }, t("host.copy"));
  async function copy() {
    try {
      await navigator.clipboard.writeText(textOf());
    } catch {
      getSelection().selectAllChildren(box);
      if (!document.execCommand("copy")) return;
    }
    button.textContent = t("host.copied");
    setTimeout(() => { button.textContent = t("host.copy"); }, 2_000);
  }
  return button;
}

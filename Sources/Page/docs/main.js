// The contract and the articles, for people: `/docs` shows the calls and types, `/docs/articles/NAME` an article.
import { h, icon, replace, setText } from "../dom.js";
import { safeStorage } from "../storage.js";
import { language, pickLanguage, t, useLanguage } from "../strings.js";
import { callAddress, callView } from "./calls.js";
import { Contract, ranked } from "./contract.js";
import { articlesPath, code, line, markdown } from "./elements.js";
import { anchorsOf, inlines, plainText } from "./markdown.js";
import { Guest, read } from "./requests.js";
import { typeAddress, typeView } from "./types.js";
import { parseYAML } from "./yaml.js";

const storage = safeStorage(() => window.localStorage);
const parameters = new URLSearchParams(location.search);
const article = location.pathname.startsWith(articlesPath) ? location.pathname.slice(articlesPath.length) : null;
const guest = new Guest();

/** What was read: null until then. */
let contract = null;
/** Of the articles their `name`, `title`, `group` and `headings`. */
let articles = [];
let articleText = null;

/** The address of what a word in code names: a call, a type, or after `doc:` the title of an article. */
function linkOf(word) {
  if (word.startsWith("doc:")) return articles.find(({ name }) => name === word.slice(4))?.title ?? null;
  if (contract?.call(word)) return callAddress(word);
  return contract?.type(word) ? typeAddress(word) : null;
}

const top = h("header.top");
const search = h("input", { id: "search", type: "search", autocomplete: "off", spellcheck: "false", oninput: () => drawResults() });
const searchLabel = h("label", { for: "search" });
const status = h("p.unseen", { role: "status" });
const results = h("div.results", { hidden: true });
const contents = h("details.contents");
const page = h("div.docs-page");
const main = h("main.main", { id: "main", tabindex: "-1" },
  h("div.docs", contents, h("div.docs-main", h("search", searchLabel, search), status, results, page)));
const skip = h("a.skip", { href: "#main", onclick: (event) => { event.preventDefault(); main.focus(); } });

function switchLanguage() {
  const next = language() === "en" ? "zh" : "en";
  storage.set("auction-room.language", next);
  useLanguage(next);
  draw();
  top.querySelector("button").focus();
}

function drawFrame() {
  setText(skip, t("app.skip"));
  setText(searchLabel, t("docs.search"));
  replace(top,
    h("a.brand", { href: "/" }, icon("gavel"), h("span", t("app.name"))),
    h("div.top-end", h("a.quiet-link", { href: "/docs" }, t("app.contract")), h("button.quiet.small", {
      type: "button", lang: language() === "en" ? "zh" : "en", "aria-label": t("app.languageLabel"), onclick: switchLanguage,
    }, t("app.language"))));
  const groups = [...new Set(articles.map(({ group }) => group))].map((group) => [group, articles.filter((each) => each.group === group)]);
  replace(contents, h("summary", t("docs.contents")), h("nav", { "aria-label": t("docs.contents") },
    contract && [h("p.eyebrow", t("docs.calls")), h("ul", contract.tags.filter(callsOf).map(({ name }) => h("li", h("a", { href: `/docs#tag-${name}` }, name)))),
      h("ul", h("li", h("a", { href: "/docs#types" }, t("docs.types"))))],
    groups.map(([group, some]) => [h("p.eyebrow", group), h("ul", some.map(articleLink))])));
}

const articleLink = ({ name, title }) => h("li", h("a", { href: articlesPath + name, "aria-current": name === article ? "page" : null }, title));
const callsOf = ({ name }) => contract.calls.some((call) => call.tag === name);

function draw() {
  drawFrame();
  drawResults();
  if (article === null ? contract === null : articleText === null) return replace(page, h("p.empty", t("app.loading")));
  document.title = `${article === null ? t("app.contract") : titleOf(articleText)} · ${t("app.name")}`;
  replace(page, article === null ? overview() : h("article.prose", { lang: "en" }, markdown(articleText, { linkOf })));
  show();
}

const titleOf = (text) => plainText(inlines(/^# +(.*)$/m.exec(text)?.[1] ?? article));

/** How to begin, with the commands that every shell has, and jq. */
const tokenCommand = () => `TOKEN=$(curl -s '${location.origin}/v1/guests' -H 'Content-Type: application/json' -d '{"nickname":"Ann"}' | jq -r .token)`;

function overview() {
  return [
    h("h1", contract.info.title, " ", h("span.version", contract.info.version)),
    h("p.facts", h("a", { href: "/openapi.yaml" }, "OpenAPI"), h("a", { href: "/asyncapi.yaml" }, "AsyncAPI"), h("a", { href: `${articlesPath}GettingStarted` }, t("docs.start"))),
    h("div.prose", { lang: "en" }, markdown(contract.info.description, { linkOf })),
    h("p", t("docs.getToken")), code(tokenCommand(), "curl"),
    contract.tags.filter(callsOf).map(({ name, description }) => h("section", { "aria-labelledby": `tag-${name}`, lang: "en" },
      h("h2", { id: `tag-${name}` }, name), h("p.lead", line(description ?? "", linkOf)),
      contract.calls.filter((call) => call.tag === name).map((call) => callView({ contract, guest, linkOf }, call)))),
    h("section", { "aria-labelledby": "types", lang: "en" }, h("h2", { id: "types" }, t("docs.types")), contract.types.map((type) => typeView(contract, type, linkOf))),
  ];
}

/** What the search finds takes the place of the page, until it is followed or emptied. */
function drawResults() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  results.hidden = words.length === 0;
  page.hidden = words.length > 0;
  if (words.length === 0) { setText(status, ""); return replace(results); }
  const { calls, types } = contract?.search(search.value) ?? { calls: [], types: [] };
  const texts = ranked(articles.flatMap((each) => [[each, each.title, each.title],
    ...each.headings.map((heading) => [{ ...each, heading }, heading.text, `${each.title} ${heading.text}`])]), words);
  const found = (title, items) => items.length > 0 && [h("h3", title), h("ul", items.map((item) => h("li", { lang: "en" }, item)))];
  const link = (href, ...content) => h("a", { href, onclick: followed }, content);
  setText(status, t("docs.found", { n: calls.length + types.length + texts.length }));
  replace(results, h("h2", t("docs.found", { n: calls.length + types.length + texts.length })),
    found(t("docs.calls"), calls.map((call) => link(callAddress(call.id), h(`span.method.${call.method.toLowerCase()}`, call.method), " ", h("code", call.path), " ", call.summary))),
    found(t("docs.articles"), texts.map(({ name, title, heading }) => link(`${articlesPath}${name}${heading ? `#${heading.anchor}` : ""}`, heading ? `${title}: ${heading.text}` : title))),
    found(t("docs.types"), types.map(({ name }) => link(typeAddress(name), name))));
}

/** The address may be the one that is shown: then nothing else happens. */
function followed() {
  search.value = "";
  drawResults();
  setTimeout(show);
}

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/** Opens what the address names, and scrolls to it. */
function show() {
  const element = document.getElementById(decoded(location.hash.slice(1)));
  if (!element || !page.contains(element)) return;
  if (search.value) { search.value = ""; drawResults(); }
  if (element.tagName === "DETAILS") element.open = true;
  const target = element.querySelector("summary") ?? element;
  if (target === element) target.setAttribute("tabindex", "-1");
  target.focus({ preventScroll: true });
  element.scrollIntoView();
}

const wide = matchMedia("(min-width: 60rem)");
const fit = () => { contents.open = wide.matches; };
wide.addEventListener("change", fit);
fit();
useLanguage(pickLanguage(parameters.get("lang") ?? storage.get("auction-room.language"), navigator.languages));
document.body.replaceChildren(skip, top, main);
addEventListener("hashchange", show);
draw();

try {
  const [list, yaml, text] = await Promise.all([
    read("/docs/articles.json"), read("/openapi.yaml"), article === null ? null : read(`${articlesPath}${article}.md`)]);
  articles = JSON.parse(list).articles.map(({ headings, ...each }) => {
    const [title, ...texts] = [each.title, ...headings].map((heading) => plainText(inlines(heading)));
    const [, ...anchors] = anchorsOf([title, ...texts]);
    return { ...each, title, headings: texts.map((text, index) => ({ text, anchor: anchors[index] })) };
  });
  articleText = text;
  if (article !== null) draw();
  contract = new Contract(parseYAML(yaml));
  draw();
} catch (error) {
  replace(page, h("h1", t("app.contract")), h("p.field-error", { role: "alert" }, t("app.unexpected", { detail: error.message })));
}

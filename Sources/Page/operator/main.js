// The operator's page, `/operator`: all rooms, webhooks, service tokens and the audit, for who has a service token. It is kept in this tab
// only, and sent with each request; what its scopes do not allow, the server refuses.
import { AuctionClient, Problem } from "../client/auction-client.js";
import { h, icon, replace, setText } from "../dom.js";
import { mountFeedback, noteError } from "../feedback.js";
import { field, form, showProblem } from "../forms.js";
import { safeStorage } from "../storage.js";
import { language, pickLanguage, t, useLanguage } from "../strings.js";
import { auditView, tokensView, usersView } from "./programs.js";
import { roomsView } from "./rooms.js";
import { webhooksView } from "./webhooks.js";

const place = "auction-room.operator";
const views = { rooms: roomsView, users: usersView, webhooks: webhooksView, tokens: tokensView, audit: auditView };

const storage = safeStorage(() => window.localStorage);
const tab = safeStorage(() => window.sessionStorage);
const client = new AuctionClient({ language, token: tab.get(place), baseURL: location.origin });
const operator = {
  /** A request of the operator. @param body null: none */
  call: (method, path, body = null) => client.request(method, path, body === null ? {} : { body }),
  /** Draws the view of now again, after a change. */
  again: () => draw(),
};

const top = h("header.top");
const main = h("main.main", { id: "main", tabindex: "-1" });
const skip = h("a.skip", { href: "#main", onclick: (event) => { event.preventDefault(); main.focus(); } });
let drawn = 0;

const chosen = () => (location.hash.slice(2) in views ? location.hash.slice(2) : "rooms");

function switchLanguage() {
  const next = language() === "en" ? "zh" : "en";
  storage.set("auction-room.language", next);
  useLanguage(next);
  draw();
  top.querySelector("button").focus();
}

function drawTop() {
  setText(skip, t("app.skip"));
  document.title = `${t("operator.title")} · ${t("app.name")}`;
  replace(top, h("a.brand", { href: "/" }, icon("gavel"), h("span", t("app.name"))),
    h("div.top-end",
      h("button.quiet.small", { type: "button", lang: language() === "en" ? "zh" : "en", "aria-label": t("app.languageLabel"), onclick: switchLanguage }, t("app.language")),
      tab.get(place) !== null && h("button.quiet.small", { type: "button", onclick: () => useToken(null) }, t("operator.leave"))));
}

function useToken(token) {
  if (token === null) tab.remove(place); else tab.set(place, token);
  client.useToken(token);
  draw();
}

async function draw() {
  drawTop();
  drawn += 1;
  const turn = drawn;
  if (tab.get(place) === null) return replace(main, h("div.page.stack", h("h1", t("operator.title")), tokenForm()));
  const content = h("div.stack", h("p.empty", { role: "status" }, t("app.loading")));
  const name = chosen();
  replace(main, h("div.page.stack", h("h1", t("operator.title")),
    h("nav.row.wrap", { "aria-label": t("operator.title") }, Object.keys(views).map((each) => h("a.quiet-link", {
      href: `#/${each}`, "aria-current": each === name ? "page" : null,
    }, t(`operator.${each}`)))), content));
  try {
    const made = await views[name](operator);
    if (turn === drawn) replace(content, made);
  } catch (error) {
    if (turn !== drawn) return;
    replace(content, h("p.empty", { role: "status" }, error instanceof Problem ? error.detail : t("app.unreachable")));
    noteError(error);
  }
}

/** A stranger's token is told nothing but that there is no such path. */
function tokenForm() {
  const input = h("input", { type: "password", autocomplete: "off", required: true, maxlength: 4096, autofocus: true });
  return form("form.stack", [
    field(t("operator.token"), input, { name: "token", hint: t("operator.tokenHint") }),
    h("button.primary", { type: "submit" }, t("nick.go")),
  ], async (element) => {
    const given = input.value.trim();
    client.useToken(given);
    try {
      await operator.call("GET", "/v1/admin/audit?limit=1");
    } catch (error) {
      // What a token may not read is missing below; the token is one.
      if (!(error instanceof Problem && error.code === "scope.missing")) {
        client.useToken(null);
        if (!(error instanceof Problem) || ![401, 404].includes(error.status)) throw error;
        return showProblem(element, new Problem({ detail: t("operator.noToken"), field: "token" }, 400));
      }
    }
    return useToken(given);
  });
}

useLanguage(pickLanguage(new URLSearchParams(location.search).get("lang") ?? storage.get("auction-room.language"), navigator.languages));
document.body.replaceChildren(skip, top, main);
mountFeedback(document.body);
addEventListener("hashchange", draw);
draw();

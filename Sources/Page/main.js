// The page: who is here, in which language, and which of the two views the address asks for.
import { Attention } from "./attention.js";
import { AuctionClient } from "./client/auction-client.js";
import { DialogHistory } from "./dialog-history.js";
import { closeDialogs, h, icon, replace, setText, watchDialogs } from "./dom.js";
import { mountFeedback, note, noteError } from "./feedback.js";
import { ProviderSignIn, readSettings } from "./provider-sign-in.js";
import { Session, makeRenewal } from "./session.js";
import { safeStorage } from "./storage.js";
import { language, pickLanguage, t, useLanguage } from "./strings.js";
import { openAccount } from "./views/guest.js";
import { roomView } from "./views/room.js";
import { roomsView } from "./views/rooms.js";
import { askCode, askWho, enterWith, noteFailure } from "./views/sign-in.js";
import { forgetOthers } from "./views/while-away.js";

const renewEveryMs = 3600 * 1000;
const storage = safeStorage(() => window.localStorage);
const session = new Session(storage);
const parameters = new URLSearchParams(location.search);
/**
 * Without TLS browsers speak HTTP/1.1, with at most six connections to a host in all tabs together: an event stream keeps one, so that in
 * the sixth tab no request gets through. WebSockets are not among the six. With TLS they may be refused: by this server's own, by proxies.
 */
const transports = location.protocol === "http:" ? ["socket", "sse", "poll"] : ["sse", "socket", "poll"];

const dialogs = new DialogHistory(window.history, window.location);

let view = null;
let shownRoute = null;

const client = new AuctionClient({
  language,
  transports,
  onRequest: ({ phase, attempt }) => { if (phase === "retry" && attempt === 0) note(t("app.retrying")); },
  /** Only asked when the server refuses the token, as there is one or none from the beginning; or when it wants one, and there is none. */
  tokenProvider: (question) => session.tokenAfter(question),
});
const settings = await readSettings(client);
client.useSession(session.current);
session.onAdopt = (adopted) => client.useSession(adopted);
const renew = makeRenewal(session, () => client.renewToken());
/** A new guest, or the user by signing in again, takes the place of one whose token is of no use any more, but not without the user. */
const askAgain = () => { askWho(app, { nickname: session.lastNickname, hint: t("app.signedOut") }).catch(noteError); };
session.onSignedOut = askAgain;

const app = {
  client, session, storage, settings,
  provider: new ProviderSignIn(settings.signIn, {
    location, history, crypto, storage: safeStorage(() => window.sessionStorage), fetch: window.fetch.bind(window),
  }),
  attention: new Attention(storage, (title, text) => note(title, "plain", text)),
  clock: client.clock,
  transport: parameters.get("transport"),
  /** The room whose link does not invite any more, until the address changes: the user has left it, or its code was wrong. */
  triedInvite: null,
  /** The room that the user is entering by its link: a view that is drawn for a new guest meanwhile waits for that. */
  entering: null,
  /** The room that a new guest has just joined by a press. */
  joined: null,
  go(route) { dialogs.go(route); },
  /** Draws a room anew, unless the address is another by now. */
  redraw(room) { if (routeOf(location.hash).room === room) draw(); },
  /** Draws the view of now anew: what the user has is no longer the same. */
  redrawAll() { draw(); },
  title(text) { document.title = text ? `${text} · ${t("app.name")}` : t("app.name"); },
  /** The user, after a dialog that asks who it is if needed; null if that is cancelled. */
  async guest() {
    return session.user ?? await askWho(app);
  },
};

const top = h("header.top");
const main = h("main.main", { id: "main", tabindex: "-1" });
const skip = h("a.skip", { href: "#main", onclick: (event) => { event.preventDefault(); main.focus(); } });

function drawTop() {
  setText(skip, t("app.skip"));
  replace(top,
    h("a.brand", { href: "#/" }, icon("gavel"), h("span", t("app.name"))),
    h("div.top-end",
      h("button.quiet.small", {
        type: "button", lang: language() === "en" ? "zh" : "en", "aria-label": t("app.languageLabel"), onclick: switchLanguage,
      }, t("app.language")),
      h("button.quiet.small.who", {
        type: "button", "aria-haspopup": "dialog", onclick: () => openAccount(app),
        "aria-label": session.user ? t("nick.you", { name: session.user.nickname }) : t("nick.none"),
      }, h("span.avatar", { "aria-hidden": "true" }, session.user ? [...session.user.nickname][0] : "?"),
      h("span.who-name", session.user?.nickname ?? t("nick.none")))));
}

function switchLanguage() {
  const next = language() === "en" ? "zh" : "en";
  storage.set("auction-room.language", next);
  useLanguage(next);
  draw();
  top.querySelector("button").focus();
}

/** #/rooms/room_…?invite=code, and #/pair/code; the fragment never reaches the server, so neither does the code in it. */
export function routeOf(hash) {
  const [path, query] = hash.replace(/^#/, "").split("?");
  const room = /^\/rooms\/(room_[0-9a-z]+)$/.exec(path);
  return room ? { name: "room", room: room[1], invite: new URLSearchParams(query).get("invite") } : { name: "rooms" };
}

/** A link that another device shows: its code is asked about, and is not kept in the history. */
function takePairing() {
  const code = /^#\/pair\/([0-9A-Za-z-]{1,64})$/.exec(location.hash)?.[1];
  if (!code) return;
  history.replaceState(history.state, "", "#/");
  askCode(app, code);
}

function draw() {
  const route = routeOf(location.hash);
  view?.stop();
  drawTop();
  view = route.name === "room" ? roomView(app, route.room, route.invite) : roomsView(app);
  replace(main, view.element);
  const key = `${route.name} ${route.room ?? ""}`;
  // The focus moves to a new view, but not when the same view is rendered again.
  if (shownRoute !== null && shownRoute !== key) {
    // A dialog belongs to the view that opened it.
    closeDialogs();
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  shownRoute = key;
}

useLanguage(pickLanguage(parameters.get("lang") ?? storage.get("auction-room.language"), navigator.languages));
document.body.replaceChildren(skip, top, main);
mountFeedback(document.body);
session.onChange = () => {
  forgetOthers(storage, session.user?.id);
  draw();
};
// What one guest was asked must not be answered as another; nor must a new guest take the place of the one that another tab has become.
session.onOther = closeDialogs;
watchDialogs(dialogs);
addEventListener("popstate", () => dialogs.moved());
addEventListener("hashchange", () => { app.triedInvite = null; draw(); takePairing(); });
addEventListener("online", () => view.wake?.(0));
addEventListener("offline", () => view.sleep?.());
addEventListener("pageshow", (event) => { if (event.persisted) view.wake?.(0); });
// A device that slept may hold a connection that is dead without knowing.
document.addEventListener("visibilitychange", () => { if (!document.hidden) { renew(); view?.wake?.(20_000); } });
addEventListener("storage", () => session.lookAgain());
setInterval(renew, renewEveryMs);
await renew();
const arrived = await app.provider.finish().catch((error) => ({ error }));
forgetOthers(storage, session.user?.id);
draw();
if (arrived) (arrived.error ? Promise.reject(arrived.error) : enterWith(app, arrived)).catch(noteFailure);
else if (session.isLost && !session.user) askAgain();
takePairing();

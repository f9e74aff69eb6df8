// What surrounds a room: its name, its state, whether the connection lives, and where the parts go.
import { h, icon, set, setText, show } from "../dom.js";
import { note, noteError, speak } from "../feedback.js";
import { t } from "../strings.js";

/** An interruption shorter than this is not shown. */
const awayAfterMs = 1_500;

/** @param parts the elements `lot`, `hero`, `away`, `offers`, `end`, `listen`, `microphone`, `host`, `bid`, `tabs`, `lots`, `bids`, `chat`, `people`, `inbox` */
export function makeFrame(parts, wide, attention) {
  const title = h("h1.room-title");
  const facts = h("p.room-facts");
  const chip = h("span.chip");
  const watching = h("span.watching", { role: "img" }, icon("eye"), h("span"));
  const liveText = h("span.live-text");
  const live = h("span.live", { "data-state": "connecting" }, h("span.live-dot", { "aria-hidden": "true" }), liveText);
  const bell = h("button.quiet.round.tiny.bell", {
    type: "button", hidden: true, "aria-label": t("call.switch"), title: t("call.switch"),
    onclick: () => attention.toggle().then(() => {
      drawBell();
      note(t(attention.isOn ? "call.on" : "call.off"), "plain", attention.isOn && !attention.canNotify ? t("call.keepOpen") : null);
    }, noteError),
  }, icon("bell"));
  const drawBell = () => set(bell, "aria-pressed", attention.isOn);
  drawBell();
  const away = h("p.offline.away", { hidden: true });
  const alert = h("p.offline", { hidden: true });
  const dock = h("div.dock", parts.microphone, parts.host, parts.bid);
  const main = h("div.room-main", parts.away, parts.offers, parts.hero, parts.end, dock);
  const side = h("aside.room-side", { "aria-label": [t("lots.title"), t("chat.title"), t("people.title")].join(", ") }, parts.tabs, parts.lots, parts.chat, parts.people, parts.inbox);
  const elements = [
    h("header.room-head", h("a.back", { href: "#/", "aria-label": t("app.back") }, icon("back")),
      h("div.room-names", title, facts), h("div.room-state", chip, h("span.row", parts.listen, bell, watching, live))),
    away, alert, h("div.room-grid", parts.lot, main, side),
  ];

  // On a phone the dock covers the bottom of the page, so the page gets that much padding.
  const dockSize = new ResizeObserver(() => document.documentElement.style.setProperty("--dock", `${dock.offsetHeight}px`));
  dockSize.observe(dock);
  // On a wide screen the bids stand below the price, on a narrow one they are the first of the tabs.
  const placeBids = () => { if (wide.matches) main.append(parts.bids); else side.insertBefore(parts.bids, parts.lots); };
  wide.addEventListener("change", placeBids);
  placeBids();

  /** Notes pass above it. */
  function showAway(isAway) {
    show(away, isAway);
    document.documentElement.style.setProperty("--away", isAway ? `${away.offsetHeight + 8}px` : "0px");
  }

  let awayTimer = null;
  /** What was announced of this interruption: once, however often the server is asked. */
  let spoken = "";
  return {
    elements,
    update({ room, phase, state, archived, me }) {
      show(bell, Boolean(me?.role) && !archived);
      setText(title, room.name);
      setText(facts, t("room.facts", { name: room.host.nickname, n: room.round }));
      setText(watching.lastChild, String(state.viewers));
      set(watching, "aria-label", t("room.viewers", { n: state.viewers }));
      setText(chip, t(`state.${phase}`));
      chip.className = `chip ${phase}`;
      const news = archived ? t("room.archived") : state.hostGone ? t("room.hostGone") : "";
      if (news && news !== alert.textContent) speak(news);
      setText(alert, news);
      show(alert, news !== "");
    },
    /** @param refused what the server says instead of sending events; null where it says nothing */
    setLive(connection, transport = "", refused = null) {
      live.dataset.state = connection;
      live.dataset.transport = transport;
      setText(liveText, t(`live.${connection}`));
      set(live, "title", transport ? `${t(`live.${connection}`)} (${transport})` : null);
      clearTimeout(awayTimer);
      if (connection === "live") spoken = "";
      if (connection !== "reconnecting" && !refused) return showAway(false);
      awayTimer = setTimeout(() => {
        setText(away, refused ?? t(navigator.onLine ? "live.noAnswer" : "live.offline"));
        if (away.textContent !== spoken) speak(away.textContent);
        spoken = away.textContent;
        showAway(true);
      }, awayAfterMs);
    },
    stop() {
      clearTimeout(awayTimer);
      dockSize.disconnect();
      wide.removeEventListener("change", placeBids);
    },
  };
}

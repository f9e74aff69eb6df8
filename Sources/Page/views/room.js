// A room: what is known of it (room-state.js), what can be done in it, and the parts that show it.
import { Problem } from "../api.js";
import { h, icon, replace, set, setText, show } from "../dom.js";
import { busily, explain, note, noteError } from "../feedback.js";
import { field, form } from "../forms.js";
import { formatMoney } from "../money.js";
import * as fold from "../room-state.js";
import { Stream } from "../stream.js";
import { language, t } from "../strings.js";
import { bidNote, makeBid } from "./bid.js";
import { makeBids } from "./bids.js";
import { makeChat } from "./chat.js";
import { makeHero } from "./hero.js";
import { makeHost } from "./host.js";
import { makeLot } from "./lot.js";
import { makePeople } from "./people.js";
import { makeTabs } from "./tabs.js";

/** How many events of the past are read for the chat and the course of the price. */
const historyLength = 300;
/** Asking the server what one may do now, at most so often. */
const refreshEveryMs = 400;
const awayAfterMs = 1_500;

export function roomView(app, id, invite) {
  const path = `/v1/rooms/${id}`;
  let state = fold.initialState();
  let stage = null;
  let results = [];
  let stream = null;
  let frame = null;
  let isStopped = false;
  let isDrawn = false;

  const wide = matchMedia("(min-width: 64rem)");
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  const element = h("div.page.room", h("p.empty", { role: "status" }, t("app.loading")));
  app.title("");

  const controls = {
    model,
    join: (role, button) => busily(button, () => join(role)),
    bid,
    order: (verb, body) => after(app.request("POST", `${path}/auction/${verb}`, {
      // A press that was meant for another state must not act on this one.
      body: { expectedState: state.room.state, expectedRound: state.room.round, ...body },
    }).then(takeRoom)),
    archive: () => after(app.request("DELETE", path)),
    upload: (body) => after(app.request("POST", `${path}/items`, { body })),
    adjust: (rules) => after(app.request("PATCH", `${path}/items/${state.room.item.id}`, { body: { rules } })),
    retract: (bidID, reason) => after(app.request("DELETE", `${path}/bids/${bidID}?reason=${encodeURIComponent(reason)}`)),
    say: (text) => app.request("POST", `${path}/messages`, { body: { text } }),
    removeMessage: (message) => app.request("DELETE", `${path}/messages/${message}`),
    changeMember: (user, body) => after(app.request("PATCH", `${path}/members/${user}`, { body })),
    kick: (user) => after(app.request("DELETE", `${path}/members/${user}`)),
    leave: () => after(app.request("DELETE", `${path}/members/me`)),
    stage: (rest, body) => after(app.request("POST", `${path}/stage/${rest}`, { body: body ?? {} }).then(loadStage)),
  };

  const lot = makeLot();
  const hero = makeHero(reducedMotion);
  const bidPanel = makeBid(controls);
  const hostPanel = makeHost(controls);
  const bids = makeBids(controls);
  const chat = makeChat(controls);
  const people = makePeople(controls);
  const tabs = makeTabs(t("room.details"), [
    { name: "bids", title: t("bids.title"), element: bids.element },
    { name: "chat", title: t("chat.title"), element: chat.element },
    { name: "people", title: t("people.title"), element: people.element },
  ], "bids", wide);
  const title = h("h1.room-title");
  const chip = h("span.chip");
  const facts = h("p.room-facts");
  const watching = h("span.watching", { role: "img" }, icon("eye"), h("span"));
  const live = h("span.live", { "data-state": "connecting" }, h("span.live-dot", { "aria-hidden": "true" }), h("span.live-text"));
  const offline = h("p.offline.away", { hidden: true, role: "status" });
  const alert = h("p.offline", { hidden: true });
  const dock = h("div.dock", hostPanel.element, bidPanel.element);
  // On a phone the dock lies over the end of the page, which therefore ends that much later.
  const dockSize = new ResizeObserver(() => document.documentElement.style.setProperty("--dock", `${dock.offsetHeight}px`));
  dockSize.observe(dock);
  const layout = [
    h("header.room-head", h("a.back", { href: "#/", "aria-label": t("app.back") }, icon("back")),
      h("div.room-names", title, facts), h("div.room-state", chip, h("span.row", watching, live))),
    offline, alert,
    h("div.room-grid", lot.element,
      h("div.room-main", hero.element, dock),
      h("aside.room-side", { "aria-label": t("people.title") }, tabs.list, bids.element, chat.element, people.element)),
  ];

  function model() {
    const { room } = state;
    const now = app.clock.now();
    const allowed = new Set(room.allowedActions ?? []);
    return {
      state, room, stage, results, now, archived: state.archived, phase: fold.phaseOf(room, now), me: room.me,
      userID: app.session.user?.id ?? null,
      can: (action) => !state.archived && allowed.has(action),
      money: (amount) => formatMoney(amount, room.currency, language()),
    };
  }

  function draw() {
    if (isStopped || !state.room) return;
    if (!isDrawn) { isDrawn = true; replace(element, layout); placeBids(); }
    const now = model();
    const { room, phase } = now;
    app.title(room.name);
    setText(title, room.name);
    setText(facts, t("room.facts", { name: room.host.nickname, n: room.round }));
    setText(watching.lastChild, String(state.viewers));
    set(watching, "aria-label", t("room.viewers", { n: state.viewers }));
    setText(chip, t(`state.${phase}`));
    chip.className = `chip ${phase}`;
    element.dataset.phase = phase;
    setText(alert, state.archived ? t("room.archived") : state.hostGone ? t("room.hostGone") : "");
    show(alert, alert.textContent !== "");
    lot.update(now);
    hero.update(now);
    hostPanel.update(now);
    bidPanel.update(now);
    bids.update(now);
    people.update(now);
    tabs.badge("chat", chat.update(now, tabs.isShown("chat")));
    tick();
  }

  /** Draws once for all that happens together. */
  let isDue = false;
  function drawSoon() {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => { isDue = false; draw(); });
  }

  /** The countdown, frame by frame; a page that is not seen has no frames and misses none. */
  let shownPhase = null;
  function tick() {
    cancelAnimationFrame(frame);
    const run = () => {
      if (isStopped || !state.room) return;
      const now = app.clock.now();
      hero.tick(now);
      const phase = fold.phaseOf(state.room, now);
      if (shownPhase !== phase) { shownPhase = phase; drawSoon(); }
      frame = requestAnimationFrame(run);
    };
    run();
  }

  function placeBids() {
    const main = element.querySelector(".room-main");
    const side = element.querySelector(".room-side");
    if (wide.matches) main.append(bids.element); else side.insertBefore(bids.element, chat.element);
  }
  wide.addEventListener("change", placeBids);
  tabs.list.addEventListener("click", () => { if (tabs.isShown("chat")) { draw(); chat.toEnd(); } });

  let awayTimer = null;
  function setLive(connection) {
    live.dataset.state = connection;
    setText(live.querySelector(".live-text"), t(`live.${connection}`));
    set(live, "title", stream ? `${t(`live.${connection}`)} (${stream.transport})` : "");
    live.dataset.transport = stream?.transport ?? "";
    // A connection that comes right back is nobody's concern.
    clearTimeout(awayTimer);
    if (connection === "reconnecting") awayTimer = setTimeout(() => { setText(offline, t("live.offline")); show(offline, true); }, awayAfterMs);
    else show(offline, false);
  }

  // Reading.

  async function readRoom() {
    const room = await app.request("GET", path);
    state = fold.withSnapshot(state, room);
    return room;
  }

  async function readRound() {
    const { round } = state.room;
    const page = await app.request("GET", `${path}/bids?round=${round}&limit=100`);
    state = fold.withBids(state, page.bids, round);
  }

  async function readMembers() {
    const page = await app.request("GET", `${path}/members?limit=500`);
    state = fold.withMembers(state, page.members);
  }

  async function readResults() {
    results = (await app.request("GET", `${path}/results?limit=20`)).results;
  }

  async function loadStage() {
    try { stage = await app.request("GET", `${path}/stage`); } catch (error) { if (!(error instanceof Problem)) throw error; }
    drawSoon();
  }

  let refreshTimer = null;
  let refreshedAt = -Infinity;
  /** What the caller may do depends on more than the events tell, so the server is asked; seldom, and never twice at once. */
  function refreshSoon() {
    if (refreshTimer || isStopped) return;
    refreshTimer = setTimeout(async () => {
      refreshedAt = Date.now();
      try { await readRoom(); drawSoon(); } catch (error) {
        if (error instanceof Problem && error.status === 404) gone();
      } finally { refreshTimer = null; }
    }, Math.max(30, refreshedAt + refreshEveryMs - Date.now()));
  }

  async function after(work) {
    const answer = await work;
    refreshSoon();
    drawSoon();
    return answer ?? true;
  }

  function takeRoom(room) {
    if (room) state = fold.withSnapshot(state, room);
    drawSoon();
    return room;
  }

  // Following.

  function take(events) {
    let asks = false;
    for (const event of events) {
      const isNews = event.seq > state.roomSeq;
      const hadBids = Boolean(state.room.currentBid);
      state = fold.applyEvent(state, event);
      // An event from the future: the device's clock was set back.
      if (Date.parse(event.at) > app.clock.now() + 5000) app.clock.hint(event.at);
      if (!isNews) continue;
      asks ||= fold.asksForRoom(event, app.session.user?.id, hadBids);
      if (event.type.startsWith("stage.") || event.type === "member.left") loadStage().catch(() => {});
      if (event.type === "state.changed" && event.data.to === "closed") closed();
      if (["member.kicked", "member.banned"].includes(event.type) && event.data.banned !== false
        && event.data.member.id === app.session.user?.id) note(t("room.removed"), "bad");
    }
    if (asks) refreshSoon();
    drawSoon();
  }

  /** After the close sealed amounts are no secret any more, and there is a new row in the results. */
  function closed() {
    Promise.all([readRound(), readResults()]).then(drawSoon, () => {});
  }

  function follow() {
    const start = Math.max(0, state.room.seq - historyLength);
    state = { ...state, seq: start };
    stream = new Stream({
      room: id, after: start, request: app.request, transport: app.transport,
      onEvents: take,
      onNotice(notice) {
        if (notice.serverTime) app.clock.hint(notice.serverTime);
        if (typeof notice.viewers === "number") state = fold.withViewers(state, notice.viewers);
        drawSoon();
      },
      onState: setLive,
      onResume: () => { Promise.all([readRoom(), readMembers(), loadStage()]).then(drawSoon, () => {}); },
      onGone: gone,
    });
    stream.start();
  }

  // Doing.

  async function join(role, code = invite) {
    const had = app.session.user;
    const guest = await app.guest();
    if (!guest) return;
    await app.request("POST", `${path}/members`, { body: { ...(role ? { role } : {}), ...(code ? { inviteCode: code } : {}) } });
    // A new guest has made the page draw a new view of this room; that one reads the room by itself.
    if (had && !isStopped) { if (state.room) refreshSoon(); else await load(); }
  }

  async function bid(body) {
    const before = model();
    const answer = await app.request("POST", `${path}/bids`, { body: { ...body, round: state.room.round } });
    if (answer?.room && answer.room.seq >= state.roomSeq && answer.room.seq > state.room.seq) {
      state = { ...state, room: { ...state.room, ...answer.room }, roomSeq: answer.room.seq, clockEndsAt: answer.room.endsAt ?? state.clockEndsAt };
    }
    bidNote(answer, body, before);
    return after(Promise.resolve(answer));
  }

  // Coming in.

  async function load() {
    try {
      await readRoom();
      const user = app.session.user;
      if (invite && user && !state.room.me?.role) { await join("viewer"); await readRoom(); }
      await Promise.all([readRound(), readMembers(), loadStage(), readResults()]);
    } catch (error) {
      if (isStopped) return;
      if (error instanceof Problem && error.status === 404) return missing();
      failed(error);
      return;
    }
    if (isStopped) return;
    draw();
    setLive("connecting");
    follow();
  }

  function failed(error) {
    replace(element, h("div.missing", h("p", { role: "alert" }, explain(error)[0]),
      h("button.primary", { type: "button", onclick: load }, t("app.retry")),
      h("a", { href: "#/" }, t("app.back"))));
  }

  let hasTriedInvite = false;
  async function missing() {
    if (invite && !hasTriedInvite) {
      hasTriedInvite = true;
      try { if (await app.guest()) { if (!isStopped) { await join("viewer"); } return; } } catch (error) { noteError(error); }
    }
    if (isStopped) return;
    const input = h("input", { type: "text", autocomplete: "off", value: invite ?? "" });
    replace(element, h("div.missing", h("h1", t("room.missing")), h("p", t("room.missingHint")), form("form.row.end-fields", [
      field(t("room.code"), input, { name: "inviteCode" }),
      h("button.primary", { type: "submit" }, t("room.enter")),
    ], async () => {
      if (!await app.guest()) return;
      await app.request("POST", `${path}/members`, { body: { inviteCode: input.value.trim() } });
      app.go(`/rooms/${id}`);
      if (!isStopped) load();
    }), h("a", { href: "#/" }, t("app.back"))));
  }

  function gone() {
    stream?.stop();
    setLive("gone");
    isDrawn = false;
    missing();
  }

  load();
  return {
    element,
    stop() {
      isStopped = true;
      stream?.stop();
      tabs.stop();
      dockSize.disconnect();
      wide.removeEventListener("change", placeBids);
      cancelAnimationFrame(frame);
      clearTimeout(refreshTimer);
      clearTimeout(awayTimer);
    },
    sleep() { stream?.interrupt(); },
    wake(silentForMs) { stream?.kick(silentForMs); if (state.room) refreshSoon(); },
  };
}

// A room: its views, rendered from the state of room-client.js.
import { momentOf, newsBetween, subjectOf } from "../attention.js";
import { Blocks } from "../blocks.js";
import { Problem, formatMoney, phaseOf } from "../client/auction-client.js";
import { h, oncePerFrame, replace } from "../dom.js";
import { busily, connected, explain, note, noteError } from "../feedback.js";
import { field, form } from "../forms.js";
import { readInvitation } from "../invitation.js";
import { streamWords, withMoney } from "../problem-words.js";
import { Favourites } from "../favourites.js";
import { RoomClient } from "../room-client.js";
import { language, t } from "../strings.js";
import { bidNote, isOutbid, makeBid } from "./bid.js";
import { makeBids } from "./bids.js";
import { makeChat } from "./chat.js";
import { makeFrame } from "./frame.js";
import { makeHero } from "./hero.js";
import { makeHost } from "./host.js";
import { makeInbox } from "./inbox.js";
import { makeLot } from "./lot.js";
import { makeLots } from "./lots.js";
import { makeOffers } from "./offers.js";
import { makePeople } from "./people.js";
import { endOf, makeResults } from "./results.js";
import { saleNews } from "./sale.js";
import { makeTabs } from "./tabs.js";
import { makeSaleEnd } from "./totals.js";
import { makeUnanswered } from "./unanswered.js";
import { makeVoice } from "./voice.js";
import { makeWhileAway } from "./while-away.js";

export function roomView(app, id, invite) {
  const element = h("div.page.room", h("p.empty", { role: "status" }, t("app.loading")));
  const wide = matchMedia("(min-width: 64rem)");
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  let isStopped = false;
  let isShown = false;
  let frame = null;
  // A page that catches up gets each event in a message of its own, and drawing takes longer than the message.
  const drawSoon = oncePerFrame(draw);
  app.title("");

  const blocks = new Blocks(app.client, drawSoon);
  const favourites = new Favourites(app.storage, id, drawSoon);
  const client = new RoomClient(app, id, {
    change: drawSoon, gone,
    live: (state, transport, refusal) => {
      around.setLive(state, transport, refusal && streamWords(refusal));
      if (state === "live") unanswered.check();
    },
    removed(cause) {
      if (cause === "banned") app.storage.set(banKey(), "yes");
      note(t(cause === "banned" ? "room.banned" : "room.removed"), "bad");
    },
    sale: (type, data) => note(saleNews(type, data, model().phase), data.hasBid ? "bad" : "plain"),
    bidUnused: (name) => note(t("news.unused", { name }), "bad"),
    bidVoid: (name) => note(t("news.formatChanged", { name }), "bad"),
    maximumVoided: (cause) => note(t(`voided.${cause}`, { amount: model().money(client.room.currentPrice) }), "bad"),
  });

  const unanswered = makeUnanswered((round) => client.readNow(round), (text, kind) => { connected(); if (text) note(text, kind); });

  /** What the parts may ask for: everything the client does, with a person in front of it. */
  const controls = {
    id, model, blocks,
    join: (role, button) => busily(button, () => join(role)),
    async bid(body) {
      whileAway.acted();
      const before = model();
      const answer = await client.bid(body).catch((error) => { throw withMoney(unanswered.about(error, body, before), before.money); });
      bidNote(answer, body, before);
      return answer;
    },
  };
  for (const name of ["readLot", "allResults"]) controls[name] = async (...given) => masked(await client[name](...given));
  for (const name of ["readMembers", "bannedMembers", "moreLots", "moreResults", "ticket", "resultTable", "permissionRules", "readReports", "readApplications"]) controls[name] = (...given) => client[name](...given);
  for (const name of ["order", "archive", "upload", "adjust", "retract", "say", "removeMessage", "report", "changeMember", "kick", "approve", "decline", "leave", "onStage", "queueLot", "changeLot", "withdrawLot",
    "reofferLot", "voidResult", "acceptOffer", "declineOffer", "placeAbsenteeBid", "withdrawAbsenteeBid", "importLots", "uploadPicture", "configureSale", "startSale", "stopSale", "switchRule"]) {
    controls[name] = async (...given) => {
      whileAway.acted();
      return client[name](...given).catch((error) => { throw withMoney(error, model().money); });
    };
  }

  const lot = makeLot();
  const hero = makeHero(reducedMotion);
  const bidPanel = makeBid(controls);
  const hostPanel = makeHost(controls);
  const bids = makeBids(controls);
  const saleEnd = makeSaleEnd(controls);
  const whileAway = makeWhileAway(app.storage);
  const results = makeResults(controls);
  const offers = makeOffers(controls);
  const lots = makeLots(controls);
  const chat = makeChat(controls);
  const voice = makeVoice({ settings: app.settings?.voice ?? null, storage: app.storage, clock: app.clock, takeToken: () => app.client.room(id).voiceToken(), redraw: drawSoon });
  controls.voice = voice;
  const people = makePeople(controls);
  const inbox = makeInbox(controls, app.storage);
  const tabs = makeTabs(t("room.parts"), [
    { name: "bids", title: t("bids.title"), element: bids.element },
    { name: "lots", title: t("lots.title"), element: lots.element },
    { name: "chat", title: t("chat.title"), element: chat.element },
    { name: "people", title: t("people.title"), element: people.element },
    { name: "inbox", title: t("inbox.title"), element: inbox.element },
  ], "bids", wide);
  const around = makeFrame({
    lot: lot.element, hero: hero.element, away: whileAway.element, offers: offers.element, end: saleEnd.element, host: hostPanel.element, bid: bidPanel.element, tabs: tabs.list, bids: bids.element,
    lots: lots.element, chat: chat.element, people: people.element, inbox: inbox.element, listen: voice.listen, microphone: voice.microphone,
  }, wide, app.attention);
  tabs.list.addEventListener("click", () => { if (tabs.isShown("chat")) { draw(); chat.toEnd(); } if (tabs.isShown("inbox")) draw(); });

  const masked = (value) => blocks.masked(value, { blocked: t("people.blocked"), floor: t("floor.name") });

  /** Own bids on lots whose sellers, buyers and leaders have the names that are shown. */
  function maskedBids(own) {
    const list = masked(own.list);
    return list === own.list ? own : { list, isRead: own.isRead, of: (id) => list.find((lot) => lot.id === id) };
  }

  function model() {
    const [state, results] = [client.state, client.results].map(masked);
    const { room } = state;
    const now = app.clock.now();
    const allowed = new Set(room.allowedActions ?? []);
    return {
      state: { ...state, result: endOf(state, results) }, room, stage: masked(client.stage), results, unsold: client.unsold, hasMoreResults: client.resultsCursor !== null, hasMoreBids: client.hasMoreBids, lots: state.lots, ownBids: maskedBids(client.ownBids), applicationChanges: client.applicationChanges, mustApply: client.mustApply, sale: room.sale ?? null, now, archived: state.archived, phase: phaseOf(room, now), me: room.me,
      userID: app.session.user?.id ?? null, favourites,
      can: (action) => !state.archived && allowed.has(action),
      money: (amount) => formatMoney(amount, room.currency, language()),
    };
  }

  function draw() {
    if (isStopped || !isShown) return;
    const now = model();
    app.title(isOutbid(now) ? `${t("bid.outbid")} · ${now.room.name}` : now.room.name);
    element.dataset.phase = now.phase;
    const hasLots = Boolean(now.sale) || now.can("queueLot");
    tabs.offer("lots", hasLots);
    // What became of earlier rounds stands where the lots are, and below the bids where there are none.
    const place = hasLots ? lots.element : bids.element;
    if (results.element.parentElement !== place) place.append(results.element);
    for (const part of [around, voice, lot, hero, whileAway, offers, saleEnd, hostPanel, bidPanel, bids, lots, results, people]) part.update(now);
    tabs.badge("chat", chat.update(now, tabs.isShown("chat")));
    const isHost = now.me?.role === "host" && !now.archived;
    tabs.offer("inbox", isHost);
    if (isHost) tabs.badge("inbox", inbox.update(now, tabs.isShown("inbox")));
    // The view in which a new guest pressed "Join" is gone, and the button that had the focus with it.
    if (app.joined === id && now.me?.role) {
      app.joined = null;
      if (document.activeElement === document.body) bidPanel.focus();
    }
    call(now);
    run();
  }

  let moment = null;
  /** What the user is called back for, and whether the screen stays on. */
  function call(now) {
    const next = momentOf(now);
    for (const kind of newsBetween(moment, next)) {
      const [words, subject] = [t(`call.${kind}`), subjectOf(kind, moment, now)];
      app.attention.call(kind, words, subject);
      // It waits for an answer, also of those who are not called and have scrolled past it.
      if (kind === "offer") note(`${words}: ${subject}`);
    }
    moment = next;
    app.attention.keepAwake(now.me?.role === "bidder" && !now.archived && ["listing", "auctioning", "paused"].includes(now.phase));
  }

  /** The countdown, frame by frame; a page that is not seen has no frames and misses none. */
  let shownPhase = null;
  function run() {
    cancelAnimationFrame(frame);
    if (isStopped || !client.room) return;
    const now = app.clock.now();
    hero.tick(now);
    offers.tick(now);
    const phase = phaseOf(client.room, now);
    if (shownPhase !== phase) { shownPhase = phase; drawSoon(); }
    frame = requestAnimationFrame(run);
  }

  // Coming in.

  async function join(role, code = invite) {
    const had = app.session.user;
    if (!await app.guest()) return;
    if (!had) app.joined = id;
    await client.enter(role, code);
    // What followed the room has ended, and does not begin again; and to a new guest's view the room was missing a moment ago.
    if (isMissing || (!had && !client.room)) return app.redraw(id);
    // A new guest has made the page draw a new view of this room; that one reads the room by itself.
    if (had && !isStopped) { if (client.room) client.refreshSoon(); else await load(); }
  }

  async function load() {
    try {
      await client.read();
      if (invite && app.session.user && !client.room.me?.role && !client.room.me?.banned) { await client.enter("viewer", invite); await client.read(); }
      await client.readRest();
    } catch (error) {
      if (isStopped) return;
      if (error instanceof Problem && error.status === 404) missing();
      else failed(error);
      return;
    }
    if (isStopped) return;
    isShown = true;
    // Without it names are shown, and blocking still works.
    if (app.session.user) blocks.read().catch(() => {});
    if (!client.room.me?.banned) app.storage.remove(banKey());
    replace(element, around.elements);
    draw();
    // On a phone the bids have the first place once there may be some.
    const { me, sale, state } = client.room;
    if (me?.role === "host" || (sale && (wide.matches || state === "preparing" || state === "closed"))) tabs.choose("lots");
    around.setLive("connecting");
    client.follow();
  }

  function failed(error) {
    replace(element, h("div.missing", h("p", { role: "alert" }, explain(error)[0]),
      h("button.primary", { type: "button", onclick: load }, t("app.retry")), h("a", { href: "#/" }, t("app.back"))));
  }

  /** The server tells of a ban only when one joins: so the browser remembers it. */
  const banKey = () => `auction-room.banned.${id}.${app.session.user?.id}`;

  function banned() {
    app.storage.set(banKey(), "yes");
    replace(element, h("div.missing", h("h1", t("room.banned")), h("p", t("room.bannedHint")),
      h("button", { type: "button", onclick: tryAgain }, t("app.retry")), h("a", { href: "#/" }, t("app.back"))));
  }

  /** As at the first visit: what followed the room has ended, and the host may have let the user in again. */
  function tryAgain() {
    app.storage.remove(banKey());
    app.triedInvite = null;
    app.redraw(id);
  }

  let isMissing = false;
  function missing() {
    if (app.storage.get(banKey())) return banned();
    isMissing = true;
    if (app.entering === id) return;
    if (invite && app.triedInvite !== id) return invited();
    const input = h("input", { type: "text", autocomplete: "off", value: invite ?? "" });
    replace(element, h("div.missing", h("h1", t("room.missing")), h("p", t("room.missingHint")), form("form.row.end-fields", [
      field(t("room.code"), input, { name: "inviteCode" }),
      h("button.primary", { type: "submit" }, t("room.enter")),
    ], async () => {
      try { await join(null, readInvitation(input.value).code ?? input.value.trim()); } catch (error) {
        if (error.code === "member.banned") return banned();
        if (!(error instanceof Problem && error.status === 404)) throw error;
        throw new Problem({ detail: t("room.wrongCode"), field: "inviteCode" }, 404);
      }
    }), h("a", { href: "#/" }, t("app.back"))));
  }

  /** Before one is in a private room it shows nothing: who comes by its link says at once as what they come, and who they are. */
  function invited() {
    const nickname = app.session.user ? null : h("input", { type: "text", autocomplete: "nickname", maxlength: 40, required: true, value: app.session.lastNickname });
    const button = (selector, role, key) => h(selector, { type: "submit", "data-role": role }, t(key));
    replace(element, h("div.missing", h("h1", t("room.invited")), h("p", t("room.invitedHint")), form("form.stack", [
      nickname && field(t("nick.label"), nickname, { name: "nickname", hint: t("nick.hint") }),
      button("button.primary.big", "bidder", "bid.joinBidder"), button("button", "viewer", "bid.joinViewer"),
    ], async (_, { dataset }) => {
      app.entering = id;
      try {
        if (nickname) await app.session.become(nickname.value.trim(), app.client);
        app.joined = id;
        await join(dataset.role);
      } catch (error) {
        notEntered(error);
      } finally {
        app.entering = null;
      }
    }), h("a", { href: "#/" }, t("app.back"))));
  }

  /** @throws the error if this view is still there to show it */
  function notEntered(error) {
    app.entering = null;
    app.joined = null;
    const isWrong = error instanceof Problem && error.status === 404;
    if (error.code === "member.banned") app.storage.set(banKey(), "yes");
    else if (isWrong) app.triedInvite = id;
    else if (!isStopped) throw error;
    app.redraw(id);
    if (isWrong) note(t("room.wrongCode"), "bad"); else if (error.code !== "member.banned") noteError(error);
  }

  async function gone() {
    around.setLive("gone");
    isShown = false;
    voice.stop();
    // Who has left, or was put out, is not invited again by the link that they came by.
    app.triedInvite = id;
    cancelAnimationFrame(frame);
    await askForBan();
    if (!isStopped) missing();
  }

  /**
   * A private room ends for who is banned from it before the event of the ban reaches them. Joining without a code tells of a ban, and lets
   * only the host in, who is not asked.
   */
  async function askForBan() {
    const { room } = client;
    if (room?.visibility !== "private" || !room.me?.role || room.me.role === "host" || app.storage.get(banKey())) return;
    try { await client.enter(null, null); } catch (error) { if (error.code === "member.banned") app.storage.set(banKey(), "yes"); }
  }

  load();
  return {
    element,
    stop() {
      isStopped = true;
      client.stop();
      voice.stop();
      unanswered.stop();
      whileAway.stop();
      app.attention.keepAwake(false);
      tabs.stop();
      around.stop();
      cancelAnimationFrame(frame);
    },
    sleep: () => client.sleep(),
    wake: (silentForMs) => client.wake(silentForMs),
  };
}

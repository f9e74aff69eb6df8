// The list of rooms, and the ways into one.
import { Problem, formatMoney } from "../client/auction-client.js";
import { currencyList, likelyCurrency } from "../currencies.js";
import { dialog, h, icon, reconcile, setText, show } from "../dom.js";
import { explain, noteError } from "../feedback.js";
import { choice, field, form, showProblem } from "../forms.js";
import { readInvitation } from "../invitation.js";
import { language, t } from "../strings.js";
import { leftText } from "./hero.js";
import { thumbnail } from "./lot.js";
import { localTime } from "./sale.js";

const refreshMs = 10_000;
/** A user is a member of a few rooms. */
const shownOwn = 100;

export function roomsView(app) {
  const mine = h("ul.room-list", { "aria-label": t("rooms.mine") });
  const own = h("section.own-rooms", { hidden: true, "aria-label": t("rooms.mine") }, h("h2", t("rooms.mine")), mine);
  // Who has rooms of their own knows what this is.
  const intro = h("img.intro", { src: "/page/intro.svg", alt: t("app.picture"), width: 240, height: 96, hidden: Boolean(app.session.user) });
  const heading = h("h2", { hidden: true }, t("rooms.others"));
  const list = h("ul.room-list", { "aria-label": t("rooms.title") });
  const status = h("p.empty", { role: "status" }, t("app.loading"));
  const more = h("button.quiet", { type: "button", hidden: true, onclick: showMore }, t("rooms.more"));
  const element = h("div.page.rooms",
    h("div.page-head",
      h("div", h("h1", t("rooms.title")), h("p.lead", t("app.tagline")), intro),
      h("div.row",
        h("button", { type: "button", onclick: () => joinDialog(app) }, icon("link"), t("rooms.join")),
        h("button.primary", { type: "button", onclick: () => create(app).catch(noteError) }, t("rooms.open")))),
    own, heading, status, list, more, h("footer.foot", h("a", { href: "/docs" }, t("app.contract"))));
  let pages = 1;
  let timer = null;
  let isStopped = false;
  app.title("");

  async function load() {
    clearTimeout(timer);
    try {
      const rooms = [];
      let hasMore = false;
      let left = pages;
      for await (const page of app.client.rooms().pages()) {
        rooms.push(...page.rooms);
        hasMore = Boolean(page.nextCursor);
        left -= 1;
        if (left === 0) break;
      }
      const joined = app.session.user ? (await app.client.myRooms({ limit: shownOwn }).page()).rooms : [];
      if (isStopped) return;
      draw(rooms, joined);
      show(more, hasMore);
    } catch (error) {
      if (isStopped) return;
      setText(status, explain(error)[0]);
      show(status, true);
    }
    timer = setTimeout(() => (document.hidden ? null : load()), refreshMs);
  }

  function draw(rooms, joined) {
    const known = new Set(joined.map(({ room }) => room.id));
    const others = rooms.filter((room) => !known.has(room.id));
    setText(status, others.length > 0 ? "" : t(joined.length > 0 ? "rooms.noOthers" : "rooms.empty"));
    show(status, others.length === 0);
    show(own, joined.length > 0);
    show(intro, joined.length === 0);
    show(heading, joined.length > 0);
    reconcile(mine, joined, ({ room }) => room.id, (each) => JSON.stringify(each), ({ room, role }) => card(room, role));
    reconcile(list, others, (room) => room.id, (room) => JSON.stringify(room), (room) => card(room));
    // Time passes also where nothing happens.
    showLeft(mine, joined.map(({ room }) => room), app.clock);
    showLeft(list, others, app.clock);
  }

  async function showMore() {
    pages += 1;
    await load();
  }

  load();
  return { element, stop() { isStopped = true; clearTimeout(timer); }, wake: load };
}

function showLeft(list, rooms, clock) {
  const ends = new Map(rooms.map(({ id, endsAt }) => [id, endsAt]));
  for (const element of list.children) {
    const endsAt = ends.get(element.dataset.key);
    const left = endsAt ? Date.parse(endsAt) - clock.now() : 0;
    const text = element.querySelector(".room-card-left");
    show(text, left > 60_000);
    setText(text, left > 60_000 ? leftText(left) : "");
  }
}

function card(room, role = null) {
  const { offer } = room;
  const amount = (price) => formatMoney(price, room.currency, language());
  return h("li", h("a.room-card", { href: `#/rooms/${room.id}` },
    h("span.room-card-head",
      h("span.room-name", room.name),
      h(`span.chip.${room.state}`, t(`state.${room.state}`))),
    h("span.room-card-item",
      offer && thumbnail({ name: offer.name, media: [offer.picture].filter(Boolean) }, 64),
      h("span", room.itemName ?? offer?.name ?? t("rooms.noItem"),
        room.startsAt && h("span.room-card-start", icon("clock"), t("sale.startsAt", { time: localTime(room.startsAt) })))),
    h("span.room-card-foot",
      h("span", role === "host" ? t("rooms.yours") : t("rooms.host", { name: room.host.nickname }),
        room.visibility === "private" && [" · ", icon("lock"), t("rooms.private")]),
      h("span.room-card-price",
        room.currentPrice ? h("strong", amount(room.currentPrice)) : offer && h("strong", t("rooms.from", { amount: amount(offer.startingPrice) })),
        room.total && h("span.quiet-text.room-card-total", t("price.total", { amount: amount(room.total) })),
        h("span.quiet-text.room-card-left", { hidden: true })))));
}

async function create(app) {
  if (!await app.guest()) return;
  const name = h("input", { type: "text", maxlength: 100, required: true, autofocus: true });
  const likely = app.storage.get("auction-room.currency") ?? likelyCurrency(navigator.languages);
  const { usual, others } = currencyList(likely, language());
  const options = (list) => list.map(({ code, label }) => h("option", { value: code, selected: code === likely }, label));
  const currency = h("select", h("optgroup", { label: t("create.usual") }, options(usual)), h("optgroup", { label: t("create.others") }, options(others)));
  const visibility = choice(t("create.visibility"), "visibility", [
    { value: "public", label: t("create.public"), hint: t("create.publicHint") },
    { value: "private", label: t("create.private"), hint: t("create.privateHint") },
  ], "public", { field: "visibility" });
  const box = dialog(t("create.title"), form("form.stack", [
    field(t("create.name"), name, { name: "name" }),
    field(t("create.currency"), currency, { name: "currency" }),
    visibility.element,
    !app.session.isKnownElsewhere && h("p.field-hint", t("create.device")),
    h("button.primary", { type: "submit" }, t("create.go")),
  ], async () => {
    const room = await app.client.openRoom({
      name: name.value.trim(), currency: currency.value, visibility: visibility.value,
    });
    app.storage.set("auction-room.currency", room.currency);
    box.close();
    app.go(`/rooms/${room.id}`);
  }), { closeLabel: t("app.close") });
}

function joinDialog(app) {
  const given = h("input", { type: "text", required: true, autofocus: true, autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  const box = dialog(t("join.title"), form("form.stack", [
    field(t("join.given"), given, { name: "link", hint: t("join.givenHint") }),
    h("button.primary", { type: "submit" }, t("join.go")),
  ], async (element) => {
    const { room, code } = readInvitation(given.value);
    if (!room) return showProblem(element, new Problem({ detail: t(code ? "join.codeAlone" : "join.noRoom"), field: "link" }, 400));
    box.close();
    app.go(`/rooms/${room}${code ? `?invite=${encodeURIComponent(code)}` : ""}`);
  }), { closeLabel: t("app.close") });
  box.classList.add("narrow");
}

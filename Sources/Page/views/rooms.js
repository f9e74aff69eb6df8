// The list of rooms, and the ways into one.
import { Problem, countdownText, formatMoney } from "../client/auction-client.js";
import { dialog, h, icon, reconcile, setText, show } from "../dom.js";
import { explain, noteError } from "../feedback.js";
import { choice, field, form, showProblem } from "../forms.js";
import { language, t } from "../strings.js";

const refreshMs = 10_000;
const currencies = ["CNY", "EUR", "USD", "JPY", "GBP", "HKD", "KWD"];

export function roomsView(app) {
  const list = h("ul.room-list", { "aria-label": t("rooms.title") });
  const status = h("p.empty", { role: "status" }, t("app.loading"));
  const more = h("button.quiet", { type: "button", hidden: true, onclick: showMore }, t("rooms.more"));
  const element = h("div.page.rooms",
    h("div.page-head",
      h("div", h("h1", t("rooms.title")), h("p.lead", t("app.tagline"))),
      h("div.row",
        h("button", { type: "button", onclick: () => joinDialog(app) }, icon("link"), t("rooms.join")),
        h("button.primary", { type: "button", onclick: () => create(app).catch(noteError) }, t("rooms.open")))),
    status, list, more, h("footer.foot", h("a", { href: "/openapi.yaml" }, t("app.contract"))));
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
      if (isStopped) return;
      draw(rooms);
      show(more, hasMore);
    } catch (error) {
      if (isStopped) return;
      setText(status, explain(error)[0]);
      show(status, true);
    }
    timer = setTimeout(() => (document.hidden ? null : load()), refreshMs);
  }

  function draw(rooms) {
    setText(status, rooms.length === 0 ? t("rooms.empty") : "");
    show(status, rooms.length === 0);
    reconcile(list, rooms, (room) => room.id, (room) => JSON.stringify(room), (room) => card(room, app.clock));
  }

  async function showMore() {
    pages += 1;
    await load();
  }

  load();
  return { element, stop() { isStopped = true; clearTimeout(timer); }, wake: load };
}

function card(room, clock) {
  const left = room.endsAt && Date.parse(room.endsAt) - clock.now();
  return h("li", h("a.room-card", { href: `#/rooms/${room.id}` },
    h("span.room-card-head",
      h("span.room-name", room.name),
      h(`span.chip.${room.state}`, t(`state.${room.state}`))),
    h("span.room-card-item", room.itemName ?? t("rooms.noItem")),
    h("span.room-card-foot",
      h("span", t("rooms.host", { name: room.host.nickname }), " · ", t("rooms.round", { n: room.round }),
        room.visibility === "private" && [" · ", icon("lock"), t("rooms.private")]),
      h("span.room-card-price",
        room.currentPrice && h("strong", formatMoney(room.currentPrice, room.currency, language())),
        left > 60_000 && h("span.quiet-text", countdownText(left))))));
}

async function create(app) {
  if (!await app.guest()) return;
  const name = h("input", { type: "text", maxlength: 100, required: true, autofocus: true });
  const currency = h("input", { type: "text", value: "CNY", list: "currencies", maxlength: 3, autocapitalize: "characters", spellcheck: "false" });
  const visibility = choice(t("create.visibility"), "visibility", [
    { value: "public", label: t("create.public"), hint: t("create.publicHint") },
    { value: "private", label: t("create.private"), hint: t("create.privateHint") },
  ], "public", { field: "visibility" });
  const box = dialog(t("create.title"), form("form.stack", [
    field(t("create.name"), name, { name: "name" }),
    field(t("create.currency"), currency, { name: "currency" }),
    h("datalist", { id: "currencies" }, currencies.map((code) => h("option", { value: code }))),
    visibility.element,
    h("button.primary", { type: "submit" }, t("create.go")),
  ], async () => {
    const room = await app.client.openRoom({
      name: name.value.trim(), currency: currency.value.trim().toUpperCase() || "CNY", visibility: visibility.value,
    });
    box.close();
    app.go(`/rooms/${room.id}`);
  }), { closeLabel: t("app.close") });
}

function joinDialog(app) {
  const link = h("input", { type: "text", required: true, autofocus: true, autocomplete: "off", spellcheck: "false" });
  const code = h("input", { type: "text", autocomplete: "off", spellcheck: "false" });
  const box = dialog(t("join.title"), form("form.stack", [
    field(t("join.link"), link, { name: "link" }),
    field(t("join.code"), code, { name: "inviteCode" }),
    h("button.primary", { type: "submit" }, t("join.go")),
  ], async (element) => {
    const room = /room_[0-9a-z]{10,}/.exec(link.value)?.[0];
    if (!room) return showProblem(element, new Problem({ detail: t("join.noRoom"), field: "link" }, 400));
    const invite = code.value.trim() || /[?&]invite=([0-9a-z]+)/.exec(link.value)?.[1];
    box.close();
    app.go(`/rooms/${room}${invite ? `?invite=${encodeURIComponent(invite)}` : ""}`);
  }), { closeLabel: t("app.close") });
  box.classList.add("narrow");
}

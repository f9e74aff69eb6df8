// All rooms with their figures, and stepping in: always with a reason, which everybody in the room reads.
import { formatMoney } from "../client/auction-client.js";
import { dialog, h, table } from "../dom.js";
import { busily, note } from "../feedback.js";
import { language, locale, t } from "../strings.js";
import { askText } from "../views/confirm.js";

const pageSize = 50;

export const timeText = (at) => (at ? new Date(at).toLocaleString(locale()) : "–");

/** A list that is read page by page. @param page makes the rows of one, from a cursor, and returns that of the next */
export async function paged(head, page, empty) {
  const element = h("div.stack");
  const rows = [];
  async function more(cursor) {
    const { lines, next } = await page(cursor);
    rows.push(...lines);
    element.replaceChildren(rows.length > 0 ? table(head, rows) : h("p.empty", empty));
    if (next) element.append(h("button.quiet", { type: "button", onclick: (event) => busily(event.currentTarget, () => more(next)) }, t("operator.more")));
  }
  await more(null);
  return element;
}

export async function roomsView(operator) {
  const results = h("div");
  const search = h("input", { type: "search", maxlength: 100, "aria-label": t("operator.search"), placeholder: t("operator.search") });
  const load = async () => {
    const text = search.value.trim();
    results.replaceChildren(await paged([t("create.name"), t("operator.host"), t("operator.state"), t("operator.price"), t("operator.viewers")], async (cursor) => {
      const query = new URLSearchParams({ limit: pageSize, ...(text && { q: text }), ...(cursor && { cursor }) });
      const { rooms, nextCursor } = await operator.call("GET", `/v1/admin/rooms?${query}`);
      return { next: nextCursor, lines: rooms.map((room) => row(operator, room)) };
    }, t("operator.noRooms")));
  };
  await load();
  return h("div.stack", h("form.row.nowrap", { role: "search", onsubmit: (event) => { event.preventDefault(); busily(event.submitter, load); } },
    search, h("button", { type: "submit" }, t("operator.find"))), results);
}

const row = (operator, room) => [
  h("button.quiet.small", { type: "button", onclick: (event) => busily(event.currentTarget, () => openRoom(operator, room.id)) }, room.name),
  room.host.nickname, h(`span.chip.${room.state}`, t(`state.${room.state}`)),
  room.currentPrice ? formatMoney(room.currentPrice, room.currency, language()) : "–", String(room.viewers),
];

/** What an operator may order in each state; what else is in the way, the server says. */
const orders = {
  preparing: [], closed: [], listing: ["pause", "cancel"], auctioning: ["pause", "end", "cancel"], closing: ["end"], paused: ["resume", "cancel"],
};

async function openRoom(operator, id) {
  const room = await operator.call("GET", `/v1/admin/rooms/${id}`);
  const path = `/v1/rooms/${id}`;
  const ask = (label, act, isDangerous) => h(`button.menu-entry${isDangerous ? ".danger" : ""}`, {
    type: "button", onclick: () => { box.close(); askReason(label, `${label}: ${room.name}`, act, operator); },
  }, label);
  const box = dialog(room.name, h("div.stack",
    table([t("operator.state"), t("operator.figures")], [
      [t(`state.${room.state}`), t("operator.round", { n: room.round, item: room.item?.name ?? "–" })],
      [t("operator.host"), `${room.host.nickname} (${room.host.id})`],
      [t("operator.members"), Object.values(room.members).reduce((sum, count) => sum + count, 0).toString()],
      [t("operator.reports"), String(room.reports)],
      [t("people.banned"), String(room.banned)],
    ]),
    h("div.menu",
      (orders[room.state] ?? []).map((order) => ask(t(`operator.${order}`), (reason) => operator.call("POST", `${path}/auction/${order}`, { reason }), order === "cancel")),
      ask(t("operator.archive"), (reason) => operator.call("DELETE", `${path}?reason=${encodeURIComponent(reason)}`), true),
      ask(t("operator.banHost"), (reason) => operator.call("POST", `/v1/admin/users/${room.host.id}/ban`, { reason }), true)),
    h("p.quiet-text", t("operator.reasonSeen"))), { closeLabel: t("app.close") });
}

/** Asks why, and does it. */
export function askReason(go, title, act, operator) {
  askText({ title, label: t("operator.reason"), name: "reason", go, long: true, isDangerous: true }, async (reason) => {
    await act(reason);
    // Once the dialog is closed, below which it would be said.
    setTimeout(() => note(t("operator.done"), "good"));
    operator.again();
  });
}

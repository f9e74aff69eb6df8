// What waits for the host: rows of several kinds, each with what the host may do about it.
import { h, reconcile, show } from "../dom.js";
import { busily } from "../feedback.js";
import { locale, t } from "../strings.js";
import { makeApplications } from "./applications.js";
import { confirmDialog } from "./confirm.js";
import { makeUnsold } from "./unsold.js";

/**
 * A kind of rows is made with the room's controls and has `update(model)`, which returns its rows, `{ key, version, make() }`, the newest first;
 * `waiting`, how many the host has not seen or done yet; and `seen()`, called while they are shown.
 */
const kinds = [makeApplications, makeReports, makeUnsold];

export function makeInbox(room, storage) {
  const all = kinds.map((make) => make(room, storage));
  const list = h("ol.inbox-list");
  const empty = h("p.empty", t("inbox.empty"));
  const element = h("section.panel.inbox", h("h2.unseen", t("inbox.title")), empty, list);

  /** @returns how many rows wait for the host; none while they are shown */
  function update(model, isShown) {
    const rows = all.flatMap((kind) => kind.update(model));
    show(empty, rows.length === 0);
    reconcile(list, rows, (row) => row.key, (row) => row.version, (row) => row.make());
    if (isShown) for (const kind of all) kind.seen();
    return all.reduce((sum, kind) => sum + kind.waiting, 0);
  }

  return { element, update };
}

/** Messages that members have reported. Which of them were seen is kept in this browser. */
function makeReports(room, storage) {
  const place = `auction-room.reports.${room.id}`;
  let reports = [];
  /** How many there were when they were read. */
  let read = 0;
  let isReading = false;
  let count = 0;

  async function load() {
    isReading = true;
    const before = count;
    try {
      reports = await room.readReports();
      read = before;
    } catch { /* Read again with the next change. */ } finally { isReading = false; }
  }

  function row(report, model) {
    const { id, message, reporter, reason, at } = report;
    const name = message.author.nickname;
    const isBanned = model.state.banned.has(message.author.id);
    const act = (label, run, more = "") => h("button.quiet.small", { type: "button", "aria-label": label + more, onclick: (event) => busily(event.currentTarget, run) }, label);
    return {
      key: id, version: JSON.stringify([message.removed, isBanned, model.can("ban"), model.can("removeMessage")]),
      make: () => h("li.inbox-row",
        h("p.inbox-head", t("inbox.report", { name: reporter.nickname }), h("time.bid-time", { datetime: at }, timeOf(at))),
        h("blockquote.inbox-quote", h("span.chat-who", name), message.text),
        reason && h("p.quiet-text", t("inbox.reason", { reason })),
        h("div.row.wrap",
          message.removed ? h("span.tag.plain", t("chat.removed")) : model.can("removeMessage") && act(t("inbox.remove"), async () => {
            await room.removeMessage(message.id);
            await load();
          }, `: ${name}`),
          isBanned ? h("span.tag.plain", t("inbox.banned")) : model.can("ban") && message.author.id !== model.userID && act(t("people.banName", { name }), async () => {
            const isSure = await confirmDialog(t("people.banConfirm", { name }), { go: t("people.ban"), isDangerous: true });
            if (isSure) await room.changeMember(message.author.id, { banned: true });
          }))),
    };
  }

  return {
    get waiting() { return Math.max(0, count - Number(storage.get(place) ?? 0)); },
    seen() { if (this.waiting > 0) storage.set(place, String(count)); },
    update(model) {
      count = model.room.reports ?? 0;
      if (count !== read && !isReading) load();
      return count === 0 ? [] : reports.map((report) => row(report, model));
    },
  };
}

/** When something was, as the clock of the reader has it. */
export function timeOf(at) {
  return new Date(at).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" });
}

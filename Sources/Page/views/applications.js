// Those who ask the host to be approved as bidders, as rows of the inbox.
import { currencySymbol, typedAmount } from "../client/auction-client.js";
import { h } from "../dom.js";
import { field, form } from "../forms.js";
import { language, t } from "../strings.js";
import { moneyInput } from "./bid.js";
import { askText } from "./confirm.js";
import { timeOf } from "./inbox.js";

/** Oldest first. They wait until the host has decided, seen or not. */
export function makeApplications(room) {
  let applications = [];
  /** Which number of changes the list that was read contains, and how many applications the room had then. */
  let read = null;
  let isReading = false;
  let count = 0;

  async function load(version) {
    isReading = true;
    try {
      applications = await room.readApplications();
      read = version;
    } catch { /* Read again with the next change. */ } finally { isReading = false; }
  }

  /** What was decided is gone at once; others wait on. */
  async function decide(id, work) {
    if (!await work()) return;
    applications = applications.filter(({ applicant }) => applicant.id !== id);
  }

  function row({ applicant: { id, nickname: name }, at }) {
    return {
      key: id, version: name,
      make() {
        const { currency } = room.model().room;
        const limit = moneyInput();
        const decline = () => askText({
          title: t("inbox.declineName", { name }), label: t("inbox.declineReason"), hint: t("inbox.declineHint"), name: "reason", go: t("inbox.decline"), long: true, isDangerous: true,
        }, (reason) => decide(id, () => room.decline(id, reason)));
        return h("li.inbox-row",
          h("p.inbox-head", t("inbox.application", { name }), h("time.bid-time", { datetime: at }, timeOf(at))),
          form("form.stack.tight", [
            field(t("people.credit"), limit, { name: "creditLimit", affix: currencySymbol(currency, language()), hint: t("people.creditHint") }),
            h("div.row.wrap",
              h("button.small", { type: "submit", "aria-label": t("inbox.approveName", { name }) }, t("inbox.approve")),
              h("button.quiet.small", { type: "button", "aria-label": t("inbox.declineName", { name }), onclick: decline }, t("inbox.decline"))),
          ], () => decide(id, () => room.approve(id, typedAmount(limit.value, currency)))));
      },
    };
  }

  return {
    get waiting() { return count; },
    seen() {},
    update(model) {
      count = model.room.applications ?? 0;
      const version = `${count} ${model.applicationChanges}`;
      if (count > 0 && version !== read && !isReading) load(version);
      return count === 0 ? [] : applications.map(row);
    },
  };
}

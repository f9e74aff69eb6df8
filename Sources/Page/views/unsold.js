// What was not sold, or fell through, and waits for the host: rows of the inbox.
import { h } from "../dom.js";
import { t } from "../strings.js";
import { timeOf } from "./inbox.js";
import { actionsOf } from "./results.js";

/** A kind of rows of the inbox: see inbox.js. Up to which round they were seen is kept in this browser. */
export function makeUnsold(room, storage) {
  const place = `auction-room.unsold.${room.id}`;
  let rounds = [];
  const seen = () => Number(storage.get(place) ?? 0);

  function row(result, actions) {
    const { round, item, voided, closedAt } = result;
    return {
      key: `round ${round}`, version: JSON.stringify([result, actions.map((each) => each.textContent)]),
      make: () => h("li.inbox-row",
        h("p.inbox-head", t(voided ? "inbox.voided" : "inbox.unsold", { item: item?.name ?? "" }), h("time.bid-time", { datetime: voided?.at ?? closedAt }, timeOf(voided?.at ?? closedAt))),
        voided && h("p.quiet-text", t("inbox.reason", { reason: voided.reason })),
        h("div.row.wrap", actions)),
    };
  }

  return {
    get waiting() { return rounds.filter((round) => round > seen()).length; },
    seen() { if (this.waiting > 0) storage.set(place, String(Math.max(...rounds))); },
    update(model) {
      // A sale that counts does not wait for the host, who might void it all the same.
      const waiting = model.results.filter(({ total }) => total === null).map((result) => [result, actionsOf(result, model, room)]).filter(([, actions]) => actions.length > 0);
      rounds = waiting.map(([{ round }]) => round);
      return waiting.map(([result, actions]) => row(result, actions));
    },
  };
}

// What is done to a seat of the stage, in a dialog that on a phone rises from the bottom, where the thumb is.
import { Problem } from "../client/auction-client.js";
import { dialog, h } from "../dom.js";
import { busily } from "../feedback.js";
import { t } from "../strings.js";

const sheet = (title, ...content) => {
  const box = dialog(title, h("div.menu", content), { closeLabel: t("app.close") });
  box.classList.add("narrow", "sheet");
  return box;
};

/**
 * An act on a seat, refused once its occupant is another than the host saw: it was meant for that one.
 * @param seat as the host saw it
 */
export function mindfully(room, seat, act) {
  const isStill = () => room.model().stage.seats.find((each) => each.seat === seat.seat)?.occupant?.user.id === seat.occupant?.user.id;
  return (it) => {
    if (!isStill()) throw new Problem({ detail: t("stage.otherGuest") }, 409);
    return act(it);
  };
}

/** As what a guest asks for a seat. */
export function askForSeat(room) {
  const box = sheet(t("stage.ask"), ["bidder", "auctioneer"].map((role) => h("button.menu-entry", {
    type: "button",
    onclick: async (event) => { if (await busily(event.currentTarget, () => room.onStage((it) => it.requestStage(role)))) box.close(); },
  }, t("stage.askAs", { role: t(`role.${role}`) }))));
}

/** What the host may do with a seat and who sits on it. */
export function seatMenu(room, seat) {
  const { seat: n, occupant } = seat;
  const { stage } = room.model();
  const name = occupant?.user.nickname;
  const run = (act) => async (event) => { if (await busily(event.currentTarget, async () => room.onStage(mindfully(room, seat, act)))) box.close(); };
  const entry = (label, act) => h("button.menu-entry", { type: "button", onclick: run(act) }, label);
  const [first] = stage.queue;
  const free = occupant ? stage.seats.filter((each) => !each.occupant && !each.closed) : [];
  const box = sheet([t("stage.seat", { n }), name].filter(Boolean).join(": "),
    entry(t(seat.muted ? "stage.unmute" : "stage.mute", { n }), (it) => it.muteSeat(n, !seat.muted)),
    occupant && first && entry(t("stage.handOverTo", { name: first.guest.nickname }), (it) => handOver(it, seat, first, room)),
    free.length > 0 && h("div.move", { role: "group", "aria-label": t("stage.move") }, h("p.quiet-text", t("stage.move")),
      h("div.row.wrap", free.map(({ seat: to }) => h("button.round", {
        type: "button", "aria-label": t("stage.moveName", { name, n: to }), onclick: run((it) => it.moveSeat(n, to)),
      }, String(to))))),
    entry(t("stage.clear", { n }), (it) => it.clearSeat(n)), !seat.closed && entry(t("stage.close", { n }), (it) => it.closeSeat(n)));
}

/** While no seat is free: who leaves theirs to the guest who has asked. */
export function handOverMenu(room, request) {
  const name = request.guest.nickname;
  const taken = room.model().stage.seats.filter((seat) => seat.occupant);
  const box = sheet(t("stage.handOverTitle", { name }), taken.map((seat) => h("button.menu-entry", {
    type: "button",
    onclick: async (event) => {
      const isDone = await busily(event.currentTarget, async () => room.onStage(mindfully(room, seat, (it) => handOver(it, seat, request, room))));
      if (isDone) box.close();
    },
  }, t("stage.handOverFrom", { n: seat.seat, name: seat.occupant.user.nickname }))));
}

/** The occupant leaves the seat, and the guest who has asked takes it. */
async function handOver(it, { seat: n }, { id, guest, role }, room) {
  // A request that was withdrawn or has expired takes no seat from anyone.
  if (!room.model().stage.queue.some((each) => each.id === id)) throw new Problem({ detail: t("stage.noRequest", { name: guest.nickname }) }, 409);
  await it.clearSeat(n);
  const stage = await it.seatMember(guest.id, role);
  // The service gives the free seat with the lowest number.
  const given = stage.seats.find((seat) => seat.occupant?.user.id === guest.id)?.seat;
  return given === undefined || given === n ? stage : it.moveSeat(given, n);
}

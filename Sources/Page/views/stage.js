// Seats, and the handshake that leads to one: the guest asks and confirms, or the host invites and confirms.
import { Problem } from "../client/auction-client.js";
import { dialog, h, icon, replace, show } from "../dom.js";
import { busily } from "../feedback.js";
import { guard, makeSettling } from "../settling.js";
import { t } from "../strings.js";

export function makeStage(room) {
  const element = h("section.stage", { "aria-label": t("stage.title"), hidden: true });
  // Each step of a handshake has its button where that of the one before was: after "Go on stage" comes "Leave the stage".
  const settling = makeSettling(element);
  let drawn = "";
  /** The seats of a host while all are free, as they are in most rooms. */
  let isOpen = false;
  guard(element);

  function update(model) {
    const { stage, me, userID } = model;
    const mayAsk = model.can("requestStage") && me?.role !== "host";
    const manages = model.can("manageStage");
    const isUsed = stage && (stage.queue.length > 0 || stage.handshake || stage.seats.some((seat) => seat.occupant));
    show(element, Boolean(stage && (isUsed || mayAsk || manages)));
    const version = JSON.stringify([stage, mayAsk, manages, userID]);
    if (!stage || version === drawn) return;
    drawn = version;
    const hadFocus = element.contains(document.activeElement);
    const seated = stage.seats.find((seat) => seat.occupant?.user.id === userID);
    const pending = [stage.handshake, ...stage.queue].filter(Boolean)
      .filter((each, index, all) => all.findIndex((other) => other.id === each.id) === index);
    const mine = pending.find((each) => each.guest.id === userID);
    settling(() => replace(element,
      isUsed || !manages ? h("h3", t("stage.title")) : h("details", { open: isOpen, ontoggle: ({ currentTarget }) => { isOpen = currentTarget.open; } },
        h("summary", t("stage.title")), h("p.field-hint", t("stage.about")), seats(stage, true)),
      isUsed && seats(stage, manages),
      pending.filter((each) => manages || each === mine).map((each) => handshake(each, userID, manages)),
      h("div.row.wrap",
        mayAsk && !seated && !mine && h("button.small", { type: "button", "data-action": "ask", onclick: () => ask() }, t("stage.ask")),
        seated && h("button.small", { type: "button", "data-action": "leave", onclick: step(() => room.onStage((it) => it.leaveStage())) }, t("stage.leave")))));
    if (hadFocus) element.querySelector("button")?.focus();
  }

  const step = (run) => (event) => busily(event.currentTarget, run);

  function ask() {
    const box = dialog(t("stage.ask"), h("div.menu", ["bidder", "auctioneer"].map((role) => h("button.menu-entry", {
      type: "button",
      onclick: async (event) => { if (await busily(event.currentTarget, () => room.onStage((it) => it.requestStage(role)))) box.close(); },
    }, t("stage.askAs", { role: t(`role.${role}`) })))), { closeLabel: t("app.close") });
    box.classList.add("narrow");
  }

  const seats = (stage, manages) => h("ol.seats", stage.seats.map((seat) => seatTile(seat, manages)));

  function seatTile(seat, manages) {
    const name = seat.occupant?.user.nickname;
    const body = manages ? h("button.seat-body", {
      type: "button", "aria-label": `${t("stage.seat", { n: seat.seat })}: ${name ?? t(seat.closed ? "stage.closed" : "stage.free")}. ${t("host.more")}`,
      onclick: () => seatMenu(seat),
    }) : h("div.seat-body");
    body.append(
      h("span.avatar", { "aria-hidden": "true" }, name ? [...name][0] : seat.closed ? icon("lock") : String(seat.seat)),
      h("span.seat-name", name ?? t(seat.closed ? "stage.closed" : "stage.free")),
      ...(seat.occupant ? [h("span.quiet-text", t(`role.${seat.occupant.role}`))] : []),
      ...(seat.muted ? [h("span.tag.plain", t("stage.muted"))] : []));
    const tile = h("li.seat", body);
    tile.classList.toggle("taken", Boolean(name));
    return tile;
  }

  /** @param seat as the host saw it; what is done to it is meant for who sat there, or for no one */
  function seatMenu(seat) {
    const n = seat.seat;
    const isStill = () => room.model().stage.seats.find((each) => each.seat === n)?.occupant?.user.id === seat.occupant?.user.id;
    const mindful = (act) => (it) => {
      if (!isStill()) throw new Problem({ detail: t("stage.otherGuest") }, 409);
      return act(it);
    };
    const entry = (key, act) => h("button.menu-entry", {
      type: "button",
      onclick: async (event) => { if (await busily(event.currentTarget, async () => room.onStage(mindful(act)))) box.close(); },
    }, t(key, { n }));
    const box = dialog([t("stage.seat", { n }), seat.occupant?.user.nickname].filter(Boolean).join(": "), h("div.menu",
      entry(seat.muted ? "stage.unmute" : "stage.mute", (it) => it.muteSeat(n, !seat.muted)),
      entry("stage.clear", (it) => it.clearSeat(n)), !seat.closed && entry("stage.close", (it) => it.closeSeat(n))), { closeLabel: t("app.close") });
    box.classList.add("narrow");
  }

  function handshake(each, userID, manages) {
    const { id, state, guest } = each;
    const isGuest = guest.id === userID;
    // The host may have several to answer.
    const nameFor = (label) => (isGuest || label.includes(guest.nickname) ? label : `${label}: ${guest.nickname}`);
    const act = (key, verb, style = "plain") => h(`button.small.${style}`, {
      type: "button", "data-action": `${key} ${id}`, "aria-label": nameFor(t(key, { name: guest.nickname })), onclick: step(() => room.onStage((it) => it.answerStage(id, verb))),
    }, t(key, { name: guest.nickname }));
    const buttons = [];
    if (manages && state === "requested") buttons.push(act("stage.accept", "accept", "primary"), act("stage.decline", "decline"));
    if (manages && state === "agreed") buttons.push(act("stage.hostConfirm", "confirm", "primary"), act("stage.decline", "decline"));
    if (isGuest && state === "accepted") buttons.push(act("stage.confirm", "confirm", "primary"), act("stage.decline", "decline"));
    if (isGuest && state === "invited") buttons.push(act("stage.accept", "accept", "primary"), act("stage.decline", "decline"));
    if (isGuest && ["requested", "agreed"].includes(state)) buttons.push(act("stage.cancel", "cancel"));
    if (manages && ["accepted", "invited"].includes(state)) buttons.push(act("app.cancel", "cancel"));
    return h("div.handshake", h("p", t(`stage.${state}`, { name: guest.nickname, role: t(`role.${each.role}`) })),
      h("div.row.wrap", buttons));
  }

  return { element, update };
}

// Seats as a row of faces, who comes next, and the handshake that leads to a seat: the guest asks and the host seats them, or the host
// invites and confirms.
import { h, icon, replace, show } from "../dom.js";
import { busily } from "../feedback.js";
import { guard, makeSettling } from "../settling.js";
import { language, t } from "../strings.js";
import { askForSeat, handOverMenu, mindfully, seatMenu } from "./seat-menu.js";

/** So many of those who wait are named to those who do not lead the room. */
const namedNext = 4;

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
    if (stage && version === drawn) markHeard(stage);
    if (!stage || version === drawn) return;
    drawn = version;
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    const seated = stage.seats.find((seat) => seat.occupant?.user.id === userID);
    // The host's own handshake may be with one who has asked, and is then no longer among those who wait.
    const waiting = stage.queue.filter((each) => each.id !== stage.handshake?.id);
    const pending = [stage.handshake, ...waiting].filter(Boolean);
    const mine = pending.find((each) => each.guest.id === userID);
    const faces = () => h("ol.seats", stage.seats.map((seat) => face(seat, { manages, seated, userID })));
    settling(() => replace(element,
      isUsed || !manages ? h("h3", t("stage.title")) : h("details", { open: isOpen, ontoggle: ({ currentTarget }) => { isOpen = currentTarget.open; } },
        h("summary", t("stage.title")), h("p.field-hint", t("stage.about")), faces()),
      isUsed && faces(),
      stage.handshake && (manages || stage.handshake === mine) && h("div.handshake", handshake(stage.handshake, { userID, manages })),
      manages && waiting.length > 0 ? h("ol.next", { "aria-label": t("stage.queue") }, waiting.map((each) => h("li.handshake", request(each, stage))))
        : next(waiting, mine, userID),
      h("div.row.wrap",
        mayAsk && !seated && !mine && h("button", { type: "button", "data-action": "ask", onclick: () => askForSeat(room) }, t("stage.ask")),
        seated && h("button", { type: "button", "data-action": "leave", onclick: step((it) => it.leaveStage()) }, t("stage.leave")))));
    if (focused) refocus(focused.dataset.action);
    markHeard(stage);
  }

  /** Whose voice is heard now: that changes too often for the row to be drawn anew. */
  function markHeard({ seats }) {
    for (const tile of element.querySelectorAll(".seat")) {
      const occupant = seats.find((seat) => String(seat.seat) === tile.dataset.seat)?.occupant;
      tile.classList.toggle("heard", Boolean(occupant && room.voice?.isHeard(occupant.user.id)));
    }
  }

  /** The control of the same name, else the first one: what had the focus was drawn anew. */
  function refocus(action) {
    const buttons = [...element.querySelectorAll("button")];
    (buttons.find((each) => action && each.dataset.action === action) ?? buttons[0])?.focus();
  }

  const step = (act) => (event) => busily(event.currentTarget, () => room.onStage(act));

  // Faces.

  /** A seat of the row. A press on it is for the host, and for who sits elsewhere and may take it. */
  function face(seat, { manages, seated, userID }) {
    const { seat: n, occupant } = seat;
    const isFree = !occupant && !seat.closed;
    const name = occupant?.user.nickname;
    const state = name ?? t(seat.closed ? "stage.closed" : "stage.free");
    const press = manages ? { label: `${t("stage.seat", { n })}: ${state}. ${t("host.more")}`, run: () => seatMenu(room, seat), action: `seat ${n}` }
      : seated && isFree ? { label: t("stage.moveTo", { n }), run: step((it) => it.moveSeat(seated.seat, n)), action: `move ${n}` } : null;
    const body = press ? h("button.seat-body", { type: "button", "aria-label": press.label, "data-action": press.action, onclick: press.run }) : h("div.seat-body");
    body.append(
      h("span.avatar", { "aria-hidden": "true" }, name ? [...name][0] : seat.closed ? icon("lock") : String(n)),
      h("span.seat-name", state),
      ...(occupant ? [h("span.quiet-text", t(`role.${occupant.role}`))] : []),
      ...(seat.muted ? [h("span.tag.plain", icon("muted"), t("stage.muted"))] : []));
    const tile = h("li.seat", { "data-seat": n }, body, manages && occupant && muteButton(seat));
    tile.classList.toggle("taken", Boolean(name));
    tile.classList.toggle("mine", occupant?.user.id === userID);
    return tile;
  }

  function muteButton(seat) {
    const { seat: n, muted, occupant: { user } } = seat;
    return h("button.quiet.round", {
      type: "button", "aria-label": t(muted ? "stage.unmuteName" : "stage.muteName", { name: user.nickname }),
      // Another who sits there is another button: a press that was meant for one does not mute the other.
      "data-action": `mute ${n} ${user.id}`, onclick: step(mindfully(room, seat, (it) => it.muteSeat(n, !muted))),
    }, icon(muted ? "muted" : "microphone"));
  }

  // Those who wait.

  /** Who comes next, in words, for those who do not lead the room; with what who waits may do. */
  function next(waiting, mine, userID) {
    if (waiting.length === 0) return null;
    const place = waiting.indexOf(mine);
    const names = waiting.slice(0, namedNext).map((each) => each.guest.nickname).join(language() === "zh" ? "、" : ", ");
    const rest = waiting.length - namedNext;
    return [h("p.quiet-text.next-words", rest > 0 ? t("stage.nextMore", { names, n: rest }) : t("stage.next", { names })),
      place >= 0 && h("div.handshake", h("p", place === 0 ? t("stage.first") : t("stage.before", { n: place })), handshakeButtons(mine, { userID, manages: false }))];
  }

  /** A request that waits for the host, who seats the guest at once: they have asked. */
  function request(each, stage) {
    const { id, guest, role } = each;
    const { nickname: name } = guest;
    const isFull = !stage.seats.some((seat) => !seat.occupant && !seat.closed);
    const seatNow = isFull ? h("button.primary", { type: "button", "data-action": `handOver ${id}`, "aria-label": t("stage.handOverTitle", { name }), onclick: () => handOverMenu(room, each) }, t("stage.handOver"))
      : h("button.primary", { type: "button", "data-action": `seat ${id}`, onclick: step((it) => it.seatMember(guest.id, role)) }, t("stage.hostConfirm", { name }));
    return [h("p.row", h("span.avatar", { "aria-hidden": "true" }, [...name][0]), h("span", t("stage.requested", { name, role: t(`role.${role}`) }))),
      h("div.row.wrap", seatNow, h("button.plain", {
        type: "button", "data-action": `decline ${id}`, "aria-label": `${t("stage.decline")}: ${name}`, onclick: step((it) => it.answerStage(id, "decline")),
      }, t("stage.decline")))];
  }

  const handshake = (each, by) => [h("p", t(`stage.${each.state}`, { name: each.guest.nickname, role: t(`role.${each.role}`) })), handshakeButtons(each, by)];

  function handshakeButtons({ id, state, guest }, { userID, manages }) {
    const isGuest = guest.id === userID;
    const nameFor = (label) => (isGuest || label.includes(guest.nickname) ? label : `${label}: ${guest.nickname}`);
    const act = (key, verb, style = "plain") => h(`button.${style}`, {
      type: "button", "data-action": `${key} ${id}`, "aria-label": nameFor(t(key, { name: guest.nickname })), onclick: step((it) => it.answerStage(id, verb)),
    }, t(key, { name: guest.nickname }));
    const buttons = [];
    if (manages && state === "agreed") buttons.push(act("stage.hostConfirm", "confirm", "primary"), act("stage.decline", "decline"));
    if (isGuest && state === "accepted") buttons.push(act("stage.confirm", "confirm", "primary"), act("stage.decline", "decline"));
    if (isGuest && state === "invited") buttons.push(act("stage.accept", "accept", "primary"), act("stage.decline", "decline"));
    if (isGuest && ["requested", "agreed"].includes(state)) buttons.push(act("stage.cancel", "cancel"));
    if (manages && ["accepted", "invited"].includes(state)) buttons.push(act("app.cancel", "cancel"));
    return h("div.row.wrap", buttons);
  }

  return { element, update };
}

// Who is here, as what, and what the host may do about them.
import { currencySymbol, typedAmount } from "../client/auction-client.js";
import { dialog, h, icon, reconcile, show } from "../dom.js";
import { busily, noteError } from "../feedback.js";
import { floorID } from "../names.js";
import { language, locale, t } from "../strings.js";
import { askText, confirmDialog } from "./confirm.js";
import { makeStage } from "./stage.js";

const order = ["host", "auctioneer", "bidder", "viewer"];
const manages = ["setRole", "kick", "ban", "mute", "setCreditLimit", "manageStage"];

export function makePeople(room) {
  const stage = makeStage(room);
  const list = h("ul.people-list");
  const leave = h("button.quiet.small", {
    type: "button", hidden: true, onclick: (event) => busily(event.currentTarget, leaveRoom),
  }, t("people.leave"));
  const banned = h("button.quiet.small", {
    type: "button", hidden: true, "aria-haspopup": "dialog", onclick: (event) => busily(event.currentTarget, () => openBanned(room)),
  }, t("people.banned"));
  const blocked = h("button.quiet.small", {
    type: "button", hidden: true, "aria-haspopup": "dialog", onclick: () => openBlocked(room),
  }, t("people.blockedByYou"));
  const goneList = h("ul.people-list");
  const gone = h("section.stack.tight", { hidden: true, "aria-label": t("people.gone") }, h("h3", t("people.gone")), goneList);
  const element = h("section.panel.people", h("h2.unseen", t("people.title")), room.voice?.how, stage.element, list, gone, h("div.row.wrap", banned, blocked, leave));

  /** What is lost by it is said first. */
  async function leaveRoom() {
    const n = room.model().ownBids.list.filter(({ myBid }) => myBid.state === "standing").length;
    if (n > 0 && !await confirmDialog(t("left.leaveRoom", { n }), { go: t("people.leave"), isDangerous: true })) return;
    await room.leave();
  }

  function update(model) {
    const { state, userID, me } = model;
    const people = [...state.people.values()].sort((a, b) =>
      order.indexOf(a.role) - order.indexOf(b.role) || a.user.nickname.localeCompare(b.user.nickname));
    const mayManage = manages.some(model.can);
    reconcile(list, people.slice(0, 300), (member) => member.user.id,
      (member) => JSON.stringify([member.user.nickname, member.role, member.muted, mayManage, userID]), (member) => row(member, mayManage, userID));
    const left = model.can("ban") ? leftUsers(state).slice(0, shownGone) : [];
    show(gone, left.length > 0);
    reconcile(goneList, left, (user) => user.id, (user) => user.nickname, goneRow);
    show(banned, model.can("ban"));
    show(blocked, Boolean(room.blocks?.size));
    show(leave, Boolean(me?.role) && me.role !== "host");
    stage.update(model);
  }

  function row(member, mayManage, userID) {
    const { user } = member;
    return h("li.person", h("span.avatar", { "aria-hidden": "true" }, [...user.nickname][0] ?? "?"),
      h("span.person-name", user.nickname),
      user.id === userID && h("span.tag.mine", t("bids.you")),
      member.muted && h("span.tag.plain", t("people.muted")),
      h(`span.role.${member.role}`, t(`role.${member.role}`)),
      (mayManage || (room.blocks && userID)) && user.id !== userID && h("button.quiet.round.tiny", {
        type: "button", "aria-label": t("people.menu", { name: user.nickname }), "aria-haspopup": "dialog",
        onclick: (event) => busily(event.currentTarget, () => openMenu(room, user.id)),
      }, icon("more")));
  }

  function goneRow(user) {
    const name = user.nickname;
    return h("li.person", h("span.avatar", { "aria-hidden": "true" }, [...name][0] ?? "?"), h("span.person-name", name),
      h("button.quiet.small", {
        type: "button", "aria-label": t("people.banName", { name }), onclick: async ({ currentTarget: button }) => {
          const isSure = await confirmDialog(t("people.banConfirm", { name }), { go: t("people.ban"), isDangerous: true });
          if (isSure) await busily(button, () => room.changeMember(user.id, { banned: true }));
        },
      }, t("people.ban")));
  }

  return { element, update };
}

/** Of those who are no longer here. */
const shownGone = 50;

/** Those who left while events told it, bid or wrote, are no longer here and not banned: in this order, and the latest of each first. */
function leftUsers({ bids = [], messages = [], left = new Map(), people, banned }) {
  const users = new Map();
  const bidders = bids.map(({ bidder }) => bidder), writers = messages.flatMap(({ author }) => author ?? []);
  for (const user of [left.values(), bidders, writers].flatMap((each) => [...each].reverse())) {
    if (user.id !== floorID && !users.has(user.id) && !people.has(user.id) && !banned?.has(user.id)) users.set(user.id, user);
  }
  return [...users.values()];
}

/** A member as they are now: their row is not drawn again for everything that changes. */
const memberNow = (room, id) => room.model().state.people.get(id);

async function openMenu(room, id) {
  const before = memberNow(room, id);
  if (!before) return;
  // Of one who came in after the others were read the limit is not known, nor of anyone if the reader was not the host then.
  if (before.creditLimit === undefined && room.model().can("setCreditLimit")) await room.readMembers();
  // What is read has the first few hundred.
  menu(room, memberNow(room, id) ?? before);
}

/** Those who are banned are not among the people of the room; here the host lets them in again. */
async function openBanned(room) {
  const list = h("ul.people-list");
  const none = h("p.quiet-text", t("people.noneBanned"));
  const update = () => show(none, list.children.length === 0);
  const unban = (user) => async ({ currentTarget: button }) => {
    if (!await busily(button, () => room.changeMember(user.id, { banned: false }))) return;
    button.closest("li").remove();
    update();
    // The button that had the focus is gone.
    box.querySelector("button")?.focus();
  };
  for (const { user } of await room.bannedMembers()) {
    list.append(h("li.person", h("span.avatar", { "aria-hidden": "true" }, [...user.nickname][0] ?? "?"), h("span.person-name", user.nickname),
      h("button.quiet.small", { type: "button", "aria-label": t("people.unbanName", { name: user.nickname }), onclick: unban(user) }, t("people.unban"))));
  }
  update();
  const box = dialog(t("people.banned"), h("div.stack", none, list), { closeLabel: t("app.close") });
  box.classList.add("narrow");
}

function askCreditLimit(room, { user }) {
  const { currency } = room.model().room;
  const known = memberNow(room, user.id)?.creditLimit ?? "";
  const save = (value) => room.changeMember(user.id, { creditLimit: value ? typedAmount(value, currency) : null });
  askText({
    title: `${t("people.credit")}: ${user.nickname}`, label: t("people.credit"), hint: t("people.creditHint"), name: "creditLimit", go: t("app.save"),
    value: known, affix: currencySymbol(currency, language()),
  }, async (value) => { if (value !== known) await save(value); });
}

function menu(room, member) {
  const { can } = room.model();
  const { user } = member;
  const name = user.nickname;
  const entries = [];
  const entry = (label, run, style = "plain") => entries.push(h(`button.${style}.menu-entry`, {
    type: "button", onclick: async (event) => { if (await busily(event.currentTarget, run)) box.close(); },
  }, label));
  // Close the menu before a dialog opens.
  const asking = (label, run) => entries.push(h("button.plain.menu-entry", { type: "button", onclick: () => { box.close(); run(); } }, label));
  const patch = (changes) => () => room.changeMember(user.id, changes);
  if (can("setRole")) {
    for (const role of ["auctioneer", "bidder", "viewer"]) {
      if (role !== member.role) entry(t("people.makeRole", { role: t(`role.${role}`) }), patch({ role }));
    }
  }
  if (can("manageStage")) {
    for (const role of ["auctioneer", "bidder"]) {
      entry(t("people.invite", { role: t(`role.${role}`) }), () => room.onStage((it) => it.inviteToStage(user.id, role)));
    }
  }
  if (can("mute")) entry(t(member.muted ? "people.unmute" : "people.mute"), patch({ muted: !member.muted }));
  if (can("setCreditLimit")) asking(t("people.credit"), () => askCreditLimit(room, member));
  const sure = (label, question, run) => asking(label, async () => {
    if (await confirmDialog(t(question, { name }), { go: label, isDangerous: true })) await run().catch(noteError);
  });
  if (can("kick")) sure(t("people.kick"), "people.kickConfirm", () => room.kick(user.id));
  if (can("ban")) sure(t("people.ban"), "people.banConfirm", patch({ banned: true }));
  if (room.blocks) {
    const { blocks } = room;
    if (blocks.has(user.id)) entry(t("people.unblock"), () => blocks.unblock(user.id)); else entry(t("people.block"), () => blocks.block(user.id));
  }
  const box = dialog(name, h("div.menu", entries), { closeLabel: t("app.close") });
  box.classList.add("narrow");
}

/** Also those who are not here; the server does not tell their names. */
function openBlocked(room) {
  const { blocks } = room;
  const list = h("ul.people-list", blocks.list.map(({ userId, blockedAt }) => {
    const day = new Date(blockedAt).toLocaleDateString(locale());
    return h("li.person", h("span.person-name", `${t("people.blocked")} · ${day}`), h("button.quiet.small", {
      type: "button", "aria-label": t("people.unblockSince", { day }), onclick: async ({ currentTarget: button }) => {
        if (!await busily(button, () => blocks.unblock(userId))) return;
        button.closest("li").remove();
        if (blocks.size === 0) box.close(); else box.querySelector("button")?.focus();
      },
    }, t("people.unblock")));
  }));
  const box = dialog(t("people.blockedByYou"), list, { closeLabel: t("app.close") });
  box.classList.add("narrow");
}

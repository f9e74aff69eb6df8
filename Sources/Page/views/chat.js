// Chat: messages of members and system messages.
import { dialog, h, icon, reconcile, setText, show } from "../dom.js";
import { busily, note, noteError } from "../feedback.js";
import { language, t } from "../strings.js";
import { askText } from "./confirm.js";

/** More messages than these do not wait for those before them. */
const mostWaiting = 5;

export function makeChat(room) {
  const list = h("ol.chat-list", { "aria-label": t("chat.title") });
  const scroller = h("div.chat-scroll", { tabindex: "0", role: "log", "aria-live": "off", "aria-label": t("chat.title") }, list);
  const empty = h("p.empty", t("chat.empty"));
  const why = h("p.action-note");
  const input = h("input", { type: "text", maxlength: 500, autocomplete: "off", "aria-label": t("chat.label"), placeholder: t("chat.placeholder") });
  const send = h("button.round.primary", { type: "submit", "aria-label": t("chat.send") }, icon("send"));
  const form = h("form.chat-form", input, send);
  const element = h("section.panel.chat", h("h2.unseen", t("chat.title")), empty, scroller, why, form);
  let newest = 0;
  let newestSeen = null;
  /** What was entered and is not known to have been sent, the first of which is being sent. */
  const waiting = [];

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    input.focus();
    if (!text) return;
    // The text stays where it was typed.
    if (waiting.length > mostWaiting) { note(t("chat.wait")); return; }
    input.value = "";
    waiting.push(text);
    if (waiting.length === 1) busily(send, sendWaiting, failed);
  });

  /** One after the other, so that they arrive in their order. */
  async function sendWaiting() {
    for (; waiting.length > 0; waiting.shift()) await room.say(waiting[0]);
  }

  /** Nothing is lost of what was entered, nor of what is being typed. */
  function failed(error) {
    input.value = [...waiting.splice(0), input.value].filter(Boolean).join(" ");
    noteError(error);
  }

  /** @returns how many messages of people came since the last time */
  function update(model, isShown) {
    const { state, me, userID } = model;
    const shown = state.messages.slice(-200);
    show(empty, shown.length === 0);
    const isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 60;
    const mayRemove = model.can("removeMessage");
    const mayReport = model.can("reportMessage") && !mayRemove;
    reconcile(list, shown, (message) => message.id, (message) => JSON.stringify([message.removed, message.text, message.author?.nickname, mayRemove, mayReport, userID]),
      (message) => line(message, mayRemove, mayReport, userID));
    const last = shown.at(-1)?.seq ?? 0;
    if (last !== newest && isAtEnd && isShown) scroller.scrollTop = scroller.scrollHeight;
    newest = last;
    // Who has just written as often as one may is not allowed more when the room is read; that is over in a second, and no event says so.
    const mayWrite = Boolean(me?.role) && !model.archived && (model.can("sendMessage") || (!me.muted && !me.banned));
    show(form, mayWrite);
    show(why, !mayWrite && !model.archived);
    setText(why, t(me?.muted ? "chat.muted" : "chat.join"));
    const others = (after) => shown.filter((message) => message.author && message.seq > after && message.author.id !== userID).length;
    if (isShown || newestSeen === null) newestSeen = last;
    return others(newestSeen);
  }

  /** What a reader may do about what another one wrote. */
  function openMenu({ id, author }, mayReport) {
    const entry = (label, run) => h("button.plain.menu-entry", { type: "button", onclick: run }, label);
    const box = dialog(author.nickname, h("div.menu",
      mayReport && entry(t("chat.report"), () => {
        box.close();
        askText({
          title: t("chat.reportTitle", { name: author.nickname }), label: t("chat.reportReason"), hint: t("chat.reportHint"), name: "reason", go: t("chat.report"), long: true,
        }, async (reason) => {
          await room.report(id, reason);
          // Once the dialog is closed, which would take the note along.
          setTimeout(() => note(t("chat.reported")));
        });
      }),
      entry(t("people.block"), async (event) => { if (await busily(event.currentTarget, () => room.blocks.block(author.id))) box.close(); })),
    { closeLabel: t("app.close") });
    box.classList.add("narrow");
  }

  function line(message, mayRemove, mayReport, userID) {
    if (message.key) return h("li.chat-system", h("span", message[language()] ?? message.en));
    if (message.removed) return h("li.chat-removed", t("chat.removed"));
    const item = h("li.chat-line", h("span.chat-who", message.author.nickname), h("span.chat-text", message.text),
      mayRemove && h("button.quiet.round.tiny.chat-remove", {
        type: "button", "aria-label": t("chat.remove", { name: message.author.nickname }),
        onclick: (event) => busily(event.currentTarget, () => room.removeMessage(message.id)),
      }, icon("close")),
      !mayRemove && userID && message.author.id !== userID && h("button.quiet.round.tiny.chat-remove", {
        type: "button", "aria-label": t("chat.menu", { name: message.author.nickname }), "aria-haspopup": "dialog",
        onclick: () => openMenu(message, mayReport),
      }, icon("more")));
    item.classList.toggle("mine", message.author.id === userID);
    return item;
  }

  return { element, update, toEnd() { scroller.scrollTop = scroller.scrollHeight; } };
}

// Who one is: a nickname, what goes with it, and becoming another user.
import { formatMoney } from "../client/auction-client.js";
import { dialog, h, table } from "../dom.js";
import { busily, note, noteError } from "../feedback.js";
import { language, t } from "../strings.js";
import { showPairing } from "./another-device.js";
import { askText, confirmDialog } from "./confirm.js";
import { askWho, goToProvider, linkGuest } from "./sign-in.js";

const shownWins = 100;

/** What belongs to the user. Without one: the question who it is. */
export function openAccount(app) {
  const { user, isSignedIn, isKnownElsewhere, leftGuest } = app.session;
  if (!user) return askWho(app);
  const entry = (key, run) => h("button.menu-entry", {
    type: "button", onclick: async (event) => { if (await busily(event.currentTarget, run)) box.close(); },
  }, t(key));
  /** The menu closes before another dialog opens. */
  const asking = (key, run) => h("button.menu-entry", { type: "button", onclick: () => { box.close(); run(); } }, t(key));
  const box = dialog(t("nick.you", { name: user.nickname }), h("div.menu",
    asking("nick.rooms", () => app.go("/")),
    entry("nick.wins", () => showWins(app)),
    asking("nick.change", () => rename(app)),
    entry("pair.menu", () => showPairing(app)),
    leftGuest && entry("link.menu", () => linkGuest(app)),
    app.provider.isOffered && !isSignedIn && entry("signIn.menu", () => goToProvider(app)),
    isKnownElsewhere ? asking(isSignedIn ? "signIn.out" : "pair.out", () => app.session.signOut()) : asking("nick.other", () => becomeOther(app).catch(noteError)),
    asking("leave.menu", () => leave(app).catch(noteRefusal))), { closeLabel: t("app.close") });
  box.classList.add("narrow");
}

async function showWins(app) {
  // A page ends early where many rooms have to be read for it.
  const wins = await app.client.myWins({ limit: shownWins }).all(shownWins);
  const box = dialog(t("nick.wins"), wins.length === 0 ? h("p.quiet-text", t("own.noneBought")) : table(
    [t("item.name"), t("nick.room"), t("price.final"), t("own.total")],
    wins.map(({ room, item, price, total, currency }) => [item.name,
      h("a", { href: `#/rooms/${room.id}`, onclick: () => box.close() }, room.name),
      ...[price, total].map((amount) => (amount ? formatMoney(amount, currency, language()) : "–"))]), null, "amounts"),
  { closeLabel: t("app.close") });
}

function rename(app) {
  const { nickname } = app.session.user;
  askText({ title: t("nick.change"), label: t("nick.label"), hint: t("nick.changeHint"), name: "nickname", go: t("app.save"), value: nickname },
    async (next) => app.session.keep(await app.client.setNickname(next)));
}

async function becomeOther(app) {
  const name = app.session.user.nickname;
  if (await confirmDialog(t("nick.otherConfirm", { name }), { title: t("nick.other"), go: t("nick.otherGo", { name }), isDangerous: true })) await askWho(app);
}

async function leave(app) {
  const { nickname: name } = app.session.user;
  if (!await confirmDialog(t("leave.question", { name }), { title: t("leave.title"), go: t("leave.go"), isDangerous: true })) return;
  note(t("leave.wait"), "plain", null, { isKept: true });
  await app.session.leave(() => app.client.leaveForGood());
  note(t("leave.done"), "good");
}

/** A round that needs the user has its room beside the reason. */
function noteRefusal(error) {
  if (!["account.hosts_round", "account.leads_round"].includes(error.code)) return noteError(error);
  return note(error.detail, "bad", h("a", { href: `#/rooms/${error.actual}` }, t("leave.room")));
}

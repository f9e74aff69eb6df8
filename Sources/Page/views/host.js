// Actions of a host or an auctioneer: exactly those that the server permits now.
import { isSealed } from "../client/auction-client.js";
import { dialog, h, icon, replace, show } from "../dom.js";
import { busily } from "../feedback.js";
import { linkTo } from "../invitation.js";
import { named } from "../names.js";
import { qrImage } from "../qr.js";
import { guard, makeSettling } from "../settling.js";
import { t } from "../strings.js";
import { makeAsks } from "./asks.js";
import { bidderCount } from "./bids.js";
import { askText, confirmDialog, sameItem } from "./confirm.js";
import { makeFloor } from "./floor.js";
import { openNewLot, openRules, openUpload } from "./item-form.js";
import { openRoomRules } from "./room-rules.js";
import { copyable, isLoopback } from "./share.js";
import { isSaleOver, openSaleForm } from "./sale.js";
import { saveTable } from "./totals.js";

export function makeHost(room) {
  const primary = h("div.host-main");
  const rest = h("div.row.wrap.host-rest");
  const asks = makeAsks(room);
  const floor = makeFloor(room);
  const element = h("section.action.host", { "aria-label": t("host.title") }, asks.element, floor.element, primary, rest);
  const settling = makeSettling(element);
  let drawn = "";
  guard(element);

  function update(model) {
    const { room: it, phase, me } = model;
    const steps = stepsFor(model);
    asks.update(model);
    floor.update(model);
    const isHost = me?.role === "host";
    const waits = isHost && phase === "preparing" && !it.item && !it.sale?.queued && !model.archived && (it.sale?.startsAt ? "host.startEmpty" : "host.waitItem");
    show(element, steps.length > 0 || waits || !floor.element.hidden);
    const version = `${steps.map((step) => step.key + (step.isPressed ? "!" : "")).join(" ")} ${waits}`;
    if (version === drawn) return;
    const hadFocus = element.contains(document.activeElement);
    drawn = version;
    const first = steps.find((step) => step.isPrimary);
    settling(() => {
      replace(primary,
        waits && h("p.action-note", t(waits)),
        first && button(first, `button.${first.style ?? "primary"}.big`));
      replace(rest, steps.filter((step) => step !== first).map((step) => button(step, `button.${step.style ?? "plain"}`)));
      show(rest, steps.length > (first ? 1 : 0));
    });
    // The button that was pressed is gone; its successor is the next thing to press.
    if (hadFocus) element.querySelector("button:enabled")?.focus();
  }

  const button = (step, selector) => h(selector, {
    type: "button", disabled: step.isDisabled, "data-action": step.key, ...(step.isPressed === undefined ? {} : { "aria-pressed": String(step.isPressed) }), onclick: (event) => step.run(event.currentTarget),
  }, step.icon && icon(step.icon), t(step.key));

  function stepsFor(model) {
    const { can, room: it, me, userID, sale } = model;
    const steps = [];
    const add = (action, key, run, more = {}) => { if (can(action)) steps.push({ key, run, ...more }); };
    const order = (verb, body = {}) => (at) => busily(at, () => room.order(verb, body));
    const isBetween = it.state === "preparing" || it.state === "closed";
    const hasNext = sale?.queued > 0 || (it.state === "preparing" && Boolean(it.item));
    const startsSale = sale?.mode === "automatic" && !sale.running && isBetween && hasNext;
    // Without an item or a lot there is nothing to start: then the next step is to offer one.
    const isWaiting = me?.role === "host" && isBetween && !hasNext && (it.state === "closed" ? Boolean(sale) : !it.item);
    if (isWaiting) add("queueLot", "lots.add", () => openNewLot(room), { isPrimary: !isSaleOver(model), icon: "plus" });
    if (startsSale) add("runSale", model.results.length > 0 ? "sale.goOn" : "sale.go", (at) => busily(at, () => room.startSale()), { isPrimary: true });
    else if ((it.state !== "preparing" || hasNext) && !isSaleOver(model)) {
      const next = sale?.queued > 0 ? (sale.running ? "host.nextNow" : "host.nextLot") : "host.next";
      add("startAuction", { preparing: "host.start", listing: "host.startEarly", closed: next }[it.state] ?? "host.start", order("startAuction"), { isPrimary: true });
    }
    // Also before there are lots: who announces a sale knows its time first.
    const maySchedule = it.state === "preparing" ? !isSaleOver(model) : it.state === "closed" && (sale?.queued > 0 || sale?.startsAt);
    if (maySchedule && !sale?.running) add("runSale", sale?.startsAt ? "sale.reschedule" : "sale.schedule", () => openSaleForm(room, true));
    add("endAuction", "host.end", end, { isPrimary: it.state === "auctioning", style: "strong" });
    for (const level of [1, 2]) add("warn", `host.warn${level}`, order("warn", { level }), { isPressed: it.warning === level });
    // Pause and resume take the same place, and what is around them stays.
    if (can("resume")) steps.push({ key: "host.end", isPrimary: true, style: "strong", isDisabled: true });
    add("pause", "host.pause", order("pause"));
    add("extend", "host.extend", order("extend", { seconds: 60 }));
    add("resume", "host.resume", order("resume"), { style: "primary" });
    if (sale?.running) add("runSale", isBetween ? "sale.stopNow" : "sale.stop", (at) => busily(at, () => room.stopSale()));
    else if (!isBetween && sale?.mode === "automatic" && sale.queued > 0) add("runSale", "sale.goOnAfter", (at) => busily(at, () => room.startSale()));
    const isMine = !it.item || it.item.owner.id === userID;
    // An uploaded item would go before the lots that wait.
    const usesQueue = sale?.queued > 0 || sale?.mode === "automatic";
    if (me?.role === "auctioneer" && usesQueue && isBetween) add("queueLot", "lots.add", () => openNewLot(room), { isPrimary: true, icon: "plus" });
    else if (isMine) add("uploadItem", it.item ? "item.replace" : "item.upload", () => openUpload(room), { isPrimary: !it.item });
    if (it.item) add("adjustRules", "item.adjust", () => openRules(room));
    add("cancel", "host.cancel", cancel);
    if (me?.role === "host") steps.push({ key: "host.share", run: () => share(room.model()), icon: "link" });
    add("configurePermissions", "rules.title", (at) => busily(at, () => openRoomRules(room)));
    if (!sale?.running) add("archiveRoom", "host.archive", archive, { style: "quiet" });
    return steps;
  }

  /** Orders for the round of now and its item: another may be up when the host has read a question or written a reason. */
  function orderer() {
    const { round, item } = room.model().room;
    const check = sameItem(room, "host.otherItem");
    return async (verb, body = {}) => {
      check();
      return room.order(verb, { ...body, expectedRound: round, expectedItem: item?.id });
    };
  }

  /** What the hammer would do now, as the text of the question. */
  function endKey(model) {
    const { room: it } = model;
    return bidderCount(model) === "0" ? "host.endUnsold" : isSealed(it) ? "host.endSealed" : it.reserveMet === false ? "host.endReserve" : "host.endSold";
  }

  async function end(at) {
    const model = room.model();
    const { room: it, money } = model;
    const key = endKey(model);
    const question = t(key, {
      item: it.item.name, n: bidderCount(model), ...named(it.currentBid?.bidder), amount: it.currentPrice && money(it.currentPrice),
    });
    const order = orderer();
    if (!await confirmDialog(question, { title: t("host.end"), go: t("host.end") })) return undefined;
    const now = room.model();
    // Who has agreed to end it without a sale has not agreed to sell it by a bid that came meanwhile.
    if (now.can("endAuction") && now.room.item?.id === it.item.id && endKey(now) !== key) return end(at);
    return busily(at, () => order("endAuction"));
  }

  function cancel() {
    const order = orderer();
    askText({
      title: `${t("host.cancel")}: ${room.model().room.item.name}`, label: t("host.reason"), hint: t("host.reasonHint"), name: "reason", go: t("host.cancel"), keep: t("host.keep"), isDangerous: true,
    }, (reason) => order("cancel", { reason }));
  }

  async function archive(at) {
    const more = room.model().results.length > 0 && h("div.row.wrap", h("p", t("host.archiveSave")), h("button.small", {
      type: "button", onclick: (event) => busily(event.currentTarget, () => saveTable(room)),
    }, t("result.csv")));
    const isSure = await confirmDialog(t("host.archiveConfirm"), { title: t("host.archive"), go: t("host.archiveGo"), more, isDangerous: true });
    if (isSure) await busily(at, () => room.archive());
  }

  return { element, update };
}

/** Who closes the list of apps has not failed. */
function ignoreAbort(error) { if (error?.name !== "AbortError") throw error; }

function share({ room }) {
  const link = linkTo(room);
  // Of no use at an address that others cannot open; and a link may be too long for one.
  const code = isLoopback(location.hostname) ? null : qrImage(link, t("host.qr"));
  dialog(t("host.share"), h("div.stack",
    isLoopback(location.hostname) && h("p.offline", t("host.loopback")),
    navigator.share && h("button.primary", {
      type: "button", onclick: (event) => busily(event.currentTarget, () => navigator.share({ title: room.name, url: link }).catch(ignoreAbort)),
    }, t("host.shareLink")),
    code && [code, h("p.field-hint.qr-hint", t("host.qrHint"))],
    copyable(t("host.link"), link, "link", link.includes("?invite=") && t("host.linkHint")),
    room.inviteCode && [copyable(t("host.code"), room.inviteCode, "code"), copyable(t("host.id"), room.id, "id")]), { closeLabel: t("app.close") }).classList.add("narrow");
}

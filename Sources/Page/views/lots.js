// The catalogue: what is being sold, what comes next, and what the host and the sellers do with it.
import { calendarFile } from "../calendar.js";
import { dialog, h, icon, reconcile, replace, setText, show } from "../dom.js";
import { busily, noteError, speak } from "../feedback.js";
import { t } from "../strings.js";
import { askText } from "./confirm.js";
import { openLot, openNewLot } from "./item-form.js";
import { appraisal, lotLabel, showLot, thumbnail } from "./lot.js";
import { makeFilter } from "./lot-filter.js";
import { openImport } from "./lot-import.js";
import { makeOrder } from "./lot-order.js";
import { bidLine, bidTag, bidVersion, makeOwnBids } from "./own-bids.js";
import { isVoid } from "./results.js";
import { openSaleForm, saleWords } from "./sale.js";
import { saveFile } from "./totals.js";

/** A condition that is longer stands where the lot is opened. */
const shortCondition = 40;

/** Rows that a press adds, and the most that are on the page at once. */
const step = 50;
const most = 150;

export function makeLots(room) {
  const summary = h("p.lots-summary");
  const hint = h("p.field-hint", { hidden: true }, t("sale.manualHint"));
  const actions = h("div.row.wrap.lots-actions");
  const current = h("ol.lot-rows", { "aria-label": t("lots.now") });
  const order = makeOrder(h("ol.lot-rows.upcoming", { "aria-label": t("lots.next") }), move);
  const { list } = order;
  const empty = h("p.empty", t("lots.empty"));
  const earlier = h("button.quiet.small", { type: "button", onclick: () => turn(-1) }, t("lots.earlier"));
  const later = h("button.quiet.small", { type: "button", onclick: (event) => busily(event.currentTarget, () => turn(1)) }, t("lots.more"));
  const heading = h("h3", t("lots.next"));
  const filter = makeFilter(() => update(room.model()), readAll);
  const none = h("p.empty", { hidden: true }, t("lots.noneFound"));
  const ownBids = makeOwnBids(room);
  const element = h("section.panel.lots", h("h2.unseen", t("lots.title")), summary, hint, actions, current, ownBids.element, heading, filter.element, earlier, list, none, later, empty);
  let first = 0;
  let last = step;
  let drawn = {};

  function update(model) {
    const { lots, can, me, room: it, userID, favourites } = model;
    setText(summary, saleWords(model).join(" · "));
    drawActions(model);
    ownBids.update(model);
    const isHost = me?.role === "host";
    show(hint, isHost && model.sale?.mode === "manual" && model.sale.queued > 0);
    const all = lots.queued ?? [];
    const queued = filter.of({ queued: all, cursor: lots.cursor }, markedOf(model));
    const isFiltered = filter.isOn();
    last = Math.max(step, Math.min(last, queued.length));
    first = Math.min(first, Math.max(0, last - step));
    reconcile(current, it.sale && it.item ? [it] : [], () => it.item.id,
      () => [it.item.name, it.item.media[0], ...appraisalWords(it.item, model.money), ...currentFacts(model), lots.current?.state, labelOf(known(model)), me?.role, me?.banned, model.archived, lots.current && bidVersion(lots.current, model)], () => currentRow(model));
    show(current, current.children.length > 0);
    show(heading, all.length > 0);
    show(none, isFiltered && queued.length === 0);
    show(empty, all.length === 0 && !it.sale?.queued && model.results.length === 0);
    setText(empty, t(can("queueLot") ? "lots.emptyHost" : "lots.empty"));
    show(later, last < queued.length || lots.cursor !== null);
    show(earlier, first > 0);
    const version = { lots, first, last, userID, role: me?.role, banned: me?.banned, archived: model.archived, ownBids: model.ownBids.list, isFiltered, found: queued.map((lot) => lot.id).join(" "), marked: queued.map((lot) => favourites.has(lot.id)).join(" ") };
    if (Object.entries(version).every(([name, value]) => drawn[name] === value)) return;
    drawn = version;
    reconcile(list, queued.slice(first, last), (lot) => lot.id, (lot) => `${JSON.stringify(lot)} ${mayChange(lot, model)} ${favourites.has(lot.id)} ${isFiltered} ${bidVersion(lot, model)}`, (lot) => row(lot, model));
  }

  function drawActions({ can, sale, room: it, archived }) {
    const startsAt = !archived && !sale?.running ? sale?.startsAt ?? null : null;
    const offered = [...["queueLot", "runSale"].filter(can), startsAt].join(" ");
    if (actions.dataset.offered === offered) return;
    actions.dataset.offered = offered;
    replace(actions,
      can("queueLot") && h("button.small", { type: "button", onclick: () => openNewLot(room) }, icon("plus"), t("lots.add")),
      can("queueLot") && h("button.small", { type: "button", onclick: () => openImport(room) }, t("lots.import")),
      can("runSale") && h("button.small", { type: "button", onclick: () => openSaleForm(room) }, t("sale.settings")),
      startsAt && h("button.small", { type: "button", onclick: () => saveDate(it, startsAt) }, icon("clock"), t("sale.calendar")));
  }

  /** What is looked for may be in a page that was not read yet. */
  async function readAll() {
    while (room.model().lots.cursor !== null) await room.moreLots();
    update(room.model());
  }

  /** Further down the queue, of which the next page may have to be read, or up again. */
  async function turn(direction) {
    if (direction > 0 && last >= room.model().lots.queued.length) await room.moreLots();
    last = Math.max(step, Math.min(last + direction * step, room.model().lots.queued.length));
    first = Math.max(0, last - most);
    update(room.model());
    return true;
  }

  // Rows.

  function row(lot, model) {
    const mine = lot.item.owner.id === model.userID;
    const mayMove = mayChange(lot, model);
    // Between rows that are not shown there is no place to move to.
    return h("li.lot-row", mayMove && !filter.isOn() && order.handle(lot), ...words(lot, model, [
      t("price.from", { amount: model.money(lot.rules.startingPrice) }),
      lot.rules.format !== "english" && t(`format.${lot.rules.format}`), ...appraisalWords(lot.item, model.money), lot.absenteeBids > 0 && t("left.count", { n: lot.absenteeBids }),
    ], mine && model.me?.role === "auctioneer" && h("span.tag.mine", t("lots.yours")), bidTag(lot, model), bidLine(room, lot, model)),
    // Who manages a lot does not bid on it.
    mayMove ? menuButton(lot) : starButton(lot, model));
  }

  function starButton(lot, { favourites }) {
    return h("button.quiet.round.tiny.star", {
      type: "button", "aria-label": t("lots.mark", { name: lot.item.name }), "aria-pressed": favourites.has(lot.id), onclick: () => favourites.toggle(lot.id),
    }, icon("star"));
  }

  function menuButton(lot) {
    return h("button.quiet.round.tiny", {
      type: "button", "aria-label": t("lots.menu", { name: lot.item.name }), "aria-haspopup": "dialog", onclick: () => menu(lot.id),
    }, icon("more"));
  }

  function currentRow(model) {
    const { room: it, lots, money, phase } = model;
    const [fact, word] = currentFacts(model);
    return h("li.lot-row.current", { "aria-current": "true" }, ...words({ ...known(model), item: it.item, rules: it.rules }, { money }, [fact, ...appraisalWords(it.item, model.money)],
      h(`span.chip.${phase}`, word), lots.current && bidTag(lots.current, model), phase === "preparing" && lots.current && bidLine(room, lots.current, model)),
    phase === "preparing" && lots.current && mayChange(lots.current, model) && menuButton(lots.current));
  }

  const known = ({ lots, results, room: it }) => lots.current ?? results.find((each) => each.item.id === it.item.id);
  const labelOf = (lot) => lot?.reference ?? (lot?.number && lotLabel(lot));

  function words(lot, { money }, facts, mark, ownTag = null, ownBid = null) {
    return [thumbnail(lot.item, 48), h("span.lot-row-words",
      h("button.lot-open", { type: "button", "aria-haspopup": "dialog", onclick: () => showLot(lot, money, room.model().results.find((each) => each.item?.id === lot.item.id)) }, lot.item.name),
      h("span.lot-facts", labelOf(lot) && h("span.tag.plain", labelOf(lot)), h("span", facts.filter(Boolean).join(" · ")), mark, ownTag), ownBid)];
  }

  function mayChange(lot, { me, userID, archived }) {
    if (archived || me?.banned) return false;
    return me?.role === "host" || (me?.role === "auctioneer" && lot.item.owner.id === userID);
  }

  // What is done with a lot.

  function menu(id) {
    const { lots: { queued, current: prepared } } = room.model();
    const lot = [prepared, ...queued].find((each) => each?.id === id);
    if (!lot) return;
    const index = queued.indexOf(lot);
    const isQueued = index >= 0;
    const entry = (key, run) => h("button.menu-entry", { type: "button", onclick: (event) => run(event.currentTarget) }, t(key));
    const close = (run) => () => { box.close(); run(); };
    const box = dialog(lot.item.name, h("div.menu",
      entry("lots.edit", (button) => busily(button, async () => { const read = await room.readLot(id); box.close(); openLot(room, read); })),
      index > 0 && entry("lots.toHead", close(() => move(id, -Infinity))),
      index > 0 && entry("lots.up", close(() => move(id, -1))),
      isQueued && index < queued.length - 1 && entry("lots.down", close(() => move(id, 1))),
      entry("lots.withdraw", close(() => withdraw(lot)))), { closeLabel: t("app.close") });
    box.classList.add("narrow");
  }

  function withdraw(lot) {
    askText({
      title: t("lots.withdrawName", { name: lot.item.name }), label: t("lots.reason"), hint: t("host.reasonHint"), name: "reason", go: t("lots.withdraw"),
      isDangerous: true,
    }, (reason) => room.withdrawLot(lot.id, reason || undefined));
  }

  async function move(id, distance) {
    try {
      const { lots } = room.model();
      const from = lots.queued.findIndex((each) => each.id === id);
      const others = lots.queued.filter((each) => each.id !== id);
      if (from < 0) return;
      const to = Math.max(0, Math.min(from + distance, others.length));
      // Behind the last one that was read there may be others.
      if (to === others.length && lots.cursor !== null) await room.moreLots();
      const { queued } = room.model().lots;
      const name = queued.find((each) => each.id === id)?.item.name;
      if (to === from) return speak(t(to === 0 ? "lots.isFirst" : "lots.isLast", { name }));
      await room.changeLot(id, { before: queued.filter((each) => each.id !== id)[to]?.id ?? null });
      speak(t("lots.moved", { name, n: to + 1, count: room.model().sale.queued }));
    } catch (error) {
      noteError(error);
    }
  }

  return { element, update };
}

function saveDate({ id, name }, startsAt) {
  const url = `${location.origin}/#/rooms/${id}`;
  saveFile(name, "ics", calendarFile({ id, title: name, url, startsAt }), "text/calendar");
}

/** What the seller says of a lot, as far as it fits into its line. */
export function appraisalWords({ estimate, condition }, money) {
  return [...appraisal({ estimate }, money).map((row) => row.join(" ")), condition?.length <= shortCondition && condition].filter(Boolean);
}

/** The lots that the reader has marked, and those with a bid of theirs. */
const markedOf = ({ favourites, ownBids }) => ({ size: favourites.size + ownBids.list.length, has: (id) => favourites.has(id) || ownBids.of(id) !== undefined });

/** The price of the current lot, and where it stands. Of events that are caught up with, the end of an earlier round may be known first. */
export function currentFacts({ room: it, state: { result }, money, phase }) {
  const end = phase === "closed" && result?.round === it.round ? result : null;
  const price = end?.kind === "sold" ? end.price : it.currentPrice;
  const fact = price ? money(price) : t("price.from", { amount: money(it.rules.startingPrice) });
  if (!end) return [fact, t(`state.${phase}`)];
  return [fact, t(isVoid(end) ? "result.voided" : end.kind === "sold" ? "lots.sold" : "result.passed")];
}

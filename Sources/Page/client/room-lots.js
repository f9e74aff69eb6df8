// The lots of a room as far as they were read, and its sale, as events change them. Pure, as room-state.js is.
//
// The queue is known from its head to some lot. That is enough to apply events: a lot that moves behind the known part leaves it. One
// that comes from behind it is unknown, and `isStale` then asks for another reading.

/** `queued`: the lots from the head of the queue on; null before they were read. `cursor`: where the next page begins; null if all are known. */
export const noLots = {
  queued: null, cursor: null, seq: 0, currentSeq: 0, lastPageSeq: 0, changedSeq: 0, wasMoved: false, isStale: false, current: null,
  /** The last events that concern lots: what happened while a page was being read is applied to it. */
  recent: [],
};

const recentLimit = 100;

/**
 * Replaces the queue by the page that was read, or adds a later page. One that is older than the events that are kept changes nothing.
 * @param page as the server sent it, of queued lots; `current`: a page of the lot of the round, read before that; `isMore`: the page follows
 *   what is known, and `current` is left out
 */
export function withLots(lots, { page, current = null, isMore = false }) {
  const currentSeq = current?.seq ?? page.seq;
  const readSeq = Math.min(page.seq, currentSeq);
  if (readSeq < (isMore ? lots.changedSeq : lots.recent[0]?.seq - 1)) return { ...lots, isStale: true };
  if (isMore) {
    const known = new Set(lots.queued.map((lot) => lot.id));
    const added = page.lots.filter((lot) => !known.has(lot.id) && lot.id !== lots.current?.id);
    return { ...lots, queued: [...lots.queued, ...added], cursor: page.nextCursor, lastPageSeq: page.seq };
  }
  const { recent } = lots;
  const read = { ...noLots, queued: page.lots, cursor: page.nextCursor, seq: page.seq, currentSeq, changedSeq: lots.changedSeq, current: current?.lots[0] ?? null, recent };
  return recent.filter((event) => event.seq > readSeq).reduce(changedBy, read);
}

/** Applies an event to lots that were read. One that the page contained changes nothing. */
export function lotsAfter(lots, event) {
  if (event.seq <= lots.changedSeq || !Object.hasOwn(effects, event.type)) return lots;
  return { ...changedBy(lots, event), recent: [...lots.recent, event].slice(-recentLimit) };
}

function changedBy(lots, event) {
  if (!lots.queued || event.seq <= lots.currentSeq) return { ...lots, changedSeq: event.seq };
  try {
    const changes = effects[event.type](lots, event.data, event);
    // The queue was read later than the lot of the round, and has the event already.
    if (event.seq <= lots.seq) delete changes.queued;
    return { ...lots, ...changes, changedSeq: event.seq };
  } catch {
    return { ...lots, isStale: true };
  }
}

/** With what the caller has bid on a lot that waits, as an answer says it; `myBid` null: they took it back. */
export function withBid(lots, lotID, myBid) {
  const changed = (lot) => (lot?.id === lotID ? { ...lot, myBid } : lot);
  return { ...lots, queued: lots.queued?.map(changed) ?? null, current: changed(lots.current) };
}

const without = (queued, id) => queued.filter((lot) => lot.id !== id);
/** A lot of an event, in which the rules are part of the item. Which bids were left on it is in other events, and in what was read. */
const lotOf = (id, { rules, ...item }, { reference = null, number = null, offeredBefore = null, absenteeBids = 0, myBid = null } = {}, state, round = null) =>
  ({ id, number, reference, state, round, item, rules, result: null, offeredBefore, offeredAgain: null, absenteeBids, myBid });

const effects = {
  "lot.queued": ({ queued, cursor, current }, data) => ({
    ...(cursor !== null || queued.some((lot) => lot.id === data.lotId) ? {} : { queued: [...queued, lotOf(data.lotId, data.item, data, "queued")] }),
    // The lot that has just ended is offered again, and its reference is the new one's.
    ...(data.offeredBefore && current?.id === data.offeredBefore ? { current: { ...current, reference: null, offeredAgain: data.lotId } } : {}),
  }),
  "lot.changed": ({ queued, current }, data) => {
    const changed = (lot) => (lot?.id === data.lotId ? lotOf(lot.id, data.item, { ...lot, reference: data.reference }, lot.state, lot.round) : lot);
    return { queued: queued.map(changed), current: changed(current) };
  },
  "lot.bidsChanged": ({ queued, current }, { lotId, absenteeBids }) => {
    const changed = (lot) => (lot?.id === lotId ? { ...lot, absenteeBids } : lot);
    return { queued: queued.map(changed), current: changed(current) };
  },
  "lot.moved": (lots, { lotId, before }, { seq }) => {
    // The later page has the moves up to its own seq in part only: it leaves out what was moved after the first one.
    if (seq <= lots.lastPageSeq) return { isStale: true };
    const lot = lots.queued.find((each) => each.id === lotId);
    const others = without(lots.queued, lotId);
    const index = before === null ? (lots.cursor === null ? others.length : -1) : others.findIndex((each) => each.id === before);
    // One that takes the turn of the prepared lot becomes the current one by the next event.
    const isHead = before !== null && before === lots.current?.id;
    // Back at the head after the round was cancelled; or elsewhere, and then the first that waits takes its turn.
    if (lotId === lots.current?.id) return before === (lots.queued[0]?.id ?? null) ? {} : { isStale: true };
    // To a place behind the known part.
    if (index < 0 && !isHead) return { queued: others, wasMoved: true };
    const place = isHead ? 0 : index;
    return lot ? { queued: [...others.slice(0, place), lot, ...others.slice(place)], wasMoved: true } : { isStale: true };
  },
  "lot.withdrawn": ({ queued, current }, { lotId }) => ({ queued: without(queued, lotId), current: current?.id === lotId ? null : current }),
  "item.uploaded": ({ queued, current }, { lotId = null, item }, { round }) => {
    // The lot that was prepared before waits again, at the head.
    const replaced = current?.state === "current" && current.id !== lotId ? [{ ...current, state: "queued", round: null }] : [];
    const known = queued.find((lot) => lot.id === lotId) ?? (current?.id === lotId ? current : null);
    const next = lotId && lotOf(lotId, item, known ?? {}, "current", round);
    return { queued: [...replaced, ...without(queued, lotId)], current: next, ...(lotId && !known ? { isStale: true } : {}) };
  },
  "item.sold": ({ current }, data) => (current?.id === data.lotId ? { current: { ...current, state: "sold" } } : {}),
  "item.passed": ({ current }, data) => (current?.id === data.lotId ? { current: { ...current, state: "passed" } } : {}),
  "offer.accepted": ({ current }, data) => (data.lotId && current?.id === data.lotId ? { current: { ...current, state: "sold" } } : {}),
  "item.voided": ({ current }, data) => (data.lotId && current?.id === data.lotId ? { current: { ...current, state: "voided" } } : {}),
  "state.changed": (_, data) => (data.from === "closed" ? { current: null } : {}),
  "member.erased": ({ queued, current }, { member }) => {
    const renamed = (lot) => (lot?.item.owner.id === member.id ? { ...lot, item: { ...lot.item, owner: member } } : lot);
    return { queued: queued.map(renamed), current: renamed(current) };
  },
  "member.linked": ({ queued, current }, { from, to }) => {
    const linked = (lot) => (lot?.item.owner.id === from.id ? { ...lot, item: { ...lot.item, owner: to } } : lot);
    return { queued: queued.map(linked), current: linked(current) };
  },
};

/** What a room has until its host says otherwise. */
const manual = {
  mode: "manual", pauseSeconds: 10, startsAt: null, premium: null, attended: false, running: false, postponed: false, nextLotAt: null, lots: 0, queued: 0,
};

/**
 * The lot whose item the room has; null for an item that is none, and for one of which nothing is known.
 * @param uploaded the last item that came by an event, with its lot
 */
export function lotOfItem({ item }, { current }, uploaded) {
  if (!item) return null;
  if (uploaded.itemID === item.id) return uploaded.lotID;
  return current?.item.id === item.id ? current.id : null;
}

/**
 * The sale of a room after an event; undefined in a room that has none. `lots` are those before it, or later ones that were read, and
 * `prepared` is the lot whose item the room has.
 */
export function saleAfter(room, event, lots, prepared) {
  const effect = Object.hasOwn(sales, event.type) ? sales[event.type] : null;
  if (!effect || (!room.sale && !/^(lot|sale)\./.test(event.type))) return room.sale;
  const sale = room.sale ?? manual;
  return { ...sale, ...effect(sale, event.data, room, lots, prepared) };
}

const isOfLot = (item, lots) => lots.some((lot) => lot && lot.item.id === item?.id);

const sales = {
  "lot.queued": ({ lots, queued }) => ({ lots: lots + 1, queued: queued + 1 }),
  // The prepared one does not wait.
  "lot.withdrawn": ({ queued }, { lotId }, room, lots, prepared) => (lotId === prepared ? {} : { queued: Math.max(0, queued - 1) }),
  // A lot leaves the queue, and the one whose item was there before waits again.
  "item.uploaded": ({ queued }, { item, lotId }, room, { current, queued: known }) => (room.item?.id === item.id ? {}
    : { queued: Math.max(0, queued + (isOfLot(room.item, [current, ...(known ?? [])]) ? 1 : 0) - (lotId ? 1 : 0)) }),
  "sale.configured": (_, { mode, pauseSeconds, startsAt, premium, attended = false }) => ({ mode, pauseSeconds, startsAt, premium, attended, postponed: false }),
  "sale.starting": (_, { startsAt }) => ({ startsAt }),
  "sale.started": () => ({ running: true, startsAt: null, postponed: false }),
  "sale.postponed": () => ({ startsAt: null, postponed: true }),
  "sale.stopped": () => ({ running: false, startsAt: null, nextLotAt: null }),
  "sale.finished": () => ({ running: false, startsAt: null, nextLotAt: null }),
  "state.changed": () => ({ nextLotAt: null }),
  "countdown.started": (_, { endsAt }, room) => (room.state === "closed" ? { nextLotAt: endsAt } : {}),
  "countdown.moved": (_, { endsAt }, room) => (room.state === "closed" ? { nextLotAt: endsAt } : {}),
};

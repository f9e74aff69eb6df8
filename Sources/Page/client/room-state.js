// State of a room: a snapshot from the server and the events since. Pure: nothing here makes requests,
// and the input state is never mutated.
//
// Three positions matter. `seq` is the last processed event; `roomSeq` is the last one contained in `room`. An event between them is
// history: it extends the lists, but `room` already contained it when it was loaded. `detailsSeq` is the last one contained in what no event
// tells: `me` and `allowedActions` of the room, and to the host the number of `applications`. An event tells the number of `reports`, but only
// to who knew it as the host; a new host has it from a reading.

import { addMoney, premiumOn } from "./money.js";
import { lotOfItem, lotsAfter, noLots, saleAfter, withBid, withLots as lotsWith } from "./room-lots.js";

const listLimit = 500;
/** The most users who have left that are remembered. */
const leftLimit = 50;

export function initialState() {
  return {
    seq: 0, roomSeq: 0, detailsSeq: 0, room: null, bids: [], messages: [], people: new Map(), left: new Map(), banned: new Set(), opened: {}, result: null, archived: false,
    viewers: 0, clockEndsAt: null, frozenMs: null, removedMessages: new Set(), hostGone: false, lots: noLots, offered: new Set(),
    /** The last item that was uploaded or had its turn, and the lot that it is; null for one that is none. */
    uploaded: { itemID: null, lotID: null },
  };
}

const capped = (list) => (list.length > listLimit ? list.slice(-listLimit) : list);

/** Replaces the room by a loaded one; by one that is older than the state made by events, only what no event tells. */
export function withSnapshot(state, read) {
  // So a response shows an open round past its deadline; events never do, and may still move the deadline.
  const room = read.state === "closing" ? { ...read, state: "auctioning" } : read;
  if (state.room && room.seq < state.roomSeq) return withDetails(state, room);
  const next = { ...state, room, roomSeq: room.seq, detailsSeq: room.seq, viewers: room.viewers || state.viewers };
  if (room.endsAt) next.clockEndsAt = room.endsAt;
  if (room.state === "paused" && room.remainingMs !== null && room.remainingMs !== undefined) next.frozenMs = room.remainingMs;
  if (state.room && state.room.round !== room.round) next.result = null;
  return next;
}

/** In a busy room, newer events overtake many a response. */
function withDetails(state, { seq, me, allowedActions, applications, reports }) {
  if (seq < state.detailsSeq) return state;
  // Who is host no more is not shown the number.
  const { applications: _, ...before } = state.room;
  const room = { ...before, me, allowedActions, ...(applications === undefined ? {} : { applications }) };
  if (room.reports === undefined && reports !== undefined) room.reports = reports;
  return { ...state, detailsSeq: seq, room };
}

/** Who is banned is listed by the server until they leave; an event of the ban removes them too. `banned` has their ids. */
export function withMembers(state, members) {
  const banned = members.filter((member) => member.banned).map((member) => member.user.id);
  return { ...state, banned: new Set([...state.banned, ...banned]), people: new Map(members.filter((member) => !member.banned).map((member) => [member.user.id, member])) };
}

/** Adds the credit limit of a response about one member, which no event names. Everything else of it may be older than the events. */
export function withMember(state, { user, creditLimit }) {
  const known = state.people.get(user.id);
  return known && creditLimit !== undefined ? { ...state, people: new Map(state.people).set(user.id, { ...known, creditLimit }) } : state;
}

/** Adds loaded bids; bids from events stay. A response after the close may contain amounts that events do not. */
export function withBids(state, bids, round) {
  const merged = new Map(state.bids.map((bid) => [bid.id, bid]));
  for (const bid of bids) merged.set(bid.id, { ...merged.get(bid.id), ...bid, round });
  return { ...state, bids: capped([...merged.values()].sort((a, b) => a.seq - b.seq)) };
}

/** Adds lots that were read: see `withLots` of room-lots.js. */
export const withLots = (state, read) => ({ ...state, lots: lotsWith(state.lots, read) });

/** Adds the caller's own bid on a lot that waits, which no event tells. */
export const withOwnBid = (state, { lotID, myBid }) => ({ ...state, lots: withBid(state.lots, lotID, myBid) });

export const withViewers = (state, viewers) => ({ ...state, viewers });

/** Applies one event. A repeat changes nothing; an unknown type only advances the position. */
export function applyEvent(state, event) {
  if (event.seq <= state.seq) return state;
  let next = { ...state, seq: event.seq };
  next = { ...next, ...changesBy(lists, event, next), lots: lotsAfter(next.lots, event) };
  const author = authorOf(event);
  if (next.people.has(author?.id)) next = { ...next, ...person(next, author, {}) };
  if (!next.room || event.seq <= next.roomSeq) return next;
  const changes = changesBy(rooms, event, next.room);
  const more = changesBy({ [event.type]: (room, data) => ({ ...saleOf(room, event, state), ...withoutLot(state, event.type, data) }) }, event, next.room);
  next.room = withTotal({ ...next.room, ...changes, ...more, seq: event.seq, round: event.round }, next.room);
  if (author && next.room.host?.id === author.id) next.room.host = author;
  next.roomSeq = event.seq;
  return next;
}

function saleOf(room, event, { lots, uploaded }) {
  const sale = saleAfter(room, event, lots, lotOfItem(room, lots, uploaded));
  return sale ? { sale } : {};
}

/** The prepared lot may be withdrawn; the next one, if there is one, comes by an event of its own. */
function withoutLot({ room, lots, uploaded }, type, data) {
  return type === "lot.withdrawn" && data.lotId === lotOfItem(room, lots, uploaded) ? noItem : {};
}

/**
 * The price with the premium is the server's word in what was read, and computed for what events change. A round that is over keeps it,
 * whatever the premium of the next one is.
 */
function withTotal({ total, ...room }, before) {
  if (room.state === "closed" && room.currentPrice === before.currentPrice) return total === undefined ? room : { ...room, total };
  const premium = room.sale?.premium;
  if (!premium) return room;
  return { ...room, total: room.currentPrice === null ? null : addMoney(room.currentPrice, premiumOn(room.currentPrice, premium.percent)) };
}

/**
 * The person whose command caused an event, with the nickname that their token had; null if the service did. The end of a handshake
 * has the person of its request, and a voided maximum that of its bid, whose nickname may be an earlier one.
 */
function authorOf({ type, data }) {
  if (type === "stage.ended" || type === "bid.maximumVoided" || !data) return null;
  const author = data.by ?? data.author ?? (data.automatic ? null : data.bidder) ?? data.item?.owner
    ?? (type === "stage.requested" ? data.guest : null);
  return typeof author?.id === "string" && typeof author.nickname === "string" ? author : null;
}

/** An event that lacks what its type should have counts as one of an unknown type, so that it cannot end the stream. */
function changesBy(effects, event, before) {
  if (!Object.hasOwn(effects, event.type)) return {};
  try { return effects[event.type](before, event.data, event); } catch { return {}; }
}

/** What is left at a time until a deadline. */
const msBetween = (at, endsAt) => Math.max(0, Date.parse(endsAt) - Date.parse(at));

const noCountdown = { endsAt: null, nextDropAt: null, remainingMs: null };
const noPrice = { currentPrice: null, currentBid: null };
const noItem = { item: null, rules: null, ...noPrice, nextMinimum: null, reserveMet: null };

/** What an event adds to the lists, whether or not the room had it already. */
const lists = {
  "room.archived": () => ({ archived: true }),
  "member.joined": (state, data) => ({ ...person(state, data.member, { role: data.role }), left: leftAfter(state, data.member) }),
  "member.roleChanged": (state, data) => person(state, data.member, { role: data.to }),
  "member.muted": (state, data) => person(state, data.member, { muted: data.muted }, true),
  "member.banned": (state, { member, banned }) => {
    const ids = [...state.banned].filter((id) => id !== member.id);
    return banned ? { ...without(state, member), banned: new Set([...ids, member.id]) } : { banned: new Set(ids) };
  },
  "member.kicked": (state, data) => ({ ...without(state, data.member), left: leftAfter(state, data.member, data.member) }),
  "member.left": (state, data) => ({ ...without(state, data.member), left: leftAfter(state, data.member, data.member) }),
  "member.linked": (state, data) => linked(state, data),
  "member.erased": (state, { member }) => {
    const { bids, people, left, result, messages } = renamed(state, member);
    return { bids, people, left, result, messages: messages.map((message) => (message.author?.id === member.id ? { ...message, text: "[…]" } : message)) };
  },
  "stage.seated": (state, data) => person(state, known(state, data.guest), { role: data.role }, true),
  "stage.left": (state, data) => person(state, known(state, data.member), { role: data.restoredRole }, true),
  "host.gone": () => ({ hostGone: true }),
  "host.returned": () => ({ hostGone: false }),
  "state.changed": (state, data, event) => ({
    ...(data.to === "auctioning" && data.from !== "paused" ? { opened: { ...state.opened, [event.round]: event.at } } : {}),
    frozenMs: data.to !== "paused" ? null : state.clockEndsAt ? msBetween(event.at, state.clockEndsAt) : state.frozenMs,
    clockEndsAt: null,
    result: data.to === "preparing" ? null : state.result,
  }),
  "countdown.started": (_, data) => ({ clockEndsAt: data.endsAt }),
  "countdown.moved": (_, data) => ({ clockEndsAt: data.endsAt }),
  "bid.placed": (state, data, event) => ({
    clockEndsAt: data.endsAt ?? state.clockEndsAt,
    bids: state.bids.some((bid) => bid.id === data.bidId) ? state.bids : capped(inserted(state.bids, {
      id: data.bidId, amount: data.amount ?? null, bidder: data.bidder, leading: data.leading, automatic: data.automatic,
      ...(data.floor ? { floor: true } : {}), ...(data.absentee ? { absentee: true } : {}), at: event.at, seq: event.seq, round: event.round,
    })),
  }),
  "bid.retracted": (state, data, { round }) => ({ bids: afterRetraction(state.bids, data, round) }),
  "item.uploaded": (_, data) => ({ uploaded: { itemID: data.item.id, lotID: data.lotId ?? null } }),
  "item.sold": (_, data, event) => ({ result: { round: event.round, kind: "sold", winner: data.winner, price: data.price } }),
  "item.passed": (_, data, event) => ({ result: { round: event.round, kind: "passed", reason: data.reason } }),
  "offer.made": ({ offered }, { round }) => (offered.has(round) ? {} : { offered: new Set([...offered, round].slice(-listLimit)) }),
  "offer.accepted": ({ result }, { round, winner, price }) => (result?.round === round ? { result: { ...result, winner, price, isResold: true } } : {}),
  "item.voided": ({ result }, { round, reason, by, winner, price }, { at }) => (result?.round === round ? { result: { ...result, voided: { at, reason, by, winner, price }, isResold: false } } : {}),
  "message.sent": (state, data, event) => (state.removedMessages.has(data.messageId) ? {} : {
    messages: capped([...state.messages, {
      id: data.messageId, seq: event.seq, at: event.at, author: data.author, text: data.text,
    }]),
  }),
  "message.removed": (state, data) => ({
    removedMessages: new Set(capped([...state.removedMessages, data.messageId])),
    messages: state.messages.map((message) => (message.id === data.messageId ? { ...message, removed: true } : message)),
  }),
  "message.system": (state, data, event) => ({
    messages: capped([...state.messages, { id: `s${event.seq}`, seq: event.seq, at: event.at, key: data.key, en: data.en, zh: data.zh }]),
  }),
};

/** What an event changes about the room itself. */
const rooms = {
  "member.joined": (room, data) => counts(room, null, data.role),
  "member.left": () => ({}),
  "member.roleChanged": (room, data) => ({
    ...counts(room, data.from, data.to), ...(data.to === "host" ? { host: data.member } : {}),
  }),
  "member.linked": (room, data) => ({
    ...(data.role === "host" ? { host: data.to } : {}),
    ...(room.item?.owner?.id === data.from.id ? { item: { ...room.item, owner: data.to } } : {}),
    ...(room.currentBid?.bidder?.id === data.from.id ? { currentBid: { ...room.currentBid, bidder: data.to } } : {}),
  }),
  "member.erased": (room, { member }) => renamed(room, member),
  "item.uploaded": (_, data) => {
    const { rules, ...item } = data.item;
    return { item, rules, nextMinimum: rules.startingPrice };
  },
  "rules.adjusted": (_, data) => ({ rules: data.rules, nextMinimum: data.rules.startingPrice }),
  "state.changed": (room, data, event) => ({
    state: data.to, warning: 0, ...noCountdown,
    ...(data.to === "paused" && room.endsAt ? { remainingMs: msBetween(event.at, room.endsAt) } : {}),
    // A cancelled round begins again with the same item, and none of its prices.
    ...(data.to === "preparing" ? { ...noPrice, nextMinimum: room.rules?.startingPrice ?? null } : {}),
    ...(data.from === "closed" ? noItem : {}),
  }),
  "countdown.started": (_, data) => ({ endsAt: data.endsAt, nextDropAt: data.nextDropAt ?? null }),
  "increment.changed": (room, data) => ({ rules: { ...room.rules, increment: data.increment }, nextMinimum: data.nextMinimum }),
  "ask.changed": (_, data) => ({ nextMinimum: data.nextMinimum }),
  "warning.given": (_, data) => ({ warning: data.level }),
  "countdown.moved": (_, data) => ({ endsAt: data.endsAt, ...(data.nextDropAt ? { nextDropAt: data.nextDropAt } : {}) }),
  "bid.placed": (room, data, event) => ({
    // A sealed bid shows neither its amount nor the leader.
    ...(data.leading && data.amount !== undefined ? {
      currentPrice: data.amount,
      currentBid: { id: data.bidId, amount: data.amount, bidder: data.bidder, at: event.at },
    } : {}),
    ...(data.amount === undefined ? {} : { nextMinimum: data.nextMinimum }),
    reserveMet: data.reserveMet, endsAt: data.endsAt ?? room.endsAt, warning: 0,
  }),
  "bid.retracted": (room, data) => ({
    currentPrice: data.price, nextMinimum: data.nextMinimum, reserveMet: data.reserveMet, warning: 0,
    currentBid: data.leader ? { ...room.currentBid, bidder: data.leader, amount: data.price } : null,
  }),
  // Only the host is shown the number.
  "message.reported": (room, data) => (room.reports === undefined ? {} : { reports: data.reports }),
  "price.dropped": (_, data) => ({ currentPrice: data.price, nextMinimum: data.price, nextDropAt: data.nextDropAt }),
  // The countdown to the next lot ends with the sale.
  "sale.stopped": (room) => (room.state === "closed" ? noCountdown : {}),
  "sale.finished": (room) => (room.state === "closed" ? noCountdown : {}),
  // Of a sealed round, the first price and the first bid that are shown.
  "item.sold": (room, data) => ({
    currentPrice: data.price, currentBid: room.currentBid ?? { id: null, amount: data.price, bidder: data.winner, at: null },
  }),
};

/**
 * Bids that competed with a retracted one lead in its place, in their order, until one that led anyway. Each has an amount of its own then,
 * which the event only tells of the one that leads now. Of two bids that were left before the opening each competed with the other.
 */
function afterRetraction(bids, { bidId, removed = [], leader, price }, round) {
  const gone = new Set([bidId, ...removed]);
  const taken = bids.find((bid) => bid.id === bidId && !bid.retracted);
  const first = taken?.absentee ? bids.find((bid) => bid.absentee && bid.round === round) : taken;
  let isOpposed = false;
  const rest = bids.map((bid) => {
    if (bid === first) isOpposed = Boolean(taken.leading || taken.absentee);
    if (gone.has(bid.id)) return { ...bid, retracted: true };
    if (!isOpposed || bid.round !== round || bid.retracted) return bid;
    isOpposed = !bid.leading;
    return { ...bid, leading: true, automatic: Boolean(bid.absentee) };
  });
  const top = rest.findLastIndex((bid) => bid.round === round && bid.leading && !bid.retracted);
  if (top >= 0 && leader && price && rest[top].bidder.id === leader.id) rest[top] = { ...rest[top], amount: price };
  return rest;
}

/**
 * Whether an event has changed amounts of bids that it does not tell, so that the bids of its round are to be read again.
 * @param before the bids before the event @param after the bids after it
 */
export function hidesAmounts(before, after, { type }) {
  if (type !== "bid.retracted") return false;
  const changed = after.filter((bid, index) => !bid.retracted && bid !== before[index]);
  return changed.length > 1 || (changed.length === 1 && changed[0] !== after.findLast((bid) => bid.round === changed[0].round && bid.leading && !bid.retracted));
}

/** The bids with one more at its place: events of the past come after newer bids were read. */
function inserted(bids, bid) {
  let place = bids.length;
  while (place > 0 && bids[place - 1].seq > bid.seq) place -= 1;
  return [...bids.slice(0, place), bid, ...bids.slice(place)];
}

/** A user of a handshake, whose event may have an earlier nickname. */
const known = (state, user) => state.people.get(user.id)?.user ?? user;

function person(state, user, changes, onlyKnown = false) {
  const known = state.people.get(user.id);
  if (!known && onlyKnown) return {};
  return { people: new Map(state.people).set(user.id, { ...known, user, ...changes }) };
}

/** A value in which every object of the user has another nickname; what does not have the user stays the same object. */
export function renamed(value, user) {
  if (value instanceof Map) {
    const entries = [...value].map(([key, each]) => [key, renamed(each, user)]);
    return entries.every(([key, each]) => each === value.get(key)) ? value : new Map(entries);
  }
  if (Array.isArray(value)) {
    const elements = value.map((each) => renamed(each, user));
    return elements.every((each, index) => each === value[index]) ? value : elements;
  }
  if (value === null || typeof value !== "object" || value instanceof Set) return value;
  if (value.id === user.id && "nickname" in value) return { ...value, nickname: user.nickname };
  const members = Object.entries(value).map(([name, each]) => [name, renamed(each, user)]);
  return members.every(([name, each]) => each === value[name]) ? value : Object.fromEntries(members);
}

/** What the guest had is the user's now; bids of later rounds are not affected, because the guest has left. */
function linked(state, { from, to, role, banned, muted }) {
  const people = new Map(state.people);
  const known = people.get(to.id) ?? people.get(from.id);
  people.delete(from.id);
  if (role !== null && !banned) people.set(to.id, { ...known, user: to, role, muted }); else people.delete(to.id);
  const { result } = state;
  return {
    people,
    left: leftAfter(state, from),
    bids: state.bids.map((bid) => (bid.bidder.id === from.id ? { ...bid, bidder: to } : bid)),
    ...(result?.winner?.id === from.id ? { result: { ...result, winner: to } } : {}),
  };
}

function without(state, user) {
  const people = new Map(state.people);
  people.delete(user.id);
  return { people };
}

/** Who has left and not come back, the latest last: without `user`, and with `gone` at the end. */
function leftAfter({ left }, user, gone) {
  if (!gone && !left.has(user.id)) return left;
  const others = [...left].filter(([id]) => id !== user.id);
  return new Map([...others, ...(gone ? [[gone.id, gone]] : [])].slice(-leftLimit));
}

function counts(room, from, to) {
  const members = { ...room.members };
  if (from && members[from] > 0) members[from] -= 1;
  if (to) members[to] = (members[to] ?? 0) + 1;
  return { members };
}

/** The displayed phase: a round past its deadline is closing until the server reports the result. */
export function phaseOf(room, serverNow) {
  const isOver = room.state === "auctioning" && room.endsAt && serverNow >= Date.parse(room.endsAt);
  return isOver ? "closing" : room.state;
}

export const isSealed = (room) => ["sealedFirstPrice", "vickrey"].includes(room.rules?.format);
export const isDutch = (room) => room.rules?.format === "dutch";

/**
 * Whether an event may have changed what only the server computes: the caller's permissions.
 * @param me the caller's user id; null without a caller, undefined if it is not known
 * @param leader the user who led before the event, as a person; undefined or null without a bid that leads
 * @param role the caller's role in the room
 * @param waiting how many applications the room before the event shows: the caller's own if it is open, or to the host all that are
 */
export function asksForRoom(event, me, leader, role, waiting = 0) {
  const isMine = (person) => me === undefined || person?.id === me;
  // A bid that was left changes no permissions, and its bidder has the answer.
  if (event.type.startsWith("message.") || event.type === "lot.bidsChanged") return false;
  // The first bid forbids to cancel; one who is outbid may bid again.
  if (event.type === "bid.placed") return !leader || isMine(leader) || isMine(event.data.bidder);
  if (event.type.startsWith("application.")) return waiting > 0 || me === undefined || role === "host";
  // Who leaves or is removed takes their application back, which only the host is shown.
  if (event.type === "member.left" && role === "host" && waiting > 0) return true;
  if (event.type === "member.joined" || event.type === "member.left") return isMine(event.data.member);
  if (event.type.startsWith("offer.")) return isMine(event.data.to ?? event.data.winner) || role === "host";
  // Thousands of lots may be imported at once.
  if (["lot.queued", "lot.changed", "lot.moved"].includes(event.type)) return ["host", "auctioneer"].includes(role);
  return event.type !== "price.dropped";
}

/** The steps of the price in a round, oldest first: where it stood when bidding opened, then every leading bid. */
export function priceSteps(state) {
  const { room } = state;
  if (!room?.rules) return [];
  const steps = state.bids
    .filter((bid) => bid.round === room.round && bid.leading && !bid.retracted && bid.amount !== null && bid.amount !== undefined)
    .map((bid) => ({ at: Date.parse(bid.at), amount: bid.amount, who: bid.bidder.nickname }));
  return steps;
}

// The view of a private room in a document without a browser, as a member sees it, and the server of that room.
import { AuctionClient } from "../../../Sources/Page/client/auction-client.js";
import { mountFeedback } from "../../../Sources/Page/feedback.js";
import { roomView } from "../../../Sources/Page/views/room.js";
import { makeDocument } from "./page-dom.mjs";

const ann = { id: "user_a", nickname: "Ann" };
const hana = { id: "user_h", nickname: "Hana" };

export const turn = async () => { for (let count = 0; count < 40; count += 1) await new Promise(setImmediate); };

/** A server with one private room, which opens by the code "code". */
function privateRoom({ isMember, isBanned, room: given, results }) {
  const server = { isMember, isBanned, joins: [], nicknames: [], waiting: [], blocked: [], reported: [] };
  const room = {
    id: "room_x", name: "Friends", visibility: "private", currency: "CNY", state: "preparing", round: 1, seq: 3, host: hana, item: null, rules: null,
    currentPrice: null, currentBid: null, nextMinimum: null, reserveMet: null, endsAt: null, nextDropAt: null, members: { host: 1, viewer: 1 },
    viewers: 1, allowedActions: ["sendMessage"], me: { role: "viewer" }, ...given,
  };
  const rest = {
    "": room, "/members": { members: [{ user: ann, role: "viewer" }], nextCursor: null }, "/bids": { bids: [], nextCursor: null },
    "/results": { results, nextCursor: null }, "/stage": { seats: [], queue: [], handshake: null },
  };
  const missing = [404, { type: "/problems/not-found", code: "room.not_found", detail: "There is no such room." }];
  /** Ends the membership, and what waits for events, with events if there are some. */
  server.removeMember = (events = null) => {
    server.isMember = false;
    for (const answer of server.waiting.splice(0)) answer(events ? [200, { events, next: events.at(-1).seq, more: false }] : missing);
  };
  const joined = (body) => {
    server.joins.push(body);
    if (server.isBanned) return [403, { type: "/problems/permission-denied", code: "member.banned", detail: "You are banned from this room." }];
    if (body.inviteCode !== "code") return missing;
    server.isMember = true;
    room.me = { role: body.role ?? "viewer" };
    return [201, { user: ann, role: "viewer" }];
  };
  /** Gives these events to what waits for them. */
  server.send = (...events) => { for (const answer of server.waiting.splice(0)) answer([200, { events, next: events.at(-1).seq, more: false }]); };
  /** Below `/v1/me/blocks`. */
  server.block = (method, path, body) => {
    if (method === "GET") return [200, { blocks: server.blocked.map((userId) => ({ userId, blockedAt: "2026-11-21T09:00:00.000Z" })), nextCursor: null }];
    if (method === "DELETE") { server.blocked = server.blocked.filter((id) => !path.endsWith(id)); return [204, null]; }
    server.blocked.push(body.userId);
    return [201, { userId: body.userId, blockedAt: "2026-11-21T09:00:00.000Z" }];
  };
  server.answer = (method, path, body) => {
    if (method === "POST" && path === "/members") return joined(body);
    if (!server.isMember) return missing;
    if (path.endsWith("/report")) { server.reported.push([path.split("/")[2], body]); return [204, null]; }
    if (method === "POST" && path === "/bids") return [422, { type: "/problems/bid-refused", code: "bid.below_minimum", detail: "Too low." }];
    if (method === "DELETE" && path === "/members/me") { server.removeMember(); return [204, null]; }
    if (path.startsWith("/events") && /wait=(?!0)/.test(path)) return new Promise((resolve) => server.waiting.push(resolve));
    return path.startsWith("/events") ? [200, { events: [], next: 3, more: false }] : [200, rest[path.split("?")[0]]];
  };
  return server;
}

/** Timers that keep no test waiting; a test may have replaced them. */
const clock = {
  now: () => Date.now(), monotonic: () => performance.now(), clearTimeout: (timer) => clearTimeout(timer),
  setTimeout(act, ms) {
    const timer = setTimeout(act, ms);
    timer.unref?.();
    return timer;
  },
};

/**
 * The page at the address of the room, opened by its invite link.
 * @param given `isMember` at the beginning; `isBanned`; `invite`: null for an address without it; `hasGuest`: whether the reader has a session, or gets it when they are asked for a nickname;
 *   `room`: what differs of it; `results`: its rows; `attention`: makes what calls the reader, once there is a document; `stored`: what the browser has kept, as pairs
 */
export async function fixture({ isMember = true, isBanned = false, hasGuest = true, invite = "code", room = {}, results = [], attention = () => ({ isOn: false, call() {}, keepAwake() {} }), stored = [] } = {}) {
  const body = makeDocument();
  const server = privateRoom({ isMember, isBanned, room, results });
  const fetch = async (address, { method, body: sent }) => {
    const body = sent && JSON.parse(sent);
    const [status, found] = address.includes("/v1/me/blocks") ? server.block(method, address, body) : await server.answer(method, address.split("/v1/rooms/room_x")[1], body);
    return new Response(found && JSON.stringify(found), { status });
  };
  const client = new AuctionClient({ baseURL: "https://auction.example", fetch, clock, userID: ann.id, token: "t" });
  const kept = new Map(stored);
  const storage = { get: (key) => kept.get(key) ?? null, set: (key, value) => kept.set(key, value), remove: (key) => kept.delete(key) };
  // The page is drawn again for a new guest.
  const session = { user: hasGuest ? ann : null, async become(nickname) { server.nicknames.push(nickname); session.user = ann; draw(); } };
  const app = {
    client, clock: client.clock, session, transport: "poll", triedInvite: null, entering: null, joined: null, title() {}, redraw: () => draw(),
    storage, attention: attention(storage),
    async guest() {
      if (!session.user) { session.user = ann; draw(); }
      return ann;
    },
  };
  let view = null;
  const draw = () => {
    view?.stop();
    view = roomView(app, "room_x", invite);
    body.replaceChildren(view.element);
    mountFeedback(body);
  };
  draw();
  await turn();
  return { body, server, session, draw, stop: () => view.stop() };
}

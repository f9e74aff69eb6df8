// A client and a server that the test plays.
import { AuctionClient } from "../../../Sources/Page/client/auction-client.js";

/** A problem of this server has its type; a string is an intermediary's page. */
const text = (body) => (typeof body === "string" ? body : JSON.stringify(body.code ? { type: "/problems/of-a-kind", ...body } : body));

/** A client of a server that gives the test's responses in order. Pauses between repetitions take no time. */
export const fixture = (...answers) => fixtureWith({}, ...answers);

/**
 * @param options of the client
 * @param answers `status`, `headers` and a `body` that may be a string; or the body's members. An error is a broken connection, a function
 *   gets what `fetch` was given.
 */
export function fixtureWith(options, ...answers) {
  const calls = [];
  let now = Date.parse("2026-11-21T09:00:00Z");
  const client = new AuctionClient({
    baseURL: "https://auction.example/sub/", token: "t",
    fetch: async (address, given) => {
      const { method, headers, body } = given;
      calls.push({ address, method, headers, text: body, body: headers["Content-Type"] === "application/json" ? JSON.parse(body) : undefined });
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      if (answer instanceof Function) return answer(given);
      const { status = 200, ...rest } = answer ?? {};
      return new Response(status === 204 ? null : text(rest.body ?? rest), { status, headers: rest.headers });
    },
    clock: { now: () => now, monotonic: () => 0, clearTimeout() {}, setTimeout: (act, ms) => { if (ms < 10_000) act(); } },
    ...options,
  });
  return { client, calls, room: client.room("room_x"), later: (ms) => { now += ms; } };
}

/** A request or a response that was lost. */
export const lost = () => new TypeError("network");
export const accepted = (leading = true, currentBid = { id: "bid_1" }) => (
  { status: 201, bid: { id: "bid_1", amount: "120.00", leading }, room: { seq: 9, currentBid }, receipt: {} });
/** An intermediary's page. */
export const page = (status) => ({ status, body: "<html>Blocked</html>" });
/** An unsigned token of a user. */
export const tokenOf = (sub, serial = 1) => `e30.${btoa(JSON.stringify({ iss: "x", sub, serial }))}.s`;

// A server of one room as far as following it needs one: a log of events that only grows, snapshots, and three ways to read it.
import { applyEvent, initialState, withSnapshot } from "../../../Sources/Page/client/room-state.js";

const people = ["Ann", "Bo", "Cy"].map((nickname) => ({ id: `user_${nickname}`, nickname }));

export class SimulatedServer {
  log = [];
  isUp = true;
  #states = [];

  constructor() {
    const room = {
      id: "room_x", seq: 0, state: "auctioning", round: 1, host: people[0], item: null, rules: null, currentPrice: null, currentBid: null, nextMinimum: "1.00",
      reserveMet: null, endsAt: null, nextDropAt: null, remainingMs: null, members: { bidder: 0 }, viewers: 1,
    };
    this.#states.push({ ...withSnapshot(initialState(), room) });
  }

  get seq() { return this.log.length; }
  /** The room as it was after an event. */
  roomAt(seq) { return this.#states[seq].room; }
  snapshot() { return this.roomAt(this.seq); }

  happen(random) {
    const seq = this.seq + 1;
    const bidder = random.pick(people);
    const [type, data] = random.pick([
      ["bid.placed", {
        bidId: `bid_${seq}`, amount: `${seq}.00`, bidder, leading: true, automatic: false, nextMinimum: `${seq + 1}.00`, endsAt: null, reserveMet: null,
      }],
      ["message.sent", { messageId: `m${seq}`, author: bidder, text: "é€😀" }],
      ["member.joined", { member: bidder, role: "bidder" }],
      ["weather.changed", { rain: true }],
    ]);
    const event = { seq, type, at: new Date(seq * 1000).toISOString(), round: 1, data };
    this.log.push(event);
    this.#states.push(applyEvent(this.#states.at(-1), event));
  }

  after(seq, limit = 200) { return this.log.slice(seq, seq + limit); }
}

const encoder = new TextEncoder();
export const frame = (event) => encoder.encode(`id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
export const greeting = (seq) => encoder.encode(`: auction-room\nretry: 2000\nid: ${seq}\n\n`);
export const notice = encoder.encode("event: notice\ndata: {\"notice\":\"presence\",\"viewers\":2}\n\n");

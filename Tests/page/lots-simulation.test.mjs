// Random sales against a server of one queue: whatever is read late or in parts, what the client knows of the queue is how it begins.
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEvent, initialState, withLots, withSnapshot } from "../../Sources/Page/client/room-state.js";
import { generator } from "./simulation/random.mjs";

const ann = { id: "user_a", nickname: "Ann" };
const item = (id) => ({ id: `item_${id}`, name: id, description: "", media: [], owner: ann });
const room = { id: "room_x", seq: 0, state: "preparing", round: 1, host: ann, item: null, rules: null, currentPrice: null, currentBid: null, members: {}, sale: undefined };

class Server {
  seq = 0;
  events = [];
  count = 0;
  current = null;
  /** Of every seq: the lots with their places, in order. */
  history = [[]];

  get lots() { return this.history[this.seq]; }
  queue(seq = this.seq) { return this.history[seq].filter((lot) => lot.state === "queued").map((lot) => lot.id); }

  #happen(type, data, change) {
    this.seq += 1;
    this.events.push({ seq: this.seq, type, at: "2026-11-21T09:00:00.000Z", round: 1, data });
    this.history.push(change(this.history.at(-1).map((lot) => ({ ...lot }))).sort((a, b) => a.place - b.place));
  }

  #set(id, changes) { return (lots) => lots.map((lot) => (lot.id === id ? { ...lot, ...changes } : lot)); }

  add() {
    const id = `lot_${this.count += 1}`;
    this.#happen("lot.queued", { lotId: id, item: { ...item(id), rules: {} } }, (lots) => [...lots, { id, state: "queued", place: (lots.at(-1)?.place ?? 0) + 1, moved: 0 }]);
  }

  move(random) {
    const queue = this.queue();
    if (queue.length < 2) return;
    const id = random.pick(queue);
    const before = random.pick([...queue.filter((each) => each !== id), null]);
    const index = this.lots.findIndex((lot) => lot.id === before);
    const place = before === null ? this.lots.at(-1).place + 1 : (this.lots[index].place + (this.lots[index - 1]?.place ?? 0)) / 2;
    this.#happen("lot.moved", { lotId: id, before, by: ann }, this.#set(id, { place, moved: this.seq + 1 }));
  }

  withdraw(random) {
    const queue = this.queue();
    if (queue.length > 0) this.#withdraw(random.pick(queue));
  }

  #withdraw(id) { this.#happen("lot.withdrawn", { lotId: id, by: ann }, this.#set(id, { state: "withdrawn" })); }

  /** The round of the current lot ends, or the next lot begins its own. */
  advance() {
    const [next] = this.queue();
    if (this.current) {
      this.#happen("item.sold", { lotId: this.current, winner: ann, price: "1.00" }, this.#set(this.current, { state: "sold" }));
      this.current = null;
      this.#happen("state.changed", { from: "closed", to: "preparing" }, (lots) => lots);
    } else if (next) {
      this.current = next;
      this.#happen("item.uploaded", { lotId: next, item: { ...item(next), rules: {} } }, this.#set(next, { state: "current" }));
    }
  }

  /** An item that is no lot takes the place of the prepared one, which waits again. */
  replace() {
    if (!this.current) return;
    this.#happen("item.uploaded", { item: { ...item("hand"), rules: {} } }, this.#set(this.current, { state: "queued" }));
    this.current = null;
  }

  /** As the server makes pages: behind the last lot, without those that were moved since the first page. */
  page(seq, limit, cursor = null) {
    const rows = this.history[seq].filter((lot) => lot.state === "queued" && (cursor === null || (lot.place > cursor.place && lot.moved <= cursor.since)));
    const shown = rows.slice(0, limit);
    const next = rows.length > limit ? { since: cursor?.since ?? seq, place: shown.at(-1).place } : null;
    return { lots: shown.map(({ id }) => ({ id, state: "queued", reference: null, item: item(id), rules: {} })), nextCursor: next, seq };
  }

  currentAt(seq) {
    const lot = this.history[seq].find((each) => each.state === "current");
    return { lots: lot ? [{ id: lot.id, state: "current", reference: null, item: item(lot.id), rules: {} }] : [], seq };
  }
}

function play(seed) {
  const random = generator(seed);
  const server = new Server();
  let client = withSnapshot(initialState(), room);
  const known = () => client.lots.queued.map((lot) => lot.id);
  for (let step = 0; step < 150; step += 1) {
    random.pick([() => server.add(), () => server.add(), () => server.move(random), () => server.move(random), () => server.withdraw(random), () => server.advance(), () => server.replace()])();
    while (client.seq < server.seq && random.chance(0.7)) client = applyEvent(client, server.events[client.seq]);
    if (!client.lots.queued || client.lots.isStale || random.chance(0.05)) {
      const seq = random.chance(0.1) ? random.below(server.seq + 1) : server.seq;
      const current = server.currentAt(Math.max(0, seq - random.below(3)));
      client = withLots(client, { page: server.page(seq, 5), current });
    } else if (client.lots.cursor !== null && !client.lots.wasMoved && random.chance(0.2)) {
      const seq = random.chance(0.1) ? Math.max(client.lots.seq, client.seq - 2) : server.seq;
      client = withLots(client, { page: server.page(seq, 5, client.lots.cursor), isMore: true });
    }
    if (client.seq < server.seq || !client.lots.queued || client.lots.isStale) continue;
    const truth = server.queue();
    assert.deepEqual(known(), client.lots.cursor === null ? truth : truth.slice(0, known().length), `seed ${seed}, step ${step}`);
    assert.equal(client.lots.current?.state === "current" ? client.lots.current.id : null, server.current, `seed ${seed}, step ${step}`);
  }
  return client.lots.queued?.length ?? 0;
}

test("the known part of the queue is its beginning, in order and without doubles, in random sales", () => {
  let total = 0;
  for (let seed = 1; seed <= 1_000; seed += 1) total += play(seed);
  assert.ok(total > 400, "the simulated queues are not empty");
});

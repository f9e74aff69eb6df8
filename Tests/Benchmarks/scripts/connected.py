"""What readers of all rooms' events cost the bids, and how soon they get an event.

connected.py [STORE]. Two servers with their logs in SQLite, or in two databases made from STORE (postgresql://…), take turns: one alone, one
with webhooks and a reader of the feed.

1. 200 bids a second beside twenty webhooks that get each of them, and a reader of them: the bids' p99 ÷ that of the server alone. For
   comparison the same beside a loop of another process that runs when nothing else does: what any work on the machine costs.
2. As many bids as go, beside ten webhooks and a reader of sales, who pass over every bid: the processor time of a bid's threads ÷ alone.
3. The delay from the room's subscriber to the reader of the feed, per event of 1.

BENCH_ROUNDS (5), BENCH_SECONDS (5) of each. AUCTION_ROOM_BIN, and BENCH_PROGRAMS with bare-microhttpd, which receives the webhooks.
"""
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import processor
from measure import wrk
from prepare import prepare

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/live"))
import program  # noqa: E402
from wire import Connection, expect, in_parallel, p99  # noqa: E402

ROUNDS, SECONDS = int(os.environ.get("BENCH_ROUNDS", "5")), int(os.environ.get("BENCH_SECONDS", "5"))
ROOMS, CONNECTIONS, BIDS_PER_SECOND = 64, 16, 200
TOKEN = "the-operators-token-of-forty-characters."
# Those that a bid goes through; the others belong to its readers.
BID_THREADS = ("http-loop", "sequencer", "committer", "housekeeping")


class Reader(threading.Thread):
    """Reads a stream of events; keeps when each event of a room came, by room and seq."""

    def __init__(self, port, path, token, room=None):
        super().__init__(daemon=True)
        self.room = room
        self.came, self.socket = {}, socket.create_connection(("127.0.0.1", port))
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        self.start()

    def run(self):
        with self.socket.makefile("rb") as lines:
            for line in lines:
                if line.startswith(b"data: {"):
                    now, entry = time.monotonic(), json.loads(line[6:])
                    event = entry.get("event", entry)
                    if "seq" in event:
                        self.came[entry.get("room", self.room), event["seq"]] = now


class Side:
    """A server with running rounds, and what reads it."""

    def __init__(self, folder, name, store, webhooks=0, types=None, sink=None):
        self.place = folder / name
        self.place.mkdir()
        token = self.place / "token"
        token.write_text(TOKEN + "\n")
        self.server = program.Server(
            store or f"sqlite:{self.place}/rooms.db", *program.NO_LIMITS, "--log-level", "warning", "--admin-token-file", str(token),
            "--webhooks-allow", "127.0.0.0/8", log=str(self.place / "log"))
        self.port = self.server.port
        prepare(self.port, ROOMS, self.place / "rooms.txt")
        self.rooms = [line.split() for line in (self.place / "rooms.txt").read_text().splitlines()]
        self.amount = 1
        connection = Connection(self.port)
        for number in range(webhooks):
            body = {"url": f"http://127.0.0.1:{sink}/v1/rooms/{number}/bids", **({"types": types} if types else {})}
            expect(connection.call("POST", "/v1/admin/webhooks", TOKEN, body), 201)
        query = "?after=latest" + (f"&types={','.join(types)}" if types else "")
        self.feed = Reader(self.port, "/v1/feed" + query, TOKEN) if webhooks else None

    def paced(self):
        """Bids at a steady rate; the milliseconds that each took."""
        workers, begun = 8, time.monotonic()
        passes = BIDS_PER_SECOND * SECONDS // ROOMS

        def bids(worker):
            connection, took = Connection(self.port), []
            own = self.rooms[worker::workers]
            for number in range(passes * len(own)):
                time.sleep(max(0, begun + (number + worker / workers) * workers / BIDS_PER_SECOND - time.monotonic()))
                room, *bidders = own[number % len(own)]
                step = self.amount + number // len(own)
                sent = time.monotonic()
                expect(connection.call("POST", f"/v1/rooms/{room}/bids", bidders[(step - 1) % 2], {"amount": f"{step}.00"}), 201)
                took.append((time.monotonic() - sent) * 1000)
            return took

        took = [one for part in in_parallel(workers, bids) for one in part]
        self.amount += passes
        return took

    def full(self):
        """As many bids as go: (processor microseconds of a bid in its threads, bids a second)."""
        if not (self.place / "position").exists():
            (self.place / "position").write_text(str((self.amount - 1) * ROOMS))
        before = processor.threads(self.server.process.pid)
        done = wrk(self.port, "bids.lua", CONNECTIONS, str(self.place), SECONDS)
        spent = processor.spent(before, processor.threads(self.server.process.pid))
        used = sum(total["seconds"] for name, total in spent.items() if name.startswith(BID_THREADS))
        return used * 1e6 / done["requests"], done["requests"] / done["seconds"]


def sink():
    """What receives the webhooks. It stands for other machines, so it runs when nothing else does."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    return subprocess.Popen(["chrt", "--idle", "0", os.environ["BENCH_PROGRAMS"] + "/bare-microhttpd", str(port)], stdout=subprocess.DEVNULL), port


def beside_a_loop(work):
    """Does the work while another process uses a processor with the lowest priority that there is."""
    loop = subprocess.Popen(["chrt", "--idle", "0", sys.executable, "-c", "while True: pass"])
    try:
        return work()
    finally:
        loop.kill()


def ratio(name, alone, connected, goal=None):
    found = sorted(one / other for one, other in zip(connected, alone))
    print(f"{name}: {statistics.median(found):.2f} (from {found[0]:.2f} to {found[-1]:.2f}; {statistics.median(connected):.2f} ÷ "
          f"{statistics.median(alone):.2f})" + (f"; at most {goal}" if goal else ""), flush=True)


def stores(given):
    """A store for each of the three servers; None: SQLite."""
    if not given:
        return [None] * 3
    import postmaster
    return [postmaster.database(f"connected_{number}") for number in range(3)]


def main():
    receiver, port = sink()
    try:
        with tempfile.TemporaryDirectory(dir=pathlib.Path(__file__).resolve().parents[3] / ".build") as folder:
            folder = pathlib.Path(folder)
            urls = stores(sys.argv[1:])
            alone = Side(folder, "alone", urls[0])
            every = Side(folder, "every", urls[1], 20, ["bid.placed"], port)
            sales = Side(folder, "sales", urls[2], 10, ["item.sold"], port)
            room, token, _ = every.rooms[0]
            subscriber = Reader(every.port, f"/v1/rooms/{room}/events", token, room)
            rounds = [(p99(alone.paced()), p99(every.paced()), p99(beside_a_loop(alone.paced))) for _ in range(ROUNDS)]
            usual, beside, control = zip(*rounds)
            ratio("p99 beside twenty webhooks ÷ alone, ms", usual, beside, 1.2)
            ratio("p99 beside a loop of another process ÷ alone, ms", usual, control)
            time.sleep(1)
            rounds = [(alone.full(), sales.full()) for _ in range(ROUNDS)]
            ratio("processor time of a bid beside ten webhooks and a reader ÷ alone, us", *zip(*((one[0], other[0]) for one, other in rounds)), 1.05)
            ratio("bids a second, alone ÷ beside them", *zip(*((other[1], one[1]) for one, other in rounds)), 1.05)
            delays = [1000 * (every.feed.came[name] - at) for name, at in subscriber.came.items() if name in every.feed.came]
            print(f"feed after the room's subscriber: median {statistics.median(delays):.1f} ms, p99 {p99(delays):.1f}, longest {max(delays):.1f}, "
                  f"of {len(delays)} events; at most 50", flush=True)
    finally:
        receiver.kill()
        program.kill_all()


main()

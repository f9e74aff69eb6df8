"""Instructions of a bid, a refused bid and a GET of a room in the real server with its log in SQLite, counted by callgrind.

Each is the difference between a short and a long run of 32 connections in 16 rooms. It contains libmicrohttpd, SQLite and the flush of the event
index, and varies by some per cent with how the threads take turns. COUNT: how often each is done. KEEP: a folder for callgrind's files.
"""
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from program import NO_LIMITS, Server, require_binary
from room_setup import guest, open_round
from wire import CheckFailed, Connection, check

ROOMS, SHORT = 16, 320
COUNT = int(os.environ.get("COUNT", "2000"))
ITEM = {"name": "Lot", "rules": {"startingPrice": "1.00", "increment": {"fixed": "1.00"}, "listingSeconds": 0, "biddingSeconds": 86400}}
# Of each kind: the status of its responses, and the most instructions, three per cent above what was counted.
KINDS = {"bid": (201, 125400), "refusal": (422, 72000), "room": (200, 49400)}

# The C library clears and copies more than some kilobytes by a repeated instruction on some processors, of which valgrind counts every byte: 12,000
# instructions a request more than on others.
VECTOR_COPIES = "GLIBC_TUNABLES=" + ":".join(f"glibc.cpu.x86_rep_{name}_threshold=1000000000" for name in ("stosb", "movsb"))


class Room:
    """A room with a connection for each of its two bidders."""

    def __init__(self, port, number, host, auctioneer):
        self.connections = [Connection(port, timeout=60) for _ in range(2)]
        self.bidders = [guest(connection, f"Bidder {number}") for connection in self.connections]
        self.path = "/v1/rooms/" + open_round(self.connections[0], f"Room {number}", host, auctioneer, self.bidders, ITEM)

    def request(self, kind, turn):
        """Sends a request of the bidder whose turn it is; returns the status of its response."""
        # The first bidder leads where bids are refused.
        connection, token = self.connections[turn % 2], self.bidders[1 if kind == "refusal" else turn % 2][1]
        if kind == "room":
            return connection.call("GET", self.path, token, headers=("Accept: */*",)).status
        body = {"amount": "1.00" if kind == "refusal" else f"{turn + 1}.00"}
        return connection.call("POST", self.path + "/bids", token, body, headers=("Accept: */*",)).status


def instructions(kind, count, folder):
    """Instructions of a server that starts, serves so many requests and ends."""
    profile = os.path.join(folder, f"{kind}-{count}")
    wrapper = ("env", VECTOR_COPIES, "valgrind", "--tool=callgrind", "--fair-sched=yes", "--callgrind-out-file=" + profile)
    server = Server(f"sqlite:{profile}.db", *NO_LIMITS, "--log-level", "warning", wrapper=wrapper, log=profile + ".log", timeout=120)
    connection = Connection(server.port, timeout=60)
    host, auctioneer = guest(connection, "Host"), guest(connection, "Auctioneer")
    rooms = [Room(server.port, number, host, auctioneer) for number in range(ROOMS)]
    check(all(room.request("bid", 0) == 201 for room in rooms), "the first bid of a room was refused")
    with ThreadPoolExecutor(ROOMS) as pool:
        for turn in range(1, 1 + count // ROOMS):
            found = set(pool.map(lambda room, turn=turn: room.request(kind, turn), rooms))
            check(found == {KINDS[kind][0]}, f"{kind}: answered {found}")
    server.terminate(120)
    with open(profile, encoding="utf-8") as lines:
        return int(re.search(r"^(?:summary|totals): (\d+)", lines.read(), re.MULTILINE)[1])


def main():
    require_binary()
    beyond = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind, (_, bound) in KINDS.items():
            short, long = (instructions(kind, count, os.environ.get("KEEP", folder)) for count in (SHORT, SHORT + COUNT))
            spent = (long - short) // COUNT
            beyond += spent > bound
            print(f"{kind:<10} {spent:13} {bound:10}  real server", flush=True)
    if beyond:
        raise CheckFailed(f"{beyond} cost more than their bounds")


try:
    main()
except CheckFailed as error:
    sys.exit(f"work: {error}")

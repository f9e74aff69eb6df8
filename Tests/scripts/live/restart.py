"""Time from the start of the program after a kill until it is ready.

RESTART_ROOMS (1500) and RESTART_OPEN (400): rooms, and how many of them have a round that runs. RESTART_EVENTS (140000): bids
that no flush has followed. RESTART_SECONDS: the bound; 1 for a release build, which the debug build is several times slower than.
"""
import os
import sqlite3
import subprocess
import tempfile
import time

import room_setup
from program import BINARY, NO_LIMITS, Server, ending, require_binary, running
from recovery_checks import Failure
from wire import CheckFailed, Connection, expect, in_parallel

ROOMS = int(os.environ.get("RESTART_ROOMS", "1500"))
OPEN = int(os.environ.get("RESTART_OPEN", "400"))
EVENTS = int(os.environ.get("RESTART_EVENTS", "140000"))
SECONDS = float(os.environ.get("RESTART_SECONDS", "6" if "/debug/" in os.path.realpath(BINARY) else "1"))
THREADS = 4
# Built beside the program.
BENCH = os.path.join(os.path.dirname(BINARY), "auction-bench")
# Long enough that no round ends while the rooms are created.
ITEM = {"name": "Lamp", "rules": {"startingPrice": "1.00", "listingSeconds": 0, "biddingSeconds": 3600}}


def serve(folder):
    return Server(f"sqlite:{folder}/rooms.db", *NO_LIMITS, log=f"{folder}/log")


def ready_again(folder, what):
    server = serve(folder)
    took = server.ready_at - server.spawned_at
    print(f"{what}: ready {took:.2f} s after kill -9", flush=True)
    if took > SECONDS:
        raise Failure(f"{what}: ready after {took:.2f} s, not {SECONDS:g}")
    return server


def unflushed(folder):
    """Nothing flushes beside the measurement of appends, so all it wrote is behind the watermark."""
    path = os.path.join(folder, "rooms.db")
    bench = subprocess.Popen(
        [BENCH, "append", "--store", f"sqlite:{path}", "--batch", "50", "--seconds", "300"], stdout=subprocess.DEVNULL)
    running.add(bench)
    last = 0
    while last < EVENTS:
        time.sleep(0.05)
        if bench.poll() is not None:
            raise Failure(f"auction-bench append ended with {bench.returncode}")
        last = newest(path)
    bench.kill()
    bench.wait()
    running.discard(bench)
    ready_again(folder, f"{last} bids without a flush").kill()


def newest(path):
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as log:
            return log.execute("SELECT coalesce(max(position), 0) FROM event").fetchone()[0]
    except sqlite3.OperationalError:
        # The file or its table does not exist yet.
        return 0


def many_rooms(folder):
    server = serve(folder)

    def make(share):
        connection = Connection(server.port)
        host, owner, bidder = (room_setup.guest(connection, name) for name in ("Hana", "Omar", "Bea"))
        for number in range(share, ROOMS, THREADS):
            if number < OPEN:
                room_setup.open_round(connection, f"room {number}", host, owner, [bidder], ITEM)
            else:
                expect(connection.call("POST", "/v1/rooms", host[1], {"name": f"room {number}"}), 201)

    in_parallel(THREADS, make)
    server.kill()
    ready_again(folder, f"{ROOMS} rooms, {OPEN} of them with a round that runs").terminate()


def main():
    require_binary()
    for case in (unflushed, many_rooms):
        with tempfile.TemporaryDirectory() as folder:
            case(folder)


if __name__ == "__main__":
    with ending("FAILED", (Failure, CheckFailed)):
        main()

"""What many rooms in the log cost: a bid with ever more of them, the start, and the memory of those that are loaded and idle.

BENCH_LOG_ROOMS ("0 1000 10000 100000"): rooms in the log beside those with bids; a tenth is open. BENCH_ROUNDS (3). BENCH_JSON: a file for
the figures. The programs: see stores.py.
"""
import contextlib
import os
import sqlite3
import subprocess
import sys

import stores

COUNTS = list(map(int, os.environ.get("BENCH_LOG_ROOMS", "0 1000 10000 100000").split()))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
# Rooms that get the bids, and bids in a measurement.
BUSY, BIDS = 64, 4000
# Bids in each of the others: about ten events a room.
BIDS_BEFORE = 2


def ready_seconds(server):
    return server.ready_at - server.spawned_at


def events(store):
    """How many are in the log."""
    with contextlib.closing(sqlite3.connect(store)) as connection:
        return connection.execute("SELECT count(*) FROM event").fetchone()[0]


def main():
    with stores.folder() as folder:
        store, place, there = folder / "rooms.db", folder / "busy", 0
        place.mkdir()
        found = {"curve": [], "ready": [], "idle_kb": []}
        for count in COUNTS:
            added, opened = count - there, (count - there) // 10
            if count == COUNTS[-1] and added > 0:
                stores.fill(store, added - opened, BIDS_BEFORE)
                server, _ = stores.serve(store)
                found["ready_none"], before = ready_seconds(server), stores.resident(server)
                server.terminate()
                stores.fill(store, opened, BIDS_BEFORE, opened)
            elif added > 0:
                stores.fill(store, added, BIDS_BEFORE, opened)
            there = count
            if count == COUNTS[-1]:
                found["events"] = events(store)
            for _ in range(ROUNDS if count == COUNTS[-1] else 1):
                server, meter = stores.serve(store)
                if count == COUNTS[-1]:
                    found["ready"].append(ready_seconds(server))
                    found["idle_kb"].append((stores.resident(server) - before) / 1024 / opened)
                if count == COUNTS[-1] and len(found["ready"]) < ROUNDS:
                    server.terminate()
            if not (place / "rooms.txt").exists():
                subprocess.run([sys.executable, stores.HERE / "prepare.py", str(server.port), str(BUSY), place / "rooms.txt"], check=True)
            found["curve"].append({"rooms": count + BUSY, "costs": stores.costs(server, meter, place, ROUNDS, BIDS)})
            print(f"{count + BUSY:,} rooms in the log: {stores.spread(found['curve'][-1]['costs'])} us of processor time a bid", flush=True)
            server.terminate()
        print(f"{COUNTS[-1]:,} rooms, {opened:,} of those that came last open: ready in {stores.spread(found['ready'], 2)} s "
              f"({found['ready_none']:.2f} s without these), {stores.spread(found['idle_kb'])} kB for each of them")
        stores.write(found)


main()

"""What many rooms in the log cost: a bid with ever more of them, the start, and the memory of those that are open, or loaded and idle.

BENCH_LOG_ROOMS ("1000 10000 100000"): rooms in the log beside those with bids; a tenth is open. BENCH_ROUNDS (3). BENCH_JSON: a file for
the figures. The programs: see stores.py.
"""
import contextlib
import os
import sqlite3

import stores
from prepare import prepare

COUNTS = list(map(int, os.environ.get("BENCH_LOG_ROOMS", "1000 10000 100000").split()))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
# Rooms that get the bids, and bids in a measurement.
BUSY, BIDS = 64, 4000
# Bids in each of the others: about ten events a room.
BIDS_BEFORE = 2
# The countdown of rooms that a start has to load and to extend: more than all starts take, so that they stay open.
EXPIRED_SECONDS = 60


def ready_seconds(server):
    return server.ready_at - server.spawned_at


def events(store):
    """How many are in the log."""
    with contextlib.closing(sqlite3.connect(store)) as connection:
        return connection.execute("SELECT count(*) FROM event").fetchone()[0]


def busy_server(folder, name):
    """A server on a log of its own with the rooms that get the bids: (server, its meter, the folder of its load)."""
    place = folder / f"{name}-busy"
    place.mkdir()
    server, meter = stores.serve(folder / f"{name}.db")
    prepare(server.port, BUSY, place / "rooms.txt")
    return server, meter, place


def starts(store, rooms):
    """Starts a server, ROUNDS times, and lets it load the rooms: (the seconds until it was ready, the bytes then, and with the rooms) of
    each."""
    found = []
    for _ in range(ROUNDS):
        server, meter = stores.serve(store)
        before = meter.memory()
        connection = stores.Connection(server.port, 60)
        for room in rooms:
            stores.expect(connection.call("GET", f"/v1/rooms/{room}/events?limit=1"), 200)
        found.append((ready_seconds(server), before, meter.memory()))
        server.terminate()
    return found


def grow(store, rooms):
    """Adds so many rooms, of which a tenth is open and comes last; what a start takes before and after these, and if the deadlines of as
    many more expired meanwhile: {"ready_none", "ready", "ready_expired", "open_kb", "idle_kb"}, all but the first of each round."""
    opened = rooms // 10
    stores.fill(store, rooms - opened, BIDS_BEFORE)
    server, meter = stores.serve(store)
    none, before = ready_seconds(server), meter.memory()
    server.terminate()
    there = starts(store, stores.fill(store, opened, BIDS_BEFORE, opened))
    stores.fill(store, opened, BIDS_BEFORE, opened, EXPIRED_SECONDS)
    expired = starts(store, [])
    return {
        "ready_none": none, "ready": [ready for ready, _, _ in there], "ready_expired": [ready for ready, _, _ in expired],
        "open_kb": [(resident - before) / 1024 / opened for _, resident, _ in there],
        "idle_kb": [(resident - before) / 1024 / opened for _, _, resident in there],
    }


def main():
    with stores.folder() as folder:
        store, there, curve = folder / "many.db", 0, []
        base = busy_server(folder, "base")
        server, _, place = busy_server(folder, "many")
        server.terminate()
        for count in COUNTS:
            if count == COUNTS[-1]:
                found = grow(store, count - there)
            else:
                stores.fill(store, count - there, BIDS_BEFORE, (count - there) // 10)
            there = count
            server, meter = stores.serve(store)
            alone, costs = stores.costs([(*base, BIDS), (server, meter, place, BIDS)], ROUNDS)
            server.terminate()
            if not curve:
                curve.append({"rooms": BUSY, "costs": alone, "ratios": [1.0] * ROUNDS})
            curve.append({"rooms": count + BUSY, "costs": costs, "ratios": stores.ratios(costs, alone)})
            print(f"{count + BUSY:,} rooms in the log: {stores.spread(costs)} us of processor time a bid, "
                  f"{stores.spread(curve[-1]['ratios'], 2)} times that without the others", flush=True)
        found |= {"curve": curve, "events": events(store)}
        print(f"{there:,} rooms, {there // 10:,} open: ready in {stores.spread(found['ready'], 2)} s ({found['ready_none']:.2f} s before the "
              f"last of these came; {stores.spread(found['ready_expired'], 2)} s if the deadlines of as many more expired meanwhile), "
              f"{stores.spread(found['open_kb'])} kB for each that is open, {stores.spread(found['idle_kb'])} kB once they are loaded")
        stores.write(found)


main()

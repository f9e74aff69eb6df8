"""What large rooms take: the time to load one, the memory of a bid in it, and what is left when they have left the memory.

BENCH_LARGE_ROOMS (3), BENCH_LARGE_BIDS (120000, in each). BENCH_JSON: a file for the figures. The programs: see stores.py.
"""
import os
import re
import time

import stores

ROOMS = int(os.environ.get("BENCH_LARGE_ROOMS", "3"))
BIDS = int(os.environ.get("BENCH_LARGE_BIDS", "120000"))
# When rooms leave the memory, which is no option.
IDLE_SECONDS = 600
# How long an idle process is given to return memory.
RETURN_SECONDS = 20


def loaded(connection):
    """How many rooms are in memory."""
    return int(re.search(r"^auction_rooms_loaded (\d+)$", connection.call("GET", "/metrics").body.decode(), re.MULTILINE)[1])


def main():
    with stores.folder() as folder:
        store = folder / "rooms.db"
        stores.fill(store, ROOMS, BIDS)
        server, meter = stores.serve(store)
        connection = stores.Connection(server.port, 60)
        # Their rounds are over, so none of them is loaded by the start.
        rooms = [room["id"] for room in stores.expect(connection.call("GET", "/v1/rooms?limit=100"), 200)["rooms"]]
        if len(rooms) != ROOMS or loaded(connection):
            raise SystemExit(f"{len(rooms)} rooms, {loaded(connection)} loaded by the start")
        meter.settle()
        before, millis, bytes_a_bid = meter.memory(), [], []
        for number, room in enumerate(rooms):
            begun = time.perf_counter()
            stores.expect(connection.call("GET", f"/v1/rooms/{room}"), 200)
            millis.append((time.perf_counter() - begun) * 1000)
            meter.settle(2)
            bytes_a_bid.append((meter.memory() - before) / (number + 1) / BIDS)
        peak = meter.memory()
        if loaded(connection) != ROOMS:
            raise SystemExit(f"only {loaded(connection)} of {ROOMS} rooms are loaded")
        end = time.monotonic() + IDLE_SECONDS + 30
        while loaded(connection) and time.monotonic() < end:
            time.sleep(0.2)
        if loaded(connection):
            raise SystemExit("the rooms do not leave the memory")
        end = time.monotonic() + RETURN_SECONDS
        while meter.memory() > before * 1.2 and time.monotonic() < end:
            time.sleep(0.5)
        after = meter.memory()
        print(f"a room of {BIDS:,} bids is loaded in {stores.spread(millis)} ms; {bytes_a_bid[-1]:,.0f} bytes a bid with {ROOMS} of them; "
              f"{before / 1e6:.0f} MB before, {peak / 1e6:.0f} MB with them, {after / 1e6:.0f} MB once they have left")
        stores.write({"load_ms": millis, "bytes_a_bid": bytes_a_bid, "before_mb": before / 1e6, "loaded_mb": peak / 1e6,
                      "after_mb": after / 1e6, "bids": BIDS})
        server.terminate()


main()

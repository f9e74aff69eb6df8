"""What a bid costs with ever more bids before it, in its room and so in the log.

BENCH_HISTORY_BIDS ("10 100 1000 10000 100000"): about how many bids there are in each of ten rooms. BENCH_ROUNDS (3). BENCH_JSON: a file for the figures. The programs:
see stores.py.
"""
import os

import stores

COUNTS = list(map(int, os.environ.get("BENCH_HISTORY_BIDS", "10 100 1000 10000 100000").split()))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
# Few bids in a measurement, a tenth of those before or so, because the history grows by them; few connections, so that bids do not
# overtake each other in a room.
ROOMS, BIDS, CONNECTIONS = 10, 1000, 4


def prepare(folder, name, count):
    """A server on ten rooms with about so many bids each, its meter, the folder of its load, and all bids together."""
    store = folder / f"{name}.db"
    # A quarter more or less in each, so that their snapshots, which come with every doubling, do not come together.
    each = [count * (15 + number) // 20 for number in range(ROOMS)]
    rooms = [room for bids in each for room in stores.fill(store, 1, bids, 1)]
    server, meter = stores.serve(store)
    stores.join_bidders(server, rooms, max(each), folder / name)
    return server, meter, folder / name, sum(each)


def main():
    with stores.folder() as folder:
        curve = []
        for number, count in enumerate(COUNTS[1:]):
            # A new one each time, because its history grows by being measured.
            *base, least = prepare(folder, f"base-{number}", COUNTS[0])
            *load, most = prepare(folder, f"long-{number}", count)
            alone, costs = stores.costs([(*base, BIDS), (*load, max(BIDS, count))], ROUNDS, CONNECTIONS)
            if not curve:
                curve.append({"bids": COUNTS[0], "in_log": least, "costs": alone, "ratios": [1.0] * ROUNDS})
            curve.append({"bids": count, "in_log": most, "costs": costs, "ratios": stores.ratios(costs, alone)})
            print(f"{count:,} bids before it in its room, {most:,} in the log: {stores.spread(costs)} us of processor time a bid, "
                  f"{stores.spread(curve[-1]['ratios'], 2)} times that of one after {COUNTS[0]}", flush=True)
            for server, *_ in (base, load):
                server.terminate()
            for file in [*folder.glob("*.db"), *folder.glob("*.db-wal")]:
                file.unlink()
        stores.write({"curve": curve})


main()

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


def main():
    with stores.folder() as folder:
        found = {"rooms": ROOMS, "curve": []}
        for count in COUNTS:
            store = folder / f"{count}.db"
            # A quarter more or less in each, so that their snapshots, which come with every doubling, do not come together.
            each = [count * (15 + number) // 20 for number in range(ROOMS)]
            rooms = [room for bids in each for room in stores.fill(store, 1, bids, 1)]
            server, meter = stores.serve(store)
            stores.join_bidders(server, rooms, max(each), folder / str(count))
            costs = stores.costs(server, meter, folder / str(count), ROUNDS, max(BIDS, count), CONNECTIONS)
            found["curve"].append({"bids": count, "costs": costs})
            print(f"{count:,} bids before it in its room, {sum(each):,} in the log: {stores.spread(costs)} us of processor time a bid",
                  flush=True)
            server.terminate()
            for file in folder.glob(f"{count}.db*"):
                file.unlink()
        stores.write(found)


main()

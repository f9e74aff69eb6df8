"""Durable bids on PostgreSQL: through one node, through two, and with a `place_bid` function by pgbench, on one server in one run.

The server is that of `.ci/with-postgres.sh`; AUCTION_ROOM_BIN is the program. BENCH_ROUNDS (3), BENCH_SECONDS (4, of each measurement),
BENCH_POSTGRES_ROOMS ("1 50 1024": numbers of rooms to measure), BENCH_NODES (2: also two nodes at once). BENCH_JSON: a file for the figures.
"""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts/live"))
from measure import wrk  # noqa: E402
import postmaster  # noqa: E402
import program  # noqa: E402
from prepare import prepare  # noqa: E402
from wire import in_parallel  # noqa: E402

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
SECONDS = int(os.environ.get("BENCH_SECONDS", "4"))
# One client is never the best of either.
CLIENTS = {"place_bid by pgbench": (16, 64), "a node": (16, 64, 256)}
# A hot room, and enough others that their rows do not wait for each other's locks.
ROOMS = tuple(map(int, os.environ.get("BENCH_POSTGRES_ROOMS", "1 50 1024").split()))
BOTH_NODES = os.environ.get("BENCH_NODES", "2") == "2"
TICKS = os.sysconf("SC_CLK_TCK")


def busy():
    """Processor seconds that the whole machine has used so far."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, interrupt, soft = map(int, file.readline().split()[1:8])
    return (user + nice + system + interrupt + soft) / TICKS


class Rate:
    """Accepted bids per second, and processor microseconds of the whole machine for each."""

    def __init__(self, bids, seconds, worked):
        self.per_second, self.micros = bids / seconds, worked * 1e6 / max(1, bids)


def pgbench(url, rooms, clients):
    begun = busy()
    done = subprocess.run(
        [f"{postmaster.PROGRAMS}/pgbench", "-n", "-M", "prepared", "-c", str(clients), "-j", str(min(2, clients)), "-T", str(SECONDS),
         "-D", f"lots={rooms}", "-f", str(HERE / "place_bid.pgbench"), url],
        capture_output=True, text=True, timeout=SECONDS + 60, check=False)
    if done.returncode:
        raise SystemExit(f"pgbench: {done.stderr}")
    count = int(re.search(r"actually processed: (\d+)", done.stdout)[1])
    failed = re.search(r"failed transactions: (\d+)", done.stdout)
    if failed and int(failed[1]):
        raise SystemExit(f"pgbench: {failed[0]}")
    return Rate(count, SECONDS, busy() - begun)


class Node:
    """A node with a folder for each number of rooms, in which bidders continue where they stopped."""

    def __init__(self, url, folder):
        self.server = program.Server(url, *program.NO_LIMITS, "--threads", "1", "--log-level", "warning", log=f"{folder}.log", timeout=60)
        self.folder = folder

    def prepare(self, rooms):
        place = pathlib.Path(f"{self.folder}-{rooms}")
        place.mkdir()
        (place / "position").write_text("0")
        prepare(self.server.port, rooms, place / "rooms.txt")

    def load(self, rooms, clients):
        """(accepted bids, seconds)."""
        figures = wrk(self.server.port, "bids.lua", clients, f"{self.folder}-{rooms}", SECONDS)
        if figures["broken"]:
            raise SystemExit(f"wrk: {figures}")
        return figures["requests"] - figures["refused"], figures["seconds"]


def together(nodes, rooms, clients):
    """The nodes at once, each on rooms of its own."""
    begun = busy()
    ended = in_parallel(len(nodes), lambda number: nodes[number].load(rooms, clients))
    return Rate(sum(bids for bids, _ in ended), statistics.mean(seconds for _, seconds in ended), busy() - begun)


def show(title, rates):
    rate, micros = statistics.median(r.per_second for r in rates), statistics.median(r.micros for r in rates)
    lowest, highest = min(r.per_second for r in rates), max(r.per_second for r in rates)
    print(f"{title:<44}{rate:>9,.0f}{lowest:>9,.0f}{highest:>9,.0f}{micros:>9.0f}", flush=True)
    return rate, micros


def best_ratios(ours, theirs, rooms):
    """The best of ours against the best of theirs, in each round."""
    def best(measured):
        series = [rates for (count, _), rates in measured.items() if count == rooms]
        return [max(rate.per_second for rate in at_once) for at_once in zip(*series)]

    return [one / other for one, other in zip(best(ours), best(theirs))]


def compare(ours, theirs):
    print(f"{'bids/s, medians of ' + str(ROUNDS) + ' rounds':<44}{'':>9}{'lowest':>9}{'highest':>9}{'cpu us':>9}")
    found = {}
    for rooms in ROOMS:
        best = {}
        for who, measured in (("place_bid by pgbench", theirs), ("a node", ours)):
            best[who] = max(
                show(f"{who}, {rooms} rooms, {clients} clients", measured[rooms, clients])[0] for clients in CLIENTS[who])
        ratios = best_ratios(ours, theirs, rooms)
        found[str(rooms)] = {"ratios": ratios, "ours": best["a node"], "theirs": best["place_bid by pgbench"]}
        print(f"  {rooms} rooms, best of each: {statistics.median(ratios):.2f} times ({min(ratios):.2f} to {max(ratios):.2f})", flush=True)
    return found


def measure(folder):
    """Measures everything, with files in that folder; returns what `compare` found."""
    theirs_at, ours_at = postmaster.database("bench_function"), postmaster.database("bench_nodes")
    postmaster.psql((HERE / "place_bid.sql").read_text(), theirs_at)
    nodes = [Node(ours_at, f"{folder}/{name}") for name in ("ab" if BOTH_NODES else "a")]
    print("preparing rooms", flush=True)
    for rooms in ROOMS:
        nodes[0].prepare(rooms)
    for node in nodes[1:]:
        node.prepare(ROOMS[-1])
    ours, theirs, alone, at_once = {}, {}, [], []
    for number in range(ROUNDS):
        print(f"round {number + 1} of {ROUNDS}", flush=True)
        for rooms in ROOMS:
            for clients in CLIENTS["a node"]:
                if clients in CLIENTS["place_bid by pgbench"]:
                    theirs.setdefault((rooms, clients), []).append(pgbench(theirs_at, rooms, clients))
                ours.setdefault((rooms, clients), []).append(together(nodes[:1], rooms, clients))
        if BOTH_NODES:
            for node in nodes:
                alone.append(together([node], ROOMS[-1], 64))
            at_once.append(together(nodes, ROOMS[-1], 64))
    found = compare(ours, theirs)
    if BOTH_NODES:
        one, cost = show("one of two nodes alone, 64 clients", alone)
        two, cost_of_two = show("two nodes at once, 64 clients each", at_once)
        print(f"  two nodes take {two / one:.2f} times the bids of one, at {cost_of_two / cost:.2f} times the processor time of a bid")
    for node in nodes:
        node.server.terminate()
    return found


def main():
    with tempfile.TemporaryDirectory(prefix="auction-bench.") as folder:
        found = measure(folder)
    if path := os.environ.get("BENCH_JSON"):
        pathlib.Path(path).write_text(json.dumps(found))


main()

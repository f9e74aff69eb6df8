"""Logs of many rooms or long histories, and servers on them; for rooms.py, history.py, memory.py and lots.py.

AUCTION_ROOM_BIN and BENCH_PROGRAMS (a folder with auction-bench) are the programs.
"""
import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import measure

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts/live"))
import meter  # noqa: E402
import program  # noqa: E402
from room_setup import guest  # noqa: E402
from wire import Connection, expect  # noqa: E402

CONNECTIONS = 16
FILL_SECONDS = 300


@contextlib.contextmanager
def folder():
    """A folder under .build, so on the disk that is measured; removed afterwards."""
    build = HERE.parents[2] / ".build"
    build.mkdir(exist_ok=True)
    path = pathlib.Path(tempfile.mkdtemp(prefix="bench.", dir=build))
    try:
        yield path
    finally:
        program.kill_all()
        shutil.rmtree(path, ignore_errors=True)


def fill(store, rooms, bids, is_open=0, bidding=86400):
    """Adds rooms to a log that no server has open; the last `is_open` of them stay open, with countdowns of `bidding` seconds. Returns the
    ids of those."""
    done = subprocess.run(
        [f"{os.environ['BENCH_PROGRAMS']}/auction-bench", "fill", "--path", store, "--rooms", str(rooms), "--bids", str(bids),
         "--open", str(is_open), "--bidding", str(bidding)],
        capture_output=True, text=True, timeout=FILL_SECONDS, check=False)
    if done.returncode:
        raise SystemExit(f"fill: {done.stderr[-2000:]}")
    return done.stdout.split()


def serve(store, *options):
    """A server on the log, once it is ready and has settled, and its meter."""
    server = program.Server(f"sqlite:{store}", *program.NO_LIMITS, "--log-level", "warning", *options, log=f"{store}.log", timeout=120)
    measured = meter.Meter(server.process)
    measured.settle()
    return server, measured


def join_bidders(server, rooms, bids, place):
    """Lets two guests join every room, who go on bidding above so many bids; `place` becomes a folder for bids.lua."""
    connection = Connection(server.port, 60)
    tokens = [guest(connection, name)[1] for name in ("Ann", "Bo")]
    place.mkdir(exist_ok=True)
    with open(place / "rooms.txt", "w") as file:
        for room in rooms:
            for token in tokens:
                expect(connection.call("POST", f"/v1/rooms/{room}/members", token, {"role": "bidder"}), 201)
            file.write(" ".join([room, *tokens]) + "\n")
    (place / "position").write_text(str(bids * len(rooms)))


def cost(server, measured, place, count, connections):
    """Processor microseconds of a bid, all threads together, over at most `count` bids and a second."""
    # Snapshots of the bids before are not its own.
    measured.settle()
    figures = measure.measured(server.process.pid, lambda: measure.wrk(server.port, "bids.lua", connections, place, 1, BENCH_COUNT=count))
    if figures["broken"] or figures["refused"] > figures["requests"] / 20:
        raise SystemExit(f"not a valid measurement: {figures}")
    return sum(thread["seconds"] for thread in figures["threads"].values()) * 1e6 / figures["requests"]


def costs(loads, rounds, connections=CONNECTIONS):
    """The same for servers that are measured alternately, so that a slow minute affects all: a list of the rounds for each. `loads`:
    (server, meter, place, count) of each. One more round warms up."""
    found = [[cost(*load, connections) for load in loads] for _ in range(rounds + 1)]
    return [list(series) for series in zip(*found[1:])]


def ratios(ours, theirs):
    """Of each round."""
    return [one / other for one, other in zip(ours, theirs)]


def write(figures):
    """Writes the figures to BENCH_JSON, if that is set."""
    if path := os.environ.get("BENCH_JSON"):
        pathlib.Path(path).write_text(json.dumps(figures))


def spread(values, digits=1):
    """`median (lowest to highest)`."""
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"

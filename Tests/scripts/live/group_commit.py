"""Counts the syncs of the log as the kernel sees them, with each made slower so that its order against the answers shows.

One connection: every acknowledged bid had a sync of its own, and its answer came after it. Many connections: one sync
carries many bids.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from program import NO_LIMITS, Server, require_binary
from room_setup import guest, open_round
from wire import Connection, CheckFailed, expect

SINGLE_BIDS = 40
CONNECTIONS = 64
SECONDS = 3
SYNC_MILLISECONDS = 5
# At most this share of the bids may cost a sync under load.
SHARE = 0.25
RULES = {"startingPrice": "1.00", "increment": {"fixed": "1.00"}, "listingSeconds": 0, "biddingSeconds": 3600}


def strace(output, *more):
    return [
        "strace", *more, "--follow-forks", "--quiet=all", "--seccomp-bpf", "--signal=none", "--trace=fdatasync,fsync",
        f"--inject=fdatasync,fsync:delay_enter={SYNC_MILLISECONDS * 1000}", f"--output={output}",
    ]


def require_strace():
    """Fails without strace: a test that skips itself proves nothing."""
    if shutil.which("strace") is None:
        sys.exit("group-commit: strace is not installed, so the syncs cannot be counted; `make test` installs it")
    tried = subprocess.run([*strace("/dev/null"), "true"], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        sys.exit(
            "group-commit: strace may not trace here, so the syncs cannot be counted (in a container: "
            f"--cap-add SYS_PTRACE). It said: {tried.stderr.strip()}")


class Syncs:
    def __init__(self, path):
        self.path = path

    def count(self):
        with open(self.path) as trace:
            return len(re.findall(r"\bf(?:data)?sync\(", trace.read()))


class Bidding:
    """A room of its own with two bidders who outbid each other over one connection."""

    def __init__(self, port):
        self.connection = Connection(port)
        host, auctioneer, *self.bidders = [guest(self.connection, name) for name in ("Host", "Seller", "Ann", "Bo")]
        room = open_round(self.connection, "Room", host, auctioneer, self.bidders, {"name": "Lot", "rules": RULES})
        self.path = f"/v1/rooms/{room}"
        self.bids = 0

    def bid(self):
        self.bids += 1
        bidder = self.bidders[self.bids % 2]
        expect(self.connection.call("POST", self.path + "/bids", bidder[1], {"amount": f"{self.bids}.00"}), 201)


def together(count, action):
    """Runs `action` in so many threads; returns the results, or raises what one of them raised."""
    results, errors = [], []

    def run():
        try:
            results.append(action())
        except Exception as error:  # noqa: BLE001 - passed on below
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


def one_connection(port, syncs):
    bidding = Bidding(port)
    for _ in range(SINGLE_BIDS):
        before, started = syncs.count(), time.monotonic()
        bidding.bid()
        took = (time.monotonic() - started) * 1000
        if syncs.count() <= before:
            raise CheckFailed(f"bid {bidding.bids} was acknowledged and nothing had been synced")
        if took < SYNC_MILLISECONDS:
            raise CheckFailed(f"bid {bidding.bids} was acknowledged after {took:.1f} ms; a sync alone takes {SYNC_MILLISECONDS} ms")


def many_connections(port, syncs):
    rooms = together(CONNECTIONS, lambda: Bidding(port))
    waiting = iter(rooms)
    end = time.monotonic() + SECONDS
    before = syncs.count()

    def load():
        bidding = next(waiting)
        while time.monotonic() < end:
            bidding.bid()
        return bidding.bids

    bids = sum(together(CONNECTIONS, load))
    used = syncs.count() - before
    if used > bids * SHARE:
        raise CheckFailed(f"{bids} bids over {CONNECTIONS} connections took {used} syncs: they are not grouped")
    return bids, used


def traced(store, trace, *more):
    # With --daemonize strace is not the server's parent: the started process is the server itself, and only it must be ended.
    return Server(store, *NO_LIMITS, "--log-level", "error", wrapper=strace(trace, "--daemonize", *more))


def require_notice(folder):
    """Checks that the test rejects a log that never syncs: the program with functions in front of the system's that do nothing."""
    trace, library = os.path.join(folder, "unsynced"), os.path.join(folder, "unsynced.so")
    subprocess.run(["clang", "-shared", "-fPIC", "-x", "c", "-", "-o", library], check=True,
                   input=b"int fsync(int file) { return 0; }\nint fdatasync(int file) { return 0; }\n")
    server = traced(f"sqlite:{folder}/unsynced.db", trace, f"--env=LD_PRELOAD={library}")
    try:
        one_connection(server.port, Syncs(trace))
    except CheckFailed:
        return
    finally:
        server.kill()
    sys.exit("group-commit: a program that syncs nothing was found durable")


def main():
    require_binary()
    require_strace()
    folder = tempfile.mkdtemp(prefix="auction-syncs.")
    syncs = Syncs(os.path.join(folder, "trace"))
    require_notice(folder)
    server = traced(f"sqlite:{folder}/rooms.db", syncs.path)
    try:
        one_connection(server.port, syncs)
        bids, used = many_connections(server.port, syncs)
    except CheckFailed as failure:
        sys.exit(f"group-commit: {failure}")
    finally:
        server.kill()
        shutil.rmtree(folder)
    print(
        f"group-commit: over one connection each of {SINGLE_BIDS} bids waited for a sync; "
        f"over {CONNECTIONS} connections {bids} bids took {used} syncs, {bids / used:.0f} bids each; a program without syncs was found out")


main()

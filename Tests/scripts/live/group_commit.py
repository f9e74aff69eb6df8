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
import time

from inject import require_strace
from program import NO_LIMITS, Server, require_binary
from room_setup import Duel
from wire import CheckFailed, in_parallel

SINGLE_BIDS = 40
CONNECTIONS = 64
SECONDS = 3
SYNC_MILLISECONDS = 5
# At most this share of the bids may cost a sync under load.
SHARE = 0.25


def strace(output, *more):
    return [
        "strace", *more, "--follow-forks", "--quiet=all", "--seccomp-bpf", "--signal=none", "--trace=fdatasync,fsync",
        f"--inject=fdatasync,fsync:delay_enter={SYNC_MILLISECONDS * 1000}", f"--output={output}",
    ]


class Syncs:
    def __init__(self, path):
        self.path = path

    def count(self):
        with open(self.path) as trace:
            return len(re.findall(r"\bf(?:data)?sync\(", trace.read()))


def one_connection(port, syncs):
    duel = Duel(port)
    for _ in range(SINGLE_BIDS):
        before, started = syncs.count(), time.monotonic()
        duel.bid()
        took = (time.monotonic() - started) * 1000
        if syncs.count() <= before:
            raise CheckFailed(f"bid {duel.amount} was acknowledged and nothing had been synced")
        if took < SYNC_MILLISECONDS:
            raise CheckFailed(f"bid {duel.amount} was acknowledged after {took:.1f} ms; a sync alone takes {SYNC_MILLISECONDS} ms")


def many_connections(port, syncs):
    rooms = in_parallel(CONNECTIONS, lambda _: Duel(port))
    end = time.monotonic() + SECONDS
    before = syncs.count()

    def load(number):
        while time.monotonic() < end:
            rooms[number].bid()
        return rooms[number].amount

    bids = sum(in_parallel(CONNECTIONS, load))
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

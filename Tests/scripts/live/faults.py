"""The fault matrix: kill -9, failed syncs, failed writes, full and hanging disks at every k-th call, on the real program.

FAULTS=all runs every case (`make test-faults`), else a sample of each row that differs from run to run. FAULTS_SEED (new
every time) chooses it; FAULTS_PARALLEL (3): cases beside each other. A case that fails prints the command that repeats it.
"""
import collections
import json
import os
import pickle
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import database
from inject import SYNC, WRITE, require_strace
from load import World
from program import BINARY, require_binary, running
from recovery_checks import require_no_findings, start

ALL = os.environ.get("FAULTS") == "all"
SEED = int(os.environ.get("FAULTS_SEED") or random.SystemRandom().getrandbits(32))
PARALLEL = int(os.environ.get("FAULTS_PARALLEL", "3"))
CASE_SECONDS = 120
HERE = os.path.dirname(os.path.abspath(__file__))
K = range(1, 61)
SPREAD = (1, 2, 3, 5, 8, 13, 21, 34, 55)

# Phase, fault, calls, files; values of k; sample size.
ROWS = [
    (("serving", "kill", "sync", "any"), K, 2),
    (("serving", "kill", "write", "log"), K, 2),
    (("serving", "EIO", "sync", "any"), K, 2),
    (("serving", "EIO", "write", "log"), SPREAD, 1),
    (("serving", "ENOSPC", "write", "log"), K, 1),
    (("serving", "ENOSPC", "write", "log"), [f"{k}..{k + 30}" for k in SPREAD], 1),
    # What writes to the database itself while it serves is the checkpoint; it takes a while until there is one.
    (("serving", "kill", "sync", "database"), (1,), 0),
    (("serving", "kill", "write", "database"), SPREAD, 1),
    (("serving", "EIO", "sync", "database"), (1,), 1),
    (("serving", "EIO", "write", "database"), (1, 5), 0),
    (("serving", "ENOSPC", "write", "database"), (1, 5, "1..30"), 0),
    (("stopping", "kill", "sync", "any"), (1, 2), 1),
    (("stopping", "kill", "write", "log"), SPREAD[:6], 1),
    # A stop ends in its time whatever the disk does, and the next start has what was acknowledged.
    (("stopping", "EIO", "sync", "any"), (1, 2, "1+"), 1),
    (("stopping", "EIO", "write", "log"), (*SPREAD[:6], "1+"), 1),
    (("stopping", "EIO", "write", "database"), (1, "1+"), 1),
    (("stopping", "ENOSPC", "write", "log"), SPREAD[:6], 1),
    (("stopping", "ENOSPC", "write", "log"), ("1+",), 1),
    (("stopping", "ENOSPC", "write", "database"), (1, "1+"), 1),
    (("stopping", "hang", "sync", "any"), ("1+",), 1),
    (("stopping", "hang", "write", "log"), ("1+",), 1),
    (("stopping", "hang", "write", "database"), ("1+",), 1),
    # SQLite goes on when the directory cannot be synced in which it made a file; the names would be lost with the power. The
    # first sync of all is the secret's, which is made before the log.
    (("beginning", "EIO", "sync", "directory"), ("2+",), 1),
    (("starting", "EIO", "sync", "directory"), ("1+",), 1),
]
# The same for a start, bounded by its number of calls: on the log of a crash, and in an empty folder.
STARTS = [
    (("starting", "kill", "sync", "any"), K, 1),
    (("starting", "kill", "write", "any"), K, 1),
    (("starting", "EIO", "sync", "log"), K, 0),
    (("starting", "ENOSPC", "write", "log"), SPREAD, 1),
    (("beginning", "kill", "sync", "any"), K, 1),
    (("beginning", "kill", "write", "any"), K, 1),
    (("beginning", "EIO", "sync", "log"), K, 0),
    (("beginning", "ENOSPC", "write", "log"), SPREAD, 1),
]


def make_template(folder):
    """Makes a log right after a kill -9 under load, with the `World` that recorded its responses."""
    home = os.path.join(folder, "home")
    os.makedirs(home)
    server = start(home)
    world = World(server, SEED, 3, 8)

    def crash():
        time.sleep(0.5)
        server.kill()

    world.run_load(server, 0, crash)
    require_no_findings(world.failures, "under load")
    template = database.copy(home, os.path.join(folder, "template"))
    with open(os.path.join(template, "world"), "wb") as file:
        pickle.dump(world, file)
    return template


def calls_of_a_start(folder, phase, template, calls):
    """How many calls of a kind the busiest thread makes until the server is ready: how far k goes."""
    home, trace = os.path.join(folder, f"count-{phase}-{calls[:5]}"), os.path.join(folder, f"trace-{phase}-{calls[:5]}")
    if phase == "starting":
        database.copy(template, home)
    os.makedirs(home, exist_ok=True)
    wrapper = ["strace", "-f", "-q", "--daemonize", f"--trace={calls}", f"--output={trace}"]
    server = start(home, wrapper=wrapper)
    server.kill()
    with open(trace, errors="replace") as file:
        return max(collections.Counter(re.findall(r"^(\d+ +\w+)\(", file.read(), re.M)).values())


def chosen(rows, rng, last=None):
    for row, whens, sample in rows:
        whens = [when for when in whens if last is None or int(when) <= last[row[0], row[2]]]
        for when in whens if ALL else rng.sample(whens, min(sample, len(whens))):
            yield (*row, str(when))


def run(template, case):
    command = [sys.executable, os.path.join(HERE, "fault.py"), template, *case]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "AUCTION_ROOM_BIN": BINARY})
    running.add(process)
    try:
        output, errors = process.communicate(timeout=CASE_SECONDS)
    except subprocess.TimeoutExpired:
        process.terminate()
        output, errors = process.communicate()
    running.discard(process)
    if process.returncode == 0:
        return json.loads(output), None
    return {}, f"{errors.strip() or f'ended with {process.returncode}'}\n  AUCTION_ROOM_BIN={BINARY} {' '.join(command)}"


def main():
    require_binary()
    require_strace()
    started = time.monotonic()
    folder = tempfile.mkdtemp(prefix="auction-faults.")
    rng = random.Random(SEED)
    template = make_template(folder)
    last = {(phase, name): calls_of_a_start(folder, phase, template, calls)
            for phase in ("starting", "beginning") for name, calls in (("sync", SYNC), ("write", WRITE))}
    cases = [*chosen(ROWS, rng), *chosen(STARTS, rng, last)]
    print(f"faults: seed {SEED}, {len(cases)} cases", flush=True)
    totals, findings = collections.Counter(), []
    with ThreadPoolExecutor(PARALLEL) as pool:
        for counts, finding in pool.map(lambda case: run(template, case), cases):
            totals.update(counts)
            if finding:
                findings.append(finding)
                print(f"faults: {finding}", file=sys.stderr, flush=True)
    if findings:
        sys.exit(f"faults: {len(findings)} of {len(cases)} cases failed, seed {SEED}; the log they began with is in {template}")
    shutil.rmtree(folder)
    print(
        f"faults: {len(cases)} cases; {totals['acknowledged']} bids acknowledged, {totals['refused']} refused, "
        f"{totals['unknown']} unknown; {totals['replayed']} answers replayed byte for byte, {totals['retried']} bids retried "
        f"with their key; {totals['events']} events audited; {time.monotonic() - started:.0f} s")


main()

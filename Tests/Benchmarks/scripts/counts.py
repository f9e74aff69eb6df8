"""What a bid does, counted: instructions and allocations by valgrind (test-work.sh), system calls by strace.

BENCH_JSON: a file for the figures. The programs: see stores.py; AUCTION_WORK_BIN is auction-work.
"""
import re
import signal
import subprocess
import time

import measure
import stores
from prepare import prepare

ROOMS = 64
ROOT = stores.HERE.parents[2]


def work():
    """Instructions and allocations, from the table of test-work.sh; it fails beyond its bounds, which is shown and not repeated here."""
    done = subprocess.run([ROOT / "Tests/scripts/test-work.sh"], capture_output=True, text=True, timeout=180, check=False)
    print(done.stdout + done.stderr, flush=True)
    found = {name: figures for name, *figures in (line.split() for line in done.stdout.splitlines()) if len(figures) == 4}
    if "bid" not in found or "keyed-bid" not in found:
        raise SystemExit("counts: test-work.sh has no figures")
    return {"instructions": int(found["bid"][0]), "allocations": int(found["bid"][2]),
            "instructions-keyed": int(found["keyed-bid"][0]), "allocations-keyed": int(found["keyed-bid"][2])}


def calls(server, place, connections):
    """System calls for each of the bids of two seconds."""
    counts = place / f"calls-{connections}"
    tracer = subprocess.Popen(["strace", "-f", "-c", "-o", counts, "-p", str(server.process.pid)], stderr=subprocess.DEVNULL)
    try:
        time.sleep(1)
        figures = measure.wrk(server.port, "bids.lua", connections, place, 2)
    finally:
        tracer.send_signal(signal.SIGINT)
        tracer.wait(timeout=20)
    total = re.search(r"^\s*100\.00\s+\S+\s+(?:\S+\s+)?(\d+)\s+(?:\d+\s+)?total$", counts.read_text(), re.MULTILINE)
    if not total:
        raise SystemExit("counts: strace did not count: " + counts.read_text())
    print(f"{connections} connections, system calls a bid: {int(total[1]) / figures['requests']:.1f}", flush=True)
    return int(total[1]) / figures["requests"]


def main():
    found = work()
    with stores.folder() as folder:
        server, _ = stores.serve(folder / "rooms.db")
        prepare(server.port, ROOMS, folder / "rooms.txt")
        found |= {"calls": calls(server, folder, 64), "calls-one": calls(server, folder, 1)}
        server.terminate()
    stores.write(found)


main()

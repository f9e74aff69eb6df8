"""Loads a server for some seconds, and prints one line of JSON: requests, latencies, and what its threads spent meanwhile.

measure.py wrk NAME PROCESS PORT SCRIPT CONNECTIONS FOLDER SECONDS
measure.py redis NAME PROCESS PORT LOTS CONNECTIONS SECONDS
"""
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys

import processor

HERE = pathlib.Path(__file__).resolve().parent
# What a client is given beyond its own seconds.
GRACE = 60


def wrk(port, script, connections, folder, seconds, **variables):
    """requests, seconds, refused, broken, p50 and p99 in microseconds; `variables` go to the script's environment."""
    done = subprocess.run(
        ["wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s", "--script", HERE / script,
         f"http://127.0.0.1:{port}", "--", folder],
        capture_output=True, text=True, timeout=seconds + GRACE, check=False,
        env={**os.environ, "BENCH_REPORT": str(HERE / "report.lua"), **{name: str(value) for name, value in variables.items()}})
    found = re.search(r"^RESULT (\d+) ([\d.]+) (\d+) (\d+) (\d+) (\d+)", done.stdout, re.MULTILINE)
    if not found or not int(found[1]):
        raise SystemExit(f"measure: wrk gave no result: {done.stdout}{done.stderr}")
    requests, took, refused, broken, p50, p99 = map(float, found.groups())
    return {"requests": int(requests), "seconds": took, "refused": int(refused), "broken": int(broken), "p50": p50, "p99": p99}


def redis(process, port, lots, connections, seconds):
    """The same by redis-benchmark, with "threads". It takes a number of calls: a trial finds out how many fit into the seconds."""
    cli = ["redis-cli", "-h", "127.0.0.1", "-p", str(port)]
    loaded = subprocess.run([*cli, "script", "load", (HERE / "place_bid.redis.lua").read_text()],
                            capture_output=True, text=True, timeout=GRACE, check=True)

    def run(calls):
        # Its CSV repeats the arguments and does not quote them, so they have neither quotes nor commas.
        done = subprocess.run(
            ["redis-benchmark", "-h", "127.0.0.1", "-p", str(port), "-c", str(connections), "-n", str(calls), "-r", str(lots), "--csv",
             "evalsha", loaded.stdout.strip(), "1", "lot:__rand_int__", "1000001",
             "bidder usr_00000000000000000000000000 nickname Ann amount 1000.00"],
            capture_output=True, text=True, timeout=seconds * 4 + GRACE, check=True)
        return next(csv.DictReader(io.StringIO(done.stdout[done.stdout.index('"test"'):])))

    calls = max(2000, int(float(run(2000)["rps"]) * seconds))
    before = processor.threads(process)
    row = run(calls)
    threads = processor.spent(before, processor.threads(process))
    errors = subprocess.run([*cli, "info", "errorstats"], capture_output=True, text=True, timeout=GRACE, check=True).stdout
    broken = sum(map(int, re.findall(r"count=(\d+)", errors)))
    return {"requests": calls, "seconds": calls / float(row["rps"]), "refused": 0, "broken": broken,
            "p50": float(row["p50_latency_ms"]) * 1000, "p99": float(row["p99_latency_ms"]) * 1000, "threads": threads}


def measured(process, load):
    """What `load()` returns, with "threads": what those of the process spent meanwhile."""
    before = processor.threads(process)
    figures = load()
    return {**figures, "threads": processor.spent(before, processor.threads(process))}


def main():
    kind, name, process, port, *rest = sys.argv[1:]
    if kind == "wrk":
        script, connections, folder, seconds = rest
        figures = measured(process, lambda: wrk(port, script, connections, folder, int(seconds)))
    else:
        lots, connections, seconds = map(int, rest)
        figures = redis(process, port, lots, connections, seconds)
    print(json.dumps({"name": name, **figures}))


if __name__ == "__main__":
    main()

"""Runs the parts of the benchmark, prints one table, and writes it to .build/bench: `make bench`, or `make bench-quick` for less of it.

bench.py [--quick] [--list]. BENCH_PARTS=bids,memory: only these. BENCH_BASELINE: see bids.sh. AUCTION_ROOM_BIN: a program to measure
instead of a new build; with BENCH_PROGRAMS, a folder with the other programs, nothing is built. Variables of the scripts, such as
BENCH_ROUNDS, take precedence over what a run sets.
"""
import datetime
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import machine
import report
from parts import PARTS, SCRIPTS

ROOT = pathlib.Path(__file__).resolve().parents[3]
OUTPUT = ROOT / ".build/bench"
GRACE_SECONDS = 20


def chosen(names, is_quick):
    """{script name: its measures}, in the order of SCRIPTS."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        raise SystemExit(f"bench: there is no part {', '.join(unknown)}; --list prints them")
    parts = [PARTS[name] for name in names] or [part for part in PARTS.values() if not part.is_extra]
    found = {}
    for name, script in SCRIPTS.items():
        mine = [part for part in parts if part.script == name]
        # A part that a quick run leaves out is measured if it is asked for by name.
        if mine and (names or not is_quick or script.quick is not None):
            found[name] = " ".join(dict.fromkeys(word for part in mine for word in part.measures.split()))
    return found


def programs(scripts):
    """Builds what the scripts need; returns the environment that says where it is."""
    environment = {name: os.environ[name] for name in ("AUCTION_ROOM_BIN", "BENCH_PROGRAMS") if os.environ.get(name)}
    options = os.environ.get("RELEASE") or subprocess.run(
        ["make", "-s", "-C", ROOT, "release-options"], check=True, capture_output=True, text=True).stdout
    options = options.split()
    if "BENCH_PROGRAMS" not in environment or "AUCTION_ROOM_BIN" not in environment:
        for product in sorted({product for script in scripts for product in SCRIPTS[script].products}):
            if not (product == "auction-room" and "AUCTION_ROOM_BIN" in environment):
                subprocess.run(["swift", "build", *options, "--product", product], cwd=ROOT, check=True)
        built = subprocess.run(["swift", "build", *options, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True)
        environment["BENCH_PROGRAMS"] = built.stdout.strip()
        environment.setdefault("AUCTION_ROOM_BIN", environment["BENCH_PROGRAMS"] + "/auction-room")
    work = pathlib.Path(environment["BENCH_PROGRAMS"]) / "auction-work"
    if work.exists():
        environment["AUCTION_WORK_BIN"] = str(work)
    return environment


def hummingbird(is_quick):
    """Builds that service, which takes minutes and is not done in a quick run; without it, it is not measured."""
    package, built = ROOT / "Tests/Benchmarks/hummingbird-sqlite", ROOT / ".build/hummingbird"
    if not is_quick:
        done = subprocess.run(["swift", "build", "-c", "release", "--package-path", package, "--scratch-path", built], cwd=ROOT, check=False)
        if done.returncode:
            print("bench: the Hummingbird service cannot be built, and is not measured", file=sys.stderr)
            return {}
    program = built / "release/hummingbird-sqlite"
    return {"BENCH_HUMMINGBIRD": str(program)} if program.exists() else {}


def end(process):
    """Ends the script with everything that it started: it leads their process group."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=GRACE_SECONDS)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def measure(name, measures, environment, is_quick):
    """Runs a script; returns its figures, or a text that says why there are none."""
    script = SCRIPTS[name]
    lacking = [program for program in script.needs if not shutil.which(program)]
    if lacking:
        return f"{', '.join(lacking)} not installed"
    is_quick = is_quick and script.quick is not None
    settings, minutes = (script.quick, script.minutes[1]) if is_quick else (script.full, script.minutes[0])
    print(f"\n== {name}{': ' + measures if measures else ''}, {minutes} minutes at most", flush=True)
    with tempfile.TemporaryDirectory(prefix="bench-figures.") as folder:
        output = pathlib.Path(folder) / "figures.json"
        process = subprocess.Popen(
            script.command, cwd=ROOT, start_new_session=True, stdin=subprocess.DEVNULL,
            env={**settings, **os.environ, **environment, **({"BENCH_MEASURES": measures} if measures else {}), "BENCH_JSON": str(output)})
        try:
            status = process.wait(timeout=minutes * 60)
        except subprocess.TimeoutExpired:
            return f"took more than {minutes} minutes"
        finally:
            end(process)
        if not output.exists():
            return f"failed with status {status}"
        if status:
            print(f"bench: {name} ended with status {status}: its figures are not valid", file=sys.stderr)
            return f"not valid, status {status}"
        return json.loads(output.read_text())


def main():
    # As an exception, so that what has been started is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if "--list" in sys.argv:
        print("\n".join(PARTS))
        return
    is_quick = "--quick" in sys.argv
    names = os.environ.get("BENCH_PARTS", "").replace(",", " ").split()
    scripts = chosen(names, is_quick)
    environment = programs(scripts)
    if "hummingbird" in scripts.get("bids", ""):
        environment |= hummingbird(is_quick)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    now, begun = datetime.datetime.now(), time.monotonic()
    run = {"title": f"Benchmark of {now:%Y-%m-%d %H:%M}" + (", quick: smaller loads than the rows say, and few rounds" if is_quick else ""),
           "machine": machine.describe(OUTPUT), "whole": not names, "failed": {}, "pictures": []}
    if changed := [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("BENCH_") or name == "AUCTION_ROOM_BIN"]:
        run["machine"]["settings"] = " ".join(changed)
    print("\n".join(f"{name}: {text}" for name, text in run["machine"].items()), flush=True)
    figures, raw, failed, curves = {}, {}, run["failed"], []
    for name, measures in scripts.items():
        found = measure(name, measures, environment, is_quick)
        if isinstance(found, str):
            failed[name] = found
            print(f"bench: {name}: {found}", file=sys.stderr)
            continue
        raw[name] = found
        figures |= SCRIPTS[name].figures(found)
        curves += SCRIPTS[name].curves(found)
    run["machine"]["took"] = f"{(time.monotonic() - begun) / 60:.1f} minutes"
    name = f"{now:%Y-%m-%dT%H%M}"
    print("\n" + report.write(OUTPUT, name, run, figures, raw, curves))
    for script, why in failed.items():
        print(f"bench: {script}: {why}", file=sys.stderr)
    print(f"written to {(OUTPUT / name).relative_to(ROOT)}.md and .json")
    sys.exit(1 if failed else 0)


main()

"""Runs the cases of the Autobahn test suite against websocket-echo, and judges the reports."""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from packages import programs_of

SUITE = "kosoku==0.1.0"
LEFT_OUT = ["9.*", "12.*", "13.*"]
SECONDS = 240
GOOD = {"OK", "NON-STRICT", "INFORMATIONAL", "UNIMPLEMENTED"}


def suite():
    """The suite's program, in an environment that is made once."""
    return programs_of("websocket", SUITE) / "kosoku"


def echo_program():
    """The debug build that the tests made, or a new one."""
    beside = os.environ.get("AUCTION_ROOM_BIN")
    if beside and (program := Path(beside).with_name("websocket-echo")).exists():
        return program
    subprocess.run(["swift", "build", "--product", "websocket-echo"], check=True)
    shown = subprocess.run(["swift", "build", "--show-bin-path"], check=True, capture_output=True, text=True)
    return Path(shown.stdout.strip()) / "websocket-echo"


def run_cases(program, port, reports):
    wanted = os.environ.get("WEBSOCKET_CASES", "").split()
    choice = [part for case in wanted for part in ("-i", case)] or [part for case in LEFT_OUT for part in ("-x", case)]
    # It answers for each case with an exit code too, but the reports say more.
    subprocess.run(
        [program, f"127.0.0.1:{port}", "-p", "8", "-o", reports, *choice], stdout=subprocess.DEVNULL, timeout=SECONDS)


def judge(reports):
    (cases,) = json.loads((Path(reports) / "index.json").read_text()).values()
    counts = collections.Counter(case["behavior"] for case in cases.values())
    bad = {
        name: case for name, case in cases.items() if case["behavior"] not in GOOD or case["behaviorClose"] not in GOOD
    }
    for name, case in bad.items():
        print(f"case {name}: {case['behavior']}, its end {case['behaviorClose']}", file=sys.stderr)
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    # Fewer would mean that the suite did not run as a whole.
    return not bad and (len(cases) >= 240 or "WEBSOCKET_CASES" in os.environ)


def main():
    program = suite()
    server = subprocess.Popen([echo_program(), "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        ready = re.search(r":(\d+)$", server.stdout.readline().strip())
        with tempfile.TemporaryDirectory() as reports:
            run_cases(program, int(ready.group(1)), reports)
            good = judge(reports)
    finally:
        server.terminate()
        server.wait(timeout=10)
    return 0 if good and server.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())

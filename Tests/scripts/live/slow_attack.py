"""slowhttptest against the real program: slow heads, slow bodies and slow readers, hundreds of connections at a time.

Every one of them has to be cut off by the deadline, the server's memory has to stay where it was, and people's bids have to
go on meanwhile. CONNECTIONS, ROUNDS, RATE (connections opened a second: all), DEADLINE (seconds): how much of it. COMPARE=1
compares the bids' p99 with that of quiet times, which needs a quiet machine; rounds alternate, medians count."""
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import program
from room_setup import Duel
from wire import p99

CONNECTIONS = int(os.environ.get("CONNECTIONS", "1000"))
ROUNDS = int(os.environ.get("ROUNDS", "3"))
COMPARE = os.environ.get("COMPARE", "1") == "1"
# Attackers normally run on other machines; here slowhttptest gets idle priority, because it busy-waits.
REMOTE = ("chrt", "--idle", "0") if COMPARE else ()
DEADLINE = int(os.environ.get("DEADLINE", "3"))
RATE = int(os.environ.get("RATE", str(CONNECTIONS)))
# slowhttptest counts whole seconds, and opens its connections in the first of them.
# A response may be taken in three times the deadline of requests.
TIMEOUT = 3 * DEADLINE + 7 + CONNECTIONS // RATE
ATTACKS = {
    "slow heads": ["-H", "-i", "1", "-u", "/v1/rooms"],
    "slow bodies": ["-B", "-i", "1", "-s", "8192", "-u", "/v1/guests"],
    "slow readers": ["-X", "-k", "3", "-w", "1", "-y", "512", "-n", "1", "-z", "16", "-u", "/openapi.yaml"],
}
LIMITS = (
    *program.NO_LIMITS, "--limit-request-seconds", str(DEADLINE), "--limit-connections", "16000")


def descriptors(process):
    """Number of file descriptors that the server has open."""
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def watch(server, quiet, report):
    """Polls the server until the attack is over; reports the peak memory in kB, the peak and remaining connections, and the duration.

    Runs in a separate process, because in the bidders' process it would delay the bids that are measured."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    began = time.monotonic()
    most, peak, left = 0, 0, CONNECTIONS
    # The attacker's probes, and a file of the log.
    while (peak <= CONNECTIONS * 0.8 or left > 4) and time.monotonic() - began < TIMEOUT:
        time.sleep(0.1)
        most = max(most, server.resident())
        left = descriptors(server.process) - quiet
        peak = max(peak, left)
    report.send((most, peak, left, time.monotonic() - began))


def attack(name, server, duel):
    """Runs one attack; returns the bids' durations in milliseconds and the server's peak memory in kB."""
    options = list(ATTACKS[name])
    options[-1] = f"http://127.0.0.1:{server.port}{options[-1]}"
    result, report = multiprocessing.Pipe(duplex=False)
    watcher = multiprocessing.Process(target=watch, args=(server, descriptors(server.process), report))
    attacker = subprocess.Popen(
        [*REMOTE, "slowhttptest", "-c", str(CONNECTIONS), "-r", str(RATE), "-l", str(TIMEOUT + 2), "-p", "2",
         *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    watcher.start()
    took = duel.bid_until(result.poll)
    most, peak, left, ended = result.recv()
    watcher.join()
    attacker.terminate()
    attacker.wait()
    if peak <= CONNECTIONS * 0.8:
        raise SystemExit(f"{name}: no attack, at most {peak} were connected")
    if left > 4:
        raise SystemExit(f"{name}: {left} of {peak} connections are still there after {TIMEOUT} s")
    print(f"{name}: {peak} connections, all cut off after {ended:.1f} s; {most // 1024} MB at most, {duel.amount} bids")
    return took, most


def run(folder):
    server = program.Server(f"sqlite:{folder}/rooms.db", *LIMITS, log=str(folder / "log"))
    duel = Duel(server.port)
    quiet, during, peaks = [], {name: [] for name in ATTACKS}, {name: [] for name in ATTACKS}
    for number in range(ROUNDS):
        for name in ATTACKS:
            limit = time.monotonic() + (DEADLINE if COMPARE else 0.5)
            quiet.append(p99(duel.bid_until(lambda: time.monotonic() > limit)))
            took, most = attack(name, server, duel)
            during[name].append(p99(took))
            peaks[name].append(most)
    # What attacks need they need once, in the first round; the bids meanwhile take their place too, a kilobyte or two each.
    first, last = (max(values[round] for values in peaks.values()) for round in (0, -1))
    if last > first + 2 * duel.amount + 20 * 1024:
        raise SystemExit(f"the memory grew from {first} to {last} kB")
    for name, values in during.items():
        ratio = statistics.median(values) / statistics.median(quiet)
        print(f"{name}: bids' p99 {statistics.median(values):.2f} ms, {ratio:.2f} times that of quiet times")
        if COMPARE and ratio > 2:
            raise SystemExit(f"{name}: bids' p99 more than doubled")
    server.end()


if __name__ == "__main__":
    program.require_binary()
    sys.stdout.reconfigure(line_buffering=True)
    with tempfile.TemporaryDirectory(prefix="slow-attack-") as name:
        run(pathlib.Path(name))

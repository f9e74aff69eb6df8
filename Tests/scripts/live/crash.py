"""kill -9 under load, again and again; after every restart the log must hold what was promised.

CRASH_ROUNDS (50), CRASH_SEED (new every time), CRASH_ROOMS (6), CRASH_CONNECTIONS (32): the size of it.
"""
import os
import random
import time

import broken
from load import World
from program import require_binary, scratch_folder
from recovery_checks import RecoveryChecks, require_no_findings, start

ROUNDS = int(os.environ.get("CRASH_ROUNDS", "50"))
SEED = int(os.environ.get("CRASH_SEED") or random.SystemRandom().getrandbits(32))
ROOMS = int(os.environ.get("CRASH_ROOMS", "6"))
CONNECTIONS = int(os.environ.get("CRASH_CONNECTIONS", "32"))
LIVES_PER_LOG = 10
LIVES_PER_OUTAGE = 4
OUTAGE_SECONDS = 2.2


class Run:
    def __init__(self, folder):
        self.folder = folder
        self.rng = random.Random(SEED)
        self.recovery_checks = RecoveryChecks(folder, self.rng)
        self.counts = self.recovery_checks.counts
        self.counts.update(dict.fromkeys(("kills", "logs", "rooms"), 0))

    def whole(self):
        remaining = ROUNDS
        while remaining > 0:
            lives = min(LIVES_PER_LOG, remaining)
            remaining -= lives
            self.log(lives, is_last=remaining == 0)

    def log(self, lives, is_last):
        """One log through several lives of its server."""
        self.counts["logs"] += 1
        folder = os.path.join(self.folder, f"log-{self.counts['logs']}")
        os.makedirs(folder)
        server = start(folder)
        world = World(server, self.rng.getrandbits(64), ROOMS, CONNECTIONS)
        self.counts["rooms"] += ROOMS
        for life in range(1, lives + 1):
            world.run_load(server, life, lambda: self.crash(server))
            self.counts["kills"] += 1
            require_no_findings(world.failures, "under load")
            before = self.recovery_checks.read_events(folder)
            if is_last and life == lives:
                unnoticed = broken.check(world, folder, os.path.join(self.folder, "broken"))
                require_no_findings(unnoticed, "with a log that is broken on purpose")
            if life % LIVES_PER_OUTAGE == 0:
                # Long enough for short countdowns to run out while no client is connected.
                time.sleep(OUTAGE_SECONDS)
            server = start(folder)
            self.recovery_checks.check_after_restart(server, world, before)
            self.recovery_checks.repeat_keyed(server, world)
        self.recovery_checks.conclude(server, world, folder)

    def crash(self, server):
        time.sleep(self.rng.uniform(0.2, 0.9))
        server.kill()


def main():
    require_binary()
    started = time.monotonic()
    print(f"crash: seed {SEED}, {ROUNDS} rounds, {CONNECTIONS} connections, {ROOMS} rooms a log", flush=True)
    with scratch_folder("crash", f"seed {SEED}, ") as folder:
        run = Run(folder)
        run.whole()
    counts = run.counts
    print(
        f"crash: {counts['kills']} kills in {counts['logs']} logs with {counts['rooms']} rooms and {counts['events']} events; "
        f"bids: {counts['acknowledged']} acknowledged, {counts['refused']} refused, {counts['unknown']} unknown; "
        f"{counts['replayed']} answers replayed byte for byte, {counts['retried']} unanswered bids retried with their key; "
        f"{counts['moved']} countdowns moved; {len(broken.CASES) - 1} broken logs noticed; {time.monotonic() - started:.0f} s")


main()

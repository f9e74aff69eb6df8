"""kill -9 under load, again and again; after every restart the log must hold what was promised.

CRASH_ROUNDS (50), CRASH_SEED (new every time), CRASH_ROOMS (6), CRASH_CONNECTIONS (32): the size of it.
"""
import os
import random
import shutil
import sys
import tempfile
import time

import broken
import database
from audit import Audit
from load import World
from program import NO_LIMITS, Server, require_binary
from wire import Connection, Surprise, all_events, expect

ROUNDS = int(os.environ.get("CRASH_ROUNDS", "50"))
SEED = int(os.environ.get("CRASH_SEED") or random.SystemRandom().getrandbits(32))
ROOMS = int(os.environ.get("CRASH_ROOMS", "6"))
CONNECTIONS = int(os.environ.get("CRASH_CONNECTIONS", "32"))
LIVES_PER_LOG = 10
REPLAYS_PER_LIFE = 30
LIVES_PER_OUTAGE = 4
OUTAGE_SECONDS = 2.2
ARGUMENTS = (*NO_LIMITS, "--threads", "2", "--log-level", "warning", "--limit-room-idle-seconds", "1")


class Failure(Exception):
    """What was promised and is not so."""


class Run:
    def __init__(self, folder):
        self.folder = folder
        self.chance = random.Random(SEED)
        self.counts = dict.fromkeys(
            ("kills", "logs", "rooms", "acknowledged", "refused", "unknown", "replayed", "retried", "moved", "events"), 0)
        self.serial = 0

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
        server = self.start(folder)
        world = World(server, self.chance.getrandbits(64), ROOMS, CONNECTIONS)
        self.counts["rooms"] += ROOMS
        for life in range(1, lives + 1):
            world.live(server, life, self.chance.uniform(0.2, 0.9))
            self.counts["kills"] += 1
            self.none(world.surprises, "under load")
            before = self.look(folder)
            if is_last and life == lives:
                unnoticed = broken.check(world, folder, os.path.join(self.folder, "broken"))
                self.none(unnoticed, "with a log that is broken on purpose")
            if life % LIVES_PER_OUTAGE == 0:
                # Long enough for short countdowns to run out while nobody is there to see it.
                time.sleep(OUTAGE_SECONDS)
            server = self.start(folder)
            self.inspect(server, world, before)
            self.repeat(server, world, life)
        code, output = server.terminate()
        self.none([f"exit code {code}, output {output!r}"] if code or output else [], "after SIGTERM")
        events = self.look(folder)
        self.none(Audit(world, events).findings, "at the end")
        for attempt in world.attempts:
            self.counts[attempt.outcome] += 1
        self.counts["events"] += sum(map(len, events.values()))

    def start(self, folder):
        return Server(f"sqlite:{folder}/rooms.db", *ARGUMENTS, log=os.path.join(folder, "server.log"))

    def look(self, folder):
        """The events in the files as they are now."""
        self.serial += 1
        target = database.copy(folder, os.path.join(self.folder, f"look-{self.serial}"))
        log = database.Log(target)
        try:
            return log.events()
        finally:
            log.close()
            shutil.rmtree(target)

    def inspect(self, server, world, before):
        """The service is back: everything that was promised, as it tells it now."""
        connection = Connection(server.port)
        answers = {room: expect(connection.call("GET", f"/v1/rooms/{room}"), 200) for room in world.rooms}
        events = {room: all_events(connection, room) for room in world.rooms}
        connection.close()
        audit = Audit(world, events)
        for room, raw in before.items():
            if events[room][: len(raw)] != raw:
                audit.find(f"{room}: what was in the file after the crash is not what the service tells")
        audit.rooms_as_read(answers)
        self.counts["moved"] += audit.outage(before, server.spawned_at * 1000, server.ready_at * 1000)
        self.none(audit.findings, "after a restart")
        world.history = events

    def repeat(self, server, world, life):
        """Keyed commands again with their keys: answered ones byte for byte, the others once at the most."""
        connection, tokens = Connection(server.port), dict(world.bidders)
        keyed = [attempt for attempt in world.attempts if attempt.key]
        done = [attempt for attempt in keyed if attempt.outcome == "acknowledged"]
        for attempt in self.chance.sample(done, min(REPLAYS_PER_LIFE, len(done))):
            path, token = f"/v1/rooms/{attempt.room}/bids", tokens[attempt.bidder]
            self.replay(connection.call("POST", path, token, attempt.body, attempt.key), attempt.answer, attempt)
        for attempt in keyed:
            if attempt.outcome == "unknown":
                path = f"/v1/rooms/{attempt.room}/bids"
                attempt.took(connection.call("POST", path, tokens[attempt.bidder], attempt.body, attempt.key))
                self.counts["retried"] += 1
        for order in world.orders:
            answer = connection.call("POST", order.path, world.host[1], order.body, order.key)
            if order.answer is not None:
                self.replay(answer, order.answer, order.path)
            elif answer.status == 200:
                order.answer = answer.body
        if done:
            other = connection.call(
                "POST", f"/v1/rooms/{done[0].room}/bids", tokens[done[0].bidder], {"amount": "123456.00"}, done[0].key)
            self.none([] if other.status == 422 else [f"answered {other.status}"], "with another body under a used key")
        connection.close()

    def replay(self, answer, first, what):
        self.counts["replayed"] += 1
        if answer.body != first or answer.headers.get("idempotency-replayed") != "true":
            raise Failure(f"the repeat of {what} was answered {answer.status} {answer.body!r}, the first time {first!r}")

    def none(self, findings, when):
        if findings:
            shown = "\n".join("  " + finding for finding in findings[:20])
            raise Failure(f"{len(findings)} finding(s) {when}:\n{shown}")


def main():
    require_binary()
    started = time.monotonic()
    print(f"crash: seed {SEED}, {ROUNDS} rounds, {CONNECTIONS} connections, {ROOMS} rooms a log", flush=True)
    folder = tempfile.mkdtemp(prefix="auction-crash.")
    run = Run(folder)
    try:
        run.whole()
    except (Failure, Surprise) as failure:
        print(f"crash: after {run.counts['kills']} kills, seed {SEED}, files in {folder}: {failure}", file=sys.stderr)
        sys.exit(1)
    shutil.rmtree(folder)
    counts = run.counts
    print(
        f"crash: {counts['kills']} kills in {counts['logs']} logs with {counts['rooms']} rooms and {counts['events']} events; "
        f"bids: {counts['acknowledged']} acknowledged, {counts['refused']} refused, {counts['unknown']} unknown; "
        f"{counts['replayed']} answers replayed byte for byte, {counts['retried']} unanswered bids retried with their key; "
        f"{counts['moved']} countdowns moved; {len(broken.CASES) - 1} broken logs noticed; {time.monotonic() - started:.0f} s")


main()

"""What must hold after a server died, however it died: checked on the files, and through the server that comes after it."""
import os
import shutil

import database
from audit import Audit
from load import TROUBLE
from program import NO_LIMITS, Server
from wire import Connection, all_events, expect

REPLAYS_PER_LIFE = 30
ARGUMENTS = (*NO_LIMITS, "--threads", "2", "--log-level", "warning", "--limit-room-idle-seconds", "1")


class Failure(Exception):
    """What was promised and is not so."""


def none(findings, when):
    if findings:
        shown = "\n".join("  " + finding for finding in findings[:20])
        raise Failure(f"{len(findings)} finding(s) {when}:\n{shown}")


def start(folder, *more, **options):
    return Server(f"sqlite:{folder}/rooms.db", *ARGUMENTS, *more, log=os.path.join(folder, "server.log"), **options)


class Promises:
    """The checks, and what they looked at."""

    def __init__(self, folder, chance):
        self.folder, self.chance = folder, chance
        self.counts = dict.fromkeys(("acknowledged", "refused", "unknown", "replayed", "retried", "moved", "events"), 0)
        self.serial = 0

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
        none(audit.findings, "after a restart")
        world.history = events

    def repeat(self, server, world):
        """Keyed commands again with their keys: answered ones byte for byte, the others once at the most."""
        connection, tokens = Connection(server.port), dict(world.bidders)
        keyed = [attempt for attempt in world.attempts if attempt.key]
        done = [attempt for attempt in keyed if attempt.outcome == "acknowledged"]
        for attempt in self.chance.sample(done, min(REPLAYS_PER_LIFE, len(done))):
            path, token = f"/v1/rooms/{attempt.room}/bids", tokens[attempt.bidder]
            self.replay(connection.call("POST", path, token, attempt.body, attempt.key), attempt.answer, attempt)
        for attempt in keyed:
            if attempt.outcome == "unknown" or attempt.said in TROUBLE:
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
            none([] if other.status == 422 else [f"answered {other.status}"], "with another body under a used key")
        connection.close()

    def replay(self, answer, first, what):
        self.counts["replayed"] += 1
        if answer.body != first or answer.headers.get("idempotency-replayed") != "true":
            raise Failure(f"the repeat of {what} was answered {answer.status} {answer.body!r}, the first time {first!r}")

    def conclude(self, server, world, folder):
        """The last life ends as it should; what it leaves in the files is audited once more."""
        code, output = server.terminate()
        none([f"exit code {code}, output {output!r}"] if code or output else [], "after SIGTERM")
        events = self.look(folder)
        none(Audit(world, events).findings, "at the end")
        for attempt in world.attempts:
            self.counts[attempt.outcome] += 1
        self.counts["events"] += sum(map(len, events.values()))

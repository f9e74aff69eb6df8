"""Checks after a crash of the server: on the log's files, and through the restarted server."""
import os
import shutil

import database
from audit import Audit
from load import TROUBLE
from program import NO_LIMITS, Server
from wire import CheckFailed, Connection, all_events, expect, listed

REPLAYS_PER_LIFE = 30
ARGUMENTS = (*NO_LIMITS, "--threads", "2", "--log-level", "warning")


class Failure(CheckFailed):
    """A guarantee that does not hold."""


def require_no_findings(findings, when):
    if findings:
        raise Failure(f"{when}: {listed(findings)}")


def start(folder, *more, **options):
    return Server(f"sqlite:{folder}/rooms.db", *ARGUMENTS, *more, log=os.path.join(folder, "server.log"), **options)


class RecoveryChecks:
    """The checks and their counts."""

    def __init__(self, folder, rng):
        self.folder, self.rng = folder, rng
        self.counts = dict.fromkeys(("acknowledged", "refused", "unknown", "replayed", "retried", "moved", "events"), 0)
        self.serial = 0

    def read_events(self, folder):
        """Events by room, read from a copy of the files as they are now."""
        self.serial += 1
        target = database.copy(folder, os.path.join(self.folder, f"look-{self.serial}"))
        log = database.Log(target)
        try:
            return log.events()
        finally:
            log.close()
            shutil.rmtree(target)

    def check_after_restart(self, server, world, before):
        """Audits everything acknowledged against what the restarted service returns. `before`: events in the files after the crash."""
        connection = Connection(server.port)
        responses = {room: expect(connection.call("GET", f"/v1/rooms/{room}"), 200) for room in world.rooms}
        events = {room: all_events(connection, room) for room in world.rooms}
        connection.close()
        audit = Audit(world, events, responses, (before, server.spawned_at * 1000, server.ready_at * 1000))
        for room, raw in before.items():
            if events[room][: len(raw)] != raw:
                audit.find(f"{room}: the service's events differ from those in the file after the crash")
        self.counts["moved"] += audit.moved(before)
        require_no_findings(audit.findings, "after a restart")
        world.history = events

    def repeat_keyed(self, server, world):
        """Repeats keyed commands: the response of an answered one is replayed byte for byte, others are executed at most once."""
        connection, tokens = Connection(server.port), dict(world.bidders)
        keyed = [attempt for attempt in world.attempts if attempt.key]
        done = [attempt for attempt in keyed if attempt.outcome == "acknowledged"]
        for attempt in self.rng.sample(done, min(REPLAYS_PER_LIFE, len(done))):
            path, token = f"/v1/rooms/{attempt.room}/bids", tokens[attempt.bidder]
            self.replay(connection.call("POST", path, token, attempt.body, attempt.key), attempt.response, attempt)
        for attempt in keyed:
            if attempt.outcome == "unknown" or attempt.problem_code in TROUBLE:
                path = f"/v1/rooms/{attempt.room}/bids"
                attempt.record(connection.call("POST", path, tokens[attempt.bidder], attempt.body, attempt.key))
                self.counts["retried"] += 1
        for order in world.orders:
            response = connection.call("POST", order.path, world.host[1], order.body, order.key)
            if order.response is not None:
                self.replay(response, order.response, order.path)
            elif response.status == 200:
                order.response = response.body
        if done:
            other = connection.call(
                "POST", f"/v1/rooms/{done[0].room}/bids", tokens[done[0].bidder], {"amount": "123456.00"}, done[0].key)
            require_no_findings([] if other.status == 422 else [f"answered {other.status}"], "with another body under a used key")
        connection.close()

    def replay(self, response, first, what):
        self.counts["replayed"] += 1
        if response.body != first or response.headers.get("idempotency-replayed") != "true":
            raise Failure(f"the repeat of {what} was answered {response.status} {response.body!r}, the first time {first!r}")

    def conclude(self, server, world, folder):
        """Stops the server with SIGTERM and audits the files once more."""
        code, output = server.terminate()
        require_no_findings([f"exit code {code}, output {output!r}"] if code or output else [], "after SIGTERM")
        events = self.read_events(folder)
        require_no_findings(Audit(world, events).findings, "at the end")
        for attempt in world.attempts:
            self.counts[attempt.outcome] += 1
        self.counts["events"] += sum(map(len, events.values()))

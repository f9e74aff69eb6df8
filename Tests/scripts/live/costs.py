"""Bounds the cost of one request: every operation and frame with the most expensive bodies, queries and headers within the limits, on
rooms that are as full as permitted: processor time as a multiple of an ordinary bid's, bytes held beyond the body, bytes written.

COSTS_SCALE (1): how full the rooms are. COSTS_VERBOSE=1 prints every variant. Needs a release build; use a quiet machine, although
other processes have little effect on processor time.
"""
import os
import sys
import tempfile
import time
from types import SimpleNamespace

from cost_attacks import connections, frames, history
from cost_operations import operations, variants
from cost_world import World
from meter import Meter
from program import NO_LIMITS, Server, require_binary
from wire import Connection, ConnectionLost, expect

# Maximum processor time of a request, in ordinary bids.
TIME = 20
# Maximum memory that a request holds beyond its body, in bytes.
HELD = 1_000_000
# Maximum bytes written: multiples of the request's size, plus the writes of this many ordinary bids.
WRITTEN, WRITTEN_BIDS = 10, 20
REPEATS, UNREAD = 7, 16
OPTIONS = (*NO_LIMITS, "--limit-messages-per-second", "0", "--log-level", "warning", "--threads", "1")
VERBOSE = os.environ.get("COSTS_VERBOSE") == "1"


class Row:
    """Results of the most expensive variant of one operation."""

    def __init__(self, name):
        self.name, self.variant, self.time, self.excess, self.held = name, "", 0.0, 0.0, 0
        self.written, self.sent = 0.0, 1

    def offer(self, variant, seconds, written, sent):
        if seconds > self.time:
            self.variant, self.time = variant, seconds
        if written - WRITTEN * sent > self.excess or not self.written:
            self.excess, self.written, self.sent = written - WRITTEN * sent, written, sent


class Costs:
    def __init__(self, world, meter):
        self.world, self.meter, self.rows, self.unanswered = world, meter, {}, []
        self.meter.settle()
        self.bid, self.bid_written = meter.cost(lambda _: world.bid(), 200)

    def measure(self, operation):
        row = self.rows.setdefault(operation.name, Row(operation.name))
        unread = None
        for variant, path, body, headers in variants(operation):
            def send(_, path=path, body=body, headers=headers):
                self.world.call(operation.method, path, operation.token, body, headers=headers)
            try:
                seconds, written = self.meter.cost(send, REPEATS)
            except ConnectionLost as error:
                self.unanswered.append(f"{operation.name} ({variant[:40]}) is not answered: {error}")
                continue
            sent = len(body) if isinstance(body, bytes) else 256
            if VERBOSE:
                print(f"  {operation.name:20} {variant[:40]:40} {seconds * 1e6:9.0f} us {written:10.0f} B written")
            if seconds >= row.time:
                unread = (path, body, headers)
            row.offer(variant[:40], seconds, written, sent)
        if unread:
            row.held = max(row.held, self.held(operation, *unread))

    def held(self, operation, path, body, headers):
        """Bytes of memory per request whose response is not read; mean of UNREAD requests."""
        self.meter.settle()
        before, connections = self.meter.memory(), []
        for number in range(UNREAD):
            connection = Connection(self.world.port, 5, f"127.1.{number // 250}.{number % 250 + 1}")
            connection._answer = lambda: None  # The response stays unread.
            connection.call(operation.method, path, operation.token, body, headers=headers)
            connections.append(connection)
        self.meter.settle()
        held = (self.meter.memory() - before) // UNREAD
        for connection in connections:
            connection.close()
        return held

    def findings(self):
        yield from self.unanswered
        for row in self.rows.values():
            if row.time > TIME * self.bid:
                yield f"{row.name} ({row.variant}): {row.time / self.bid:.1f} ordinary bids, {TIME} are allowed"
            if row.held > HELD:
                yield f"{row.name} ({row.variant}): holds {row.held} bytes, {HELD} are allowed"
            if row.written > WRITTEN * row.sent + WRITTEN_BIDS * self.bid_written:
                yield f"{row.name}: writes {row.written:.0f} bytes for {row.sent} sent"

    def show(self):
        print(f"an ordinary bid: {self.bid * 1e6:.0f} us of processor time, {self.bid_written:.0f} bytes written")
        print(f"{'operation':24}{'us':>9}{'x bid':>8}{'held':>10}{'written':>10}  most expensive")
        for row in self.rows.values():
            print(f"{row.name:24}{row.time * 1e6:9.0f}{row.time / self.bid:8.1f}{row.held:10}{row.written:10.0f}  {row.variant}")


def start(folder):
    return Server(f"sqlite:{folder}/rooms.db", *OPTIONS, log=f"{folder}/server.log", timeout=60)


def fill(folder):
    """Creates the rooms and users through a separate server, so that its memory does not count."""
    server, started = start(folder), time.monotonic()
    world = World(server.port)
    rooms = SimpleNamespace(crowded=world.crowded(), contested=world.contested(), old=world.old(True), wordy=world.wordy())
    server.terminate()
    print(f"rooms are full after {time.monotonic() - started:.0f} s")
    return world, rooms


def measure(folder):
    world, rooms = fill(folder)
    server = start(folder)
    world.connect(server.port)
    for path in vars(rooms).values():
        expect(world.call("GET", path), 200)
    costs = Costs(world, Meter(server.process))
    print(f"{costs.meter.memory() >> 20} MiB in memory with these rooms loaded")
    findings = list(connections(world, rooms, costs))
    for operation in operations(world, rooms):
        costs.measure(operation)
    costs.show()
    findings += costs.findings()
    findings += frames(world, rooms, costs)
    findings += history(world, rooms, costs)
    if server.process.poll() is not None:
        return [*findings, f"the server ended: {server.process.returncode}"]
    server.terminate()
    return findings


def main():
    require_binary()
    with tempfile.TemporaryDirectory(prefix="costs-") as folder:
        findings = measure(folder)
    for finding in findings[:40]:
        print("too expensive:", finding)
    print(f"{len(findings)} beyond their bounds")
    sys.exit(1 if findings else 0)


main()

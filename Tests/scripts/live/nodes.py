"""Three nodes over one PostgreSQL under load, while nodes and the database are killed and come back.

NODES_SECONDS (20) of load, NODES_ROOMS (50), NODES_CLIENTS (32), NODES_SEED (new every time): the size of it.
"""
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from types import SimpleNamespace

import linear
import postmaster
import sharing
from audit import Audit
from crowd import Crowd
from fold import fold, milliseconds
from program import BINARY, NO_LIMITS, Server, require_binary
from wire import Connection, Surprise, all_events, expect

SECONDS = float(os.environ.get("NODES_SECONDS", "20"))
ROOMS = int(os.environ.get("NODES_ROOMS", "50"))
CLIENTS = int(os.environ.get("NODES_CLIENTS", "32"))
SEED = int(os.environ.get("NODES_SEED") or random.SystemRandom().getrandbits(32))
NODES = 3
# A round ends so long after its time at the latest, even if its node has died. Two cores carry everything here.
LATEST_END = 1000


class Cluster:
    """The nodes; a port is 0 while its node is down."""

    def __init__(self, url, folder):
        self.url, self.folder = url, folder
        self.servers = [None] * NODES
        self.ports = [0] * NODES
        self.kills = self.stops = 0
        for node in range(NODES):
            self.start(node)

    def start(self, node):
        self.servers[node] = Server(self.url, *NO_LIMITS, "--threads", "1", "--log-level", "warning",
                                    log=f"{self.folder}/node-{node}.log", patience=60)
        self.ports[node] = self.servers[node].port

    def kill(self, node):
        self.ports[node] = 0
        self.servers[node].kill()
        self.kills += 1

    def stop(self, node):
        """In good order: it is told to stop while clients still use it."""
        code, output = self.servers[node].terminate()
        self.ports[node] = 0
        self.stops += 1
        if code or output:
            raise Surprise(f"node {node} ended with {code}, {output!r}")

    def ready(self):
        return all(Connection(port).call("GET", "/readyz").status == 200 for port in self.ports)


def chaos(cluster, chance, seconds):
    """What happens under the load, one thing after the other; returns the stretches in which the database was away."""
    away, begun = [], time.time()
    part = seconds / 6

    def wait_until(number):
        time.sleep(max(0, begun + part * number - time.time()))

    wait_until(0.5)
    first, second, third = chance.sample(range(NODES), NODES)
    cluster.kill(first)
    wait_until(1.2)
    cluster.start(first)
    wait_until(2)
    cluster.kill(second)
    cluster.kill(third)
    cluster.start(second)
    cluster.start(third)
    wait_until(3)
    for step, how in ((4, postmaster.FAST), (5, postmaster.IMMEDIATE)):
        down = time.time() * 1000
        postmaster.end(how)
        if how == postmaster.IMMEDIATE:
            # Long enough to be an outage: what was to end meanwhile gets its time again.
            time.sleep(2.5)
        postmaster.start()
        while not cluster.ready():
            time.sleep(0.05)
        away.append((down, time.time() * 1000))
        wait_until(step)
    cluster.stop(first)
    cluster.start(first)
    wait_until(6)
    return away


def audit(crowd, cluster, away):
    """Everything that was promised, against what every node tells now."""
    findings = list(crowd.surprises)
    told = []
    for port in cluster.ports:
        connection = Connection(port)
        told.append({room: all_events(connection, room) for room in crowd.rooms})
        connection.close()
    for node in range(1, NODES):
        findings += [f"{room}: node {node} tells another history than node 0" for room in crowd.rooms
                     if told[node][room] != told[0][room]]
    events = told[0]
    for (node, room), seen in crowd.told.items():
        if events[room][:len(seen)] != seen:
            findings.append(f"{room}: a subscriber on node {node} saw another sequence than the log's")
    world = SimpleNamespace(
        attempts=crowd.attempts, orders=[], told={}, history={room: [] for room in crowd.rooms})
    audited = Audit(world, events)
    findings += audited.findings
    for room in crowd.rooms:
        attempts = [attempt for attempt in crowd.attempts if attempt.room == room]
        placed = {a: audited.bids[a.identity][0]["seq"] for a in attempts if a.identity in audited.bids}
        findings += linear.order(attempts, placed)
        findings += linear.refusals(attempts, placed, audited.pictures[room])
        findings += ends(room, events[room], away)
        findings += searched(room, attempts)
    return findings, sum(map(len, events.values()))


def searched(room, attempts):
    """The same history without looking at the log, and with one answer that a room would not have given."""
    calls = [linear.Call(attempt.bidder, attempt.amount, attempt.sent, attempt.received, answer)
             for attempt in attempts if (answer := attempt.seen())]
    if not linear.search(calls):
        return [f"{room}: no order of its {len(calls)} bids explains the answers"]
    late = [call for call in calls if call.answer == ("taken",)][1:]
    if late:
        last = max(late, key=lambda call: call.sent)
        wrong = linear.Call(last.bidder, 99, last.sent, last.received, last.answer)
        if linear.search([wrong if call is last else call for call in calls]):
            return [f"{room}: the search accepts a bid below the starting price"]
    return []


def ends(room, raw, away):
    """The round ended once, by itself, and soon enough after its time."""
    folded, decoded, pictures = fold(raw)
    closed = [event for event in decoded if event["type"] in ("item.sold", "item.passed")]
    if len(closed) != 1 or folded.state != "closed":
        return [f"{room}: its round ended {len(closed)} times and the room is {folded.state}"]
    change = next(event for event in decoded if event["type"] == "state.changed" and event["data"]["to"] == "closed")
    due = pictures[change["seq"] - 1]["endsAt"]
    late = milliseconds(change["at"]) - due
    excused = any(down - 1000 <= due <= back + 1500 for down, back in away)
    if late > LATEST_END and not excused:
        return [f"{room}: the round was to end at {due} and ended {late} ms later"]
    return []


def staleness(cluster, crowd):
    """How long after an acknowledgement on one node the others still show the room as it was: the longest of some, in ms."""
    worst = 0
    for number in range(20):
        write, read = number % NODES, (number + 1) % NODES
        seq = crowd.talk(cluster.ports[write], number)
        begun, reader = time.monotonic(), Connection(cluster.ports[read])
        while expect(reader.call("GET", f"/v1/rooms/{crowd.rooms[0]}"), 200)["seq"] < seq:
            if time.monotonic() - begun > 5:
                raise Surprise(f"node {read} does not show seq {seq} of node {write} after 5 s")
            time.sleep(0.002)
        worst = max(worst, (time.monotonic() - begun) * 1000)
        reader.close()
    return worst


def run(folder):
    chance = random.Random(SEED)
    url = postmaster.database("nodes")
    cluster = Cluster(url, folder)
    crowd = Crowd(cluster, SEED, ROOMS, CLIENTS)
    stale = staleness(cluster, crowd)
    crowd.begin()
    try:
        away = chaos(cluster, chance, SECONDS)
    finally:
        crowd.end()
    crowd.await_ends(30)
    findings, events = audit(crowd, cluster, away)
    for node in range(NODES):
        cluster.stop(node)
    left = postmaster.psql("SELECT count(*) FROM node", url)
    if int(left) > cluster.kills:
        findings.append(f"{left} nodes are still written down, {cluster.kills} were killed")
    checked = subprocess.run([BINARY, "verify", "--store", url], capture_output=True, text=True, timeout=60, check=False)
    if checked.returncode or not checked.stdout.endswith("0 findings\n"):
        findings.append(f"verify: {checked.stdout}{checked.stderr}")
    return crowd, cluster, findings, events, stale


def main():
    require_binary()
    begun = time.monotonic()
    print(f"nodes: seed {SEED}, {NODES} nodes, {ROOMS} rooms, {CLIENTS} clients, {SECONDS:.0f} s", flush=True)
    print(f"nodes: {sharing.check()}", flush=True)
    folder = tempfile.mkdtemp(prefix="auction-nodes.")
    crowd, cluster, findings, events, stale = run(folder)
    counts = crowd.counts()
    if min(counts["acknowledged"], counts["refused"], crowd.replayed) < 20:
        findings.append(f"too little happened to say anything: {counts}, {crowd.replayed} repeated")
    if findings:
        shown = "\n".join("  " + finding for finding in findings[:20])
        print(f"nodes: seed {SEED}, files in {folder}: {len(findings)} finding(s):\n{shown}", file=sys.stderr)
        sys.exit(1)
    subprocess.run(["rm", "-rf", folder], check=True)
    print(f"nodes: {events} events the same on {NODES} nodes after {cluster.kills} kills, {cluster.stops} stops and 2 restarts of "
          f"PostgreSQL; bids: {counts['acknowledged']} acknowledged, {counts['refused']} refused, {counts['unknown']} unknown, "
          f"{crowd.retried} sent again ({crowd.unavailable}), {crowd.replayed} repeats the same byte for byte; {len(crowd.told)} subscribers saw the "
          f"log's sequence; a read on another node is behind by {stale:.0f} ms at most; {time.monotonic() - begun:.0f} s")


main()

"""Three nodes over one PostgreSQL under load, while nodes and the database are killed and come back.

NODES_SECONDS (20) of load, NODES_ROOMS (50), NODES_CLIENTS (64), NODES_SEED (new every time): the size of it.
"""
import os
import random
import time

import postmaster
import sharing
from cluster import Cluster
from crowd import Crowd
from subscribers import Subscribers
from program import require_binary, scratch_folder, verify
from verdict import audit
from wire import Connection, CheckFailed, expect, require_none

SECONDS = float(os.environ.get("NODES_SECONDS", "20"))
ROOMS = int(os.environ.get("NODES_ROOMS", "50"))
CLIENTS = int(os.environ.get("NODES_CLIENTS", "64"))
SEED = int(os.environ.get("NODES_SEED") or random.SystemRandom().getrandbits(32))
NODES = 3


def chaos(cluster, rng, seconds):
    """Kills and restarts nodes and the database in sequence; returns the intervals in which the database was down."""
    away, begun = [], time.time()
    part = seconds / 6

    def wait_until(number):
        time.sleep(max(0, begun + part * number - time.time()))

    wait_until(0.5)
    first, second, third = rng.sample(range(NODES), NODES)
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
            # Long enough to count as an outage, after which deadlines that expired during it are extended.
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


def staleness(cluster, crowd):
    """Longest of several delays, in ms, between an acknowledgement on one node and its visibility on the others."""
    worst = 0
    for number in range(20):
        write, read = number % NODES, (number + 1) % NODES
        seq = crowd.place_bid_in_hot_room(cluster.ports[write], number)
        begun, reader = time.monotonic(), Connection(cluster.ports[read])
        while expect(reader.call("GET", f"/v1/rooms/{crowd.rooms[0]}"), 200)["seq"] < seq:
            if time.monotonic() - begun > 5:
                raise CheckFailed(f"node {read} does not show seq {seq} of node {write} after 5 s")
            time.sleep(0.002)
        worst = max(worst, (time.monotonic() - begun) * 1000)
        reader.close()
    return worst


def run(folder):
    rng = random.Random(SEED)
    url = postmaster.database("nodes")
    cluster = Cluster([url] * NODES, folder)
    crowd = Crowd(cluster, SEED, ROOMS, CLIENTS)
    stale = staleness(cluster, crowd)
    # The hot room, one in which all clients may bid, and one without bids.
    subscribers = Subscribers(cluster.ports, [*crowd.rooms[:2], crowd.rooms[-1]], SEED)
    crowd.begin()
    try:
        away = chaos(cluster, rng, SECONDS)
    finally:
        crowd.end()
    crowd.await_closed(30)
    findings, events = audit(crowd, cluster, away, subscribers)
    for node in range(NODES):
        cluster.stop(node)
    left = postmaster.psql("SELECT count(*) FROM node", url)
    if int(left) > cluster.kills:
        findings.append(f"{left} nodes are still written down, {cluster.kills} were killed")
    findings += verify(url)
    return crowd, cluster, subscribers, findings, events, stale


def main():
    require_binary()
    begun = time.monotonic()
    print(f"nodes: seed {SEED}, {NODES} nodes, {ROOMS} rooms, {CLIENTS} clients, {SECONDS:.0f} s", flush=True)
    print(f"nodes: {sharing.check()}", flush=True)
    with scratch_folder("nodes", f"seed {SEED}, ") as folder:
        crowd, cluster, subscribers, findings, events, stale = run(folder)
        counts = crowd.counts()
        if min(counts["acknowledged"], counts["refused"], crowd.replayed) < 20:
            findings.append(f"too little happened to say anything: {counts}, {crowd.replayed} repeated")
        hot, spread = crowd.through(crowd.rooms[0]), sum(min(crowd.through(room)) > 0 for room in crowd.rooms)
        if min(hot) < 20 or spread < ROOMS / 2 or subscribers.resumed < len(subscribers.all) / 2:
            findings.append(f"the hot room's bids by node are {hot}, {spread} rooms were bid on through every node, and subscribers came "
                            f"back {subscribers.resumed} times: too little to say anything")
        require_none(findings)
    print(f"nodes: {events} events the same on {NODES} nodes after {cluster.kills} kills, {cluster.stops} stops and 2 restarts of "
          f"PostgreSQL; bids: {counts['acknowledged']} acknowledged, {counts['refused']} refused, {counts['unknown']} unknown, "
          f"{crowd.retried} sent again ({crowd.unavailable}), {crowd.replayed} repeats the same byte for byte; the hot room's by node {hot}, {spread} rooms "
          f"through every node; subscribers {subscribers.count()} came back {subscribers.resumed} times and saw the log's sequence; a read on "
          f"another node is behind by {stale:.0f} ms at most; {time.monotonic() - begun:.0f} s")


main()

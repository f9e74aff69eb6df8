"""docker/compose.yaml as plain processes: three nodes on one PostgreSQL behind nginx with the files that the containers mount.

TOPOLOGY_SEED: new every time.
"""
import os
import random
import signal
import time
from types import SimpleNamespace

import postmaster
from audit import Audit
from bidders import Bidders
from subscribers import Subscriber, await_all
from cluster import Cluster
from nginx import Proxy
from program import require_binary, scratch_folder, verify
from wire import Connection, check, histories, require_none

NODES, ROOMS, PEOPLE = 3, 24, 8
TRANSPORTS = ("long-poll", "SSE", "WebSocket")
SEED = int(os.environ.get("TOPOLOGY_SEED") or random.SystemRandom().getrandbits(32))
# Seconds after which a dead node's rooms accept bids on another node at the latest; on two cores.
LATEST_TAKEOVER = 2.0
DRAIN_SECONDS = 1


def restart(nodes, node):
    """Restarts a node like a rolling update: SIGTERM, not ready while it still serves, exit, new start."""
    server = nodes.servers[node]
    begun = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    while (response := Connection(server.port).call("GET", "/readyz")).status == 200:
        check(time.monotonic() - begun < DRAIN_SECONDS, f"node {node} does not say that it drains")
        time.sleep(0.01)
    check(response.json()["waitingFor"] == ["draining"], f"/readyz of a draining node: {response.body}")
    code = server.process.wait(20)
    check(code == 0, f"node {node} ended with {code}")
    took = time.monotonic() - begun
    check(took >= DRAIN_SECONDS, f"node {node} drained for {took:.2f} s")
    server.kill()
    nodes.start(node)
    return took


def answering(proxy, rooms, since=0):
    """Which nodes answered each room's requests, by their ports; `since`: lines of the log to leave out, and streams, which are logged
    when they end."""
    nodes, count = {room: set() for room in rooms}, 0
    for count, (method, path, status, tried) in enumerate(proxy.responses(), 1):
        room = path.removeprefix("/v1/rooms/").split("/")[0]
        # A 503 is the proxy's own: the node that was asked broke off.
        if count > since and tried and room in nodes and status != 503 and not (since and method == "GET"):
            nodes[room].add(tried[-1])
    return nodes, count


def stays(proxy, bidders, nodes):
    """A room is always at one node, and all nodes have rooms. Odd spellings of its path go there too."""
    token = bidders.people[0][1]
    for room in bidders.rooms[:4]:
        odd = room.replace("_", "%5f")
        for path in (f"/v1/rooms/{odd}", f"/v1//rooms/{room}", f"/v1/rooms/{room}?x=1", f"/v1/rooms/{room}/bids"):
            Connection(proxy.port).call("GET", path, token)
    time.sleep(0.1)
    at, _ = answering(proxy, bidders.rooms)
    for room, ports in at.items():
        check(len(ports) == 1, f"{room} was answered by {len(ports)} nodes")
    homes = {room: ports.pop() for room, ports in at.items()}
    check(set(homes.values()) == set(nodes.ports), f"24 rooms are on {len(set(homes.values()))} nodes of 3")
    anywhere = {tried[-1] for _, path, _, tried in proxy.responses() if path == "/v1/guests"}
    check(len(anywhere) > 1, "requests without a room all go to one node")
    return homes


def places(proxy):
    """The nodes, by their ports, that are asked about each of many rooms that do not exist: so many that they are on all nodes."""
    rooms = [f"room_{number:026}" for number in range(60)]
    count = len(list(proxy.responses()))
    for room in rooms:
        Connection(proxy.port).call("POST", f"/v1/rooms/{room}/bids")
    time.sleep(0.1)
    at, _ = answering(proxy, rooms, count)
    return {room: ports.pop() for room, ports in at.items()}


def kill(proxy, bidders, nodes, homes):
    """Kills a node; returns the longest time in which one of its rooms accepted no bids."""
    victim, before = nodes.ports.index(homes[bidders.rooms[0]]), places(proxy)
    nodes.servers[victim].kill()
    died = time.monotonic()
    # What it has answered by then is logged soon.
    time.sleep(0.1)
    _, lines = answering(proxy, [])
    lost = [room for room, port in homes.items() if port == nodes.ports[victim]]
    while any(bidders.taken.get(room, 0) <= died + 0.01 for room in lost):
        check(time.monotonic() - died < 10, f"rooms of a dead node take no bids: {bidders.before}")
        time.sleep(0.005)
    took = time.monotonic() - died
    time.sleep(0.5)
    at, _ = answering(proxy, bidders.rooms, lines)
    for room, ports in at.items():
        check(nodes.ports[victim] not in ports, f"{room} was answered by a dead node")
        check(room in lost or ports <= {homes[room]}, f"{room} left its node although that lives")
    now = places(proxy)
    check(len({now[room] for room, port in before.items() if port == nodes.ports[victim]}) == 2, "a dead node's rooms all went to one node")
    check(took < LATEST_TAKEOVER, f"rooms of a dead node took no bids for {took:.1f} s")
    nodes.start(victim)
    return took


def histories_of(nodes, rooms):
    """As each node tells it. What another node has stored is in its memory a moment later."""
    end = time.monotonic() + 5
    while True:
        found = [histories(port, rooms) for port in nodes.ports]
        if all(each == found[0] for each in found) or time.monotonic() > end:
            return found


def audit(bidders, subscribers, nodes):
    told = histories_of(nodes, bidders.rooms)
    findings = list(bidders.failures)
    findings += [f"{room}: node {node} tells another history" for node in range(1, NODES) for room in bidders.rooms
                 if told[node][room][:len(told[0][room])] != told[0][room]]
    world = SimpleNamespace(attempts=bidders.attempts, orders=[], delivered={}, history={room: [] for room in bidders.rooms})
    findings += Audit(world, told[0]).findings
    await_all(subscribers, told[0], 10)
    for subscriber in subscribers:
        subscriber.end()
    # Rooms go on by themselves, as when their hosts are gone.
    last = histories(nodes.ports[0], bidders.rooms)
    for subscriber in subscribers:
        log, count = told[0][subscriber.room], len(subscriber.delivered)
        if subscriber.failure or count < len(log) or subscriber.delivered != last[subscriber.room][:count]:
            findings.append(subscriber.failure or f"{subscriber} was told {count} events, the log had {len(log)} and more later")
    return findings, sum(map(len, told[0].values()))


def run(folder):
    url = postmaster.database("topology")
    nodes = Cluster([url] * NODES, folder, "--trusted-proxies", "127.0.0.1", "--drain-seconds", str(DRAIN_SECONDS))
    proxy = Proxy(f"{folder}/proxy", *nodes.ports, is_limited=False)
    bidders = Bidders(proxy.port, ROOMS, PEOPLE, SEED)
    subscribers = [Subscriber([proxy.port], 0, bidders.rooms[number], way, False, f"{SEED} {number} {way}")
                 for number in range(6) for way in TRANSPORTS]
    for subscriber in subscribers:
        subscriber.start()
    bidders.begin()
    try:
        time.sleep(1.5)
        homes = stays(proxy, bidders, nodes)
        calm = dict(bidders.before)
        takeover = kill(proxy, bidders, nodes, homes)
        # Until the proxy asks the node again, and its rooms are back.
        time.sleep(2.5)
        killed = dict(bidders.before)
        drains = [restart(nodes, node) for node in range(NODES)]
        time.sleep(0.3)
    finally:
        bidders.end()
    check(not calm, f"without any failure: {calm}")
    findings, events = audit(bidders, subscribers, nodes)
    proxy.stop()
    for node in range(NODES):
        nodes.stop(node)
    findings += verify(url)
    return bidders, subscribers, findings, events, takeover, max(drains), killed


def main():
    require_binary()
    begun = time.monotonic()
    with scratch_folder("topology", f"seed {SEED}, ") as folder:
        bidders, subscribers, findings, events, takeover, drain, killed = run(folder)
        resumed = sum(max(0, subscriber.lives - 1) for subscriber in subscribers)
        acknowledged, unknown = bidders.count("acknowledged"), bidders.count("unknown", keyed=True)
        # Every node was restarted, so every stream broke once at least; nginx keeps a long-poll's connection.
        streams = sum(subscriber.way != "long-poll" for subscriber in subscribers)
        if acknowledged < 200 or resumed < streams or unknown:
            findings.append(f"too little: {acknowledged} bids, {resumed} streams went on elsewhere, {unknown} keyed bids unanswered")
        require_none(findings)
    print(f"topology: {acknowledged} bids acknowledged through nginx and 3 nodes, each once in the log of {events} events; after "
          f"kill -9 every room took bids again within {takeover * 1000:.0f} ms; 3 restarts of {drain:.1f} s at most; "
          f"{bidders.repeated} bids sent again (at the kill {killed}, then {bidders.before}), {bidders.count('unknown')} without a key "
          f"unknown; {len(subscribers)} subscribers went on {resumed} times without a gap; {time.monotonic() - begun:.0f} s")


main()

"""Subscribers of rooms on many nodes, by long-poll, SSE and WebSocket: each keeps the bytes of every event it received, and goes
on from its cursor when its node dies, on that node once it is back or on another one."""
import http.client
import json
import random
import socket
import threading
import time

from web_socket import WebSocket
from wire import Connection, ConnectionLost, CheckFailed, raw_events

TIMEOUT = 20  # seconds without data, notices included, after which a stream counts as dead
BROKEN = (OSError, ConnectionLost, http.client.HTTPException)


class Ended(Exception):
    """The stream was closed gracefully, as when a node stops."""


class Subscriber(threading.Thread):
    """One subscriber. `moves`: switches to any live node when its own dies; otherwise it waits for its own."""

    def __init__(self, ports, node, room, way, moves, seed):
        super().__init__(name=f"{way} on node {node}", daemon=True)
        self.ports, self.node, self.room, self.way, self.moves = ports, node, room, way, moves
        self.rng = random.Random(seed)
        self.delivered, self.lives, self.failure = [], 0, None
        self.is_back = False
        self.ended = threading.Event()
        self.open = None

    def run(self):
        follow = {"long-poll": self._poll, "SSE": self._sse, "WebSocket": self._web_socket}[self.way]
        while not self.ended.is_set():
            port = self.ports[self.node]
            if not port:
                if self.moves:
                    self.node = self.rng.randrange(len(self.ports))
                self.ended.wait(0.01)
                continue
            try:
                self.is_back = True
                follow(port)
            except (Ended, *BROKEN):
                self.ended.wait(0.02)
            except CheckFailed as failure:
                # A node without its database may respond 503 and nothing else.
                if not str(failure).startswith("503"):
                    self.failure = f"{self}: {failure}"
                    return
                self.ended.wait(0.05)

    def __str__(self):
        return f"a subscriber of {self.room} by {self.name}"

    def end(self):
        self.ended.set()
        stream = self.open
        if stream:
            try:
                stream.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.join()

    def _take(self, event, seq):
        if seq != len(self.delivered) + 1:
            raise CheckFailed(f"after seq {len(self.delivered)} it received seq {seq}")
        self.delivered.append(event)
        # Attempts without a response do not count.
        self.lives += self.is_back
        self.is_back = False

    def _polled(self, connection):
        """After each response to a long-poll, on its connection."""

    def _poll(self, port):
        connection = Connection(port)
        while not self.ended.is_set():
            response = connection.call("GET", f"/v1/rooms/{self.room}/events?after={len(self.delivered)}&wait=1&limit=256")
            if response.status != 200:
                raise CheckFailed(f"{response.status}, from {len(self.delivered)}: {response.body.decode()}")
            for event in raw_events(response.body):
                self._take(event, json.loads(event)["seq"])
            self._polled(connection)
        connection.close()

    def _sse(self, port):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        connection.connect()
        self.open = connection.sock
        # The header wins over the query.
        connection.request("GET", f"/v1/rooms/{self.room}/events?after=0", headers={
            "Accept": "text/event-stream", **({"Last-Event-ID": str(len(self.delivered))} if self.delivered else {})})
        response = connection.getresponse()
        if response.status != 200:
            raise CheckFailed(f"{response.status}, from {len(self.delivered)}: {response.read().decode()}")
        fields = {}
        while line := response.readline():
            if line != b"\n":
                name, _, value = line.rstrip(b"\n").partition(b": ")
                fields[name] = value
                continue
            if b"data" in fields and fields.get(b"event") != b"notice":
                event = json.loads(fields[b"data"])
                if fields[b"id"] != str(event["seq"]).encode() or fields[b"event"] != event["type"].encode():
                    raise CheckFailed(f"SSE's fields are not the event's: {fields}")
                self._take(fields[b"data"], event["seq"])
            fields = {}
        raise Ended

    def _web_socket(self, port):
        stream = WebSocket(port, f"/v1/rooms/{self.room}/socket?after={len(self.delivered)}", timeout=TIMEOUT)
        self.open = stream.socket
        for text in stream.texts():
            event = json.loads(text)
            if "seq" in event:
                self._take(text, event["seq"])
        raise Ended


def await_all(subscribers, events, seconds):
    """Waits until each has received the events of its room or has failed, or the time is over."""
    end = time.monotonic() + seconds
    for subscriber in subscribers:
        while len(subscriber.delivered) < len(events[subscriber.room]) and subscriber.failure is None and time.monotonic() < end:
            time.sleep(0.01)


class Subscribers:
    """One subscriber for each room, node and transport; alternately staying and moving."""

    def __init__(self, ports, rooms, seed):
        self.all = []
        for number, room in enumerate(rooms):
            for node in range(len(ports)):
                for kind, way in enumerate(("long-poll", "SSE", "WebSocket")):
                    moves = (number + node + kind) % 2 == 1
                    self.all.append(Subscriber(ports, node, room, way, moves, f"{seed} {number} {node} {kind}"))
        for subscriber in self.all:
            subscriber.start()

    def finish(self, events, seconds=20):
        """Waits until each has received every event, ends them, and returns the findings."""
        await_all(self.all, events, seconds)
        findings = []
        for subscriber in self.all:
            subscriber.end()
            findings += [subscriber.failure] if subscriber.failure else []
            log = events[subscriber.room]
            if subscriber.delivered != log:
                at = next((seq for seq, pair in enumerate(zip(subscriber.delivered, log), 1) if pair[0] != pair[1]), None)
                findings.append(f"{subscriber} received {len(subscriber.delivered)} events of {len(log)}" if at is None
                                else f"{subscriber} received at seq {at} {subscriber.delivered[at - 1]!r}, the log has {log[at - 1]!r}")
        return findings

    def count(self):
        return {way: sum(subscriber.way == way for subscriber in self.all) for way in ("long-poll", "SSE", "WebSocket")}

    @property
    def resumed(self):
        return sum(subscriber.lives - 1 for subscriber in self.all)

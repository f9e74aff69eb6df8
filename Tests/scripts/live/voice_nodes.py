"""Two nodes over one PostgreSQL: the one that calls the RTC service is killed, and the other goes on: see test-voice-nodes.sh."""
import os
import re
import time
from pathlib import Path

import postmaster
from cluster import Cluster
from program import require_binary, scratch_folder
from room_setup import guest
from rtc_server import RTCServer
from wire import Connection, check, eventually, expect

# What the article promises.
AGREE_SECONDS = 30
ROUNDS = 3


class Room:
    """A room whose guest is on a seat, and muted and unmuted by the host on any node."""

    def __init__(self, cluster, rtc):
        self.cluster, self.rtc = cluster, rtc
        connection = Connection(cluster.ports[0])
        self.host, self.guest = guest(connection, "Host"), guest(connection, "Guest")
        self.id = expect(connection.call("POST", "/v1/rooms", self.host[1], {"name": "Room"}), 201)["id"]
        self.path = f"/v1/rooms/{self.id}"
        connection.close()
        self.call(0, "/members", self.guest, {"role": "viewer"})
        self.call(0, "/stage/requests", self.guest, {"role": "bidder"})
        self.call(0, "/stage/seats", self.host, {"userId": self.guest[0], "role": "bidder"})

    def call(self, node, path, user, body=None):
        connection = Connection(self.cluster.ports[node])
        try:
            return expect(connection.call("POST", self.path + path, user[1], body), 200, 201)
        finally:
            connection.close()

    def token(self, node):
        return self.call(node, "/stage/voice", self.guest)["token"]

    def mute(self, node, is_muted):
        self.call(node, "/stage/seats/1/mute", self.host, {"muted": is_muted})

    def agrees(self, speaks, what, seconds=AGREE_SECONDS):
        return eventually(lambda: self.rtc.speaks(self.id, self.guest[0]) == speaks, what, seconds)


def done(cluster, node):
    """How many calls of this node have succeeded."""
    connection = Connection(cluster.ports[node])
    text = connection.call("GET", "/metrics").body.decode()
    connection.close()
    return int(re.search(r'^auction_voice_calls_total\{result="done"\} (\d+)$', text, re.M)[1])


def holder_of(cluster):
    """The node that calls."""
    found = [node for node in range(2) if done(cluster, node) > 0]
    check(len(found) == 1, f"the RTC service is called by the nodes {found}")
    return found[0]


def kill_and_agree(cluster, rtc, room):
    """Returns how long both sides took to agree after the kill."""
    old = room.token(0)
    rtc.join(old)
    room.agrees(True, "the guest speaks")
    eventually(lambda: done(cluster, 0) + done(cluster, 1) > 0, "a call has succeeded")
    holder = holder_of(cluster)
    other = 1 - holder
    # The change is in the log, and its call has failed when the node dies.
    rtc.is_away = True
    calls = len(rtc.calls)
    room.mute(other, True)
    eventually(lambda: len(rtc.calls) > calls, "a call fails")
    cluster.kill(holder)
    rtc.is_away = False
    begun = time.monotonic()
    room.agrees(False, "after the kill the guest is muted")
    took = time.monotonic() - begun
    # With the rights of before; and what happens from now on is the other node's.
    rtc.join(old)
    room.agrees(False, "an old token that is used after the kill")
    room.mute(other, False)
    room.agrees(True, "the guest speaks again", 5)
    check(done(cluster, other) > 0, "another process has called")
    # The node that comes back calls nothing: its turn is the next kill of the other.
    cluster.start(holder)
    room.mute(holder, True)
    room.agrees(False, "a change on the node that came back", 5)
    room.mute(holder, False)
    room.agrees(True, "the end of the mute", 5)
    check(done(cluster, holder) == 0, "both nodes call the RTC service")
    return took


def main():
    require_binary()
    rtc = RTCServer()
    with scratch_folder("voice-nodes") as folder:
        secret = os.path.join(folder, "voice-secret")
        Path(secret).write_text("the-secret-of-the-voice-of-this-script\n")
        url = postmaster.database("voice")
        cluster = Cluster([url] * 2, folder, "--voice", "livekit:" + rtc.url, "--voice-key", "APIvoice", "--voice-secret-file", secret)
        room = Room(cluster, rtc)
        took = [kill_and_agree(cluster, rtc, room) for _ in range(ROUNDS)]
        for node in range(2):
            cluster.stop(node)
        rtc.end()
        print(f"voice-nodes: {ROUNDS} kills of the node that calls; both sides agree after at most {max(took):.1f} s, of {AGREE_SECONDS}; "
              f"{len(rtc.calls)} calls")


main()

"""Tokens for a room's sound, before LiveKit's own verifier: see test-voice.sh."""
import json
import os
import subprocess
from pathlib import Path

from packages import programs_of
from program import NO_LIMITS, Server, require_binary, running, scratch_folder
from room_setup import guest
from wire import Connection, check, expect

PACKAGE = "livekit-api==1.2.2"
KEY = "APIvoice"
SECRET = "the-secret-of-the-voice-of-this-script"
# Nothing listens there.
URL = "ws://127.0.0.1:9"


class Verifier:
    """LiveKit's verifier, in a process of its own."""

    def __init__(self, secret_file):
        python = programs_of("livekit-api", PACKAGE) / "python"
        self.process = subprocess.Popen(
            [python, Path(__file__).parent / "voice_claims.py", KEY, secret_file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        running.add(self.process)

    def claims(self, token):
        self.process.stdin.write(token + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline() or '"the token is refused"')

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        running.discard(self.process)


class Room:
    def __init__(self, port, verifier):
        self.connection, self.verifier, self.count = Connection(port), verifier, 0
        self.people = {name: guest(self.connection, name) for name in ("Host", "Auctioneer", "Bidder", "Viewer", "Stranger")}
        self.id = expect(self.call("POST", "/v1/rooms", "Host", {"name": "Room"}), 201)["id"]
        self.path = f"/v1/rooms/{self.id}"
        for name, role in (("Auctioneer", "bidder"), ("Bidder", "bidder"), ("Viewer", "viewer")):
            expect(self.call("POST", self.path + "/members", name, {"role": role}), 201)
        self.change("Auctioneer", {"role": "auctioneer"})

    def call(self, method, path, name, body=None):
        return self.connection.call(method, path, self.people[name][1] if name else None, body)

    def stage(self, path, name, body=None):
        return expect(self.call("POST", f"{self.path}/stage{path}", name, body), 200, 201)

    def change(self, name, body):
        expect(self.call("PATCH", f"{self.path}/members/{self.people[name][0]}", "Host", body), 200)

    def seat(self, name, role):
        handshake = self.stage("/requests", name, {"role": role})["id"]
        self.stage(f"/{handshake}/accept", "Host")
        self.stage(f"/{handshake}/confirm", name)

    def hears(self, speakers, what):
        """Everyone gets a token, and only these may speak."""
        for name in (*self.people, None):
            taken = self.stage("/voice", name)
            claims = self.verifier.claims(taken["token"])
            check(isinstance(claims, dict), f"{what}, {name}: {claims}")
            video, speaks = claims["video"], name in speakers
            check(taken["canPublish"] == speaks and taken["url"] == URL, f"{what}, {name}: {taken}")
            check(video["can_publish"] == speaks and video["can_publish_sources"] == (["microphone"] if speaks else None), f"{what}, {name}: {video}")
            check(video["room_join"] and video["room"] == self.id and video["can_subscribe"] and video["can_publish_data"] is False, f"{video}")
            check(not any(video[grant] for grant in ("room_create", "room_list", "room_admin", "room_record", "ingress_admin")), f"{video}")
            check(claims["name"] == (name or "") and (claims["identity"] == self.people[name][0] if name else "listener_" in claims["identity"]), f"{claims}")
            self.count += 1


def shows(room):
    room.hears({"Host"}, "an empty stage")
    for seat, name, role in ((1, "Viewer", "bidder"), (2, "Bidder", "auctioneer"), (3, "Auctioneer", "bidder")):
        room.seat(name, role)
        room.hears({"Host", name}, f"{name} on a seat")
        room.stage(f"/seats/{seat}/mute", "Host", {"muted": True})
        room.hears({"Host"}, f"{name} on a muted seat")
        room.stage(f"/seats/{seat}/mute", "Host", {"muted": False})
        room.change(name, {"muted": True})
        room.hears({"Host"}, f"{name}, muted in the chat")
    room.change("Viewer", {"muted": False})
    room.stage("/seats/1/move", "Viewer", {"to": 7})
    room.hears({"Host", "Viewer"}, "a move")
    expect(room.call("DELETE", room.path + "/members/me", "Host"), 204)
    room.hears({"Bidder", "Viewer"}, "another host")
    banned = room.call("PATCH", f"{room.path}/members/{room.people['Viewer'][0]}", "Bidder", {"banned": True})
    expect(banned, 200)
    refused = room.call("POST", room.path + "/stage/voice", "Viewer")
    check(refused.status == 403 and refused.code() == "voice.banned", f"a banned member: {refused.status} {refused.code()}")


def main():
    require_binary()
    with scratch_folder("voice") as folder:
        secret_file = os.path.join(folder, "voice-secret")
        Path(secret_file).write_text(SECRET + "\n")
        server = Server("memory:", *NO_LIMITS, "--voice", "livekit:" + URL, "--voice-key", KEY, "--voice-secret-file", secret_file,
                        "--voice-anonymous", "on")
        verifier = Verifier(secret_file)
        room = Room(server.port, verifier)
        shows(room)
        verifier.end()
        server.end()
        print(f"voice: {room.count} tokens hold before LiveKit's verifier, and let speak whom the stage lets speak")


main()

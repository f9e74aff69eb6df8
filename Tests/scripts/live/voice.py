"""Tokens for a room's sound, and the calls to its RTC service, before LiveKit's own library: see test-voice.sh."""
import json
import os
import subprocess
import threading
from pathlib import Path

from packages import programs_of
from program import NO_LIMITS, Server, require_binary, running, scratch_folder
from room_setup import guest
from rtc_server import RTCServer
from wire import Connection, check, eventually, expect

PACKAGE = "livekit-api==1.2.2"
KEY = "APIvoice"
SECRET = "the-secret-of-the-voice-of-this-script"
PATH = "/twirp/livekit.RoomService/"
# By method: what LiveKit's server demands of the token of a call.
GRANTS = {
    "ListParticipants": "room_admin", "UpdateParticipant": "room_admin", "RemoveParticipant": "room_admin", "DeleteRoom": "room_create",
}
FORBIDDEN = ("room_create", "room_list", "room_admin", "room_record", "ingress_admin")


class Library:
    """LiveKit's library, in a process of its own."""

    def __init__(self, secret_file):
        python = programs_of("livekit-api", PACKAGE) / "python"
        self.process = subprocess.Popen(
            [python, Path(__file__).parent / "voice_messages.py", KEY, secret_file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lock = threading.Lock()
        running.add(self.process)

    def ask(self, **request):
        with self.lock:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline() or '{"refused": "the library has ended"}')

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        running.discard(self.process)


class CheckedRTC(RTCServer):
    """Reads calls, and writes its answers, by LiveKit's library. `faults`: what it would refuse. `messages`: by method those that were right."""

    def __init__(self, library):
        self.library, self.faults, self.messages = library, [], {}
        super().__init__()

    def respond(self, path, authorization, body):
        method = path.removeprefix(PATH)
        read = self.library.ask(token=authorization.removeprefix("Bearer "), method=method, body=body)
        fault = read.get("refused") or self.fault(method, read["claims"], read["message"])
        if fault:
            self.faults.append(f"{path} {body}: {fault}")
            return 400, json.dumps({"code": "malformed", "msg": fault})
        self.messages.setdefault(method, []).append(read["message"])
        status, answer = self.answer(method, read["message"])
        return status, json.dumps(answer) if status != 200 else self.library.ask(method=method, answer=answer)

    @staticmethod
    def fault(method, claims, message):
        video = claims["video"]
        if not video[GRANTS[method]] or video["room"] != message["room"]:
            return f"the token lacks {GRANTS[method]} for the room"
        more = [grant for grant in (*FORBIDDEN, "room_join") if video[grant] and grant != GRANTS[method]]
        return f"the token has {more} as well" if more or claims["identity"] else None


class Room:
    def __init__(self, port, library, rtc):
        self.connection, self.library, self.rtc, self.count = Connection(port), library, rtc, 0
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
            read = self.library.ask(token=taken["token"])
            check("claims" in read, f"{what}, {name}: {read}")
            claims = read["claims"]
            video, speaks = claims["video"], name in speakers
            check(taken["canPublish"] == speaks and taken["url"] == self.rtc.url, f"{what}, {name}: {taken}")
            check(video["can_publish"] == speaks and video["can_publish_sources"] == (["microphone"] if speaks else None), f"{what}, {name}: {video}")
            check(video["room_join"] and video["room"] == self.id and video["can_subscribe"] and video["can_publish_data"] is False, f"{video}")
            check(not any(video[grant] for grant in FORBIDDEN), f"{video}")
            check(claims["name"] == (name or "") and (claims["identity"] == self.people[name][0] if name else "listener_" in claims["identity"]), f"{claims}")
            self.count += 1
        for name in self.present:
            self.is_at_rtc(name, name in speakers, what)

    def join(self):
        """All members join, once: what changes later is up to the server."""
        self.present = ("Host", "Auctioneer", "Bidder", "Viewer")
        for name in self.present:
            self.rtc.join(self.stage("/voice", name)["token"])

    def is_at_rtc(self, name, speaks, what):
        """None: they are not there."""
        eventually(lambda: self.rtc.speaks(self.id, self.people[name][0]) == speaks, f"{what}, {name} at the RTC service: {speaks}")


def shows(room):
    room.join()
    room.hears({"Host"}, "an empty stage")
    for seat, name, role in ((1, "Viewer", "bidder"), (2, "Bidder", "auctioneer"), (3, "Auctioneer", "bidder")):
        room.seat(name, role)
        room.hears({"Host", name}, f"{name} on a seat")
        room.stage(f"/seats/{seat}/mute", "Host", {"muted": True})
        room.hears({"Host"}, f"{name} on a muted seat")
        room.stage(f"/seats/{seat}/mute", "Host", {"muted": False})
        room.change(name, {"muted": True})
        room.hears({"Host", name}, f"{name}, muted in the chat")
        room.stage(f"/seats/{seat}/mute", "Host", {"muted": True})
    room.stage("/seats/1/mute", "Host", {"muted": False})
    for seat, other in ((1, 4), (4, 5), (5, 6), (6, 7), (7, 8)):
        room.stage(f"/seats/{seat}/move", "Viewer", {"to": other})
        room.hears({"Host", "Viewer"}, f"seat {other}")
        room.stage(f"/seats/{other}/mute", "Host", {"muted": True})
        room.hears({"Host"}, f"seat {other}, muted")
        room.stage(f"/seats/{other}/mute", "Host", {"muted": False})
    expect(room.call("DELETE", room.path + "/members/me", "Host"), 204)
    room.hears({"Bidder", "Viewer"}, "another host")


def shows_removals(room):
    banned = room.call("PATCH", f"{room.path}/members/{room.people['Viewer'][0]}", "Bidder", {"banned": True})
    expect(banned, 200)
    refused = room.call("POST", room.path + "/stage/voice", "Viewer")
    check(refused.status == 403 and refused.code() == "voice.banned", f"a banned member: {refused.status} {refused.code()}")
    room.is_at_rtc("Viewer", None, "a ban")
    expect(room.call("DELETE", room.path, "Bidder"), 204)
    for name in room.present:
        room.is_at_rtc(name, None, "an archived room")


def main():
    require_binary()
    with scratch_folder("voice") as folder:
        secret_file = os.path.join(folder, "voice-secret")
        Path(secret_file).write_text(SECRET + "\n")
        library = Library(secret_file)
        rtc = CheckedRTC(library)
        server = Server("memory:", *NO_LIMITS, "--voice", "livekit:" + rtc.url, "--voice-key", KEY, "--voice-secret-file", secret_file,
                        "--voice-anonymous", "on")
        room = Room(server.port, library, rtc)
        shows(room)
        shows_removals(room)
        server.end()
        rtc.end()
        check(not rtc.faults, f"{len(rtc.faults)} calls are refused, the first is {rtc.faults[:1]}")
        check(set(rtc.messages) == set(GRANTS), f"calls of each kind: {sorted(rtc.messages)}")
        sources = {tuple(call["permission"].get("canPublishSources", ())) for call in rtc.messages["UpdateParticipant"]}
        check(sources == {(), ("MICROPHONE",)}, f"sources: {sources}")
        library.end()
        calls = sum(map(len, rtc.messages.values()))
        print(f"voice: {room.count} tokens hold before LiveKit's verifier, and let speak whom the stage lets speak; {calls} calls are read by "
              "LiveKit's own messages, with tokens that have what each call needs, and no more")


main()

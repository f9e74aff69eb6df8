"""The sound of a room on the page, with a small script in place of LiveKit's client, which records what it is asked."""
import base64
import contextlib
import hashlib
import http.server
import threading

import checks
from browser import DESKTOP, PHONE, eventually
from room_fixture import RoomFixture
from sign_in_scenarios import served, visitor

# What of LiveKit's client the page uses; `voiceCalls` has what it was asked, and `voiceRooms` its rooms.
CLIENT = b"""globalThis.voiceCalls = []; globalThis.voiceRooms = [];
globalThis.LivekitClient = { Room: class {
  canPlaybackAudio = true; handlers = {};
  localParticipant = { permissions: undefined, setMicrophoneEnabled: async (isOpen) => { voiceCalls.push(['microphone', isOpen]); } };
  constructor() { voiceRooms.push(this); }
  on(event, act) { this.handlers[event] = act; return this; }
  async connect(url, token) { voiceCalls.push(['connect', url, token]); }
  async startAudio() { voiceCalls.push(['startAudio']); this.canPlaybackAudio = true; }
  disconnect() { voiceCalls.push(['disconnect']); }
} };
"""
RTC = "ws://127.0.0.1:9"


@contextlib.contextmanager
def script_server(content):
    """Serves the script to pages of other origins, as a CDN does; yields its address."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            for name, value in (("Content-Type", "text/javascript"), ("Access-Control-Allow-Origin", "*"), ("Content-Length", str(len(content)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/livekit-client.umd.js"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def digest(content):
    return "sha384-" + base64.b64encode(hashlib.sha384(content).digest()).decode()


def voice_options(fixture, client=None):
    path = f"{fixture.folder}/voice-secret"
    with open(path, "w", encoding="ascii") as file:
        file.write("the-secret-of-the-voice-of-these-scenarios")
    options = ("--voice", f"livekit:{RTC}", "--voice-key", "page", "--voice-secret-file", path)
    return (*options, "--voice-client-url", client) if client else options


def room_of(fixture, server):
    there = RoomFixture(fixture.browser, server, fixture.folder)
    there.address = f"http://127.0.0.1:{server.port}"
    return there


def enter(fixture, there, server, name, size):
    """A page of this server with the user's session, in the room."""
    fixture.browser.address = there.address
    try:
        person = there.visitor(name, size)
        person.open(there.link)
    finally:
        fixture.browser.address = fixture.address
    person.see(".live[data-state=live]")
    return person


def calls(person):
    return person.script("return globalThis.voiceCalls ?? []")


def sound(fixture):
    """The page joins as a listener, opens the microphone of who is on stage by a press, and closes it when the seat is muted; it refuses another script."""
    with script_server(CLIENT) as url:
        with served(fixture, "sound", *voice_options(fixture, f"{url}#{digest(CLIENT)}")) as server:
            listens_and_speaks(fixture, server)
        with served(fixture, "sound", *voice_options(fixture, f"{url}#{digest(b'another script')}")) as server:
            refuses_script(fixture, server)
    with served(fixture, "sound", *voice_options(fixture)) as server:
        says_where(fixture, server)


def listens_and_speaks(fixture, server):
    there = room_of(fixture, server)
    there.join("Ann", "bidder")
    ann = enter(fixture, there, server, "Ann", PHONE)
    ann.see(".voice-listen[data-state=on]")
    asked = calls(ann)
    there.check(len(asked) == 1 and asked[0][:2] == ["connect", RTC] and asked[0][2].count(".") == 2, f"the page asked for {asked}")
    there.check(not ann.sees(".voice-microphone"), "a bidder has a microphone")
    ann.shot("phone-listening")
    there.call("POST", "/stage/requests", {"role": "bidder"}, "Ann")
    there.call("POST", "/stage/seats", {"userId": there.people["Ann"]["user"]["id"], "role": "bidder"}, "Hana")
    # What LiveKit tells its client once the server has notified it.
    ann.script("voiceRooms.at(-1).localParticipant.permissions = {canPublish: true}; voiceRooms.at(-1).handlers.participantPermissionsChanged()")
    ann.see(".dock .voice-microphone", "Open the microphone")
    there.check(not any(call[0] == "microphone" for call in calls(ann)), "the microphone was opened without a press")
    checks.inspect(ann, "on stage with a microphone", "phone-microphone")
    ann.press("Open the microphone")
    ann.see(".voice-microphone[aria-pressed=true]", "Close the microphone")
    there.check(calls(ann)[-1] == ["microphone", True], f"the press asked for {calls(ann)[-1]}")
    ann.script("voiceRooms.at(-1).handlers.activeSpeakersChanged([{identity: arguments[0]}])", there.people["Ann"]["user"]["id"])
    ann.press("People", "[role=tab]")
    ann.see(".seat.heard", "Ann")
    there.call("POST", "/stage/seats/1/mute", {"muted": True}, "Hana")
    ann.see(".note", "Your microphone is closed")
    ann.gone(".voice-microphone")
    there.check(calls(ann)[-1] == ["microphone", False], "a muted seat has an open microphone")
    ann.script("voiceRooms.at(-1).handlers.disconnected()")
    eventually(lambda: sum(call[0] == "connect" for call in calls(ann)) == 2, "an interrupted sound is not joined again")
    ann.tap(".voice-listen[data-state=on]")
    ann.see(".voice-listen[data-state=off]")
    ann.press("中文")
    ann.see("[aria-label='收听房间']")
    # A visitor without a name is not asked for one, and gets no token.
    mei = visitor(fixture, server, "Mei", DESKTOP, path=there.link)
    mei.see(".live[data-state=live]")
    mei.tap(".voice-listen[data-state=off]")
    mei.see(".note", "Enter a nickname to listen")
    there.quiet()
    there.connection.close()
    for person in (ann, mei):
        person.close()


def refuses_script(fixture, server):
    there = room_of(fixture, server)
    there.join("Bo", "bidder")
    bo = enter(fixture, there, server, "Bo", PHONE)
    bo.see(".note", "The sound is interrupted")
    there.check(bo.script("return globalThis.LivekitClient === undefined"), "the browser has run a script with another hash")
    there.connection.close()
    bo.close()


def says_where(fixture, server):
    there = room_of(fixture, server)
    bo = enter(fixture, there, server, "Bo", PHONE)
    bo.press("People", "[role=tab]")
    bo.see(".voice-how", "This room has sound")
    there.check(not bo.sees(".voice-listen"), "the page offers to play what it cannot")
    there.connection.close()
    bo.close()


VOICE_SCENARIOS = [sound]

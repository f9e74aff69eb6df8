"""Steps the wall clock of the real program: time follows the monotonic clock."""
import atexit
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

import room_setup
from program import BINARY, NO_LIMITS, Server, ending, require_binary
from recovery_checks import Failure
from wire import Connection, all_events, eventually, expect

SECONDS = 5
# The clock may run a tenth slower, and a busy machine needs time to respond.
MOST = SECONDS * 10 / 9 + 2
LEAST = SECONDS * 0.9
ITEM = {"name": "Lamp", "rules": {
    "startingPrice": "1.00", "listingSeconds": 0, "biddingSeconds": SECONDS, "countdown": "fixed"}}
HOUR = 3600


class Clock:
    """The wall clock of the programs that run under its `wrapper`.

    If the library created its shared memory itself it would move the environment, and Swift would find no arguments. So a waiting
    command has it created first and prints its location from its environment.
    """

    def __init__(self, folder):
        if not shutil.which("faketime"):
            raise SystemExit("this needs Debian's faketime; `make setup-test` installs it")
        self.holder = subprocess.Popen(
            ["faketime", "-m", "-f", "+0", "sh", "-c", "env && exec sleep infinity"], stdout=subprocess.PIPE, text=True,
            start_new_session=True)
        atexit.register(lambda: os.killpg(self.holder.pid, signal.SIGKILL))
        known = {}
        while not {"LD_PRELOAD", "FAKETIME_SHARED"} <= known.keys():
            name, _, value = self.holder.stdout.readline().strip().partition("=")
            known[name] = value
        self.file = os.path.join(folder, "offset")
        self.set(0)
        self.wrapper = [
            "env", f"LD_PRELOAD={known['LD_PRELOAD']}", f"FAKETIME_SHARED={known['FAKETIME_SHARED']}",
            f"FAKETIME_TIMESTAMP_FILE={self.file}", "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1"]

    def set(self, offset):
        """Sets the offset from the machine's clock, in seconds."""
        with open(self.file + ".new", "w") as file:
            file.write(f"{offset:+d}")
        os.rename(self.file + ".new", self.file)


class ServerFixture:
    """A program with its log and users."""

    def __init__(self, folder, clock):
        self.folder, self.clock = folder, clock
        self.store = f"sqlite:{folder}/rooms.db"
        self.start()
        self.host, self.owner, self.bidder = (room_setup.guest(self.connection, name) for name in ("Hana", "Omar", "Bea"))

    def start(self):
        self.server = Server(self.store, *NO_LIMITS, log=f"{self.folder}/log", wrapper=self.clock.wrapper)
        self.connection = Connection(self.server.port)

    def kill(self):
        self.server.kill()
        self.connection.close()

    def copy(self):
        """Copies the log; the next start uses the copy."""
        copied = f"sqlite:{self.folder}/copied.db"
        done = subprocess.run(
            [*self.clock.wrapper, BINARY, "copy", "--from", self.store, "--to", copied], stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != 0:
            raise Failure(f"copy ended with {done.returncode}: {done.stdout}{done.stderr}")
        self.store = copied

    def open(self, name):
        return room_setup.open_round(self.connection, name, self.host, self.owner, [self.bidder], ITEM)

    def state(self, room):
        return expect(self.connection.call("GET", f"/v1/rooms/{room}", self.host[1]), 200)["state"]

    def causes(self, room):
        events = [json.loads(event) for event in all_events(self.connection, room, self.host[1])]
        return [event["data"]["cause"] for event in events if event["type"] == "countdown.moved"]

    def lasts(self, room, since, what):
        """Waits until the round has closed and checks how long it took."""
        while self.state(room) != "closed":
            if time.monotonic() - since > MOST + 10:
                raise Failure(f"{what}: a countdown of {SECONDS} s runs after {time.monotonic() - since:.1f} s")
            time.sleep(0.05)
        took = time.monotonic() - since
        if not LEAST <= took <= MOST:
            raise Failure(f"{what}: a countdown of {SECONDS} s took {took:.1f} s")
        print(f"{what}: a countdown of {SECONDS} s took {took:.1f} s")


def set_back(fixture):
    since = time.monotonic()
    room = fixture.open("back")
    fixture.clock.set(-HOUR)
    fixture.lasts(room, since, "set back by an hour while it runs")


def set_back_at_a_restart(fixture):
    room = fixture.open("restart")
    fixture.kill()
    fixture.clock.set(-2 * HOUR)
    fixture.start()
    since = time.monotonic()
    if "outage" not in fixture.causes(room):
        raise Failure("the deadline was not extended at the restart")
    fixture.lasts(room, since, "set back by an hour at a restart")
    since = time.monotonic()
    fixture.lasts(fixture.open("after"), since, "begun after that restart")


def send_message(fixture, room, key):
    return fixture.connection.call("POST", f"/v1/rooms/{room}/messages", fixture.bidder[1], {"text": "hello"}, key=key)


def expect_replay(fixture, room, key, first, what):
    again = send_message(fixture, room, key)
    if again.headers.get("idempotency-replayed") != "true" or again.body != first.body:
        raise Failure(f"{what}: the key is forgotten: {again.status} {again.body[:200]}")


def jump(fixture):
    room = fixture.open("jump")
    since = time.monotonic()
    first = send_message(fixture, room, "key-of-before-the-jump")
    expect(first, 201)
    path = f"/v1/rooms/{room}"
    ticket = expect(fixture.connection.call("POST", path + "/tickets", fixture.bidder[1]), 201)["ticket"]
    fixture.clock.set(23 * HOUR)
    expect_replay(fixture, room, "key-of-before-the-jump", first, "after a jump of 25 hours")
    expect(fixture.connection.call("GET", f"{path}/events?after=0&ticket={ticket}"), 200)
    eventually(lambda: fixture.causes(room) == ["clock"], "the jump extends the deadline", 2, error=Failure)
    fixture.lasts(room, since, "after a jump of 25 hours")
    # The jump has been stored by now.
    fixture.kill()
    fixture.start()
    expect_replay(fixture, room, "key-of-before-the-jump", first, "after a jump of 25 hours and a restart")
    fixture.kill()
    fixture.copy()
    fixture.start()
    expect_replay(fixture, room, "key-of-before-the-jump", first, "after a jump of 25 hours and in a copy")
    fixture.clock.set(23 * HOUR + 8 * 24 * HOUR)
    expect(fixture.connection.call("GET", path, fixture.bidder[1]), 200)
    print("a key, a ticket and tokens of before a jump of 25 hours and of 8 days are good after it, after a restart, and in a copy")


def main():
    require_binary()
    with tempfile.TemporaryDirectory() as folder:
        fixture = ServerFixture(folder, Clock(folder))
        set_back(fixture)
        set_back_at_a_restart(fixture)
        jump(fixture)
        if fixture.server.terminate()[0] != 0:
            raise Failure("it does not end well")


if __name__ == "__main__":
    with ending("FAILED", Failure):
        main()

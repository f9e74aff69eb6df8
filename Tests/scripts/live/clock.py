"""A wall clock that is set under the real program: time runs by the monotonic clock (product.md, section 6, points 2 and 5)."""
import atexit
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

import people
from program import NO_LIMITS, Server, require_binary
from promises import Failure
from wire import Connection, all_events, expect

SECONDS = 5
# A tenth slower at most, and what a program under test on a busy machine needs to answer.
MOST = SECONDS * 10 / 9 + 2
LEAST = SECONDS * 0.9
ITEM = {"name": "Lamp", "rules": {
    "startingPrice": "1.00", "listingSeconds": 0, "biddingSeconds": SECONDS, "countdown": "fixed"}}
HOUR = 3600


class Clock:
    """The wall clock of the programs that are started behind it.

    The library would make its shared memory itself, and move the environment for it: then Swift finds no arguments. So a command
    that only waits has it made, and says in its environment where it is.
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
        """So many seconds beside the machine's."""
        with open(self.file + ".new", "w") as file:
            file.write(f"{offset:+d}")
        os.rename(self.file + ".new", self.file)


class House:
    """A program with its log, and people in it."""

    def __init__(self, folder, clock):
        self.folder, self.clock = folder, clock
        self.start()
        self.host, self.owner, self.bidder = (people.guest(self.connection, name) for name in ("Hana", "Omar", "Bea"))

    def start(self):
        self.server = Server(f"sqlite:{self.folder}/rooms.db", *NO_LIMITS, log=f"{self.folder}/log",
                             wrapper=self.clock.wrapper)
        self.connection = Connection(self.server.port)

    def kill(self):
        self.server.kill()
        self.connection.close()

    def open(self, name):
        return people.open_round(self.connection, name, self.host, self.owner, [self.bidder], ITEM)

    def state(self, room):
        return expect(self.connection.call("GET", f"/v1/rooms/{room}", self.host[1]), 200)["state"]

    def causes(self, room):
        events = [json.loads(event) for event in all_events(self.connection, room, self.host[1])]
        return [event["data"]["cause"] for event in events if event["type"] == "countdown.moved"]

    def lasts(self, room, since, what):
        """Waits until the round is over, and says how long it took."""
        while self.state(room) != "closed":
            if time.monotonic() - since > MOST + 10:
                raise Failure(f"{what}: a countdown of {SECONDS} s runs after {time.monotonic() - since:.1f} s")
            time.sleep(0.05)
        took = time.monotonic() - since
        if not LEAST <= took <= MOST:
            raise Failure(f"{what}: a countdown of {SECONDS} s took {took:.1f} s")
        print(f"{what}: a countdown of {SECONDS} s took {took:.1f} s")


def set_back(house):
    since = time.monotonic()
    room = house.open("back")
    house.clock.set(-HOUR)
    house.lasts(room, since, "set back by an hour while it runs")


def set_back_at_a_restart(house):
    room = house.open("restart")
    house.kill()
    house.clock.set(-2 * HOUR)
    house.start()
    since = time.monotonic()
    if "outage" not in house.causes(room):
        raise Failure("the countdown was not moved at the restart")
    house.lasts(room, since, "set back by an hour at a restart")
    since = time.monotonic()
    house.lasts(house.open("after"), since, "begun after that restart")


def say(house, room, key):
    return house.connection.call("POST", f"/v1/rooms/{room}/messages", house.bidder[1], {"text": "hello"}, key=key)


def expect_replay(house, room, key, first, what):
    again = say(house, room, key)
    if again.headers.get("idempotency-replayed") != "true" or again.body != first.body:
        raise Failure(f"{what}: the key is forgotten: {again.status} {again.body[:200]}")


def jump(house):
    room = house.open("jump")
    since = time.monotonic()
    first = say(house, room, "key-of-before-the-jump")
    expect(first, 201)
    path = f"/v1/rooms/{room}"
    ticket = expect(house.connection.call("POST", path + "/tickets", house.bidder[1]), 201)["ticket"]
    house.clock.set(23 * HOUR)
    expect_replay(house, room, "key-of-before-the-jump", first, "after a jump of 25 hours")
    expect(house.connection.call("GET", f"{path}/events?after=0&ticket={ticket}"), 200)
    until = time.monotonic() + 2
    while house.causes(room) != ["clock"]:
        if time.monotonic() > until:
            raise Failure(f"the jump moved nothing: {house.causes(room)}")
        time.sleep(0.02)
    house.lasts(room, since, "after a jump of 25 hours")
    # Housekeeping has stored the jump by now.
    house.kill()
    house.start()
    expect_replay(house, room, "key-of-before-the-jump", first, "after a jump of 25 hours and a restart")
    house.clock.set(23 * HOUR + 8 * 24 * HOUR)
    expect(house.connection.call("GET", path, house.bidder[1]), 200)
    print("a key, a ticket and tokens of before a jump of 25 hours and of 8 days are good after it, and after a restart")


def main():
    require_binary()
    with tempfile.TemporaryDirectory() as folder:
        house = House(folder, Clock(folder))
        set_back(house)
        set_back_at_a_restart(house)
        jump(house)
        if house.server.terminate()[0] != 0:
            raise Failure("it does not end well")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        raise SystemExit(f"FAILED: {failure}")

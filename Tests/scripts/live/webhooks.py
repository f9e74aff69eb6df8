"""Webhooks while the service and the receiver are killed: the receiver's ledger is the log. See test-webhooks.sh for the variables."""
import hashlib
import os
import random
import socket
import subprocess
import threading
import time
from pathlib import Path

from packages import programs_of
from program import NO_LIMITS, Server, require_binary, running, scratch_folder, verify
from room_setup import guest
from wire import Connection, ConnectionLost, check, eventually, expect

EVENTS = int(os.environ.get("WEBHOOK_EVENTS", "10000"))
KILLS = int(os.environ.get("WEBHOOK_KILLS", "10"))
SEED = int(os.environ.get("WEBHOOK_SEED") or random.SystemRandom().getrandbits(32))
ROOMS = 8
PACKAGE = "standardwebhooks==1.1.0"
ADMIN = "the-token-of-the-operator-of-this-test"
# Long enough for deliveries that have failed three times.
SECONDS = 400


class Receiver:
    """The receiver's process, on one port through all its lives."""

    def __init__(self, folder):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.ledger = os.path.join(folder, "ledger")
        self.python = programs_of("standardwebhooks", PACKAGE) / "python"
        self.secret, self.process = None, None

    def start(self):
        program = Path(__file__).parent / "webhook_receiver.py"
        self.process = subprocess.Popen([self.python, program, str(self.port), self.ledger, self.secret])
        running.add(self.process)

    def kill(self):
        self.process.kill()
        self.process.wait()
        running.discard(self.process)

    def taken(self):
        try:
            with open(self.ledger) as lines:
                return lines.read().split()
        except FileNotFoundError:
            return []


class Run:
    def __init__(self, folder):
        self.folder = folder
        self.rng = random.Random(SEED)
        self.store = "sqlite:" + os.path.join(folder, "rooms.db")
        self.token_file = os.path.join(folder, "admin-token")
        with open(self.token_file, "w") as file:
            file.write(ADMIN)
        self.receiver = Receiver(folder)
        self.start()
        connection = Connection(self.server.port)
        made = expect(connection.call("POST", "/v1/admin/webhooks", ADMIN, {"url": f"http://127.0.0.1:{self.receiver.port}/"}), 201)
        self.webhook, self.receiver.secret = made["id"], made["secret"]
        self.receiver.start()
        self.hosts = [guest(connection, f"Host {number}") for number in range(ROOMS)]
        self.rooms = [expect(connection.call("POST", "/v1/rooms", host[1], {"name": "Room"}), 201)["id"] for host in self.hosts]
        connection.close()
        self.sent = 0
        self.is_done = False

    def start(self):
        self.server = Server(
            self.store, *NO_LIMITS, "--limit-messages-per-second", "0", "--limit-room-bytes", "0", "--admin-token-file", self.token_file,
            "--webhooks-allow", "127.0.0.1", log=os.path.join(self.folder, "log"))

    def talk(self):
        """Sends messages to all rooms, through all lives of the service."""
        connection = None
        while self.sent < EVENTS:
            number = self.sent % ROOMS
            try:
                connection = connection or Connection(self.server.port)
                answer = connection.call("POST", f"/v1/rooms/{self.rooms[number]}/messages", self.hosts[number][1], {"text": f"{self.sent}"})
                self.sent += answer.status == 201
            except ConnectionLost:
                connection = None
                time.sleep(0.02)
        self.is_done = True

    def kill_both(self):
        """Kills one, then the other, and so on, spread over the messages."""
        for number in range(2 * KILLS):
            goal = EVENTS * (number + 1) // (2 * KILLS + 1)
            eventually(lambda goal=goal: self.sent >= goal, f"{goal} messages are sent", SECONDS, pause=0.01)
            time.sleep(self.rng.uniform(0, 0.3))
            if number % 2:
                self.receiver.kill()
                time.sleep(self.rng.uniform(0, 0.5))
                self.receiver.start()
            else:
                self.server.kill()
                self.start()

    def logged(self):
        """The ids of the messages of all events in the log, in the feed's order."""
        connection, ids, after = Connection(self.server.port), [], ""
        while True:
            page = expect(connection.call("GET", f"/v1/feed?limit=1000{after}", ADMIN), 200)
            for one in page["events"]:
                # The third part of a cursor is of the event's hash.
                named = f"{self.webhook} {one['room']} {one['event']['seq']} {one['cursor'][32:48]} {one['event']['type']}"
                ids.append("msg_" + hashlib.sha256(named.encode()).hexdigest()[:32])
            after = f"&after={page['next']}"
            if not page["more"]:
                return ids, page["next"]

    def conclude(self):
        Path(self.receiver.ledger + ".calm").touch()
        ids, end = self.logged()

        def is_through():
            [webhook] = expect(Connection(self.server.port).call("GET", "/v1/admin/webhooks", ADMIN), 200)["webhooks"]
            check(webhook["paused"] is None, f"the webhook is paused: {webhook}")
            return webhook["parked"] == 0 and webhook["cursor"] == end

        eventually(is_through, "everything is delivered", SECONDS, pause=0.5)
        taken = self.receiver.taken()
        check(len(set(ids)) == len(ids) > EVENTS, f"{len(ids)} events in the log")
        missing, invented = set(ids) - set(taken), set(taken) - set(ids)
        check(not missing and not invented, f"{len(missing)} events are missing in the ledger, {len(invented)} are not in the log")
        deliveries = expect(Connection(self.server.port).call("GET", f"/v1/admin/webhooks/{self.webhook}/deliveries", ADMIN), 200)
        check(len(deliveries["deliveries"]) == 100 and not deliveries["failed"], f"{deliveries['failed']}")
        check(all(one["status"] != 401 for one in deliveries["deliveries"]), "a signature is refused")
        return len(ids), len(taken)


def main():
    require_binary()
    began = time.monotonic()
    print(f"webhooks: seed {SEED}, {EVENTS} events, {KILLS} kills of either side", flush=True)
    with scratch_folder("webhooks", f"seed {SEED}, ") as folder:
        run = Run(folder)
        talker = threading.Thread(target=run.talk, daemon=True)
        talker.start()
        run.kill_both()
        eventually(lambda: run.is_done, "all messages are sent", SECONDS)
        sending = time.monotonic() - began
        events, taken = run.conclude()
        run.server.end()
        run.receiver.kill()
        check(not verify(run.store), "verify finds something")
    print(
        f"webhooks: {events} events, all taken, {taken - events} of them twice or more often, nothing else; {2 * KILLS} kills; "
        f"sent in {sending:.0f} s, delivered after {time.monotonic() - began:.0f} s")


main()

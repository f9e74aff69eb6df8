"""Two nodes over one PostgreSQL whose webhooks are paused while one of them is killed: see test-feed-notices.sh."""
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import postmaster
from cluster import Cluster
from program import require_binary, scratch_folder
from room_setup import guest
from wire import Connection, ConnectionLost, check, eventually, expect, in_parallel

ADMIN = "the-token-of-the-operator-of-this-test"
ROUNDS = 2
# Of each kind: those that respond with 410, and those that an operator pauses.
WEBHOOKS = 6
# A waiting reader learns of a pause by another node after a second, beside a build maybe later.
SECONDS = 5


class Gone(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(410)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Reader(threading.Thread):
    """Follows the feed at one node, at the other one while that is down, with one cursor."""

    def __init__(self, cluster, node):
        super().__init__(daemon=True)
        self.cluster, self.node = cluster, node
        self.events, self.times, self.failure = [], {}, None

    def run(self):
        path = "/v1/feed?types=webhook.paused&wait=20"
        after = ""
        while True:
            port = self.cluster.ports[self.node] or self.cluster.ports[1 - self.node]
            try:
                connection = Connection(port, timeout=40)
                response = connection.call("GET", path + after, ADMIN)
                connection.close()
            except (ConnectionLost, OSError):
                time.sleep(0.05)
                continue
            # A node that stops or starts.
            if response.status == 503:
                time.sleep(0.05)
                continue
            if response.status != 200:
                self.failure = response.status
                return
            page = response.json()
            for entry in page["events"]:
                key = (entry["event"]["data"]["webhook"], entry["event"]["at"])
                self.events.append((key, entry["event"]["data"]["reason"]))
                self.times[key] = time.time()
            after = "&after=" + page["next"]


class Run:
    def __init__(self, cluster, url):
        self.cluster, self.url = cluster, url
        connection = Connection(cluster.ports[0])
        self.host = guest(connection, "Host")
        self.room = expect(connection.call("POST", "/v1/rooms", self.host[1], {"name": "Room"}), 201)["id"]
        connection.close()
        self.gone = [self.create({"url": url}) for _ in range(WEBHOOKS)]
        # Without events.
        self.quiet = [self.create({"url": url, "types": ["item.sold"]}) for _ in range(WEBHOOKS)]
        self.readers = [Reader(cluster, node) for node in range(2)]
        for reader in self.readers:
            reader.start()

    def call(self, node, method, path, body=None, token=ADMIN):
        connection = Connection(self.cluster.ports[node])
        try:
            return expect(connection.call(method, path, token, body), 200, 201)
        finally:
            connection.close()

    def create(self, body):
        return self.call(0, "POST", "/v1/admin/webhooks", body)["id"]

    def pauses(self, node=0):
        """When each webhook that is paused was."""
        webhooks = self.call(node, "GET", "/v1/admin/webhooks")["webhooks"]
        return {(webhook["id"], webhook["paused"]["at"]): webhook["paused"]["reason"] for webhook in webhooks if webhook["paused"]}

    def pause_all(self, killed=None):
        """All webhooks are paused, by both nodes; returns how late the slowest reader was."""
        count = len(self.readers[0].events)
        node = 0 if killed is None else 1 - killed
        self.call(node, "POST", f"/v1/rooms/{self.room}/messages", {"text": "hello"}, self.host[1])
        # Both nodes write at the same time.
        in_parallel(WEBHOOKS, lambda index: self.call(
            node if killed is not None else index % 2, "POST", f"/v1/admin/webhooks/{self.quiet[index]}/pause", {}))
        if killed is not None:
            self.cluster.kill(killed)
        eventually(lambda: len(self.pauses(node)) == 2 * WEBHOOKS, "all webhooks are paused", 60)
        paused, begun = self.pauses(node), time.time()
        for reader in self.readers:
            eventually(lambda: reader.failure or len(reader.events) >= count + 2 * WEBHOOKS, "a reader has all notices", 30)
            check(reader.failure is None, f"a reader got {reader.failure}")
            check(dict(reader.events[count:]) == paused, f"a reader got {reader.events[count:]}, paused are {paused}")
        check(self.readers[0].events == self.readers[1].events, "both readers have the same order")
        return max(0, max(max(reader.times[key] for key in paused) for reader in self.readers) - begun)

    def resume_all(self):
        for webhook in self.gone + self.quiet:
            self.call(0, "POST", f"/v1/admin/webhooks/{webhook}/resume", {})


def main():
    require_binary()
    endpoint = ThreadingHTTPServer(("127.0.0.1", 0), Gone)
    threading.Thread(target=endpoint.serve_forever, daemon=True).start()
    with scratch_folder("feed-notices") as folder:
        token_file = os.path.join(folder, "admin-token")
        Path(token_file).write_text(ADMIN + "\n")
        url = postmaster.database("notices")
        cluster = Cluster([url] * 2, folder, "--admin-token-file", token_file, "--webhooks-allow", "127.0.0.0/8")
        run = Run(cluster, f"http://127.0.0.1:{endpoint.server_port}/")
        late = run.pause_all()
        check(late < SECONDS, f"a reader got a notice {late:.1f} s late")
        for number in range(ROUNDS):
            run.resume_all()
            run.pause_all(killed=number % 2)
            cluster.start(number % 2)
        for node in range(2):
            cluster.stop(node)
        print(f"feed-notices: {len(run.readers[0].events)} pauses by two nodes, {ROUNDS} kills; each reader got each once, in one order, "
              f"after {late:.1f} s at most while both nodes ran")


main()

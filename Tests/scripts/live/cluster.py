"""Several nodes of the real program over one PostgreSQL."""
import time

from program import NO_LIMITS, Server
from wire import Connection, CheckFailed


class Cluster:
    """The nodes; a port is 0 while its node is down. `absences`: of each node, [from, until] in milliseconds."""

    def __init__(self, urls, folder, *options):
        """Each node reaches the database by a URL of its own."""
        self.urls, self.folder, self.options = urls, folder, options
        self.servers = [None] * len(urls)
        self.ports = [0] * len(urls)
        self.absences = [[] for _ in urls]
        self.kills = self.stops = 0
        for node in range(len(urls)):
            self.start(node)

    def start(self, node):
        """A node that is started again has the port that it had."""
        port = str(self.servers[node].port) if self.servers[node] else "0"
        self.servers[node] = Server(self.urls[node], *NO_LIMITS, "--threads", "1", "--log-level", "warning", "--port", port, *self.options,
                                    log=f"{self.folder}/node-{node}.log", timeout=60)
        self.ports[node] = self.servers[node].port
        if self.absences[node]:
            self.absences[node][-1][1] = time.time() * 1000

    def kill(self, node):
        self._goes(node)
        self.ports[node] = 0
        self.servers[node].kill()
        self.kills += 1

    def stop(self, node):
        """Stops a node gracefully while clients still use it."""
        self._goes(node)
        code, output = self.servers[node].terminate()
        self.ports[node] = 0
        self.stops += 1
        if code or output:
            raise CheckFailed(f"node {node} ended with {code}, {output!r}")

    def _goes(self, node):
        self.absences[node].append([time.time() * 1000, float("inf")])

    def ready(self):
        return all(self.is_ready(node) for node in range(len(self.ports)))

    def is_ready(self, node):
        connection = Connection(self.ports[node])
        try:
            return connection.call("GET", "/readyz").status == 200
        finally:
            connection.close()

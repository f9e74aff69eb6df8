"""Several nodes of the real program over one PostgreSQL."""
from program import NO_LIMITS, Server
from wire import Connection, CheckFailed


class Cluster:
    """The nodes; a port is 0 while its node is down."""

    def __init__(self, urls, folder):
        """Each node reaches the database by a URL of its own."""
        self.urls, self.folder = urls, folder
        self.servers = [None] * len(urls)
        self.ports = [0] * len(urls)
        self.kills = self.stops = 0
        for node in range(len(urls)):
            self.start(node)

    def start(self, node):
        self.servers[node] = Server(self.urls[node], *NO_LIMITS, "--threads", "1", "--log-level", "warning",
                                    log=f"{self.folder}/node-{node}.log", timeout=60)
        self.ports[node] = self.servers[node].port

    def kill(self, node):
        self.ports[node] = 0
        self.servers[node].kill()
        self.kills += 1

    def stop(self, node):
        """Stops a node gracefully while clients still use it."""
        code, output = self.servers[node].terminate()
        self.ports[node] = 0
        self.stops += 1
        if code or output:
            raise CheckFailed(f"node {node} ended with {code}, {output!r}")

    def ready(self):
        return all(self.is_ready(node) for node in range(len(self.ports)))

    def is_ready(self, node):
        connection = Connection(self.ports[node])
        try:
            return connection.call("GET", "/readyz").status == 200
        finally:
            connection.close()

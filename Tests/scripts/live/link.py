"""A network link to PostgreSQL that a test can cut: a TCP proxy, a thread per direction of each connection."""
import socket
import struct
import threading

OPEN, REFUSED = "open", "refused"
# What is held back: everything, the node's requests, the server's replies.
SILENT, REQUESTS_LOST, REPLIES_LOST = "silent", "deaf server", "deaf node"
LOST = {SILENT: ("up", "down"), REQUESTS_LOST: ("up",), REPLIES_LOST: ("down",)}
# The last of the replies to a transaction: ReadyForQuery, outside one.
COMPLETE = b"Z\x00\x00\x00\x05I"
# In a Bind message: no portal, one of the statements that append (`AppendStatement`).
APPEND = b"\x00append_"


class Link:
    """`url` leads through it."""

    def __init__(self, url):
        head, _, tail = url.rpartition("@")
        address, _, rest = tail.partition("/")
        host, _, port = address.partition(":")
        self.server = (host, int(port))
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.url = f"{head}@127.0.0.1:{self.listener.getsockname()[1]}/{rest}"
        self.changed = threading.Condition()
        self.state, self.pairs, self.lost_replies, self.lost_requests = OPEN, [], 0, 0
        self._loses = None
        threading.Thread(target=self._accept, daemon=True).start()

    # What a test does to it.

    def reset(self):
        """Resets every connection at both ends and refuses new ones until `heal`."""
        self._become(REFUSED)
        self.drop()

    def silence(self, state=SILENT):
        """Holds data back, as with retransmitted packets, until `heal` or until the connection is forgotten."""
        self._become(state)

    def heal(self, forgets=False):
        """`forgets`: existing connections stay cut without an error, as when a device between the ends lost its state."""
        with self.changed:
            if forgets:
                for pair in self.pairs:
                    pair.forgotten = True
            self.state = OPEN
            self.changed.notify_all()

    def drop(self):
        """Resets what is connected now."""
        with self.changed:
            pairs, self.pairs = self.pairs, []
        for pair in pairs:
            pair.reset()

    def lose_reply(self):
        """The next append is carried out, and its reply lost with the connection."""
        self._loses = "reply"

    def lose_request(self):
        """The next append is lost with the connection."""
        self._loses = "request"

    def lose_nothing(self):
        """What `lose_reply` or `lose_request` asked for is not done if it has not been yet."""
        self._loses = None

    def close(self):
        self.listener.close()
        self.heal()
        self.drop()

    def _become(self, state):
        with self.changed:
            self.state = state
            self.changed.notify_all()

    # How it does it.

    def _accept(self):
        while True:
            try:
                node, _ = self.listener.accept()
            except OSError:
                return
            if self.state == REFUSED:
                Pair.abort(node)
            else:
                threading.Thread(target=self._connect, args=(node,), daemon=True).start()

    def _connect(self, node):
        # A connection begins with what the node sends and goes on with what it hears.
        self._wait(None, "up")
        try:
            pair = Pair(node, socket.create_connection(self.server))
        except OSError:
            return Pair.abort(node)
        with self.changed:
            self.pairs.append(pair)
        for direction in ("up", "down"):
            threading.Thread(target=self._pump, args=(pair, direction), daemon=True).start()
        return None

    def _wait(self, pair, direction):
        """Waits until data of that direction may pass."""
        with self.changed:
            while direction in LOST.get(self.state, ()) or pair is not None and pair.forgotten:
                self.changed.wait()

    def _pump(self, pair, direction):
        source, target = (pair.node, pair.server) if direction == "up" else (pair.server, pair.node)
        try:
            while data := source.recv(65536):
                if self._takes(pair, direction, data):
                    continue
                self._wait(pair, direction)
                target.sendall(data)
            self._wait(pair, direction)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pair.reset()

    def _takes(self, pair, direction, data):
        """Whether this data is dropped together with its connection."""
        if direction == "up" and self._loses and APPEND in data:
            loses, self._loses = self._loses, None
            if loses == "request":
                self.lost_requests += 1
                pair.reset()
                return True
            pair.drops_reply = True
        if direction == "down" and pair.drops_reply:
            pair.swallowed += data
            if pair.swallowed.endswith(COMPLETE):
                self.lost_replies += 1
                pair.reset()
            return True
        return False


class Pair:
    """A connection from the node and the proxied one to the server."""

    def __init__(self, node, server):
        self.node, self.server = node, server
        self.forgotten = self.drops_reply = False
        self.swallowed = b""
        for end in (node, server):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def reset(self):
        for end in (self.node, self.server):
            self.abort(end)

    @staticmethod
    def abort(end):
        """RST instead of FIN."""
        try:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            # Wakes a blocked reader; closing alone does not.
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        end.close()

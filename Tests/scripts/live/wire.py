"""A minimal HTTP client: keep-alive connections and unmodified response bytes."""
import contextlib
import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime


class ConnectionLost(Exception):
    """The connection ended before the whole response arrived: the outcome of the request is unknown."""


class CheckFailed(Exception):
    """An unexpected response, or a check that does not hold."""


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    def code(self):
        """The code of a problem; None for everything else."""
        if self.headers.get("content-type") != "application/problem+json":
            return None
        return self.json().get("code")


class Connection:
    def __init__(self, port, timeout=20, source=None):
        """`source`: which of this machine's addresses it comes from; all of 127.0.0.0/8 are."""
        self.port, self.timeout, self.source = port, timeout, source and (source, 0)
        self.socket = None
        self.rest = b""

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket, self.rest = None, b""

    def call(self, method, path, token=None, body=None, key=None, headers=()):
        """Sends a request and reads its answer. `body` is bytes, or anything that becomes JSON."""
        if body is None:
            body = b"{}" if method in ("POST", "PATCH") else b""
        elif not isinstance(body, bytes):
            body = json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}"]
        if token:
            lines.append("Authorization: Bearer " + token)
        if key:
            lines.append("Idempotency-Key: " + key)
        if body:
            lines += [f"Content-Length: {len(body)}"]
            if not any(header.startswith("Content-Type:") for header in headers):
                lines += ["Content-Type: application/json"]
        lines += headers
        request = "\r\n".join(lines).encode() + b"\r\n\r\n" + body
        try:
            if self.socket is None:
                self.socket = socket.create_connection(("127.0.0.1", self.port), self.timeout, self.source)
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.socket.sendall(request)
            return self._answer()
        except OSError as error:
            self.close()
            raise ConnectionLost(str(error)) from error

    def _answer(self):
        while b"\r\n\r\n" not in self.rest:
            self._more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines:
            name, value = line.split(":", 1)
            headers[name.lower()] = value.strip()
        length = int(headers.get("content-length", "0"))
        while len(self.rest) < length:
            self._more()
        body, self.rest = self.rest[:length], self.rest[length:]
        if headers.get("connection", "").lower() == "close":
            self.close()
        return Response(int(first.split(" ")[1]), headers, body)

    def _more(self):
        piece = self.socket.recv(65536)
        if not piece:
            raise OSError("closed by the server")
        self.rest += piece


@contextlib.contextmanager
def noting(failures, connections):
    """For what a thread does: a check that fails is noted, and the connections are closed."""
    try:
        yield
    except CheckFailed as failure:
        failures.append(str(failure))
    finally:
        for connection in connections:
            connection.close()


def check(holds, text):
    if not holds:
        raise CheckFailed(text)


class Checks:
    """`check` that counts its calls."""

    def __init__(self):
        self.count = 0

    def __call__(self, holds, text):
        self.count += 1
        check(holds, text)


def eventually(holds, what, seconds=20, pause=0.05, error=CheckFailed):
    """Waits until it holds; returns how many seconds that took."""
    begun = time.monotonic()
    while not holds():
        if time.monotonic() - begun > seconds:
            raise error(f"{what}: not within {seconds} s")
        time.sleep(pause)
    return time.monotonic() - begun


def require_none(findings):
    """Fails with them all if there are any."""
    check(not findings, listed(findings))


def listed(findings):
    return f"{len(findings)} finding(s):\n" + "\n".join("  " + finding for finding in findings[:20])


def in_parallel(count, work):
    """Calls `work` with each number below `count`, each in a thread; returns the results, or raises what one of them raised."""
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def p99(took):
    return sorted(took)[int(len(took) * 0.99)]


def expect(response, *statuses):
    """The JSON of an answer that must have one of these statuses."""
    if response.status not in statuses:
        raise CheckFailed(f"expected {statuses}, got {response.status}: {response.body.decode(errors='replace')}")
    return response.json() if response.body else None


def milliseconds(text):
    return None if text is None else round(datetime.fromisoformat(text).timestamp() * 1000)


def units(text):
    """An amount of a currency with two digits in its minor unit."""
    major, minor = text.split(".")
    assert len(minor) == 2, text
    return int(major) * 100 + int(minor)


def raw_events(body):
    """The events of a long-poll answer as the bytes that were sent, one by one."""
    text = body.decode()
    start = text.index('"events":[') + len('"events":[')
    events, decoder = [], json.JSONDecoder()
    while text[start] != "]":
        _, end = decoder.raw_decode(text, start)
        events.append(text[start:end].encode())
        start = end + 1 if text[end] == "," else end
    return events


def all_events(connection, room, token=None):
    """The whole history of a room as sent."""
    events = []
    while True:
        response = connection.call("GET", f"/v1/rooms/{room}/events?after={len(events)}&limit=256", token)
        if response.status != 200:
            raise CheckFailed(f"the events of {room} cannot be read: {response.status} {response.body.decode(errors='replace')}")
        events += raw_events(response.body)
        if not response.json()["more"]:
            return events


def histories(port, rooms):
    """The whole history of each room as a server tells it."""
    connection = Connection(port)
    try:
        return {room: all_events(connection, room) for room in rooms}
    finally:
        connection.close()

"""The proxy of docker/compose.yaml in front of the real program: what only it can stop, and what it must let through.

The server's own gate never sees some ambiguities, because libmicrohttpd has read them away. Each of them is sent to nginx with
docker/nginx.conf; what arrives behind it has to be refused or clear."""
import pathlib
import re
import socket
import subprocess
import tempfile
import threading
import time

import program
from wire import Connection, Surprise

# Raw requests that the server alone would take.
AMBIGUOUS = {
    "a bare line feed ends a line": b"GET /healthz HTTP/1.1\nHost: a\n\n",
    "a header folded over two lines": b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-One: a\r\n b\r\n\r\n",
    "a NUL in a value": b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-One: a\0b\r\n\r\n",
    "a NUL in a length": b"POST /v1/guests HTTP/1.1\r\nHost: a\r\nContent-Length: 1\x006\r\n\r\n{\"nickname\":\"a\"}",
    "a header without a name": b"GET /healthz HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n",
    "several spaces in the request line": b"GET  /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    "chunk extensions": b"POST /v1/guests HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                        b"Transfer-Encoding: chunked\r\n\r\n10;a=b\r\n{\"nickname\":\"a\"}\r\n0\r\n\r\n",
    "trailers": b"POST /v1/guests HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                b"Transfer-Encoding: chunked\r\n\r\n10\r\n{\"nickname\":\"a\"}\r\n0\r\nContent-Length: 3\r\n\r\n",
    "an empty line before a request": b"\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
}
# No request of a proxy may have any of these; lines end with CR LF, and one empty line ends the head.
CLEAR = re.compile(rb"(?:GET|POST) [!-~]+ HTTP/1\.1\r\n(?:[A-Za-z0-9-]+: [^\x00-\x08\x0a-\x1f\x7f]*\r\n)+\r\n(.*)", re.DOTALL)


def check(holds, complaint):
    if not holds:
        raise Surprise(complaint)


class Recorder(threading.Thread):
    """Stands where the server would, answers 200 to everything and keeps what came, byte for byte."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.requests = []
        self.start()

    def run(self):
        while True:
            client, _ = self.socket.accept()
            client.settimeout(0.3)
            data = b""
            try:
                while more := client.recv(65536):
                    data += more
            except OSError:
                pass
            self.requests.append(data)
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            client.close()


class Proxy:
    """nginx with docker/nginx.conf, on a free port, in front of that one."""

    def __init__(self, folder, upstream):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        text = pathlib.Path("docker/nginx.conf").read_text()
        folder.mkdir()
        # The server first: what it listens on in the container is the proxy's own port there as well.
        for old, new in (("server auction-room:8080;", f"server 127.0.0.1:{upstream};"),
                         ("listen 8080;", f"listen 127.0.0.1:{self.port};"), ("/tmp/", f"{folder}/"),
                         ("/dev/stdout", f"{folder}/access.log"), ("/dev/stderr", f"{folder}/error.log")):
            check(old in text, f"docker/nginx.conf has no {old!r} any more")
            text = text.replace(old, new)
        (folder / "nginx.conf").write_text(text)
        command = ["nginx", "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
        checked = subprocess.run([*command, "-t"], capture_output=True, text=True)
        check(checked.returncode == 0, f"nginx -t: {checked.stderr}")
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        program.running.add(self.process)
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("nginx does not listen")

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        program.running.discard(self.process)


def raw(port, data, seconds=1.5):
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.settimeout(seconds)
        client.sendall(data)
        got = b""
        try:
            while more := client.recv(65536):
                got += more
        except OSError:
            pass
        return got


def refuses_or_clears(folder):
    recorder = Recorder()
    proxy = Proxy(folder / "strict", recorder.port)
    for name, data in AMBIGUOUS.items():
        recorder.requests.clear()
        status = raw(proxy.port, data)[9:12]
        time.sleep(0.1)
        if not recorder.requests:
            check(status == b"400", f"{name}: not passed on, and answered {status}")
            continue
        check(len(recorder.requests) == 1, f"{name}: became {len(recorder.requests)} requests")
        request = recorder.requests[0]
        match = CLEAR.fullmatch(request)
        head = request.split(b"\r\n\r\n")[0].lower()
        check(match and head.count(b"\r\nhost:") == 1, f"{name}: passed on as {request!r}")
        lengths = [int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"content-length:")]
        check(b"transfer-encoding" not in head and sum(lengths) == len(match[1]), f"{name}: passed on as {request!r}")
    proxy.stop()
    print(f"{len(AMBIGUOUS)} ambiguous requests are refused or rewritten", flush=True)


def passes_streams(folder):
    server = program.Server("memory:", "--trusted-proxies", "127.0.0.1", log=str(folder / "log"))
    proxy = Proxy(folder / "streams", server.port)
    calls = Connection(proxy.port)
    token = calls.call("POST", "/v1/guests", None, {"nickname": "Ann"}).json()["token"]
    made = calls.call("POST", "/v1/rooms", token, {"name": "Proxied"})
    check(made.status == 201, f"POST /v1/rooms through the proxy: {made.status}")
    room = "/v1/rooms/" + made.json()["id"]
    check(calls.call("GET", "/metrics").status == 404, "/metrics is shown by the proxy")
    ticket = calls.call("POST", room + "/tickets", token).json()["ticket"]
    events = socket.create_connection(("127.0.0.1", proxy.port), timeout=5)
    events.sendall(f"GET {room}/events HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n".encode())
    web_socket = socket.create_connection(("127.0.0.1", proxy.port), timeout=5)
    web_socket.sendall(
        (f"GET {room}/socket?ticket={ticket} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
         "Sec-WebSocket-Protocol: auction-room.v1\r\n\r\n").encode())
    for stream, sign in ((events, b"room.opened"), (web_socket, b"room.opened")):
        read_until(stream, sign)
    began = time.monotonic()
    check(calls.call("POST", room + "/messages", token, {"text": "through the proxy"}).status == 201, "no message")
    for stream in (events, web_socket):
        read_until(stream, b"through the proxy")
    took = time.monotonic() - began
    check(took < 1, f"an event took {took:.2f} s: the proxy keeps it back")
    check("127.0.0.1" in (folder / "streams/access.log").read_text(), "nothing is logged")
    check(ticket not in (folder / "streams/access.log").read_text(), "the proxy logs tickets")
    for stream in (events, web_socket):
        stream.close()
    proxy.stop()
    code, _ = server.terminate()
    check(code == 0, f"the server ended with {code}")
    print(f"event streams and WebSockets pass unbuffered, in {took * 1000:.0f} ms", flush=True)


def read_until(stream, sign):
    got = b""
    while sign not in got:
        more = stream.recv(65536)
        check(more, f"the stream ended without {sign!r}: {got[-300:]!r}")
        got += more


if __name__ == "__main__":
    program.require_binary()
    with tempfile.TemporaryDirectory(prefix="proxy-") as name:
        refuses_or_clears(pathlib.Path(name))
        passes_streams(pathlib.Path(name))

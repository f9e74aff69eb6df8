"""Tests docker/nginx.conf in front of the real program: which requests it rejects, rewrites or passes on.

Each ambiguous request is sent to nginx, which must reject it or forward an unambiguous form. The same requests are sent
directly to the server, which must reject them too, except those that HTTP allows."""
import concurrent.futures
import json
import pathlib
import re
import socket
import tempfile
import threading
import time

import program
from nginx import Proxy, free_port
from room_setup import guest, open_room
from wire import Connection, check, expect

# People behind one address, as in docker/nginx.conf.
HALL = 200

# Raw requests that libmicrohttpd 0.9.75 would accept by itself.
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
    "a bare semicolon behind a chunk's size": b"POST /v1/guests HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                                              b"Transfer-Encoding: chunked\r\n\r\n10;\r\n{\"nickname\":\"a\"}\r\n0\r\n\r\n",
}
# RFC 9112 requires or permits a server to accept these; they do not change the request's meaning.
ALLOWED = {"chunk extensions", "trailers", "an empty line before a request"}
# Every request that nginx forwards must match: lines end with CR LF, and one empty line ends the head.
CLEAR = re.compile(rb"(?:GET|POST) [!-~]+ HTTP/1\.1\r\n(?:[A-Za-z0-9-]+: [^\x00-\x08\x0a-\x1f\x7f]*\r\n)+\r\n(.*)", re.DOTALL)


def received(client):
    """What comes until the other side closes the connection, or sends nothing for the time-out of the socket."""
    data = b""
    try:
        while more := client.recv(65536):
            data += more
    except OSError:
        pass
    return data


class Recorder(threading.Thread):
    """Replaces the server: responds 200 to every request or never responds, and records the received requests byte for byte."""

    def __init__(self, responses=True):
        super().__init__(daemon=True)
        self.responses = responses
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.requests = []
        self.start()

    def run(self):
        while True:
            client, _ = self.socket.accept()
            client.settimeout(0.3)
            self.requests.append(received(client))
            if self.responses:
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            client.close()


def raw(port, data, seconds=1.5):
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.settimeout(seconds)
        client.sendall(data)
        return received(client)


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


def server_refuses_alone(folder):
    server = program.Server("memory:", log=str(folder / "alone.log"))
    for name, data in AMBIGUOUS.items():
        status = raw(server.port, data)[9:12]
        check(status in ((b"200", b"201") if name in ALLOWED else (b"400",)), f"{name}: the server alone answers {status}")
    server.terminate()
    print("the server alone refuses them as well", flush=True)


def repeats_what_it_may(folder):
    """A request that a node received without responding is retried elsewhere only if a repeat is safe; an undelivered one always is."""
    room = "/v1/rooms/room_01m7ynw6dk5wyp0f4bps1x3f9v"
    cases = (("GET", room, "", 3), ("GET", room + "/%62ids?after=1", "", 3), ("POST", room + "/bids", "Idempotency-Key: a\r\n", 3),
             ("POST", room + "/bids", "", 1), ("PATCH", room + "/items/a", "", 1), ("PATCH", room + "/items/a", "Idempotency-Key: a\r\n", 1),
             ("DELETE", room + "/bids/a", "", 1), ("DELETE", room + "/bids/a", "Idempotency-Key: a\r\n", 1))
    for number, (method, path, header, times) in enumerate(cases):
        broken = [Recorder(responses=False) for _ in range(3)]
        proxy = Proxy(folder / f"broken-{number}", *(node.port for node in broken))
        head = f"{method} {path} HTTP/1.1\r\nHost: a\r\n"
        request = f"{head}{header}Connection: close\r\nContent-Length: 0\r\n\r\n".encode()
        response = raw(proxy.port, request, 2.5)
        came = [request for node in broken for request in node.requests]
        check(len(came) == times, f"{method} {header!r} was sent to {len(came)} nodes that break off")
        check(all(got.startswith(head[:head.index("Host")].encode()) for got in came), f"passed on as {came}")
        check(response.startswith(b"HTTP/1.1 503 ") and b"service.outcome_unknown" in response and b"\r\nRetry-After: 1\r\n" in response
              and b"\r\nContent-Type: application/problem+json\r\n" in response, f"nobody answered {method}: {response!r}")
        proxy.stop()
        # Two of three nodes are down; which two varies by case.
        recorder, ports = Recorder(), [free_port(), free_port()]
        ports.insert(number % 3, recorder.port)
        proxy = Proxy(folder / f"down-{number}", *ports)
        response = raw(proxy.port, request)
        # nginx does not retry a DELETE after any failure; after a failed attempt it marks the node as down and skips it.
        for _ in range(4 if method == "DELETE" else 0):
            response = response if response.startswith(b"HTTP/1.1 200 ") else raw(proxy.port, request)
        check(response.startswith(b"HTTP/1.1 200 "), f"one node lives, and {method} {header!r} is answered {response!r}")
        check(len(recorder.requests) == 1, f"{method} arrived {len(recorder.requests)} times")
        proxy.stop()
    print(f"{len(cases)} kinds of requests go to a second node only where they may", flush=True)


def limits_addresses(folder):
    """Requests and bids are limited per address; other requests of the address proceed, and a rejection is problem JSON."""
    bid = b"POST /v1/rooms/room_01m7ynw6dk5wyp0f4bps1x3f9v/bids HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
    read = b"GET /v1/rooms HTTP/1.1\r\nHost: a\r\n\r\n"
    picture = b"GET /v1/media/" + b"0" * 64 + b"?preview HTTP/1.1\r\nHost: a\r\n\r\n"
    # No server runs behind the proxy: requests that pass the limits get 503.
    for name, request, burst, rate in (("bids", bid, 200, 50), ("requests", read, 20 * HALL, 200), ("pictures", picture, 20 * HALL, 400)):
        proxy = Proxy(folder / name, free_port())
        began = time.monotonic()
        # nginx ends a connection after a thousand requests.
        each, responses = 500, b""
        count = -(-(burst + 5 * rate) // each) * each
        for _ in range(count // each):
            responses += raw(proxy.port, request * (each - 1) + request.replace(b"Host", b"Connection: close\r\nHost"), 10)
        allowed = burst + 1 + rate * (time.monotonic() - began)
        statuses = re.findall(rb"HTTP/1\.1 (\d+) ", responses)
        passed = statuses.count(b"503")
        check(len(statuses) == count and burst <= passed <= allowed, f"{passed} of {len(statuses)} {name} pass, {allowed:.0f} may")
        check(statuses.count(b"429") == count - passed, f"{name} are refused with {set(statuses)}")
        check(set(statuses[:burst]) == {b"503"}, f"some of the first {burst} {name} are refused")
        check(b'"code":"request.rate"' in responses and b"application/problem+json" in responses and b"Retry-After: 1" in responses,
              f"refused {name} are answered {responses[-500:]!r}")
        if name == "requests":
            page = raw(proxy.port, b"GET /page/main.js HTTP/1.1\r\nHost: a\r\n\r\n" * 100 + b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 10)
            check(page.count(b"HTTP/1.1 503 ") == 101, f"files of the page are counted: {page[-300:]!r}")
        else:
            other = raw(proxy.port, read.replace(b"Host", b"Connection: close\r\nHost"))
            check(other.startswith(b"HTTP/1.1 503 "), f"with too many {name} a read is answered {other[:300]!r}")
        proxy.stop()
    print("an address that sends too many bids or requests gets 429", flush=True)


class Visitor:
    """One of a hall of people who come in at once, with the calls that the page makes."""

    def __init__(self, port, room, picture):
        self.port, self.room, self.picture = port, room, picture
        self.calls, self.token, self.stream, self.count = Connection(port), None, None, 0

    def call(self, method, path, body=None, refused=()):
        self.count += 1
        response = self.calls.call(method, path, self.token, body)
        check(response.status < 400 or response.status in refused, f"{method} {path} of a hall: {response.status} {response.body[:300]!r}")
        return response

    def view(self):
        """Opens the room: the state, what events do not tell, pictures of lots, then the stream."""
        for path in ("", "/bids?round=1", "/members", "/stage", "/results?limit=20", "/lots?state=current&limit=1", "/lots?state=queued&limit=50"):
            self.call("GET", self.room + path)
        for _ in range(10):
            self.call("GET", self.picture)
        self.leave()
        self.stream = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        access = f"Authorization: Bearer {self.token}\r\n" if self.token else ""
        self.stream.sendall(f"GET {self.room}/events?after=0 HTTP/1.1\r\nHost: a\r\n{access}Accept: text/event-stream\r\n\r\n".encode())
        head = self.stream.recv(4096)
        check(head.startswith(b"HTTP/1.1 200 "), f"a stream of a hall: {head[:300]!r}")
        self.count += 1

    def arrive(self):
        for path in ("/", "/page/main.js", "/v1/rooms?limit=20"):
            self.call("GET", path)
        self.view()

    def join(self):
        self.token = self.call("POST", "/v1/guests", {"nickname": "Ann"}).json()["token"]
        self.call("POST", self.room + "/members", {"role": "bidder"})
        self.view()

    def bid(self):
        """All but the first are refused by the rules, since the price is higher then."""
        self.call("POST", self.room + "/bids", {"amount": "1"}, refused=(422,))

    def leave(self):
        if self.stream:
            self.stream.close()


def admits_hall(folder):
    """200 people behind one address open a room, join it and bid, and are refused neither by the proxy nor by the server."""
    server = program.Server("memory:", "--trusted-proxies", "127.0.0.1")
    proxy = Proxy(folder / "hall", server.port)
    calls = Connection(server.port)
    host, seller = guest(calls, "Hana"), guest(calls, "Sato")
    room = open_room(calls, "A hall", host, seller)
    photo = (pathlib.Path(__file__).parents[2] / "Corpora/picture/photo.jpg").read_bytes()
    picture = calls.call("POST", f"/v1/rooms/{room}/media", seller[1], photo, headers=["Content-Type: image/jpeg"]).json()["url"]
    for number in range(30):
        expect(calls.call("POST", f"/v1/rooms/{room}/lots", seller[1], {"name": f"Lot {number}", "media": [picture], "rules": {"startingPrice": "1", "listingSeconds": 0, "biddingSeconds": 3600}}), 201)
    expect(calls.call("POST", f"/v1/rooms/{room}/auction/start", host[1]), 200)
    hall = [Visitor(proxy.port, f"/v1/rooms/{room}", picture + "?preview") for _ in range(HALL)]
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        for act in (Visitor.arrive, Visitor.join, Visitor.bid):
            list(pool.map(act, hall))
    for visitor in hall:
        visitor.leave()
        visitor.calls.close()
    proxy.stop()
    server.terminate()
    print(f"a hall of {HALL} comes in: {sum(visitor.count for visitor in hall)} requests in {time.monotonic() - began:.1f} s", flush=True)


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
    server.end()
    print(f"event streams and WebSockets pass unbuffered, in {took * 1000:.0f} ms", flush=True)


def keeps_tickets_secret(folder):
    """The query of a request that no server answers, whose ticket is still good, is in neither log."""
    proxy = Proxy(folder / "tickets", free_port())
    path = "/v1/rooms/room_01m7ynw6dk5wyp0f4bps1x3f9v/socket"
    response = raw(proxy.port, f"GET {path}?ticket=one-time-secret HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
    check(response.startswith(b"HTTP/1.1 503 "), f"without a server a socket is answered {response!r}")
    proxy.stop()
    access, errors = ((folder / "tickets" / name).read_text() for name in ("access.log", "error.log"))
    check(path in access, f"the access log lacks the request: {access!r}")
    for log in (access, errors):
        check("one-time-secret" not in log, f"the proxy logs a ticket: {log!r}")
    print("tickets of requests that no server answers are in no log", flush=True)


def passes_uploads(folder):
    """Pictures and files of lots are larger than other bodies, which the proxy refuses."""
    server = program.Server("memory:", "--trusted-proxies", "127.0.0.1")
    proxy = Proxy(folder / "uploads", server.port)
    calls = Connection(proxy.port)
    token = calls.call("POST", "/v1/guests", None, {"nickname": "Ann"}).json()["token"]
    room = "/v1/rooms/" + calls.call("POST", "/v1/rooms", token, {"name": "Pictures"}).json()["id"]
    # A comment of a JPEG, of which the server keeps nothing.
    comments = (b"\xff\xfe\xff\xff" + bytes(65533)) * 5
    photo = (pathlib.Path(__file__).parents[2] / "Corpora/picture/photo.jpg").read_bytes()
    large = photo[:2] + comments + photo[2:]
    response = calls.call("POST", room + "/media", token, large, headers=["Content-Type: image/jpeg"])
    check(response.status == 201, f"a picture of {len(large)} bytes through the proxy: {response.status} {response.body[:200]!r}")
    lots = "".join(f'{{"reference":"{number}","name":"Lot {number}","description":"{"x" * 400}","rules":{{"startingPrice":"1.00"}}}}\n' for number in range(300))
    for key in ([], ["Idempotency-Key: lots"]):
        response = calls.call("POST", room + "/lots/import", token, lots.encode(), headers=["Content-Type: application/x-ndjson", *key])
        check(response.status == 200, f"{len(lots)} bytes of lots through the proxy: {response.status} {response.body[:200]!r}")
    # A client that reads its file from a stream does not tell its length.
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(large), large)
    for key in ("", "Idempotency-Key: picture\r\n"):
        head = (f"POST {room}/media HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n{key}"
                "Content-Type: image/jpeg\r\nTransfer-Encoding: chunked\r\n\r\n")
        response = raw(proxy.port, head.encode() + chunked, 10)
        check(response.startswith(b"HTTP/1.1 201 "), f"a picture in chunks through the proxy: {response[:200]!r}")
    calls.close()
    proxy.stop()
    server.terminate()
    print("pictures and files of lots pass", flush=True)


def refuses_in_json(folder):
    """Beyond the server's bounds its own words arrive; beyond the proxy's a problem of the proxy, for pages of other origins too."""
    server = program.Server("memory:", "--trusted-proxies", "127.0.0.1", "--allowed-origins", "https://shop.example")
    proxy = Proxy(folder / "refusals", server.port)
    end = "Host: a\r\nOrigin: https://shop.example\r\nConnection: close\r\n"

    def refusal(status, code, request, says, what):
        response = raw(proxy.port, request, 10)
        head, _, body = response.partition(b"\r\n\r\n")
        origins = re.findall(rb"\r\naccess-control-allow-origin: (\S+)", head, re.IGNORECASE)
        check(head.startswith(b"HTTP/1.1 %d " % status) and b"application/problem+json" in head, f"{what}: {response[:300]!r}")
        problem = json.loads(body)
        check((problem["status"], problem["code"]) == (status, code) and says in problem["detail"], f"{what}: {problem}")
        check(origins in ([b"*"], [b"https://shop.example"]), f"{what} may be read by {origins}")

    def body(size, chunked):
        head = f"POST /v1/guests HTTP/1.1\r\n{end}Content-Type: application/json\r\n"
        if chunked:
            return f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + b"%x\r\n%b\r\n0\r\n\r\n" % (size, b" " * size)
        return f"{head}Content-Length: {size}\r\n\r\n".encode() + b" " * size

    for chunked in (False, True):
        refusal(413, "request.too_large", body(66_000, chunked), "65536", f"66 kB, {chunked}")
        refusal(413, "request.too_large", body(300_000, chunked), "much larger", f"300 kB, {chunked}")
    refusal(414, "request.target_too_long", f"GET /v1/rooms?{'x' * 5000} HTTP/1.1\r\n{end}\r\n".encode(), "4096", "a target of 5 kB")
    refusal(414, "request.target_too_long", f"GET /v1/rooms?{'x' * 20000} HTTP/1.1\r\n{end}\r\n".encode(), "much longer", "a target of 20 kB")
    refusal(431, "request.header_too_large", f"GET /v1/rooms HTTP/1.1\r\n{end}X: {'x' * 5000}\r\n\r\n".encode(), "4096", "headers of 5 kB")
    refusal(431, "request.header_too_large", f"GET /v1/rooms HTTP/1.1\r\n{end}X: {'x' * 20000}\r\n\r\n".encode(), "much larger", "headers of 20 kB")
    for what, request in {
        "a header without a name": f"GET /healthz HTTP/1.1\r\n: b\r\n{end}\r\n", "no host": "GET /healthz HTTP/1.1\r\n\r\n",
        "an unknown coding": f"POST /v1/guests HTTP/1.1\r\n{end}Transfer-Encoding: gzip\r\n\r\n",
        "another version": f"GET /healthz HTTP/3.1\r\n{end}\r\n", "a broken path": f"GET /%zz HTTP/1.1\r\n{end}\r\n",
        "a broken chunk": f"POST /v1/guests HTTP/1.1\r\n{end}Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    }.items():
        refusal(400, "request.malformed", request.encode(), "proxy", what)
    refusal(405, "request.method_not_allowed", f"TRACE / HTTP/1.1\r\n{end}\r\n".encode(), "method", "TRACE")
    for path in ("/metrics", "/proxy/body"):
        refusal(404, "route.not_found", f"GET {path} HTTP/1.1\r\n{end}\r\n".encode(), "path", path)
    # nginx closes a connection whose request comes too slowly without an answer, so it has no 408 of its own.
    text = pathlib.Path("docker/nginx.conf").read_text()
    codes = pathlib.Path("openapi/problem-codes.md").read_text()
    problems = [json.loads(found) for found in re.findall(r"return \d+ '(\{.*\})'", text)]
    for problem in problems:
        # That of its rates is the proxy's own.
        known = f"| `{problem['code']}` | {problem['status']} |" in codes or problem["code"] == "request.rate"
        check(known, f"the contract has no {problem['code']} with {problem['status']}")
        page = raw(server.port, f"GET {problem['type']} HTTP/1.1\r\n{end}\r\n".encode())
        check(page.startswith(b"HTTP/1.1 200 ") and problem["title"].encode() in page, f"{problem['type']} is {page[:300]!r}")
    check(len(problems) == text.count("default_type application/problem+json"), f"{len(problems)} problems were read")
    for cookies in (4500, 15000):
        response = raw(proxy.port, f"GET /v1/rooms HTTP/1.1\r\n{end}Cookie: c={'x' * cookies}\r\n\r\n".encode())
        check(response.startswith(b"HTTP/1.1 200 "), f"{cookies} bytes of cookies: {response[:300]!r}")
    # As on a full disk, a body cannot be kept.
    (proxy.folder / "body").rename(proxy.folder / "gone")
    refusal(503, "service.outcome_unknown", body(100_000, False), "not known", "a body that is not stored")
    server.terminate()
    refusal(503, "service.outcome_unknown", f"GET /v1/rooms HTTP/1.1\r\n{end}\r\n".encode(), "not known", "without a server")
    proxy.stop()
    print("beyond the server's bounds its own words arrive, beyond the proxy's a problem in JSON", flush=True)


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
        server_refuses_alone(pathlib.Path(name))
        repeats_what_it_may(pathlib.Path(name))
        limits_addresses(pathlib.Path(name))
        admits_hall(pathlib.Path(name))
        passes_streams(pathlib.Path(name))
        keeps_tickets_secret(pathlib.Path(name))
        passes_uploads(pathlib.Path(name))
        refuses_in_json(pathlib.Path(name))

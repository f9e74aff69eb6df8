"""Cost of many simultaneous connections, streams and frames, and of long histories."""
import socket
import time

from cost_bodies import BODIES, heavy, item
from cost_world import RULES, SCALE, Commands
from web_socket import WebSocket
from wire import expect

IDLE, READERS, ROUNDS = max(20, int(1000 * SCALE)), max(8, int(64 * SCALE)), 60
# Maximum bytes held for an idle connection or subscriber, and for a client that does not read its responses.
HELD_IDLE, HELD_UNREAD = 32_000, 1_000_000
# Maximum for an unfinished body: its buffer may be twice as large as the bytes received.
HELD_BODY = HELD_IDLE + 2 * 65536
# Maximum bytes written per byte received, over a history of rounds with large items.
WRITTEN = 10
# Maximum processor time of a frame of the largest size, in ordinary bids.
FRAME = 20


def address(number):
    return f"127.2.{number // 250}.{number % 250 + 1}"


def head(world, method, target, *more):
    return "\r\n".join([f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{world.port}", *more]).encode()


def silent(world):
    return b""


def half_head(world):
    return head(world, "GET", "/v1/rooms", "X-Name: " + "a" * 3000)


def half_body(world):
    return head(world, "POST", "/v1/guests", "Content-Type: application/json", "Content-Length: 65536") + b"\r\n\r\n" + b"a" * 65000


def poll(world):
    return head(world, "GET", world.plain + "/events?after=latest&wait=60") + b"\r\n\r\n"


def events_stream(path):
    def request(world):
        return head(world, "GET", path(world), "Accept: text/event-stream") + b"\r\n\r\n"
    return request


def pages(path):
    """Pipelined requests for pages of events, whose responses are never read."""
    def request(world):
        return (head(world, "GET", path + "/events?after=0&limit=256") + b"\r\n\r\n") * 20
    return request


def held(costs, world, count, request, small_buffer=False):
    """Bytes of memory per connection, each from its own address."""
    costs.meter.settle()
    before, sockets = costs.meter.memory(), []
    for number in range(count):
        connection = socket.socket()
        if small_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.bind((address(number), 0))
        connection.connect(("127.0.0.1", world.port))
        connection.sendall(request(world))
        sockets.append(connection)
    costs.meter.settle(5)
    time.sleep(0.2)
    result = (costs.meter.memory() - before) / count
    for connection in sockets:
        connection.close()
    costs.meter.settle()
    return result


def connections(world, rooms, costs):
    wordy = rooms.wordy
    kinds = [
        ("silent connections", IDLE, silent, HELD_IDLE, False),
        ("half a head each", IDLE, half_head, HELD_IDLE, False),
        ("half a body each", IDLE, half_body, HELD_BODY, False),
        ("held long-polls", IDLE, poll, HELD_IDLE, False),
        ("SSE subscribers", IDLE, events_stream(lambda world: world.plain + "/events?after=latest"), HELD_IDLE, False),
        ("unread pages of events", READERS, pages(wordy), HELD_UNREAD, True),
        ("unread SSE from the start", READERS, events_stream(lambda _: wordy + "/events?after=0"), HELD_UNREAD, True),
    ]
    for name, count, request, bound, small in kinds:
        bytes_each = held(costs, world, count, request, small)
        print(f"{count:5} {name:32} {bytes_each:10.0f} bytes each (at most {bound})")
        if bytes_each > bound:
            yield f"{name}: {bytes_each:.0f} bytes each, {bound} are allowed"


def frames(world, rooms, costs):
    """Frames of the maximum size, and messages split into the maximum number of fragments."""
    kinds = dict(BODIES)
    for name, payload in {**kinds, "one byte a frame": None, "pings": None}.items():
        connection = Commands(world.port, world.plain, world.ann.token, address(1))
        if name == "pings":
            sent = b"".join(WebSocket.frame(b"x" * 60, opcode=9) for _ in range(900))
        elif name == "one byte a frame":
            text = b'{"id":"x","type":"' + b"a" * 8000 + b'"}'
            pieces = [WebSocket.frame(text[n:n + 1], opcode=0 if n else 1, final=n == len(text) - 1) for n in range(len(text))]
            sent = b"".join(pieces)
        else:
            sent = WebSocket.frame(payload)
        costs.meter.settle()
        before = costs.meter.processor()
        try:
            connection.socket.sendall(sent)
        except OSError:
            pass
        costs.meter.settle()
        spent = (costs.meter.processor() - before) / costs.bid
        connection.close()
        print(f"      frames: {name:34} {spent:8.1f} x bid")
        if spent > FRAME:
            yield f"frames, {name}: {spent:.1f} ordinary bids, {FRAME} are allowed"


def history(world, rooms, costs):
    """Consecutive rounds of large items: bytes written per byte received, and the latency of bids in other rooms."""
    path = world.room("Heavy")
    body = heavy(item({**RULES, "biddingSeconds": 86400}))
    costs.meter.settle()
    written, sent, slowest = costs.meter.written(), 0, 0.0
    for _ in range(ROUNDS):
        expect(world.call("POST", path + "/items", world.seller.token, body), 201)
        for step in ("start", "end", "start"):
            expect(world.call("POST", f"{path}/auction/{step}", world.host.token), 200)
        sent += len(body) + 600
        started = time.monotonic()
        world.bid()
        slowest = max(slowest, time.monotonic() - started)
    costs.meter.settle()
    written = costs.meter.written() - written
    print(f"{ROUNDS} rounds of heavy items: {sent} bytes came in, {written} were written ({written / sent:.1f} x), "
          f"a bid elsewhere took {slowest * 1000:.0f} ms at most")
    if written > WRITTEN * sent:
        yield f"{ROUNDS} heavy rounds: {written / sent:.1f} bytes written for each that came in, {WRITTEN} are allowed"


"""The rows of the table: what is measured, and what it should reach."""
import statistics
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Row:
    """A line of the table. `goal` and `then`: what it should reach now and later; None: a figure without a goal."""
    key: str
    title: str
    goal: float = None
    then: float = None
    is_upper: bool = False
    digits: int = 2
    unit: str = ""


@dataclass
class Figure:
    """What was measured: a value of every round, and the figures behind it in words."""
    values: list
    note: str = ""
    median: float = field(init=False)

    def __post_init__(self):
        self.median = statistics.median(self.values)


def at_least(key, title, goal=None, then=None, digits=2):
    return Row(key, title, goal, then, False, digits)


def at_most(key, title, goal=None, then=None, digits=2, unit=""):
    return Row(key, title, goal, then, True, digits, unit)


SECTIONS = (
    ("", (
        at_least("bids", "durable bids, 64 connections, 1,024 rooms ÷ bare C POST", 0.40, 0.50),
        at_least("keyed", "the same bids with an Idempotency-Key each ÷ without", 0.9, 1.0),
        at_least("hot-room", "bids on one hot room (refusals count as answers) ÷ 1,024 rooms", 0.9, 1.0),
        at_most("processor", "processor time of a bid, all threads ÷ bare C's of a POST", 4.0, 3.0),
        at_most("busiest", "the busiest thread's share of it ÷ bare C's", 1.5, 1.0),
        at_least("reads", "GET room ÷ bare C GET", 0.80, 0.90),
        at_most("one-connection", "one connection, bid p50 ÷ fdatasync p50", 2.0, 1.6),
        at_most("one-processor", "one connection, processor time of a bid", None, None, 0, " us"),
        at_least("postgres-1", "bids ÷ PostgreSQL place_bid, each at its best: hot room", 3, 4),
        at_least("postgres-50", "bids ÷ PostgreSQL place_bid: 50 rooms", 3, 4),
        at_least("postgres-1024", "bids ÷ PostgreSQL place_bid: 1,024 rooms", 3, 4),
        at_most("beside", "bids' p99 beside 5,000 subscribers (10 messages/s) ÷ alone", 2.0, 1.5),
        at_most("screens-websocket", "bid to the last of 5,000 WebSocket screens, 10 bids/s, p99 ÷ nchan's", 0.7, 0.5),
        at_most("screens-sse", "bid to the last of 5,000 SSE screens, 10 bids/s, p99 ÷ nchan's", 0.7, 0.5),
        at_least("one-websocket", "one message in flight, 5,000 subscribers ÷ nchan: WebSocket", 1.4),
        at_least("one-sse", "one message in flight, 5,000 subscribers ÷ nchan: SSE", 1.5),
        at_least("one-long-poll", "one message in flight, 5,000 subscribers ÷ nchan: long-poll", 1.1),
        at_least("eight-websocket", "eight in flight ÷ nchan: WebSocket", 3.3, None, 1),
        at_least("eight-sse", "eight in flight ÷ nchan: SSE", 4.7, None, 1),
        at_least("eight-long-poll", "eight in flight ÷ nchan: long-poll", 4.0, None, 1),
        at_most("kb-websocket", "memory of a subscriber: WebSocket", 8, 6, 1, " kB"),
        at_most("kb-sse", "memory of a subscriber: SSE", 8, 6, 1, " kB"),
        at_most("kb-long-poll", "memory of a subscriber: long-poll", 8, 6, 1, " kB"),
        at_most("bytes-a-bid", "memory that a bid keeps in a loaded room", 400, 250, 0, " bytes"),
        at_most("load", "a room of 120,000 bids is loaded in", 100, None, 0, " ms"),
        at_most("bytes-a-lot", "memory that a lot keeps in a loaded room", 1000, None, 0, " bytes"),
        at_most("load-lots", "a room of 10,000 lots is loaded in", 200, None, 0, " ms"),
        at_most("import", "a file of 1,000 lots is imported into a room of 9,000 in", 1000, None, 0, " ms"),
        at_most("left", "memory once such rooms have left it", 64, None, 0, " MB"),
        at_most("ready", "ready with 100,000 rooms of which 10,000 are open", 1, 0.5, 2, " s"),
        at_most("ready-expired", "the same, with 10,000 more whose deadline expired before the start", None, None, 2, " s"),
        at_most("open", "memory of an open room that is not loaded", None, None, 1, " kB"),
        at_most("idle", "memory of a loaded idle room", 2, 1, 1, " kB"),
        at_most("rooms", "processor time of a bid, 100,000 rooms in the log ÷ none beside", 1.2),
        at_most("history", "processor time of a bid, 100,000 bids in its room, 1 M in the log ÷ 10, 100", 1.2),
    )),
    ("Other servers", (
        at_least("redis", "bids ÷ Redis, place_bid in Lua with appendfsync always: 1,024 rooms"),
        at_least("redis-hot", "bids ÷ Redis, place_bid in Lua with appendfsync always: hot room"),
        at_least("hummingbird", "bids ÷ a plain Hummingbird service on SQLite, a durable transaction each"),
        at_least("node", "bids ÷ POST to Node's http, which keeps nothing"),
    )),
    ("Counts of a bid", (
        at_most("instructions", "instructions, the whole server in one thread, no sockets and disk", digits=0),
        at_most("allocations", "allocations, the same", digits=0),
        at_most("instructions-keyed", "instructions with an Idempotency-Key", digits=0),
        at_most("allocations-keyed", "allocations with an Idempotency-Key", digits=0),
        at_most("wakeups", "times that threads sleep and are woken, 64 connections"),
        at_most("wakeups-one", "times that threads sleep and are woken, one connection"),
        at_most("calls", "system calls, 64 connections, slowed down by counting them"),
        at_most("calls-one", "system calls, one connection"),
    )),
)
ROWS = tuple(row for _, rows in SECTIONS for row in rows)


def is_reached(row, figure):
    """Whether the median reaches the goal; None if there is no goal."""
    if row.goal is None:
        return None
    return figure.median <= row.goal if row.is_upper else figure.median >= row.goal

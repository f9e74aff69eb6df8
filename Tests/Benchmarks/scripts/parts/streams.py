"""Subscribers, beside nginx with nchan: streams.sh."""
import statistics

from .rows import Figure
from .script import Part, Script, ratios

PARTS = (Part("fan-out", "streams", "fanout"), Part("beside-streams", "streams", "bids"), Part("screens", "streams", "screens"),
         Part("stalled-streams", "streams", "stalled", is_extra=True))
TRANSPORTS = ("websocket", "sse", "long-poll")


def _values(found, name, figure):
    return [one[figure] for one in found[name]]


def figures(found):
    made = {}
    for transport in TRANSPORTS:
        for words, messages in (("one", 1), ("eight", 8)):
            name = f"{transport}-{messages}"
            if "room-" + name in found:
                ours, theirs = (_values(found, server + name, "deliveries") for server in ("room-", "nchan-"))
                made[f"{words}-{transport}"] = Figure(
                    ratios(ours, theirs), f"{statistics.median(ours):,.0f} / {statistics.median(theirs):,.0f} deliveries a second")
        opened = [name for name in (f"room-{transport}-1", f"room-{transport}-8") if name in found]
        if opened:
            loaded = statistics.median(value for name in opened for value in _values(found, name, "loaded-kb"))
            theirs = statistics.median(_values(found, opened[0].replace("room-", "nchan-"), "opened-kb"))
            made["kb-" + transport] = Figure(
                [value for name in opened for value in _values(found, name, "opened-kb")],
                f"{loaded:.1f} kB after many messages, nchan {theirs:.1f} kB")
        if "screens-" + transport in found:
            ours, theirs = (_values(found, name + transport, "last-p99") for name in ("screens-", "nchan-screens-"))
            made["screens-" + transport] = Figure(
                ratios(ours, theirs), f"{statistics.median(ours) / 1000:,.1f} / {statistics.median(theirs) / 1000:,.1f} ms")
    if "bids" in found:
        beside, alone = (_values(found, "bids", figure) for figure in ("bid-p99", "bid-p99-alone"))
        made["beside"] = Figure(ratios(beside, alone), f"{statistics.median(beside):,.0f} / {statistics.median(alone):,.0f} us")
    return made


SCRIPT = Script(
    command=("Tests/Benchmarks/scripts/streams.sh",),
    full={"BENCH_ROUNDS": "3", "BENCH_SECONDS": "3", "BENCH_IN_FLIGHT": "1 8"},
    quick={"BENCH_ROUNDS": "1", "BENCH_SECONDS": "1", "BENCH_SUBSCRIBERS": "1000", "BENCH_IN_FLIGHT": "8",
           "BENCH_TRANSPORTS": "websocket sse"},
    minutes=(13, 2), figures=figures, needs=("nginx",), products=("auction-room", "auction-bench"))

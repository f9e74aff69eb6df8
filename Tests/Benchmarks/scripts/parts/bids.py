"""Bids and reads beside bare libmicrohttpd, the disk, Node, Redis and Hummingbird: bids.sh."""
import statistics

from .rows import Figure
from .script import Part, Script, ratios

PARTS = (
    Part("reads", "bids", "reads"), Part("bids", "bids", "bids"), Part("keyed", "bids", "bids keyed"), Part("hot-room", "bids", "bids hot"),
    Part("one-connection", "bids", "single"), Part("node", "bids", "bids node"), Part("redis", "bids", "bids hot redis"),
    Part("hummingbird", "bids", "bids hummingbird"),
)


def _rates(found, name):
    return [one["requests"] / one["seconds"] for one in found.get(name, [])]


def _micros(found, name):
    """Processor microseconds a request: of all threads, and of each, in every round."""
    each = [{thread: spent["seconds"] * 1e6 / one["requests"] for thread, spent in one["threads"].items()} for one in found[name]]
    return [sum(one.values()) for one in each], each


def _by_thread(each):
    names = {name for one in each for name in one}
    medians = {name: statistics.median(one.get(name, 0) for one in each) for name in names}
    busy = sorted(medians.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{name} {micros:.0f}" for name, micros in busy if micros >= 1)


def _rate_note(ours, theirs):
    return f"{statistics.median(ours):,.0f} / {statistics.median(theirs):,.0f} a second"


def _against(found, ours, theirs):
    """The ratio of two rates; nothing unless both were measured."""
    one, other = _rates(found, ours), _rates(found, theirs)
    return Figure(ratios(one, other), _rate_note(one, other)) if one and other else None


def _wakeups(found, name):
    return Figure([sum(thread["wakeups"] for thread in one["threads"].values()) / one["requests"] for one in found[name]])


def figures(found):
    made = {
        "bids": _against(found, "post", "bare-post"), "keyed": _against(found, "keyed", "post"), "hot-room": _against(found, "hot", "post"),
        "reads": _against(found, "get", "bare-get"), "redis": _against(found, "post", "redis"),
        "redis-hot": _against(found, "hot", "redis-hot"), "node": _against(found, "post", "node"),
        "hummingbird": _against(found, "post", "hummingbird"),
    }
    if made["hot-room"]:
        refused = sum(one["refused"] for one in found["hot"]) / sum(one["requests"] for one in found["hot"])
        made["hot-room"].note += f", {refused:.0%} refused"
    if made["bids"]:
        (ours, each), (theirs, _) = _micros(found, "post"), _micros(found, "bare-post")
        made["processor"] = Figure(ratios(ours, theirs), f"{statistics.median(ours):.0f} / {statistics.median(theirs):.1f} us")
        made["busiest"] = Figure(ratios([max(one.values()) for one in each], theirs), _by_thread(each) + " us")
        made["wakeups"] = _wakeups(found, "post")
    if "single" in found:
        bid, disk = ([one["p50"] for one in found[name]] for name in ("single", "fdatasync"))
        processor, each = _micros(found, "single")
        made["one-connection"] = Figure(ratios(bid, disk), f"{statistics.median(bid):,.0f} / {statistics.median(disk):,.0f} us")
        made["one-processor"] = Figure(processor, _by_thread(each) + " us")
        made["wakeups-one"] = _wakeups(found, "single")
    return {key: figure for key, figure in made.items() if figure}


SCRIPT = Script(
    command=("Tests/Benchmarks/scripts/bids.sh",),
    full={"BENCH_ROUNDS": "5", "BENCH_SECONDS": "4"},
    quick={"BENCH_ROUNDS": "2", "BENCH_SECONDS": "1", "BENCH_ROOMS": "256"},
    minutes=(9, 2), figures=figures, needs=("wrk",), products=("auction-room", "bare-microhttpd"))

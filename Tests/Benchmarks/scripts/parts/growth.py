"""Many rooms, long histories and large rooms: rooms.py, history.py and memory.py."""
import statistics

from .rows import Figure
from .script import Part, Script

PARTS = (Part("rooms", "rooms"), Part("history", "history"), Part("memory", "memory"))
_PRODUCTS = ("auction-room", "auction-bench")


def _growth(curve, name):
    """The costs of the last point against the median of the first."""
    first, last = curve[0]["costs"], curve[-1]["costs"]
    base = statistics.median(first)
    return Figure([cost / base for cost in last], f"{statistics.median(last):.0f} us with {curve[-1][name]:,}, {base:.0f} with {curve[0][name]:,}")


def rooms_figures(found):
    count = found["curve"][-1]["rooms"]
    return {
        "rooms": _growth(found["curve"], "rooms"),
        "ready": Figure(found["ready"], f"{count:,} rooms, {found['events']:,} events; {found['ready_none']:.2f} s with a tenth of the open ones"),
        "idle": Figure(found["idle_kb"]),
    }


def history_figures(found):
    return {"history": _growth(found["curve"], "bids")}


def memory_figures(found):
    rooms, bids = len(found["load_ms"]), found["bids"]
    return {
        "bytes-a-bid": Figure(found["bytes_a_bid"][-1:], f"{rooms} rooms of {bids:,} bids: {found['loaded_mb']:.0f} MB"),
        "load": Figure(found["load_ms"], f"{bids:,} bids"),
        "left": Figure([found["after_mb"]], f"{found['before_mb']:.0f} MB before, {found['loaded_mb']:.0f} MB with {rooms} rooms"),
    }


def rooms_curves(found):
    return [("rooms", "Processor time of a bid by the rooms in the log", "rooms", [(one["rooms"], one["costs"]) for one in found["curve"]])]


def history_curves(found):
    return [("history", "Processor time of a bid by the bids before it in its room", "bids in the room",
             [(one["bids"], one["costs"]) for one in found["curve"]])]


ROOMS = Script(
    command=("python3", "-u", "Tests/Benchmarks/scripts/rooms.py"), full={}, quick={"BENCH_ROUNDS": "1", "BENCH_LOG_ROOMS": "0 5000"},
    minutes=(6, 1), figures=rooms_figures, needs=("wrk",), products=_PRODUCTS, curves=rooms_curves)
HISTORY = Script(
    command=("python3", "-u", "Tests/Benchmarks/scripts/history.py"), full={},
    quick={"BENCH_ROUNDS": "1", "BENCH_HISTORY_BIDS": "10 10000"},
    minutes=(6, 1), figures=history_figures, needs=("wrk",), products=_PRODUCTS, curves=history_curves)
MEMORY = Script(
    command=("python3", "-u", "Tests/Benchmarks/scripts/memory.py"), full={}, quick={"BENCH_LARGE_ROOMS": "1"},
    minutes=(4, 2), figures=memory_figures, products=_PRODUCTS)

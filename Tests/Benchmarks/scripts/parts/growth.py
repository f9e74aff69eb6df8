"""Many rooms, long histories and large rooms: rooms.py, history.py, memory.py and lots.py."""
import statistics

from .rows import Figure
from .script import Part, Script

PARTS = (Part("rooms", "rooms"), Part("history", "history"), Part("memory", "memory"), Part("lots", "lots"))
_PRODUCTS = ("auction-room", "auction-bench")


def _growth(curve, name):
    """The last point, against a server with the first that was measured alternately with it."""
    last, ratios = (statistics.median(curve[-1][series]) for series in ("costs", "ratios"))
    return Figure(curve[-1]["ratios"], f"{last:.0f} us with {curve[-1][name]:,}, {last / ratios:.0f} with {curve[0][name]:,}")


def rooms_figures(found):
    count = found["curve"][-1]["rooms"]
    return {
        "rooms": _growth(found["curve"], "rooms"),
        "ready": Figure(found["ready"], f"{count:,} rooms, {found['events']:,} events; {found['ready_none']:.2f} s before most of the open ones"),
        "ready-expired": Figure(found["ready_expired"]),
        "open": Figure(found["open_kb"]),
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


def lots_figures(found):
    rooms, lots = len(found["load_ms"]), found["lots"]
    return {
        "bytes-a-lot": Figure(found["bytes_a_lot"][-1:], f"{rooms} rooms of {lots:,} lots"),
        "load-lots": Figure(found["load_ms"], f"{lots:,} lots"),
        "import": Figure(found["import_ms"], f"the last 1,000 of {lots:,}"),
    }


def _curve(name, title, label, curve):
    return name, title, label, "times", [(one[name], one["ratios"]) for one in curve]


def rooms_curves(found):
    return [_curve("rooms", "Processor time of a bid by the rooms in the log, beside that with the first", "rooms", found["curve"])]


def history_curves(found):
    return [_curve("bids", "Processor time of a bid by the bids before it in its room, beside that with the first", "bids", found["curve"])]


ROOMS = Script(
    command=("python3", "-u", "Tests/Benchmarks/scripts/rooms.py"), full={}, quick={"BENCH_ROUNDS": "1", "BENCH_LOG_ROOMS": "10000"},
    minutes=(6, 1), figures=rooms_figures, needs=("wrk",), products=_PRODUCTS, curves=rooms_curves)
HISTORY = Script(
    command=("python3", "-u", "Tests/Benchmarks/scripts/history.py"), full={},
    quick={"BENCH_ROUNDS": "1", "BENCH_HISTORY_BIDS": "10 10000"},
    minutes=(6, 1), figures=history_figures, needs=("wrk",), products=_PRODUCTS, curves=history_curves)
MEMORY = Script(
    command=("python3", "-u", "Tests/Benchmarks/scripts/memory.py"), full={}, quick={"BENCH_LARGE_ROOMS": "1"},
    minutes=(4, 2), figures=memory_figures, products=_PRODUCTS)
LOTS = Script(
    command=("python3", "-u", "Tests/Benchmarks/scripts/lots.py"), full={}, quick={"BENCH_LOT_ROOMS": "4"},
    minutes=(1, 1), figures=lots_figures, products=("auction-room",))

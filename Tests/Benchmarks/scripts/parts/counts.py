"""Counts of what a bid does: counts.py."""
from .rows import Figure
from .script import Part, Script

PARTS = (Part("counts", "counts"),)


def figures(found):
    return {key: Figure([value]) for key, value in found.items()}


SCRIPT = Script(
    command=("python3", "-u", "Tests/Benchmarks/scripts/counts.py"), full={}, quick=None, minutes=(4, 1), figures=figures,
    needs=("valgrind", "strace", "wrk"), products=("auction-room", "auction-work"))

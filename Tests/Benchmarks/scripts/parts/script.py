"""A script that measures, and how its figures become rows."""
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Script:
    """`full` and `quick`: the environment of either run, in which BENCH_JSON says where the figures go; quick is None where the script is
    left out. `minutes`: how long it may take at most, full and quick. `figures` makes {row key: Figure} of the JSON. `curves` makes
    pictures of it, (name, title, label of x, unit of y, [(x, values)]). `needs`: the programs without which it cannot run."""
    command: tuple
    full: dict
    quick: dict
    minutes: tuple
    figures: Callable
    needs: tuple = ()
    products: tuple = ("auction-room",)
    curves: Callable = lambda found: []


@dataclass(frozen=True)
class Part:
    """What BENCH_PARTS selects: a script, or some of its measures. An extra one has no row, and is only measured if it is named."""
    name: str
    script: str
    measures: str = ""
    is_extra: bool = False


def ratios(ours, theirs):
    """Of each round."""
    return [one / other for one, other in zip(ours, theirs)]

"""Processor time and wake-ups of a process by the names of its threads, from /proc."""
import os

TICKS = os.sysconf("SC_CLK_TCK")


def _text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def _seconds(task):
    """Nanoseconds where the kernel counts them, ticks of ten milliseconds elsewhere."""
    try:
        return int(_text(task + "/schedstat").split()[0]) / 1e9
    except FileNotFoundError:
        return sum(map(int, _text(task + "/stat").rsplit(")", 1)[1].split()[11:13])) / TICKS


def threads(process):
    """The threads that run now: {thread id: (name, seconds, times it slept)}."""
    found = {}
    for thread in os.listdir(f"/proc/{process}/task"):
        task = f"/proc/{process}/task/{thread}"
        try:
            slept = next(int(line.split()[1]) for line in _text(task + "/status").splitlines() if line.startswith("voluntary_"))
            found[int(thread)] = (_text(task + "/comm").strip(), _seconds(task), slept)
        except (FileNotFoundError, ProcessLookupError, StopIteration):
            # It has ended since.
            continue
    return found


def spent(before, after):
    """What the threads with each name spent between two results of `threads`: {name: {"seconds", "wakeups"}}."""
    names = {}
    for thread, (name, seconds, slept) in after.items():
        _, seconds_before, slept_before = before.get(thread, (name, 0, 0))
        total = names.setdefault(name, {"seconds": 0, "wakeups": 0})
        total["seconds"] += seconds - seconds_before
        total["wakeups"] += slept - slept_before
    return {name: total for name, total in names.items() if total["seconds"] > 0}

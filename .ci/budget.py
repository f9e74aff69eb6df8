#!/usr/bin/env python3
"""Compares the processor time of the stages of `make test` and `make test-all` with .ci/budget.

budget.py calibrate: runs a fixed loop and prints its seconds of processor time and of the clock.
budget.py judge BUDGET MEASURED FIRST LAST: MEASURED has a line "SECONDS STAGE" for each stage that ran, FIRST and LAST are what `calibrate`
printed before and after them. Exits with 1 if a stage took a third more than its bound.

Processor time, since other programs beside the tests cost the clock's time only. Still it depends on the processor, and on what shares its
caches and memory: one machine needed 1.42 times the time in every stage, while its loop took as long as elsewhere. So a stage is compared
with the others of its run as well: it fails if it took a third more than its bound and a third more than the bound times the median
of all stages' ratios, which counts up to 1.5: beyond, the stages may all have grown. A median above 1.1 is printed. And a machine is judged only if the loop took about as long as where the bounds were counted (the line `calibration` of
the budget), in both runs, with a processor of its own; elsewhere the excess is printed, and nothing fails. A stage without a line is not judged.
"""
import statistics
import sys
import time

GROWTH = 4 / 3
# How much the loop's time may differ from the budget's, either way, and which part of the clock's time it must have had a processor.
LIKENESS, ATTENTION = 1.2, 0.95
# Less than this is noise.
LEAST_SECONDS = 5
# So many stages tell how fast the machine is; of fewer, the one that has grown would be the median itself.
LEAST_STAGES = 5
# How far a slow machine stretches the bounds, and from which slowness on that is printed.
MOST_SLOWNESS, NOTED_SLOWNESS = 1.5, 1.1


def calibrate():
    """The shortest of three runs of the loop: processor and clock time of that run."""
    runs = []
    for _ in range(3):
        clock, processor = time.perf_counter(), time.process_time()
        total = 0
        for number in range(1_000_000):
            total = (total * 31 + number) % 1_000_003
        runs.append((time.process_time() - processor, time.perf_counter() - clock))
    return min(runs)


def read(text):
    """{name: seconds} of lines "SECONDS NAME"; # begins a comment."""
    found = {}
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if line:
            seconds, _, name = line.partition(" ")
            found[name.strip()] = float(seconds)
    return found


def is_judged(reference, calibrations):
    """Whether the machine is like that of the budget, and was not shared with other work, before and after the stages."""
    return all(reference / LIKENESS <= processor <= reference * LIKENESS and processor >= clock * ATTENTION for processor, clock in calibrations)


def slowness(budget, measured):
    """How many times its bound the middle one of the stages took; 1 on a faster machine, or if too few stages tell."""
    ratios = [seconds / budget[name] for name, seconds in measured.items() if name in budget and seconds > LEAST_SECONDS]
    return max(1, statistics.median(ratios)) if len(ratios) >= LEAST_STAGES else 1


def beyond(budget, measured):
    """[(stage, seconds, bound)] of the stages that took a third more than their bounds, on a machine as slow as this one."""
    allowed = GROWTH * min(slowness(budget, measured), MOST_SLOWNESS)
    return [(name, seconds, budget[name]) for name, seconds in measured.items()
            if name in budget and seconds > max(LEAST_SECONDS, budget[name] * allowed)]


def judge(budget_text, measured_text, calibrations):
    """(lines to print, whether the run fails)."""
    budget, measured = read(budget_text), read(measured_text)
    found = beyond(budget, measured)
    judged = is_judged(budget["calibration"], calibrations)
    lines = []
    if (slow := slowness(budget, measured)) > NOTED_SLOWNESS:
        lines.append(f"budget: the middle one of the stages took {slow:.2f} times its bound; bounds count {min(slow, MOST_SLOWNESS):.2f} times")
    lines += [f"budget: {name} took {seconds:.0f} s of processor time, {bound:.0f} are its bound in .ci/budget" for name, seconds, bound in found]
    if found and not judged:
        loops = ", ".join(f"{processor:.2f} of {clock:.2f} s" for processor, clock in calibrations)
        lines.append(f"budget: not judged, since this machine is another or was shared: the loop took {loops}")
    return lines, bool(found) and judged


def main():
    if sys.argv[1:] == ["calibrate"]:
        print("{:.3f} {:.3f}".format(*calibrate()))
        return 0
    command, budget, measured, *calibrations = sys.argv[1:]
    if command != "judge":
        sys.exit(__doc__)
    with open(budget, encoding="utf-8") as file, open(measured, encoding="utf-8") as stages:
        lines, is_over = judge(file.read(), stages.read(), [tuple(map(float, each.split())) for each in calibrations])
    print("\n".join(lines) or "budget: no stage is beyond its bound")
    return 1 if is_over else 0


if __name__ == "__main__":
    sys.exit(main())

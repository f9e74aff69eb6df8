"""streams_table.py FILE [JSON]: medians and ratios of what streams.sh measured; fails if anything was lost or came twice.

FILE has a line per measurement: a name, and figures as name=value. JSON gets {name: [figures of each round]}.
"""
import json
import statistics
import sys


def ratio(ours, theirs, figure, other):
    """The median of the rounds' ratios, with the lowest and the highest."""
    ratios = [mine[figure] / its[other] for mine, its in zip(ours, theirs)]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def main():
    runs = {}
    for line in open(sys.argv[1]):
        name, *figures = line.split()
        runs.setdefault(name, []).append({key: float(value) for key, value in (one.split("=") for one in figures)})

    if sys.argv[2:] and sys.argv[2]:
        with open(sys.argv[2], "w") as output:
            json.dump(runs, output)

    def median(name, figure):
        return statistics.median(run[figure] for run in runs[name])

    print(f"{'medians':<24}{'deliv./s':>10}{'p50 ms':>9}{'p90 ms':>9}{'p99 ms':>9}{'max ms':>9}{'last p99':>10}{'cpu us':>8}{'cpu':>6}"
          f"{'client':>8}{'kB open':>9}{'kB load':>9}{'lost':>6}{'twice':>6}{'gone':>6}")
    for name in runs:
        latencies = "".join(f"{median(name, one) / 1000:>9.1f}" for one in ("p50", "p90", "p99", "max"))
        print(f"{name:<24}{median(name, 'deliveries'):>10,.0f}{latencies}{median(name, 'last-p99') / 1000:>10.1f}"
              f"{median(name, 'cpu-us'):>8.2f}{median(name, 'cpu-share'):>6.2f}{median(name, 'client-share'):>8.2f}"
              f"{median(name, 'opened-kb'):>9.1f}{median(name, 'loaded-kb'):>9.1f}{sum(run['lost'] for run in runs[name]):>6.0f}"
              f"{sum(run['doubled'] for run in runs[name]):>6.0f}{sum(run['gone'] for run in runs[name]):>6.0f}")
    print()
    for name in runs:
        other = name.replace("room-", "nchan-", 1) if name.startswith("room-") else "nchan-" + name
        if other in runs:
            figure = "last-p99" if name.startswith("screens-") else "deliveries"
            print(f"{name}, {figure}: {ratio(runs[name], runs[other], figure, figure)} x nchan's")
    if "bids" in runs:
        print(f"bids' p99: {median('bids', 'bid-p99-alone'):,.0f} us alone, {median('bids', 'bid-p99'):,.0f} us meanwhile, "
              f"{ratio(runs['bids'], runs['bids'], 'bid-p99', 'bid-p99-alone')} times")
    if "stalled-10" in runs:
        print(f"p99 beside 10 stalled readers, against none: {ratio(runs['stalled-10'], runs['stalled-0'], 'p99', 'p99')} times")
        print(f"peak memory: {median('stalled-0', 'peak-kb') / 1024:.1f} MB without, "
              f"{median('stalled-10', 'peak-kb') / 1024:.1f} MB with stalled readers")

    failures = [f"{name}: {figure} {run[figure]:.0f}" for name in runs for run in runs[name] for figure in ("lost", "doubled")
                if run[figure] > 0]
    for failure in failures:
        print("bench: " + failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


main()

"""streams_table.py FILE: medians and ratios of what streams.sh measured; fails if anything was lost or came twice.

FILE has a line per measurement: a name, and figures as name=value.
"""
import statistics
import sys

TARGETS = {"websocket": 1.3, "sse": 1.2, "long-poll": 0.9}
SUBSCRIBER_KB = 12


def target(title, value, bound, at_least):
    met = value >= bound if at_least else value <= bound
    sign = "at least" if at_least else "at most"
    return f"{title:<56}{value:>8.2f}   target: {sign} {bound:.2f}   {'met' if met else 'MISSED'}"


def main():
    runs = {}
    for line in open(sys.argv[1]):
        name, *figures = line.split()
        runs.setdefault(name, []).append({key: float(value) for key, value in (one.split("=") for one in figures)})

    def median(name, figure):
        return statistics.median(run[figure] for run in runs[name])

    print(f"{'medians':<18}{'deliv./s':>10}{'p50 ms':>9}{'p90 ms':>9}{'p99 ms':>9}{'max ms':>9}{'cpu us':>8}{'cpu':>6}"
          f"{'client':>8}{'kB open':>9}{'kB load':>9}{'lost':>6}{'twice':>6}{'gone':>6}")
    for name in runs:
        latencies = "".join(f"{median(name, one) / 1000:>9.1f}" for one in ("p50", "p90", "p99", "max"))
        print(f"{name:<18}{median(name, 'deliveries'):>10,.0f}{latencies}{median(name, 'cpu-us'):>8.2f}"
              f"{median(name, 'cpu-share'):>6.2f}{median(name, 'client-share'):>8.2f}{median(name, 'opened-kb'):>9.1f}"
              f"{median(name, 'loaded-kb'):>9.1f}{sum(run['lost'] for run in runs[name]):>6.0f}"
              f"{sum(run['doubled'] for run in runs[name]):>6.0f}{sum(run['gone'] for run in runs[name]):>6.0f}")
    print()
    for transport, bound in TARGETS.items():
        ours, other = "room-" + transport, "nchan-" + transport
        if ours not in runs:
            continue
        pairs = [mine["deliveries"] / its["deliveries"] for mine, its in zip(runs[ours], runs[other])]
        print(target(f"deliveries by {transport}, against nchan", statistics.median(pairs), bound, True))
        if transport != "long-poll":
            print(target(f"kB of memory a {transport} subscriber", median(ours, "opened-kb"), SUBSCRIBER_KB, False))
    if "bids" in runs:
        pairs = [run["bid-p99"] / run["bid-p99-alone"] for run in runs["bids"]]
        print(f"bids' p99: {median('bids', 'bid-p99-alone'):,.0f} us alone, {median('bids', 'bid-p99'):,.0f} us meanwhile")
        print(target("bids' p99 while subscribers are served, against before", statistics.median(pairs), 2, False))
    if "stalled-10" in runs:
        pairs = [with_["p99"] / without["p99"] for with_, without in zip(runs["stalled-10"], runs["stalled-0"])]
        print(target("p99 beside 10 stalled readers, against none", statistics.median(pairs), 1.2, False))
        print(f"peak memory: {median('stalled-0', 'peak-kb') / 1024:.1f} MB without, "
              f"{median('stalled-10', 'peak-kb') / 1024:.1f} MB with stalled readers")

    failures = [f"{name}: {figure} {run[figure]:.0f}" for name in runs for run in runs[name] for figure in ("lost", "doubled")
                if run[figure] > 0]
    for failure in failures:
        print("bench: " + failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


main()

"""table.py FILE: medians and ratios of what bench.sh measured; fails if the server refused over 1 % of what it was sent.

FILE has a line per measurement: name and seven figures of a wrk run, or "fdatasync" and microseconds.
"""
import statistics
import sys

REFUSED_LIMIT = 0.01


class Series:
    def __init__(self, rows):
        self.requests = [int(row[0]) for row in rows]
        self.rates = [int(row[0]) / float(row[1]) for row in rows]
        self.refused = sum(int(row[2]) for row in rows)
        self.broken = sum(int(row[3]) for row in rows)
        self.p50 = statistics.median(float(row[4]) for row in rows)
        self.p99 = statistics.median(float(row[5]) for row in rows)
        self.processor = statistics.median(float(row[6]) * 1e6 / int(row[0]) for row in rows)
        self.rate = statistics.median(self.rates)

    def line(self, title):
        share = self.refused / sum(self.requests)
        return (f"{title:<26}{self.rate:>10,.0f}{min(self.rates):>10,.0f}{max(self.rates):>10,.0f}"
                f"{self.p50:>9,.0f}{self.p99:>9,.0f}{self.processor:>9.1f}{share:>10.2%}{self.broken:>8}")


def target(title, value, bound, at_least):
    met = value >= bound if at_least else value <= bound
    sign = "at least" if at_least else "at most"
    return f"{title:<52}{value:>7.2f}   target: {sign} {bound:.2f}   {'met' if met else 'MISSED'}"


def paired(now, before):
    """The median of the rounds' ratios, with the lowest and the highest."""
    ratios = [one / other for one, other in zip(now, before)]
    return f"{statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"


def main():
    rows = {}
    for line in open(sys.argv[1]):
        name, *figures = line.split()
        rows.setdefault(name, []).append(figures)
    disk = statistics.median(float(figures[0]) for figures in rows.pop("fdatasync"))
    series = {name: Series(figures) for name, figures in rows.items()}
    bare_read, read, bare_bid, bid, single = (series[name] for name in ("bare-get", "get", "bare-post", "post", "single"))

    print(f"{'medians of ' + str(len(rows['get'])) + ' rounds':<26}{'per s':>10}{'lowest':>10}{'highest':>10}"
          f"{'p50 us':>9}{'p99 us':>9}{'cpu us':>9}{'refused':>10}{'broken':>8}")
    print(bare_read.line("bare C, GET"))
    print(read.line("GET /v1/rooms/{id}"))
    print(bare_bid.line("bare C, POST"))
    print(bid.line("POST /v1/rooms/{id}/bids"))
    print(single.line("  … over one connection"))
    pairs = [(name, one, series["baseline-" + name]) for name, one in series.items() if "baseline-" + name in series]
    for name, _, before in pairs:
        print(before.line(f"baseline, {name}"))
    print(f"{'4 KiB and fdatasync':<26}{1e6 / disk:>10,.0f}{'':>20}{disk:>9,.0f}")
    print()
    print(target("bids, against bare C's POST", bid.rate / bare_bid.rate, 0.35, True))
    print(target("reads, against bare C's GET", read.rate / bare_read.rate, 0.60, True))
    print(target("p50 of a bid on one connection, against fdatasync", single.p50 / disk, 2.5, False))

    for name, now, before in pairs:
        print(f"{name}: {paired(now.rates, before.rates)} x the baseline's rate, {now.processor / before.processor:.3f} x its processor time")

    failures = [
        f"{name}: {one.refused} of {sum(one.requests)} refused, {one.broken} broken"
        for name, one in series.items()
        if one.refused > REFUSED_LIMIT * sum(one.requests) or one.broken > 0
    ]
    for failure in failures:
        print("bench: not a valid measurement: " + failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


main()

"""table.py FILE [JSON]: medians of what bids.sh measured; fails if the server refused over 1 % of what it was sent.

FILE has a line of JSON per measurement. JSON gets {name: [figures of each round]}.
"""
import json
import statistics
import sys

REFUSED_LIMIT = 0.01
# The bids of a hot room overtake each other, and those that are too low by then are refused.
REFUSED_ON_PURPOSE = {"hot"}
TITLES = {
    "bare-get": "bare C, GET", "get": "GET /v1/rooms/{id}", "bare-post": "bare C, POST", "post": "POST /v1/rooms/{id}/bids",
    "keyed": "  … with an Idempotency-Key", "hot": "  … all in one room", "single": "  … over one connection",
    "node": "Node's http, POST", "hummingbird": "Hummingbird on SQLite", "redis": "Redis, place_bid",
    "redis-hot": "  … all on one lot",
}


class Series:
    def __init__(self, rounds):
        self.rounds = rounds
        self.requests = sum(one["requests"] for one in rounds)
        self.refused = sum(one["refused"] for one in rounds)
        self.broken = sum(one["broken"] for one in rounds)
        self.rates = [one["requests"] / one["seconds"] for one in rounds]
        self.processor = [sum(thread["seconds"] for thread in one["threads"].values()) * 1e6 / one["requests"] for one in rounds]

    def line(self, title):
        p50, p99 = (statistics.median(one[figure] for one in self.rounds) for figure in ("p50", "p99"))
        return (f"{title:<30}{statistics.median(self.rates):>10,.0f}{min(self.rates):>10,.0f}{max(self.rates):>10,.0f}"
                f"{p50:>9,.0f}{p99:>9,.0f}{statistics.median(self.processor):>9.1f}{self.refused / self.requests:>10.2%}{self.broken:>8}")

    def threads(self):
        """Processor microseconds a request of each thread that has a hundredth of all."""
        names = {name for one in self.rounds for name in one["threads"]}
        each = {name: statistics.median(one["threads"].get(name, {"seconds": 0})["seconds"] * 1e6 / one["requests"] for one in self.rounds)
                for name in names}
        busy = sorted(each.items(), key=lambda pair: -pair[1])
        return ", ".join(f"{name} {micros:.1f}" for name, micros in busy if micros > sum(each.values()) / 100)


def paired(now, before):
    """The median of the rounds' ratios, with the lowest and the highest."""
    ratios = [one / other for one, other in zip(now, before)]
    return f"{statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"


def main():
    rows = {}
    with open(sys.argv[1]) as file:
        for line in file:
            figures = json.loads(line)
            rows.setdefault(figures.pop("name"), []).append(figures)
    if sys.argv[2:] and sys.argv[2]:
        with open(sys.argv[2], "w") as output:
            json.dump(rows, output)
    disk = statistics.median(figures["p50"] for figures in rows.pop("fdatasync"))
    series = {name: Series(rounds) for name, rounds in rows.items()}

    print(f"{'medians of ' + str(max(len(rounds) for rounds in rows.values())) + ' rounds':<30}{'per s':>10}{'lowest':>10}{'highest':>10}"
          f"{'p50 us':>9}{'p99 us':>9}{'cpu us':>9}{'refused':>10}{'broken':>8}")
    for name, one in series.items():
        print(one.line(TITLES.get(name, name)))
    print(f"{'4 KiB and fdatasync':<30}{1e6 / disk:>10,.0f}{'':>20}{disk:>9,.0f}")
    for name in ("post", "single"):
        if name in series:
            print(f"processor us by thread, {name}: {series[name].threads()}")
    for name, now in series.items():
        if before := series.get("baseline-" + name):
            print(f"{name}: {paired(now.rates, before.rates)} x the baseline's rate, "
                  f"{paired(now.processor, before.processor)} x its processor time")

    failures = [
        f"{name}: {one.refused} of {one.requests} refused, {one.broken} broken"
        for name, one in series.items()
        if one.broken > 0 or one.refused > REFUSED_LIMIT * one.requests and name not in REFUSED_ON_PURPOSE
    ]
    for failure in failures:
        print("bench: not a valid measurement: " + failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


main()

"""Audits a sale that is over: events, lots and results against what was acknowledged. Each finding is a sentence."""
import csv
import io
import json

from fold import milliseconds, units
from sale_fold import SaleFold
from wire import CheckFailed, expect

# What the clock does happens at most this many ms after it is due, unless every node was away; on two cores.
LATEST = 1000


def outcome(rules, bids, seed):
    """The winner's id and the price, of bids [(amount, bidder)] in the order of the log; None if the item passes."""
    if rules["format"] in ("sealedFirstPrice", "vickrey"):
        # Of each bidder the latest bid stands.
        bids = [bid for place, bid in enumerate(bids) if bid[1] not in [later[1] for later in bids[place + 1:]]]
    if not bids:
        return None
    top = max(amount for amount, _ in bids)
    reserve = units(rules["reservePrice"]) if rules.get("reservePrice") else 0
    if top < reserve:
        return None
    tied = [bidder for amount, bidder in bids if amount == top]
    winner = sorted(tied)[seed % len(tied)] if seed is not None else tied[0]
    if rules["format"] == "vickrey":
        others = [amount for amount, bidder in bids if bidder != winner]
        top = max([units(rules["startingPrice"]), reserve, *others])
    return winner, top


def pages(client, path, name):
    """All elements of a list, read in small pages."""
    found, cursor = [], ""
    while True:
        response = client.call("GET", f"{path}?limit=7{cursor}")
        if response.status == 400 and cursor:
            # The lots were reordered so much meanwhile that the list begins anew.
            found, cursor = [], ""
            continue
        page = expect(response, 200)
        found += page[name]
        if page["nextCursor"] is None:
            return found
        cursor = "&cursor=" + page["nextCursor"]


class SaleAudit:
    """`sale`: see `sale.Sale`; `events`: the raw events of its room."""

    def __init__(self, sale, events):
        self.sale, self.fold = sale, SaleFold()
        for raw in events:
            self.fold.apply(json.loads(raw))
        self.findings = list(self.fold.complaints)
        self.bids = {identity: bid for bidder in sale.bidders for identity, bid in bidder.bids.items()}
        self._course()
        self._bids()
        self._lots()
        self._results()

    def require(self, holds, text):
        if not holds:
            self.findings.append(text)

    def _course(self):
        """The sale began at its second and ended by itself; each lot had one turn, in the acknowledged order."""
        fold, editor = self.fold, self.sale.editor
        kinds = [event["type"] for event in fold.sale_events]
        self.require(kinds == ["sale.configured", "sale.starting", "sale.started", "sale.finished"], f"the sale went {kinds}")
        for started in [event for event in fold.sale_events if event["type"] == "sale.started"]:
            late, by = milliseconds(started["at"]) - self.sale.starts_at, started["data"]["by"]
            self.require(by is None and 0 <= late <= LATEST, f"the sale began {late} ms after its time, by {by}")
        sold = [round_.lot for round_ in fold.rounds]
        wanted = [lot for lot in editor.order if lot not in editor.withdrawn]
        self.require(sold == wanted, f"the lots had their turns as {sold}; acknowledged was {wanted}")
        self.require(fold.order == editor.order, "the order of all lots is not what was acknowledged")
        self.require([round_.number for round_ in fold.rounds] == list(range(1, len(sold) + 1)), "a round has no lot")
        for lot, found in fold.lots.items():
            states = ("withdrawn",) if lot in editor.withdrawn else ("sold", "passed")
            self.require(found.state in states, f"{lot} is {found.state} in the end, not {states}")
        for what, due, at in fold.met:
            away = any(down - LATEST <= due <= back + LATEST for down, back in self.sale.away)
            self.require(away or at <= due + LATEST, f"{what} was due at {due} and happened {at - due} ms later")

    def _bids(self):
        self.require(self.fold.bids.keys() == self.bids.keys(), f"acknowledged and not in the log: {self.bids.keys() - self.fold.bids.keys()}, "
                     f"in the log and not acknowledged: {self.fold.bids.keys() - self.bids.keys()}")
        for identity in self.fold.bids.keys() & self.bids.keys():
            event, bid = self.fold.bids[identity], self.bids[identity]
            kept = (event["seq"], event["at"], event["data"]["bidder"]["id"], event["data"].get("amount", bid["amount"]))
            promised = (bid["seq"], bid["at"], bid["bidder"], bid["amount"])
            self.require(kept == promised, f"the bid {identity} was acknowledged as {promised}, the log has {kept}")

    def _lots(self):
        editor, seen = self.sale.editor, pages(self.sale.host, self.sale.path + "/lots", "lots")
        self.require([lot["id"] for lot in seen] == editor.order, "the list of lots is not in the acknowledged order")
        for lot in seen:
            known = editor.lots.get(lot["id"], {})
            rules = {name: value for name, value in known.get("rules", {}).items() if name in lot["rules"]}
            shown = {name: lot["rules"][name] for name in rules}
            self.require((lot["item"]["name"], lot["reference"], shown) == (known.get("name"), known.get("reference"), rules),
                         f"{lot['id']} is {lot}, acknowledged was {known}")
            self.require(lot["state"] == self.fold.lots[lot["id"]].state, f"{lot['id']} is shown as {lot['state']}")

    def expected(self, round_):
        """What the results must say of a round, from its events and the amounts that were acknowledged."""
        editor = self.sale.editor
        rules, data = editor.lots[round_.lot]["rules"], round_.result["data"]
        bids = [(units(self.bids[event["data"]["bidId"]]["amount"]), event["data"]["bidder"]["id"])
                for event in round_.bids if event["data"]["bidId"] in self.bids]
        won = outcome(rules, bids, round_.seed)
        told = (data["winner"]["id"], units(data["price"])) if round_.result["type"] == "item.sold" else None
        self.require(told == won, f"round {round_.number} ended with {told}, its bids make {won}")
        # Rounded half up to the minor unit.
        premium = won and (won[1] * self.sale.premium + 5000) // 10_000
        return {
            "round": round_.number, "lotId": round_.lot, "reference": editor.lots[round_.lot]["reference"],
            "item": editor.lots[round_.lot]["name"], "result": "sold" if won else "passed", "winner": won and won[0],
            "price": won and money(won[1]), "premium": won and money(premium), "total": won and money(won[1] + premium),
            "bids": len(bids), "openedAt": round_.opened, "closedAt": round_.closed,
            "seller": editor.lots[round_.lot]["owner"].person[0],
        }

    def _results(self):
        wanted = [self.expected(round_) for round_ in self.fold.rounds if round_.result]
        rows = pages(self.sale.host, self.sale.path + "/results", "results")
        found = [{**{name: row[name] for name in wanted[0]}, "item": row["item"]["name"], "winner": row["winner"] and row["winner"]["id"],
                  "seller": row["seller"]["id"]} for row in reversed(rows)]
        self._compare("results", found, wanted)
        response = self.sale.host.call("GET", self.sale.path + "/results.csv")
        if response.status != 200 or "link" in response.headers:
            raise CheckFailed(f"results.csv: {response.status} {response.headers}")
        table = csv.DictReader(io.StringIO(response.body.decode(), newline=""))
        columns = {"lotId": "lot", "winner": "winnerId", "seller": "sellerId"}
        lines = [{name: row[columns.get(name, name)] or None for name in wanted[0]} for row in table]
        self._compare("results.csv", lines, [{name: None if value is None else str(value) for name, value in row.items()} for row in wanted])

    def _compare(self, name, found, wanted):
        self.require(len(found) == len(wanted), f"{name} has {len(found)} rows, {len(wanted)} rounds have ended")
        for row, right in zip(found, wanted):
            self.require(row == right, f"{name} says {row}, the events {right}")


def money(amount):
    return f"{amount // 100}.{amount % 100:02}"

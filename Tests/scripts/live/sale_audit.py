"""Audits a sale that is over: events, lots and results against what was acknowledged. Each finding is a sentence."""
import csv
import io

from sale_history import SaleHistory
from wire import CheckFailed, expect, milliseconds, units

# What the clock does happens at most this many ms after it is due, unless every node was away; on two cores.
LATEST = 1000


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
        self.sale = sale
        self.history = self._audited(events)
        self.findings = list(self.history.findings)
        self._course()
        self._lots()
        self._results()

    def require(self, holds, text):
        if not holds:
            self.findings.append(text)

    def _audited(self, events):
        """Rules, bids and winners, with the amounts, reserve prices and absentee bids that are in no public event."""
        room, bids = self.sale.room, [bid for bidder in self.sale.bidders for bid in bidder.bids.values()]
        sent = [{"bid": {"room": room, "round": bid["round"], "bidder": bid["bidder"], "amount": bid["amount"], "outcome": "acknowledged",
                         "response": {"bid": bid}}} for bid in bids]
        reserves = [{"room": room, "lot": lot, "reserve": known["rules"]["reservePrice"]} for lot, known in self.sale.editor.lots.items()
                    if "reservePrice" in known["rules"]]
        left = [{"room": room, "absentee": each} for person in self.sale.absentees for each in person.left]
        return SaleHistory(room, events, *sent, *reserves, *left)

    def _course(self):
        """The sale began at its second and ended by itself; each lot had one turn, in the acknowledged order."""
        history, editor = self.history, self.sale.editor
        of_sale = [event for event in history.events if event["type"].startswith("sale.")]
        kinds = [event["type"] for event in of_sale]
        self.require(kinds == ["sale.configured", "sale.starting", "sale.started", "sale.finished"], f"the sale went {kinds}")
        for started in [event for event in of_sale if event["type"] == "sale.started"]:
            late, by = milliseconds(started["at"]) - self.sale.starts_at, started["data"]["by"]
            self.require(by is None and 0 <= late <= LATEST, f"the sale began {late} ms after its time, by {by}")
        changes = [event["data"] for event in history.events if event["type"] == "state.changed"]
        by_hand = [change for change in changes if change["cause"] not in ("sale", "countdown", "bid")]
        self.require(not by_hand, f"the room changes by hand: {by_hand}")
        rounds = history.rounds.all
        sold = [round_.lot for round_ in rounds]
        wanted = [lot for lot in editor.order if lot not in editor.withdrawn]
        self.require(sold == wanted, f"the lots had their turns as {sold}; acknowledged was {wanted}")
        self.require(history.order == editor.order, "the order of all lots is not what was acknowledged")
        self.require([round_.number for round_ in rounds] == list(range(1, len(sold) + 1)), "a round has no lot")
        for lot, found in history.lots.items():
            states = ("withdrawn",) if lot in editor.withdrawn else ("sold", "passed")
            self.require(found["state"] in states, f"{lot} is {found['state']} in the end, not {states}")
        for what, due, event in history.met():
            late, away = milliseconds(event["at"]) - due, any(down - LATEST <= due <= back + LATEST for down, back in self.sale.away)
            self.require(away or late <= LATEST, f"{what} was due at {due} and happened {late} ms later")

    def _lots(self):
        editor, seen = self.sale.editor, pages(self.sale.host, self.sale.path + "/lots", "lots")
        self.require([lot["id"] for lot in seen] == editor.order, "the list of lots is not in the acknowledged order")
        for lot in seen:
            known = editor.lots.get(lot["id"], {})
            rules = {name: value for name, value in known.get("rules", {}).items() if name in lot["rules"]}
            shown = {name: lot["rules"][name] for name in rules}
            self.require((lot["item"]["name"], lot["reference"], shown) == (known.get("name"), known.get("reference"), rules),
                         f"{lot['id']} is {lot}, acknowledged was {known}")
            shown, known = (lot["state"], lot["number"]), self.history.lots[lot["id"]]
            self.require(shown == (known["state"], known["number"]), f"{lot['id']} is shown as {shown}")

    def expected(self, round_):
        """What the results must say of a round, from its events."""
        editor, data = self.sale.editor, round_.result["data"]
        won = (data["winner"]["id"], units(data["price"])) if round_.result["type"] == "item.sold" else None
        # Rounded half up to the minor unit.
        premium = won and (won[1] * self.sale.premium + 5000) // 10_000
        return {
            "round": round_.number, "lotId": round_.lot, "reference": editor.lots[round_.lot]["reference"],
            "number": self.history.lots[round_.lot]["number"],
            "item": editor.lots[round_.lot]["name"], "result": "sold" if won else "passed", "winner": won and won[0],
            "price": won and money(won[1]), "premium": won and money(premium), "total": won and money(won[1] + premium),
            "bids": len(round_.bids), "openedAt": round_.opened, "closedAt": round_.closed,
            "seller": editor.lots[round_.lot]["owner"].person[0],
        }

    def _results(self):
        wanted = [self.expected(round_) for round_ in self.history.rounds.all if round_.result]
        rows = pages(self.sale.host, self.sale.path + "/results", "results")
        found = [{**{name: row[name] for name in wanted[0]}, "item": row["item"]["name"], "winner": row["winner"] and row["winner"]["id"],
                  "seller": row["seller"]["id"]} for row in reversed(rows)]
        self._compare("results", found, wanted)
        response = self.sale.host.call("GET", self.sale.path + "/results.csv")
        if response.status != 200 or "link" in response.headers:
            raise CheckFailed(f"results.csv: {response.status} {response.headers}")
        table = csv.DictReader(io.StringIO(response.body.decode("utf-8-sig"), newline=""))
        columns = {"lotId": "lot", "winner": "winnerId", "seller": "sellerId"}
        lines = [{name: row[columns.get(name, name)] or None for name in wanted[0]} for row in table]
        self._compare("results.csv", lines, [{name: None if value is None else str(value) for name, value in row.items()} for row in wanted])

    def _compare(self, name, found, wanted):
        self.require(len(found) == len(wanted), f"{name} has {len(found)} rows, {len(wanted)} rounds have ended")
        for row, right in zip(found, wanted):
            self.require(row == right, f"{name} says {row}, the events {right}")


def money(amount):
    return f"{amount // 100}.{amount % 100:02}"

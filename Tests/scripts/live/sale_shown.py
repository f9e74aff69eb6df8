"""What a page must show of a sale after each of its events, in English; shares no code with the page or the server."""
from types import SimpleNamespace

from sale_fold import SaleFold
from wire import milliseconds, units

STATES = {"preparing": "Preparing", "listing": "Listing", "auctioning": "Bidding open", "closed": "Closed"}
FORMATS = {"dutch": "Dutch", "sealedFirstPrice": "Sealed", "vickrey": "Vickrey"}
REASONS = {"no_bids": "Nobody bid on {}.", "reserve_not_met": "The reserve of {} was not met."}
SEALED = ("sealedFirstPrice", "vickrey")


def amount(units_):
    return f"¥{units_ // 100:,}.{units_ % 100:02}"


def nickname(person, reader):
    return "You" if person["id"] == reader else person["nickname"]


class Shown(SaleFold):
    """The fold with what the page shows in addition. Each of the functions below returns a value that can be compared."""

    def __init__(self):
        super().__init__()
        self.round, self.item, self.premium, self.price, self.leader = 1, None, None, None, None
        self.results = []

    def apply(self, event):
        self.round = event["round"]
        super().apply(event)

    def on_state_changed(self, data, at, event):
        super().on_state_changed(data, at, event)
        if data["to"] == "preparing":
            self.item = None

    def on_item_uploaded(self, data, at, event):
        super().on_item_uploaded(data, at, event)
        self.item, self.price, self.leader = self.rounds[-1], None, None
        self.item.name, self.item.reference = data["item"]["name"], self.lots[data["lotId"]].reference

    def on_bid_placed(self, data, at, event):
        super().on_bid_placed(data, at, event)
        if data["leading"] and "amount" in data:
            self.price, self.leader = units(data["amount"]), data["bidder"]

    def on_price_dropped(self, data, at, event):
        super().on_price_dropped(data, at, event)
        self.price = units(data["price"])

    def on_sale_configured(self, data, at, event):
        super().on_sale_configured(data, at, event)
        self.premium = round(float(data["premium"]["percent"]) * 100)

    def _result(self, data, at, event):
        super()._result(data, at, event)
        self.results.insert(0, SimpleNamespace(round=self.item, winner=data.get("winner"), price=units(data["price"]) if "price" in data else None))

    on_item_sold = on_item_passed = _result

    def whole(self, price):
        """With the premium, rounded half up to the minor unit."""
        return amount(price + (price * self.premium + 5000) // 10_000) + " with premium"

    def room_view(self, reader):
        """The round, the lot that is current, its price and its leader, or what became of it."""
        sale = [event["type"] for event in self.sale_events]
        common = (self.round, self.state, len(self.queued()), "sale.started" in sale and "sale.finished" not in sale)
        if self.item is None:
            return common
        if self.state == "closed" and self.item.result is None:
            # A page that begins here has read a room in which the next events have happened already, but not the result.
            return (self.round, self.state, self.item.name)
        rules, result = self.item.rules, self.item.result
        start, is_over = units(rules["startingPrice"]), self.state == "closed"
        is_sealed = rules["format"] in SEALED and not is_over
        price, banner, row = self.price, (), (f"from {amount(start)}" if self.price is None else amount(self.price), STATES[self.state])
        if result and result["type"] == "item.sold":
            price, winner = units(result["data"]["price"]), nickname(result["data"]["winner"], reader)
            banner = ("You won" if winner == "You" else f"Sold to {winner}", f"{self.item.name} for {amount(price)} · {self.whole(price)}")
            row = (amount(price), "Sold")
        elif result:
            banner, row = ("Passed", REASONS[result["data"]["reason"]].format(self.item.name)), (row[0], "Passed")
        shown = amount(start if price is None else price)
        # A lot that is over without a price has no buyer.
        total = "" if is_over and price is None else self.whole(start if price is None else price)
        leader = "" if is_over or rules["format"] == "dutch" else "No bids yet"
        if is_sealed:
            shown = f"{len({bid['data']['bidder']['id'] for bid in self.item.bids})} in"
            total, leader = f"{self.premium / 100:.2f} % buyer's premium", f"from {amount(start)}"
        elif self.leader and not is_over:
            leader = nickname(self.leader, reader)
            leader += " lead" if leader == "You" else " leads"
        return (*common, self.item.name, shown, total, leader, banner, (self.item.name, *row))

    def lot_view(self, reader):
        """The number that the seller gave to the current lot, or to the next one before there is one."""
        if self.item:
            return (f"Lot {self.item.reference}", self.item.reference)
        queued = self.queued()
        return (f"Coming up · Lot {self.lots[queued[0]].reference}" if queued else f"Round {self.round}", "")

    def queue_view(self, reader):
        """The lots to come, in their order."""
        return tuple(self._row(lot) for lot in self.queued())

    def _row(self, identity):
        lot = self.lots[identity]
        rules = lot.item["rules"]
        facts = " · ".join(filter(None, [f"from {amount(units(rules['startingPrice']))}", FORMATS.get(rules["format"])]))
        return "|".join([identity, lot.item["name"], f"{lot.reference}{facts}"])

    def results_view(self, reader):
        """Of all rounds that are over, the last first."""
        return tuple("|".join(["", row.round.reference, row.round.name, self._end(row, reader)]) for row in self.results)

    def _end(self, row, reader):
        if row.price is None:
            return "Passed"
        return f"{amount(row.price)} {row.winner['nickname']}{'you' if row.winner['id'] == reader else ''}{self.whole(row.price)}"


def timelines(events, reader):
    """For each part of the page, what it must show: [(from when, value)] in milliseconds; and the rounds."""
    fold, lines = Shown(), {"room": [], "lot": [], "queue": [], "results": []}
    for event in events:
        fold.apply(event)
        at = milliseconds(event["at"])
        for name, line in lines.items():
            if name != "room" and not event["type"].startswith(("lot.", "item.", "state.", "sale.")):
                continue
            value = getattr(fold, name + "_view")(reader)
            if not line or line[-1][1] != value:
                line.append((at, value))
    return lines, fold.rounds

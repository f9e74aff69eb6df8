"""What a page must show of a sale after each of its events, in English; shares no code with the page or the server."""
from sale_history import Rounds
from wire import milliseconds, units

STATES = {"preparing": "Preparing", "listing": "Listing", "auctioning": "Bidding open", "closed": "Closed"}
FORMATS = {"dutch": "Dutch", "sealedFirstPrice": "Sealed", "vickrey": "Vickrey"}
REASONS = {"no_bids": "Nobody bid on {}.", "reserve_not_met": "The reserve of {} was not met."}
SEALED = ("sealedFirstPrice", "vickrey")


def amount(units_):
    return f"¥{units_ // 100:,}.{units_ % 100:02}"


def nickname(person, reader):
    return "You" if person["id"] == reader else person["nickname"]


class Shown:
    """What the page knows after an event. Each of the functions below returns a value that can be compared."""

    def __init__(self):
        self.room, self.rounds, self.premium, self.results, self.people, self.left = None, Rounds(), None, [], {}, {}

    def take(self, event, room):
        """`room`: after the event, as `SaleHistory.states` has it."""
        self.room, data = room, event["data"]
        self.rounds.take(event)
        if event["type"] == "sale.configured":
            self.premium = round(float(data["premium"]["percent"]) * 100)
        elif event["type"] == "lot.bidsChanged":
            self.left[data["lotId"]] = data["absenteeBids"]
        elif event["type"] == "bid.placed":
            self.people[data["bidder"]["id"]] = data["bidder"]
        elif event["type"] in ("item.sold", "item.passed"):
            self.results.insert(0, self.item)

    @property
    def item(self):
        """The round, once it has an item."""
        last = self.rounds.all[-1:]
        return last[0] if last and last[0].number == self.room["round"] else None

    def reference(self, lot):
        return self.room["lots"][lot]["reference"]

    def queued(self):
        return [lot for lot in self.room["order"] if self.room["lots"][lot]["state"] == "queued"]

    def whole(self, price):
        """With the premium, rounded half up to the minor unit."""
        return amount(price + (price * self.premium + 5000) // 10_000) + " with premium"

    def room_view(self, reader):
        """The round, the lot that is current, its price and its leader, or what became of it."""
        room, item = self.room, self.item
        state, price = room["state"], room["price"]
        common = (room["round"], state, len(self.queued()), room["running"])
        if item is None:
            return common
        if state == "closed" and item.result is None:
            # A page that begins here has read a room in which the next events have happened already, but not the result.
            return (room["round"], state, item.name)
        rules, result = item.rules, item.result
        start, is_over = units(rules["startingPrice"]), state == "closed"
        is_sealed = rules["format"] in SEALED and not is_over
        banner, row = (), (f"from {amount(start)}" if price is None else amount(price), STATES[state])
        if result and result["type"] == "item.sold":
            price, winner = units(result["data"]["price"]), nickname(result["data"]["winner"], reader)
            banner = ("You won" if winner == "You" else f"Sold to {winner}", f"{item.name} for {amount(price)} · {self.whole(price)}")
            row = (amount(price), "Sold")
        elif result:
            banner, row = ("Passed", REASONS[result["data"]["reason"]].format(item.name)), (row[0], "Passed")
        shown = amount(start if price is None else price)
        # A lot that is over without a price has no buyer.
        total = "" if is_over and price is None else self.whole(start if price is None else price)
        leader = "" if is_over or rules["format"] == "dutch" else "No bids yet"
        if is_sealed:
            shown = f"{len({bid['data']['bidder']['id'] for bid in item.bids})} in"
            total, leader = f"{self.premium / 100:.2f} % buyer's premium", f"from {amount(start)}"
        elif room["leader"] and not is_over:
            leader = nickname(self.people[room["leader"]], reader)
            leader += " lead" if leader == "You" else " leads"
        return (*common, item.name, shown, total, leader, banner, (item.name, *row))

    def lot_view(self, reader):
        """The number that the seller gave to the current lot, or to the next one before there is one."""
        if self.item:
            return (f"Lot {self.reference(self.item.lot)}", self.reference(self.item.lot))
        queued = self.queued()
        return (f"Coming up · Lot {self.reference(queued[0])}" if queued else f"Round {self.room['round']}", "")

    def queue_view(self, reader):
        """The lots to come, in their order."""
        return tuple(self._row(lot) for lot in self.queued())

    def _row(self, identity):
        item = self.room["lots"][identity]["item"]
        rules = item["rules"]
        facts = " · ".join(filter(None, [f"from {amount(units(rules['startingPrice']))}", FORMATS.get(rules["format"]),
                                         self.left.get(identity) and f"Bids in advance: {self.left[identity]}"]))
        return "|".join([identity, item["name"], f"{self.reference(identity)}{facts}"])

    def results_view(self, reader):
        """Of all rounds that are over, the last first."""
        return tuple("|".join(["", self.reference(row.lot), row.name, self._end(row.result, reader)]) for row in self.results)

    def _end(self, result, reader):
        if result["type"] == "item.passed":
            return "Passed"
        price, winner = units(result["data"]["price"]), result["data"]["winner"]
        return f"{amount(price)} {winner['nickname']}{'you' if winner['id'] == reader else ''}{self.whole(price)}"


def timelines(history, reader):
    """For each part of the page, what it must show: [(from when, value)] in milliseconds; and the rounds."""
    page, lines = Shown(), {"room": [], "lot": [], "queue": [], "results": []}
    for event, room in zip(history.events, history.states):
        page.take(event, room)
        at = milliseconds(event["at"])
        for name, line in lines.items():
            if name != "room" and not event["type"].startswith(("lot.", "item.", "state.", "sale.")):
                continue
            value = getattr(page, name + "_view")(reader)
            if not line or line[-1][1] != value:
                line.append((at, value))
    return lines, page.rounds.all

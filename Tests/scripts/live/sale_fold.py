"""Lots and rounds of a sale as a client knows them from the public events; `audit-events` checks whether the events keep the rules."""
from types import SimpleNamespace

from wire import milliseconds, units


class SaleFold:
    """The fold so far. `complaints`: a sentence for each event that is possible, and is not in this sale."""

    def __init__(self):
        self.seq, self.state, self.due = 0, "preparing", None
        # Identifiers of all lots in order, and each lot's state and item as events show it.
        self.order, self.lots = [], {}
        self.current = None
        # One of each round, in order, and the present one while bids are taken.
        self.rounds, self.open = [], None
        self.sale_events = []
        # Deadlines that the clock met: (what, due, at), in milliseconds.
        self.met = []
        self.complaints = []

    def require(self, holds, text):
        if not holds:
            self.complaints.append(f"seq {self.seq}: {text}")

    def queued(self):
        return [lot for lot in self.order if self.lots[lot].state == "queued"]

    def apply(self, event):
        self.seq = event["seq"]
        handler = getattr(self, "on_" + event["type"].replace(".", "_"), None)
        if handler:
            handler(event["data"], milliseconds(event["at"]), event)

    # Lots

    def on_lot_queued(self, data, at, event):
        self.order.append(data["lotId"])
        self.lots[data["lotId"]] = SimpleNamespace(
            state="queued", item=data["item"], reference=data["reference"], number=data["number"], rounds=[])
        self.require(data["number"] == len(self.lots), f"the lot {len(self.lots)} has the number {data['number']}")

    def _waiting(self, data):
        lot = self.lots[data["lotId"]]
        self.require(lot.state == "queued", f"a lot that is {lot.state} is changed, moved or withdrawn")
        return lot

    def on_lot_changed(self, data, at, event):
        lot = self._waiting(data)
        lot.item, lot.reference = data["item"], data["reference"]

    def on_lot_moved(self, data, at, event):
        self._waiting(data)
        self.order.remove(data["lotId"])
        before = data["before"]
        self.require(before is None or self.lots[before].state == "queued", "a lot is moved before one that does not wait")
        self.order.insert(len(self.order) if before is None else self.order.index(before), data["lotId"])

    def on_lot_withdrawn(self, data, at, event):
        self._waiting(data).state = "withdrawn"

    # The sale

    def _sale(self, data, at, event):
        self.sale_events.append(event)

    on_sale_configured = on_sale_starting = on_sale_started = on_sale_stopped = on_sale_finished = _sale

    # Rounds

    def on_item_uploaded(self, data, at, event):
        lot = data["lotId"]
        self.require(self.current is None, "a second lot is current")
        self.require(data["item"] == self.lots[lot].item, "the item is not the one that was queued")
        self.current, self.lots[lot].state = lot, "current"
        self.lots[lot].rounds.append(event["round"])
        self.rounds.append(SimpleNamespace(
            number=event["round"], lot=lot, rules=data["item"]["rules"], opened=None, closed=None, bids=[], result=None))

    def on_state_changed(self, data, at, event):
        change = (data["from"], data["to"])
        self.require(data["cause"] in ("sale", "countdown", "bid", "start"), f"changes by {data['cause']}")
        if change == ("closed", "preparing"):
            self.require(data["cause"] == "sale" and self.current is None, "a round begins by hand, or before the last one ended")
        if data["cause"] in ("countdown", "sale") and self.due is not None:
            self.met.append(("/".join(change), self.due, at))
        self.state, self.due, self.open = data["to"], None, None
        if self.state == "auctioning":
            now = self.rounds[-1]
            now.opened = event["at"]
            self._opened(now, units(now.rules["startingPrice"]))
        elif self.state == "closed":
            self.rounds[-1].closed = event["at"]

    def _opened(self, now, minimum):
        self.open = SimpleNamespace(round=now.number, lot=now.lot, rules=now.rules, minimum=minimum, name=self.lots[now.lot].item["name"])

    def _countdown(self, data, at, event):
        self.due = milliseconds(data["endsAt"])

    on_countdown_started = on_countdown_moved = _countdown

    def on_price_dropped(self, data, at, event):
        self._opened(self.rounds[-1], units(data["price"]))

    def on_bid_placed(self, data, at, event):
        self.rounds[-1].bids.append(event)
        if data["endsAt"] is not None:
            self.due = milliseconds(data["endsAt"])
        if data["nextMinimum"] is not None:
            self._opened(self.rounds[-1], units(data["nextMinimum"]))

    def _result(self, data, at, event):
        self.rounds[-1].result = event
        self.lots[data["lotId"]].state = event["type"].removeprefix("item.")
        self.current = None

    on_item_sold = on_item_passed = _result

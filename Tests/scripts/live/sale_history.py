"""The events of a sale with what `audit-events` makes of them: the findings, and the room after each event."""
import json
from types import SimpleNamespace

from audit import run_auditor


class SaleHistory:
    """`events`: decoded; `states`: the room after each, with all its lots by identifier and their order."""

    def __init__(self, room, raws, *more):
        self.findings, made = run_auditor({room: raws}, *more)
        self.events, self.states, self.rounds = [json.loads(raw) for raw in raws], [], Rounds()
        lots, order = {}, []
        for event in self.events:
            state = made[room][event["seq"]]
            if "order" in state:
                lots, order = {**lots, **{lot["id"]: lot for lot in state["lots"]}}, state["order"]
            self.states.append({**state, "lots": lots, "order": order})
            self.rounds.take(event)

    @property
    def lots(self):
        return self.states[-1]["lots"]

    @property
    def order(self):
        return self.states[-1]["order"]

    def met(self):
        """What the clock did when it was due: (what, due, event)."""
        for before, event in zip(self.states, self.events[1:]):
            if event["type"] == "state.changed" and event["data"]["cause"] in ("countdown", "sale") and before["endsAt"] is not None:
                yield f"{event['data']['from']}/{event['data']['to']}", before["endsAt"], event


class Rounds:
    """The events by round. `all`: of each round with an item, in order, what its own events say."""

    def __init__(self):
        self.all = []

    def take(self, event):
        kind, data = event["type"], event["data"]
        if kind == "item.uploaded":
            self.all.append(SimpleNamespace(
                number=event["round"], lot=data["lotId"], name=data["item"]["name"], rules=data["item"]["rules"],
                opened=None, closed=None, bids=[], result=None))
        elif kind == "state.changed" and data["to"] == "auctioning":
            self.all[-1].opened = event["at"]
        elif kind == "state.changed" and data["to"] == "closed":
            self.all[-1].closed = event["at"]
        elif kind == "bid.placed":
            self.all[-1].bids.append(event)
        elif kind in ("item.sold", "item.passed"):
            self.all[-1].result = event

"""People who leave bids on the lots of a sale before their turn, and what must become of them: computed here once more, from what was
acknowledged alone."""
from collections import Counter
from types import SimpleNamespace

from sale_people import Worker
from wire import expect, units

# The lot has been opened meanwhile, or its starting price has risen.
REFUSALS = {"absentee.not_queued", "absentee.below_start"}
SEALED = ("sealedFirstPrice", "vickrey")


def takes_bids(lot):
    """Half of the lots: some of each format that takes such bids. One of two with a high reserve price."""
    number = int(lot["reference"].split("-")[1])
    return number % 7 in (0, 1, 3, 4) or number % 14 == 5


class Absentee(Worker):
    """Leaves bids on half of the lots, changes some and takes some back; whether they bid otherwise too is another's business.

    `left`: what was acknowledged, in its order; of a bid that was taken back without `bidId`, `maximum` and `seq`. The answer to that names no
    event, so it is only done where `mine` holds, which is one person for each lot. `lots`: those of the `Editor`.
    """

    def __init__(self, lots, mine, *arguments):
        super().__init__(*arguments)
        self.lots, self.mine, self.left, self.refused = lots, mine, [], 0
        # At first each lot by turns, so that those at the head have bids as well.
        self.next = [lot for lot in lots if takes_bids(lots[lot])]

    def act(self):
        if self.next:
            lot, pause = self.next.pop(0), self.rng.uniform(0, 0.05)
            acts = self.rng.random() < 0.7
        else:
            lot, pause = self.rng.choice([lot for lot in self.lots if takes_bids(self.lots[lot])]), self.rng.uniform(0.1, 0.5)
            acts = True
        if acts and self._known(lot) and self.mine(lot) and self.rng.random() < 0.3:
            self._take_back(lot)
        elif acts:
            self._leave(lot)
        self.ended.wait(pause)

    def _known(self, lot):
        """The last that was acknowledged of the lot; None if nothing stands."""
        last = next((each for each in reversed(self.left) if each["lot"] == lot), None)
        return last if last and "bidId" in last else None

    def _leave(self, lot):
        rules = self.lots[lot]["rules"]
        # Few amounts, so that some are equal; and some below a price that the lot may get.
        amount = 200 + 50 * self.rng.randint(0, 30)
        if "reservePrice" in rules and rules["format"] == "english":
            amount = units(rules["reservePrice"]) + 1000 * self.rng.randint(-1, 2)
        maximum = f"{amount // 100}.{amount % 100:02}"
        response = self.client.call("PUT", f"{self.path}/lots/{lot}/bid", {"maximum": maximum})
        if response.code() in REFUSALS:
            self.refused += 1
            return
        answer, known = expect(response, 200, 201), self._known(lot)
        if known and known["bidId"] == answer["bidId"]:
            if known["maximum"] != maximum or answer["maximum"] != maximum:
                self.failures.append(f"the bid {known} was answered {answer} when it was changed to {maximum}")
            return
        self.left.append({"lot": lot, "bidder": self.client.person[0], "bidId": answer["bidId"], "maximum": answer["maximum"],
                          "seq": answer["receipt"]["seq"]})

    def _take_back(self, lot):
        response = self.client.call("DELETE", f"{self.path}/lots/{lot}/bid")
        if response.code() == "absentee.used":
            self.refused += 1
            return
        expect(response, 204)
        self.left.append({"lot": lot, "bidder": self.client.person[0]})

    def shown(self):
        """What the person is told in the end of each bid that stands, by lot."""
        return {lot: expect(self.client.call("GET", f"{self.path}/lots/{lot}/bid"), 200)
                for lot in {each["lot"] for each in self.left} if self._known(lot)}


def minimum(rules, price):
    """The least amount of a bid at a price."""
    step = rules["increment"]
    more = units(step["fixed"]) if "fixed" in step else max(1, -(-price * step["percent"] // 100))
    return capped(rules, price + more)


def capped(rules, amount):
    return min(amount, units(rules["buyNowPrice"])) if rules.get("buyNowPrice") else amount


def opening(rules, reserve, bids):
    """Who leads after these bids were placed one after the other, and at which price. `bids`: [(bidder, maximum)]."""
    start, buy_now = units(rules["startingPrice"]), rules.get("buyNowPrice") and units(rules["buyNowPrice"])
    leader, top, price = None, 0, start
    for bidder, most in bids:
        if most < start or price == buy_now:
            continue
        if capped(rules, most) > top:
            price = start if leader is None else min(capped(rules, most), minimum(rules, top))
            leader, top, whole = bidder, capped(rules, most), most
            price = max(price, reserve) if reserve and reserve <= whole else price
        elif most >= minimum(rules, price) and minimum(rules, price) != buy_now:
            price = max(price, min(top, minimum(rules, most)))
    return leader, price


class AbsenteeAudit:
    """Of every lot that has had its turn: what the bids that were left have made of it. `findings`: sentences. `shown`: what each person is
    told of theirs; None: to be asked.
    """

    def __init__(self, sale, history, shown=None):
        self.sale, self.history, self.findings, self.counts = sale, history, [], Counter()
        self.placed = {}
        for bidder in sale.bidders:
            for bid in bidder.bids.values():
                self.placed.setdefault(bid["round"], []).append(bid)
        self.shown = shown or [(person.client.person[0], person.shown()) for person in sale.absentees]
        ids = Counter(event["data"]["bidId"] for event in history.events if event["type"] == "bid.placed")
        self.require(not [each for each, count in ids.items() if count > 1], f"bids that are placed twice: {ids.most_common(2)}")
        for round_ in history.rounds.all:
            self._round(round_)
        self._states()

    def require(self, holds, text):
        if not holds:
            self.findings.append(text)

    def _standing(self, lot):
        """The bids that were left on a lot and not taken back, in the order of their events. Each was given before the lot was opened."""
        last = {}
        for person in self.sale.absentees:
            for each in person.left:
                if each["lot"] == lot:
                    last[each["bidder"]] = each
        found = [{**each, "amount": units(each["maximum"])} for each in last.values() if "bidId" in each]
        return sorted(found, key=lambda each: each["seq"])

    def _round(self, round_):
        left, rules = self._standing(round_.lot), round_.rules
        if not left or round_.opened is None or round_.result is None:
            return
        reserve = self.sale.editor.lots[round_.lot]["rules"].get("reservePrice")
        reserve = units(reserve) if reserve else None
        acting = [each for each in left if each["amount"] >= units(rules["startingPrice"])]
        marked = [event["data"] for event in round_.bids if event["data"].get("absentee")]
        known = {each["bidId"]: each for each in acting}
        for bid in marked:
            mine = known.get(bid["bidId"])
            self.require(mine and mine["bidder"] == bid["bidder"]["id"] and bid["automatic"], f"{round_.name} has a bid that nobody left: {bid}")
        # The most that each has offered, and what they named themselves.
        named = {}
        for bid in self.placed.get(round_.number, []):
            named[bid["bidder"]] = max(named.get(bid["bidder"], 0), units(bid["amount"]))
        data = round_.result["data"]
        end = SimpleNamespace(name=round_.name, rules=rules, reserve=reserve, acting=acting, named=named, lot=round_.lot,
                              winner=data["winner"]["id"] if round_.result["type"] == "item.sold" else None,
                              price=units(data["price"]) if round_.result["type"] == "item.sold" else None)
        self.counts["lots with bids in advance"] += 1
        self.counts["lots won in advance"] += end.winner in {each["bidder"] for each in acting} - set(named)
        if rules["format"] in SEALED:
            return self._sealed(end)
        self._opening(end, marked)
        self._english(end)

    def _opening(self, end, marked):
        leader, price = opening(end.rules, end.reserve, [(each["bidder"], each["amount"]) for each in end.acting])
        leads = [bid for bid in marked if bid["leading"]]
        found = [(bid["bidder"]["id"], units(bid["amount"])) for bid in leads]
        self.require(found == ([(leader, price)] if leader else []), f"{end.name} opens with {found}, not with {leader} at {price}")
        self.require(len(marked) <= len(leads) + 1 and (not marked or marked[-1]["leading"]), f"{end.name} opens with {len(marked)} bids")

    def _english(self, end):
        """No bidder pays more than they offered, loses to less, or pays more than they must."""
        offers = dict(end.named)
        for each in end.acting:
            offers[each["bidder"]] = max(offers.get(each["bidder"], 0), each["amount"])
        offers = {bidder: capped(end.rules, amount) for bidder, amount in offers.items()}
        if end.winner is None:
            missed = max(offers.values(), default=0) < (end.reserve or 0)
            return self.require(missed or not offers, f"{end.name} passes although {offers} were offered")
        self.require(end.price <= offers.get(end.winner, 0), f"{end.winner} pays {end.price} for {end.name}, of {offers}")
        others = [amount for bidder, amount in offers.items() if bidder != end.winner]
        self.require(all(amount <= end.price for amount in others), f"{end.name} is sold for {end.price}, of {offers}")
        needed = max([units(end.rules["startingPrice"]), *(minimum(end.rules, amount) for amount in others)])
        if end.reserve and end.reserve <= offers[end.winner]:
            needed = max(needed, end.reserve)
        self.require(end.price <= max(needed, capped(end.rules, end.named.get(end.winner, 0))),
                     f"{end.winner} pays {end.price} for {end.name}, and {needed} would do, of {offers}")

    def _sealed(self, end):
        """The highest offer wins. What was left counts as the sealed bid of those who placed none."""
        offers = {each["bidder"]: each["amount"] for each in end.acting} | end.named
        lower = [each for each in end.acting if end.named.get(each["bidder"], each["amount"] + 1) <= each["amount"]]
        self.require(not lower, f"{end.name} took a bid that is not above what its bidder had left: {lower}")
        best = max(offers.values(), default=0)
        if not offers or best < (end.reserve or 0):
            return self.require(end.winner is None, f"{end.name} is sold below its reserve price, or to nobody who offered anything")
        self.require(offers.get(end.winner) == best, f"{end.name} goes to {end.winner}, of {offers}")
        others = [amount for bidder, amount in offers.items() if bidder != end.winner]
        second = max([*others, units(end.rules["startingPrice"]), end.reserve or 0])
        price = second if end.rules["format"] == "vickrey" else best
        self.require(end.price == price, f"{end.name} costs {end.price}, not {price}, of {offers}")

    def _states(self):
        """Each person is told of each bid what has become of it."""
        rounds = {round_.lot: round_ for round_ in self.history.rounds.all}
        for person, shown in self.shown:
            for lot, told in shown.items():
                round_ = rounds.get(lot)
                if round_ is None:
                    right = ("void", "lotWithdrawn")
                elif round_.rules["format"] in SEALED and units(told["maximum"]) < units(round_.rules["startingPrice"]):
                    right = ("unused", None)
                elif round_.result["type"] == "item.passed":
                    right = ("passed", None)
                else:
                    right = ("won" if round_.result["data"]["winner"]["id"] == person else "lost", None)
                self.require((told["state"], told["cause"]) == right, f"{person} is told {told}, it is {right}")

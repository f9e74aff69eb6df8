"""generated_client_auction.py PORT: the generated Python client plays the auction of the README, refusals included."""
import sys
import uuid

from client import AuthenticatedClient, Client
from client.api.auction import adjust_rules, end_auction, start_auction, upload_item
from client.api.bids import list_bids, place_bid, retract_bid
from client.api.events import read_events
from client.api.identity import create_guest
from client.api.members import change_member, join_room
from client.api.messages import send_message
from client.api.permissions import read_permissions
from client.api.rooms import list_results, open_room, read_room
from client.models import (AdjustRules, AssignableRole, Expectation, JoinRole, JoinRoom, MemberChanges, NewGuest, NewIncrement, NewItem,
                           NewMessage, NewRoom, NewRules, PlaceBid, Problem, RulesPatch)

BASE = f"http://127.0.0.1:{sys.argv[1]}"


def check(holds, what):
    if not holds:
        raise SystemExit(f"generated client: {what}")


def guest(name):
    session = create_guest.sync(client=Client(base_url=BASE), body=NewGuest(nickname=name))
    return session.user, AuthenticatedClient(base_url=BASE, token=session.token)


def main():
    (_, host), (sato, seller), (ann_person, ann), (_, bo) = map(guest, ("Hana", "Sato", "Ann", "Bo"))
    room = open_room.sync(client=host, body=NewRoom(name="Tonight")).id
    join_room.sync(room, client=seller, body=JoinRoom())
    member = change_member.sync(room, sato.id, client=host, body=MemberChanges(role=AssignableRole.AUCTIONEER))
    check(member.role == "auctioneer", "the host makes a member the auctioneer")
    for client in (ann, bo):
        check(join_room.sync(room, client=client, body=JoinRoom(role=JoinRole.BIDDER)).role == "bidder", "bidders join")
    rules = NewRules(starting_price="100", listing_seconds=60, increment=NewIncrement(fixed="10"))
    item = upload_item.sync(room, client=seller, body=NewItem(name="Teapot", rules=rules))
    check(item.rules.increment.fixed == "10.00" and item.rules.buy_now_price is None, "the item has its rules")
    adjusted = adjust_rules.sync(room, item.id, client=seller, body=AdjustRules(rules=RulesPatch(buy_now_price="900")))
    check(adjusted.rules.buy_now_price == "900.00", "a rule is adjusted")

    early = place_bid.sync(room, client=ann, body=PlaceBid(amount="100"))
    check(isinstance(early, Problem) and early.code == "bid.not_auctioning" and early.permission.actual == "preparing",
          "a bid before the start is refused, with the state")
    for state in ("listing", "auctioning"):
        check(start_auction.sync(room, client=host, body=Expectation()).state == state, f"the room is {state}")
    low = place_bid.sync_detailed(room, client=ann, body=PlaceBid(amount="99"))
    check(low.status_code == 422 and low.parsed.permission.required == "100.00" and low.parsed.seq > 0,
          "a low bid is refused, with what was required and a receipt")
    key = str(uuid.uuid4())
    first = place_bid.sync(room, client=ann, body=PlaceBid(amount="100"), idempotency_key=key)
    check(first.bid.amount == "100.00" and first.bid.leading and first.room.next_minimum == "110.00", "a bid is taken")
    repeated = place_bid.sync_detailed(room, client=ann, body=PlaceBid(amount="100"), idempotency_key=key)
    check(repeated.parsed.to_dict() == first.to_dict() and repeated.headers["Idempotency-Replayed"] == "true", "a repeat changes nothing")
    leading = place_bid.sync(room, client=ann, body=PlaceBid(amount="120"))
    check(leading.code == "bid.already_leading" and leading.permission.rule == leading.code, "the leader is refused")
    check(place_bid.sync(room, client=bo, body=PlaceBid(maximum="300")).bid.amount == "110.00", "a maximum opens at the minimum")
    top = place_bid.sync(room, client=ann, body=PlaceBid(amount="150"))
    check(not top.bid.leading and top.room.current_price == "160.00", "the proxy outbids")
    latest = retract_bid.sync(room, top.bid.id, client=host, reason="a slip of the tongue")
    check(latest.state == "auctioning", "the host retracts a bid")
    decision = read_permissions.sync(room, client=ann, action="placeBid", amount="1", explain=True)
    check(not decision.allowed and any(entry.verdict == "denied" for entry in decision.trace), "a decision is explained")
    check(send_message.sync(room, client=ann, body=NewMessage(text="What a night")).author.id == ann_person.id, "a message is sent")

    closed = end_auction.sync(room, client=host, body=Expectation(expected_state="auctioning"))
    check(closed.state == "closed" and closed.me.role == "host", "the round is closed")
    bids = list_bids.sync(room, client=host, round_=1)
    check([bid.amount for bid in bids.bids if not bid.automatic], "bids are listed")
    result = list_results.sync(room, client=host).results[0]
    check(result.result == "sold" and result.winner is not None and result.reason is None, "the result names the winner")
    page = read_events.sync(room, client=ann, after="0", limit=256)
    check([event.seq for event in page.events] == list(range(1, page.next_ + 1)), "events have no gaps")
    check(any(event.type_ == "bid.placed" and event.data["amount"] == "100.00" for event in page.events), "events have their data")
    check(read_room.sync(room, client=Client(base_url=BASE)).viewers == 0, "a room is read without a token")
    print("openapi-python-client: an auction played")


main()

extension EventSchema {
    /// Rooms, members and permission rules.
    static let room: [EventSchema] = [
        .init("room.opened", "The room exists: always the event with seq 1."),
        .init("room.archived", "The room is archived. Only `member.linked` and `member.erased` may follow."),
        .init("member.joined", "A user joined."),
        .init("member.left", "A member left."),
        .init(
            "member.roleChanged", "A member has another role.",
            #"{"by": ": Null: the server chose the successor of an absent host."}"#),
        .init("member.kicked", "The host removed a member, who may join again."),
        .init(
            "member.linked",
            """
            The guest `from` is the user `to` of the identity provider, to whom the guest's membership, bids so far, wins \
            and item belong now. The guest is no member any more; if they were the host, `to` is.
            """,
            #"""
            {
              "role": ": The role of `to` from now on; null: not a member.",
              "banned": ": Whether `to` is banned from now on.", "muted": ": Whether `to` is muted from now on."
            }
            """#),
        .init(
            "member.erased",
            """
            A user has left the service for good: the pseudonym in `member` stands for their nickname from now on, also in the room's earlier \
            events. Their membership has ended before. More than one such event of a user may follow each other.
            """),
        .init("member.banned", "The host banned a member, or lifted the ban."),
        .init("member.muted", "The host muted or unmuted a member."),
        .init("member.creditLimitChanged", "The host set or removed a credit limit; the amount is visible to the two only."),
        .init("host.gone", "The host is absent and has no successor."),
        .init("host.returned", "The host is back."),
        .init("permission.changed", "The host configured a permission rule.", #"{"rule": "text 1..."}"#),
    ]

    /// Items, states, bids and results of a round.
    static let round: [EventSchema] = [
        .init(
            "item.uploaded", "The item of this round, new or in place of the earlier one.",
            #"{"lotId": ": The lot whose item it is; absent if the item was uploaded for this round."}"#),
        .init("rules.adjusted", "The item has these rules now."),
        .init(
            "state.changed", "The room is in another state. From closed to preparing `round` is the new one.",
            #"""
            {
              "by": ": Null: the clock.", "reason": ": The reason given with the command, if any.",
              "lotId": ": The lot whose round it is; absent if the item was uploaded for this round."
            }
            """#),
        .init("countdown.started", "A countdown started.", #"{"nextDropAt": ": Dutch only: when the price drops first."}"#),
        .init(
            "countdown.moved", "The deadline of the running countdown changed.",
            #"{"extendedBySeconds": "integer 0...", "nextDropAt": ": Dutch only: when the price drops next."}"#),
        .init(
            "warning.given", #"The host said "going once" (level 1) or "going twice" (2)."#, #"{"level": "integer 1...2"}"#),
        .init("increment.changed", "The price rises by another increment for the rest of the round."),
        .init(
            "ask.changed",
            "The host asks for another next minimum. It counts at the present price only, or for the first bid; at any other price the increment counts."
        ),
        .init(
            "draw.committed", "A draw will decide among equal bids; this binds the server to it.",
            #"""
            {
              "seedHash": {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": "SHA-256 of the seed, written as 32 hexadecimal digits."}
            }
            """#),
        .init("draw.revealed", "The seed, so that every client can check the draw."),
        .init(
            "bid.placed", "A bid was accepted.",
            #"""
            {
              "amount": ": Absent while bids are sealed.",
              "leading": ": Whether it is the highest; false while bids are sealed.",
              "automatic": ": Whether the server placed it on the bidder's behalf.",
              "absentee": ": True if its bidder left it before the lot opened; absent otherwise.",
              "endsAt": ": The deadline of the countdown after this bid.",
              "floor": ": True for a floor bid, whose bidder is `user_floor`; absent for all others.",
              "by": ": Who entered a floor bid; absent for all others."
            }
            """#),
        .init(
            "bid.maximumRaised", "The leader raised their maximum; the amount is visible to them only.", name: "MaximumRaised"),
        .init(
            "bid.retracted",
            """
            The host retracted the latest bid that was not automatic, or one of a banned bidder, with the automatic bids it \
            caused.
            """,
            #"{"removed": "{BidId} 1...", "price": ": The price now.", "leader": ": Who leads now."}"#),
        .init(
            "bid.maximumVoided",
            """
            The bidder leads without their maximum, at the current price, until they give a new one. Follows \
            `bid.retracted`, if the stream has shown the maximum, `member.banned` of the leader, and \
            `member.creditLimitChanged` with a limit below the maximum.
            """,
            #"{"bidId": ": The leading bid."}"#, name: "MaximumVoided"),
        .init("price.dropped", "A Dutch price dropped.", #"{"nextDropAt": ": Null at the floor."}"#),
        .init(
            "item.sold", "The round has a winner.",
            #"{"lotId": ": The lot whose item it is; absent if the item was uploaded for this round."}"#),
        .init(
            "item.passed", "The item was not sold.",
            #"""
            {
              "reason": "one of no_bids | reserve_not_met",
              "lotId": ": The lot whose item it is; absent if the item was uploaded for this round."
            }
            """#),
        .init(
            "item.voided", "The host voided the sale of an earlier round, or of this one: it does not count any more.",
            #"""
            {
              "round": "Round: The round in which the item was sold.",
              "lotId": ": The lot whose item it is; absent if the item was uploaded for its round.",
              "winner": ": Who does not buy it.", "price": ": What they would have paid.", "reason": "text 1...500"
            }
            """#),
    ]

    /// Offers to the next bidder.
    static let offers: [EventSchema] = [
        .init(
            "offer.made",
            "The item of a voided sale is offered to the next bidder of its round, or stands for longer than before.",
            #"""
            {
              "round": "Round: The round in which the item was sold.",
              "lotId": ": The lot whose item it is; absent if the item was uploaded for its round.",
              "to": ": The bidder.", "price": ": Their highest amount of that round.",
              "expiresAt": ": From then on it cannot be accepted.",
              "cause": "one of outage | clock: Why an offer that was made before stands for longer; absent in a new one."
            }
            """#),
        .init(
            "offer.accepted", "The next bidder buys the item.",
            #"""
            {
              "round": "Round: The round in which the item was sold first.",
              "lotId": ": The lot whose item it is; absent if the item was uploaded for its round.", "winner": ": The bidder."
            }
            """#),
        .init("offer.declined", "The next bidder does not buy the item.", #"{"to": ": The bidder."}"#),
        .init("offer.expired", "The next bidder has not answered in time.", #"{"to": ": The bidder."}"#),
    ]

    /// Messages, the stage, lots and the sale.
    static let others: [EventSchema] = [
        .init("message.sent", "A member sent a message.", #"{"text": "text 1...500"}"#),
        .init("message.removed", "The host removed a message; clients no longer show it."),
        .init(
            "message.reported", "A member reported a message to the host; only the host learns who did, and which message.",
            #"{"reports": "integer 1...: How many messages were reported so far."}"#),
        .init("application.made", "A user asks to be approved as a bidder; only the host learns who does."),
        .init(
            "application.declined",
            "The host declined an application; only its user and the host see whose, and why."),
        .init(
            "message.system", "A message of the room itself, in both languages.",
            #"""
            {
              "key": "one of state.listing | state.auctioning | state.paused | state.closed | auction.resumed | auction.cancelled | round.next | item.sold | item.passed | item.voided | operator.acted",
              "en": "text 1...", "zh": "text 1..."
            }
            """#, name: "SystemMessage"),
        .init("stage.requested", "A guest asks for a seat."),
        .init("stage.invited", "The host asks a member to take a seat."),
        .init("stage.accepted", "By the host: the guest is to confirm. By the guest: the host is."),
        .init("stage.seated", "The guest is on stage and has the role of the seat.", #"{"seat": "integer 1...8"}"#),
        .init("stage.declined", "Host or guest declined."),
        .init("stage.cancelled", "Host or guest cancelled."),
        .init("stage.timedOut", "A waiting state timed out."),
        .init("stage.ended", "The handshake ended for another reason than a refusal.", #"{"by": ": Null: the clock."}"#),
        .init("stage.seatClosed", "A seat is closed.", #"{"seat": "integer 1...8"}"#),
        .init("stage.seatMuted", "A seat was muted or unmuted.", #"{"seat": "integer 1...8"}"#),
        .init("stage.seatCleared", "A seat is open, empty and not muted.", #"{"seat": "integer 1...8"}"#),
        .init(
            "stage.moved", "A member moved from one seat to another, with their role and the mute of the seat that they left.",
            #"{"seat": "integer 1...8", "to": "integer 1...8"}"#),
        .init(
            "stage.left",
            "A member left the stage and has their previous role again, or the one that they got while they were seated.",
            #"{"seat": "integer 1...8"}"#),
        .init(
            "lot.queued", "A lot was added at the end of the queue.",
            #"""
            {
              "reference": ": The seller's own number, if the lot has one.",
              "number": "integer 1...: The number of the lot in the room; absent in events that version 1.0 wrote.",
              "offeredBefore": ": The lot that had its turn, and is offered again as this one, which has its reference now; absent if it is offered for the first time.",
              "by": ": The host, who offers a lot of another user again; absent: the owner queued it."
            }
            """#),
        .init(
            "lot.changed", "The item or the reference of a queued lot changed.",
            #"""
            {
              "item": ": The whole item as it is now.", "reference": ": The seller's own number, if the lot has one.",
              "number": "integer 1...: The number of the lot in the room; absent in events that version 1.0 wrote."
            }
            """#),
        .init(
            "lot.moved", "A lot has another place in the order.",
            #"""
            {
              "before": ": The lot that follows it now; null if it is the last one.", "by": ": Null: the service."
            }
            """#),
        .init("lot.withdrawn", "A queued lot will not be auctioned.", #"{"reason": ": The reason that was given, if any."}"#),
        .init(
            "lot.bidsChanged", "A bid was left on a queued lot, changed or taken back; whose and how high is secret.",
            #"{"absenteeBids": "integer 0...: How many bids were left on the lot and not taken back."}"#),
        .init(
            "sale.configured", "The host said how the lots are sold.",
            #"{"pauseSeconds": "integer 0...3600", "attended": ": Whether it needs its host; absent: false."}"#),
        .init(
            "sale.starting", "The sale will begin by itself at this time.",
            #"{"cause": "one of outage | clock: Why the start is later than the host said; absent if it is not."}"#),
        .init("sale.started", "From now on the lots follow each other by themselves.", #"{"by": ": Null: the service."}"#),
        .init(
            "sale.stopped", "No lot follows the current one by itself.",
            #"""
            {
              "cause": ": host: the host stopped it. cancel: the round was cancelled. hostGone: the next lot was due in a room without a host, which an attended sale needs. storageFull: the room has no space for another round.",
              "by": ": Null: the service."
            }
            """#),
        .init(
            "sale.postponed", "The sale was due to begin by itself, and does not; the host starts it.",
            #"{"cause": ": host_gone: the sale is attended, and its host was gone."}"#),
        .init("sale.finished", "The last queued lot has been auctioned."),
    ]
}

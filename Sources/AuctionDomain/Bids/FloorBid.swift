/// The host or an auctioneer entered a bid from the hall or by telephone.
package struct FloorBidPlaced: Hashable, Sendable {
    /// The bid, whose bidder is `Person.floor`.
    package let placed: BidPlaced
    /// The user who entered it.
    package let by: Person
    /// Who bid, as the user who entered it noted it: private. Nil: nothing was noted.
    package let paddle: String?

    /// The size of a paddle as the room's storage counts it, whatever was noted: a sum that others see must not tell of it.
    static let paddleBytes = 6 * PlaceBid.paddleLimit

    package init(placed: BidPlaced, by: Person, paddle: String?) {
        self.placed = placed
        self.by = by
        self.paddle = paddle
    }
}

extension BidPlaced {
    /// The same bid, entered for the floor.
    package var ofFloor: BidPlaced {
        BidPlaced(
            bid: bid, amount: amount, bidder: .floor, leading: leading, origin: .floor, maximum: maximum, ownAmount: ownAmount,
            isSealed: isSealed, nextMinimum: nextMinimum, reserveMet: reserveMet, endsAt: endsAt)
    }
}

extension BidDecision {
    /// The same effects of a bid that a user enters for the floor.
    func entered(by person: Person, paddle: String?) -> BidDecision {
        let entered = events.map { event in
            guard case .bidPlaced(let placed) = event, placed.bid == bid.id else { return event }
            return .floorBidPlaced(FloorBidPlaced(placed: placed.ofFloor, by: person, paddle: paddle))
        }
        return BidDecision(events: entered, bid: bid.ofFloor, nextMinimum: nextMinimum, outcome: outcome)
    }
}

extension Bid {
    fileprivate var ofFloor: Bid {
        Bid(
            id: id, seq: seq, at: at, amount: amount, bidder: .floor, leading: leading, origin: .floor, maximum: maximum,
            beatenMaximum: beatenMaximum, ownAmount: ownAmount)
    }
}

extension RoomFields {
    mutating func apply(_ entered: FloorBidPlaced, in event: Event) {
        apply(entered.placed, in: event)
        guard let paddle = entered.paddle else { return }
        changeHand { hand in
            var paddles = hand.paddles ?? BTree()
            paddles[event.seq] = paddle
            hand.paddles = paddles
        }
    }

    mutating func forgetPaddles() {
        if hand?.paddles != nil { changeHand { $0.paddles = nil } }
    }

    /// The paddle of the bid that wins; nil if it is not the floor's, or none was noted.
    func paddle(of outcome: RoundResult.Outcome) -> String? {
        guard case .sold(let winner, _) = outcome, winner.id == .floor, let bid = currentBid else { return nil }
        return hand?.paddles?[bid.seq]
    }
}

extension Room {
    /// The paddle that was noted for a bid of the current round: for the host alone. Nil: none.
    package func paddle(of bid: Bid) -> String? { bid.origin == .floor ? fields.value.hand?.paddles?[bid.seq] : nil }
}

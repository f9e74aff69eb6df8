/// The result of a finished round: a row of the room's results.
package struct RoundResult: Hashable, Sendable, Codable {
    /// Whether the item was sold.
    package enum Outcome: Hashable, Sendable, Codable {
        case sold(to: Person, price: Money)
        case passed(PassReason)

        var isSold: Bool { if case .sold = self { true } else { false } }
    }

    /// The part of the item that a row keeps; the whole item is in its upload event in the log.
    package struct Item: Hashable, Sendable, Codable {
        /// Identifier of the item; its `itemUploaded` event has the rest.
        package let id: ItemID
        /// The item's name, for lists of results.
        package let name: String
        /// The price that the seller expected; nil: none was named.
        package let estimate: Estimate?
        /// The state that the item was in; nil: nothing was said.
        package let condition: String?
        /// Decides which users see which of the round's bids.
        package let format: AuctionFormatName

        package init(_ item: AuctionItem) {
            id = item.id
            name = item.name
            (estimate, condition) = (item.estimate, item.condition)
            format = item.rules.format
        }
    }

    /// Number of the round, from 1.
    package let round: Int
    /// What lists of results show of the item, and its format.
    package let item: Item
    /// Sold with winner and price, or passed with the reason.
    package internal(set) var outcome: Outcome
    /// Number of bids that were not retracted, automatic ones included.
    package let bidCount: Int
    /// The instant at which the outcome was recorded.
    package let closedAt: Timestamp
    /// The seq of the round's first event; the round's bids are in the log from here to `lastSeq`.
    package let firstSeq: Int
    /// The seq of the event that recorded the outcome.
    package let lastSeq: Int
    /// The owner of the item.
    package internal(set) var seller: Person
    /// When bidding began; nil if the round was closed before.
    package let openedAt: Timestamp?
    /// The lot that it was; nil if the item was uploaded for this round.
    package let lot: LotID?
    /// The seller's own number of the lot; nil if there is none.
    package let reference: String?
    /// What the buyer pays beside the price; nil: nothing.
    package let premium: Premium?
    /// The seqs of retracted bids, so that a reader of any part of the round can leave them out.
    package let retractedSeqs: [Int]
    /// The bids that the log has with other values, ordered by seq.
    package let changedBids: [ChangedBid]
    /// Who won from the floor, as the host or an auctioneer noted it; the host's to see. Nil: none was noted, no floor bid won, or the
    /// next bidder has bought the item since.
    package internal(set) var paddle: String?
    /// Nil as long as there is nothing in it, as in most rows.
    private var boxedAfterwards: Box<Afterwards>?

    init(
        round: Int, item: Item, outcome: Outcome, bidCount: Int, closedAt: Timestamp, firstSeq: Int, lastSeq: Int,
        seller: Person, openedAt: Timestamp?, lot: LotID?, reference: String?, premium: Premium?, retractedSeqs: [Int],
        changedBids: [ChangedBid], paddle: String? = nil, runnerUp: Afterwards.RunnerUp? = nil
    ) {
        (self.round, self.item, self.outcome, self.bidCount, self.closedAt) = (round, item, outcome, bidCount, closedAt)
        (self.firstSeq, self.lastSeq, self.seller, self.openedAt, self.lot) = (firstSeq, lastSeq, seller, openedAt, lot)
        (self.reference, self.premium, self.retractedSeqs) = (reference, premium, retractedSeqs)
        (self.changedBids, self.paddle) = (changedBids, paddle)
        boxedAfterwards = runnerUp.map { Box(Afterwards(runnerUp: $0)) }
    }

    /// What becomes of the sale after the round.
    package internal(set) var afterwards: Afterwards {
        get { boxedAfterwards?.value ?? Afterwards() }
        set { boxedAfterwards = newValue == Afterwards() ? nil : Box(newValue) }
    }
}

/// What a bid of a finished round became after its event: it leads since another was retracted, or its bidder's maximum was raised, used
/// or voided.
package struct ChangedBid: Hashable, Sendable, Codable {
    /// The seq of the bid's event.
    package let seq: Int
    /// The amount at the end of the round.
    package let amount: Money
    /// Whether it led when it was placed, or as if the retracted ones had never been.
    package let leading: Bool
    /// Who placed it.
    package let origin: BidOrigin
    /// The maximum as its bidder saw it at the end; nil: none.
    package let maximum: Money?
}

extension Bid {
    /// The bid as it was at the end of its round.
    package func changed(to change: ChangedBid) -> Bid {
        Bid(
            id: id, seq: seq, at: at, amount: change.amount, bidder: bidder, leading: change.leading,
            origin: change.origin, maximum: change.maximum)
    }

    /// The maximum that the bidder sees with this bid.
    /// - Parameter leaderMaximum: Up to where the server bids for the leader, if this is the leading bid; else nil.
    package func shownMaximum(_ leaderMaximum: Money?) -> Money? {
        guard let leaderMaximum else { return maximum }
        return maximum != nil || leaderMaximum > amount ? leaderMaximum : nil
    }
}

/// Why the item was not sold.
package enum PassReason: String, Hashable, Sendable, Codable {
    case noBids = "no_bids"
    case reserveNotMet = "reserve_not_met"
}

extension RoomFields {
    /// Keeps the seqs of bids that are about to be removed; they are at the end of the history.
    mutating func keepSeqs(of retracted: BidRetracted) {
        var (missing, index) = (Set(retracted.removed), bids.count - 1)
        while !missing.isEmpty, index >= 0 {
            let bid = bids[index]
            if missing.remove(bid.id) != nil { retractedSeqs.append(bid.seq) }
            index -= 1
        }
    }
}

extension RoomFields {
    /// What the log does not have of the round's bids, when it ends.
    var changedBids: [ChangedBid] {
        var seqs = Set(changedSeqs)
        let leader = leaderMaximum == nil ? nil : currentBid
        if let leader, leader.shownMaximum(leaderMaximum) != leader.maximum { seqs.insert(leader.seq) }
        return seqs.sorted().compactMap { bids.bid(withSeq: $0) }.map { bid in
            ChangedBid(
                seq: bid.seq, amount: bid.amount, leading: bid.leading, origin: bid.origin,
                maximum: bid.shownMaximum(bid.seq == leader?.seq ? leaderMaximum : nil))
        }
    }
}

extension Room {
    /// The result of the current round; nil until it ends.
    package var currentResult: RoundResult? { results.last.flatMap { $0.round == round ? $0 : nil } }
}

internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// Reads the bids of finished rounds from the log, as memory contains those of the current round only.
enum OldBids {
    /// Maximum number of events read per page, since a round may have many events between two bids.
    static let eventsPerPage = 2000

    /// At most `limit` bids, as they were at the end of the round, that were not retracted and have a seq below `before`, newest first.
    /// - Returns: the bids, and the `before` of the next page; nil on the last page.
    static func newest(
        of room: Room, _ result: RoundResult, before: Int?, limit: Int, in log: any EventLog
    ) throws(EventLogError) -> (bids: [Bid], next: Int?) {
        var bids: [Bid] = []
        let retracted = Set(result.retractedSeqs)
        let changed = Dictionary(result.changedBids.map { ($0.seq, $0) }) { $1 }
        var end = min(before ?? Int.max, result.lastSeq + 1)
        let last = max(result.firstSeq, end - eventsPerPage)
        while end > last {
            let start = max(last, end - max(64, 4 * limit))
            let events = try log.events(of: room.id, after: start - 1, limit: end - start)
            for stored in events.reversed() where stored.isPlacedBid && !retracted.contains(stored.seq) {
                guard bids.count < limit else { return (bids, bids.last?.seq) }
                let placed: BidPlaced
                switch try body(stored, room) {
                case .bidPlaced(let bid): placed = bid
                case .floorBidPlaced(let entered): placed = entered.placed
                default: continue
                }
                let owner = room.owner(ofBidBy: placed.bidder, at: stored.seq)
                let bid = Bid(placed, seq: stored.seq, at: stored.at).placed(by: owner)
                bids.append(changed[stored.seq].map(bid.changed) ?? bid)
            }
            end = start
        }
        return (bids, last > result.firstSeq ? last : nil)
    }

    private static func body(_ stored: StoredEvent, _ room: Room) throws(EventLogError) -> EventBody {
        do {
            return try EventCodec.decode(stored, after: room).body
        } catch {
            throw EventLogError(.corrupt, "\(room.id): the event with seq \(stored.seq) cannot be read: \(error)")
        }
    }
}

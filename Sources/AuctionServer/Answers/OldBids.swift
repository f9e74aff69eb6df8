internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// The bids of finished rounds: no longer in memory, but in the log.
enum OldBids {
    /// Events that are read for one page: a round may have many between two bids.
    static let eventsPerPage = 2000

    /// At most `limit` standing bids with a seq below `before`, newest first.
    /// - Returns: The bids, and the seq below which the next page goes on; nil if there are no more.
    static func newest(
        of room: Room, _ result: RoundResult, before: Int?, limit: Int, in log: any EventLog
    ) throws(EventLogError) -> (bids: [Bid], next: Int?) {
        var bids: [Bid] = []
        let retracted = Set(result.retractedSeqs)
        var end = min(before ?? Int.max, result.lastSeq + 1)
        let last = max(result.firstSeq, end - eventsPerPage)
        while end > last {
            let start = max(last, end - max(64, 4 * limit))
            let events = try log.events(of: room.id, after: start - 1, limit: end - start)
            for stored in events.reversed() where stored.type == "bid.placed" && !retracted.contains(stored.seq) {
                guard bids.count < limit else { return (bids, bids.last?.seq) }
                guard case .bidPlaced(let placed) = try body(stored, room) else { continue }
                bids.append(bid(placed, stored))
            }
            end = start
        }
        return (bids, last > result.firstSeq ? last : nil)
    }

    private static func bid(_ placed: BidPlaced, _ stored: StoredEvent) -> Bid {
        Bid(
            id: placed.bid, seq: stored.seq, at: stored.at, amount: placed.amount, bidder: placed.bidder,
            leading: placed.leading, automatic: placed.automatic, maximum: placed.maximum)
    }

    private static func body(_ stored: StoredEvent, _ room: Room) throws(EventLogError) -> EventBody {
        do {
            return try EventCodec.decode(stored, after: room).body
        } catch {
            throw EventLogError(.corrupt, "\(room.id): the event with seq \(stored.seq) cannot be read: \(error)")
        }
    }
}

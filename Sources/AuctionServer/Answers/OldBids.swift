internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// The bids of finished rounds: no longer in memory, but in the log.
enum OldBids {
    /// At most `limit` standing bids with a seq below `before`, newest first.
    static func newest(
        of room: Room, _ result: RoundResult, before: Int?, limit: Int, in log: any EventLog
    ) throws(EventLogError) -> [Bid] {
        var bids: [Bid] = []
        // From the round's end, wherever the page begins: a bid is taken back after it was placed.
        var retracted: Set<BidID> = []
        var end = result.lastSeq + 1
        while bids.count < limit, end > result.firstSeq {
            let start = max(result.firstSeq, end - 500)
            let events = try log.events(of: room.id, after: start - 1, limit: end - start)
            for stored in events.reversed() {
                if stored.type == "bid.retracted" {
                    if case .bidRetracted(let gone) = try body(stored, room) { retracted.formUnion(gone.removed) }
                } else if stored.type == "bid.placed", stored.seq < before ?? Int.max {
                    guard case .bidPlaced(let placed) = try body(stored, room), !retracted.contains(placed.bid) else {
                        continue
                    }
                    bids.append(bid(placed, stored))
                }
            }
            end = start
        }
        return Array(bids.prefix(limit))
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

internal import AuctionDomain
internal import AuctionService
internal import EventLog

// A reader of the feed receives every event of every room once, in its room's order, and none before it was stored.
extension Auditor {
    mutating func feeds() {
        for (number, received) in transcript.feeds.enumerated() {
            var seqs: [RoomID: Int] = [:]
            for (room, event, readAt) in received.map({ ($0.room, $0.event, $0.readAt) }) {
                let seq = seqs[room, default: 0] + 1
                guard event.seq == seq else {
                    report("feed", "reader \(number) of the feed received seq \(event.seq) of \(room) in place of \(seq)")
                    return
                }
                seqs[room] = seq
                let stored = transcript.log[room] ?? []
                guard stored.indices.contains(seq - 1), stored[seq - 1].hash == event.hash else {
                    report("feed", "reader \(number) of the feed received seq \(seq) of \(room), which is not in the log")
                    return
                }
                if let storedAt = transcript.storedAt[room]?[seq], storedAt > readAt {
                    report("feed", "reader \(number) of the feed received seq \(seq) of \(room) before it was stored")
                    return
                }
            }
            for room in transcript.rooms where seqs[room, default: 0] != transcript.log[room]?.count ?? 0 {
                report("feed", "reader \(number) of the feed received \(seqs[room] ?? 0) events of \(room), not all")
            }
        }
    }
}

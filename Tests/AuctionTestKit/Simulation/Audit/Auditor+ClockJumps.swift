internal import AuctionDomain
internal import ExactJSON

// Events have the cause `clock` only where a clock was set forward, which the clock of a shared log never is.
extension Auditor {
    mutating func clockJumps() {
        let first = transcript.forwardSteps.first ?? .max
        for id in transcript.rooms {
            for event in rooms[id]?.events ?? [] where event.data["cause"]?.text == "clock" {
                let storedAt = transcript.storedAt[id]?[event.seq] ?? transcript.endedAt
                guard storedAt < first else { continue }
                report("cause", "\(id) seq \(event.seq): \(event.type) because of a clock jump that there was not")
            }
        }
    }
}

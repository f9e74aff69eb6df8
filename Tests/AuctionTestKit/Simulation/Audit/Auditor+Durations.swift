internal import AuctionDomain
internal import ExactJSON

// A countdown lasts its duration by the monotonic clock, whatever the wall clock does meanwhile.
extension Auditor {
    /// Tolerance in milliseconds: threads are delayed, and loading a room is retried after five seconds.
    private static let slack: Int64 = 10_000

    private struct Countdown {
        let endsAt: Int64
        let seconds: Int64
        /// When the log stored it, in simulated time; nil if unknown.
        let storedAt: Int64?
    }

    mutating func durations() {
        guard transcript.isSingle else { return }
        for id in transcript.rooms {
            guard let room = rooms[id] else { continue }
            var countdown: Countdown?
            for (index, event) in room.events.enumerated() {
                if event.type == "state.changed", let cause = event.data["cause"]?.text, ["countdown", "sale"].contains(cause) {
                    check(countdown, until: transcript.storedAt[id]?[event.seq], "\(id) seq \(event.seq)")
                }
                let end = room.snapshots[index + 1].endsAt
                guard end != countdown?.endsAt else { continue }
                countdown = end.map {
                    Countdown(endsAt: $0, seconds: max(0, $0 - event.at), storedAt: transcript.storedAt[id]?[event.seq])
                }
            }
            if !room.isArchived { check(countdown, until: transcript.endedAt, "\(id)") }
        }
    }

    /// The service's time runs at most a tenth slower than the monotonic clock. A restart may restart the countdown.
    private mutating func check(_ countdown: Countdown?, until end: Int64?, _ place: String) {
        guard let countdown, let storedAt = countdown.storedAt, let end else { return }
        let start = max(storedAt, transcript.starts.last { $0 <= end } ?? storedAt)
        guard start <= end, !transcript.failedAppends.contains(where: (start...end).contains) else { return }
        let most = countdown.seconds * 10 / 9 + Self.slack
        if end - start > most {
            report("duration", "\(place): a countdown of \(countdown.seconds) ms lasts \(end - start) ms")
        }
    }
}

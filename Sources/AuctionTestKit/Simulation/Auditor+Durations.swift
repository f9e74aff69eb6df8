internal import AuctionDomain
internal import ExactJSON

// A countdown takes its seconds by the monotonic clock, whatever the wall clock shows meanwhile.
extension Auditor {
    /// In milliseconds: threads pause, and a room that cannot be read is read again after five seconds.
    private static let slack: Int64 = 10_000

    private struct Countdown {
        let endsAt: Int64
        let seconds: Int64
        /// In simulated time; nil: it is not known when the log got it.
        let storedAt: Int64?
    }

    mutating func durations() {
        guard transcript.isSingle else { return }
        for id in transcript.rooms {
            guard let room = rooms[id] else { continue }
            var countdown: Countdown?
            for (index, event) in room.events.enumerated() {
                if event.type == "state.changed", event.data["cause"]?.text == "countdown" {
                    check(countdown, until: transcript.storedAt[id]?[event.seq], "\(id) seq \(event.seq)")
                }
                let end = room.pictures[index + 1].endsAt
                guard end != countdown?.endsAt else { continue }
                countdown = end.map {
                    Countdown(endsAt: $0, seconds: max(0, $0 - event.at), storedAt: transcript.storedAt[id]?[event.seq])
                }
            }
            check(countdown, until: transcript.endedAt, "\(id)")
        }
    }

    /// Time is slower than the monotonic clock by a tenth at most. After a restart it may begin anew.
    private mutating func check(_ countdown: Countdown?, until end: Int64?, _ place: String) {
        guard let countdown, let storedAt = countdown.storedAt, let end else { return }
        let start = max(storedAt, transcript.starts.last { $0 <= end } ?? storedAt)
        guard start <= end, !transcript.mishaps.contains(where: (start...end).contains) else { return }
        let most = countdown.seconds * 10 / 9 + Self.slack
        if end - start > most {
            find("duration", "\(place): a countdown of \(countdown.seconds) ms lasts \(end - start) ms")
        }
    }
}

internal import AuctionDomain
internal import ExactJSON

// A round ends soon after its time as long as any process is there to end it, whichever began it.
extension Auditor {
    /// In milliseconds: until another process looks, and then its threads may be slow.
    private static let latest: Int64 = 2000

    mutating func lateEnds() {
        guard !transcript.isSingle else { return }
        for id in transcript.rooms {
            guard let room = rooms[id] else { continue }
            for event in room.events where event.type == "state.changed" && event.data["cause"]?.text == "countdown" {
                guard let end = room.pictures[event.seq - 1].endsAt, event.at > end + Self.latest, isWatched(from: end) else {
                    continue
                }
                find("late end", "\(id) seq \(event.seq): ends \(event.at - end) ms after its time although a process lives")
            }
        }
    }

    /// Whether some process was there all the time, and nothing that it appended failed.
    private func isWatched(from end: Int64) -> Bool {
        let due = end - SimulatedClock.epoch
        let window = due...due + Self.latest
        guard transcript.spans.contains(where: { $0.contains(window.lowerBound) && $0.contains(window.upperBound) }),
            !transcript.mishaps.contains(where: window.contains)
        else { return false }
        // Until the ends that an outage ate have been moved nobody ends anything.
        return !transcript.disturbances.contains { (due - 10_000...due + Self.latest).contains($0.noted) }
    }
}

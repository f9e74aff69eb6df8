internal import AuctionDomain
internal import ExactJSON

// A round closes soon after its deadline as long as any process is alive, whichever process opened it.
extension Auditor {
    /// Milliseconds until another process has polled for expired countdowns, including delays of its threads.
    private static let latest: Int64 = 2000

    mutating func lateDeadlines() {
        guard !transcript.isSingle else { return }
        for id in transcript.rooms {
            guard let room = rooms[id] else { continue }
            for event in room.events {
                guard let end = deadline(met: event, in: room), event.at > end + Self.latest, isWatched(from: end) else {
                    continue
                }
                report(
                    "late end",
                    "\(id) seq \(event.seq): \(event.type) \(event.at - end) ms after its deadline although a process was alive"
                )
            }
        }
    }

    /// The deadline whose expiry the event is; nil if it is none.
    private func deadline(met event: AuditedEvent, in room: AuditedRoom) -> Int64? {
        let (cause, before) = (event.data["cause"]?.text, event.seq - 1)
        switch event.type {
        case "state.changed" where cause == "countdown" || cause == "sale" && event.data["from"]?.text == "closed":
            return room.snapshots[before].endsAt
        case "sale.started" where event.person("by") == nil: return room.sales[before].startsAt
        case "offer.expired":
            return room.sales[before].offers.first { $0.id == event.data["offerId"]?.text }?.expiresAt
        default: return nil
        }
    }

    /// Whether one process served for the whole window and none of its appends failed.
    private func isWatched(from end: Int64) -> Bool {
        let due = end - SimulatedClock.epoch
        let window = due...due + Self.latest
        guard transcript.servedSpans.contains(where: { $0.contains(window.lowerBound) && $0.contains(window.upperBound) }),
            !transcript.failedAppends.contains(where: window.contains)
        else { return false }
        // No process closes rounds before the deadlines that expired during an outage are extended.
        return !transcript.requiredExtensions.contains { (due - 10_000...due + Self.latest).contains($0.noted) }
    }
}

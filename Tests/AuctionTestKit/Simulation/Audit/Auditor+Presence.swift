internal import AuctionDomain
internal import ExactJSON

// A host counts as disconnected only after thirty seconds without a subscription, on whichever process.
extension Auditor {
    /// Milliseconds before the event is stored in which a subscription may be too recent to be known to the process that decides.
    private static let latest: Int64 = 6000
    /// Milliseconds before the event is stored in which the host must have been absent; less than thirty seconds by the longest delay of
    /// an append.
    private static let absence: Int64 = 25_000

    mutating func presence() {
        for id in transcript.rooms {
            guard let room = rooms[id] else { continue }
            for event in room.events {
                guard let host = Self.disconnectedHost(by: event, in: room.events), let time = time(of: event, in: id) else {
                    continue
                }
                checkReturn(of: host, before: event, in: room.events, id)
                let window = (time - Self.absence)...(time - Self.latest)
                // A process whose link is cut cannot report who is there.
                guard !transcript.cutSpans.contains(where: { $0.upperBound >= time - 40_000 && $0.lowerBound <= time }),
                    let subscribed = transcript.presence[id]?[host]?.first(where: window.overlaps)
                else { continue }
                report(
                    "presence",
                    "\(id) seq \(event.seq): the host is disconnected although they were subscribed at \(subscribed)")
            }
        }
    }

    /// Checks that a host who has returned is not disconnected again for an absence from before.
    private mutating func checkReturn(of host: String, before event: AuditedEvent, in events: [AuditedEvent], _ id: RoomID) {
        guard let last = events.prefix(event.seq - 1).last(where: { $0.type.hasPrefix("host.") }), last.type == "host.returned",
            last.person("host") == host, event.at - last.at < Self.absence
        else { return }
        report("presence", "\(id) seq \(event.seq): the host is disconnected \(event.at - last.at) ms after they returned")
    }

    /// The host whose disconnection an event records: the room has no other host, or a successor and the old host becomes a viewer.
    private static func disconnectedHost(by event: AuditedEvent, in events: [AuditedEvent]) -> String? {
        switch event.type {
        case "host.gone":
            let host = event.person("host")
            // Recorded again after an outage, which the host's time to return does not include; or because the host left.
            let before = events.prefix(event.seq - 1).last {
                $0.type.hasPrefix("host.") || $0.type == "member.left" && $0.person("member") == host
                    || $0.data["to"]?.text == "host" || $0.type == "member.joined" && $0.person("member") == host
            }
            return before?.type == "host.gone" || before?.type == "member.left" ? nil : host
        case "member.roleChanged":
            guard event.data["from"]?.text == "host", event.data["to"]?.text == "viewer" else { return nil }
            return event.person("member")
        default: return nil
        }
    }

    /// Simulated time at which an event was stored; on a shared log, whose clock all processes follow, when it was decided.
    private func time(of event: AuditedEvent, in room: RoomID) -> Int64? {
        transcript.isSingle ? transcript.storedAt[room]?[event.seq] : event.at - SimulatedClock.epoch
    }
}

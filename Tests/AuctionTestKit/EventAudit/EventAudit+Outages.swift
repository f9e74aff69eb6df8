internal import AuctionDomain
internal import ExactJSON

// Deadlines after outages of a real server.
extension EventAudit {
    /// Milliseconds by which two clocks of one machine, and times that are rounded, differ at most.
    private static let rounding = 1.0

    /// Checks that bidders have the least remaining time after an outage.
    mutating func checkExtension(_ event: AuditedEvent, _ room: AuditedRoom) {
        guard event.type == "countdown.moved", event.data["cause"]?.text == "outage",
            room.snapshots.indices.contains(event.seq),
            room.snapshots[event.seq].state == "auctioning", let end = event.data["endsAt"]?.instant?.milliseconds
        else { return }
        if end < event.at + room.leastRemaining[event.seq] {
            report("extension", "\(room.id) seq \(event.seq): the deadline after an outage is not ready + min(bidding, 60 s)")
        }
    }

    /// Checks that a deadline was extended where it would have passed too soon after a start, and when.
    mutating func check(_ outage: Line) {
        guard let after = outage.json["after"]?.int, let spawned = outage.json["spawned"]?.double,
            let ready = outage.json["ready"]?.double,
            let room = rooms[outage.room], room.snapshots.indices.contains(after), room.snapshots[after].state == "auctioning"
        else { return }
        let next = room.events.dropFirst(after).first
        if let next, next.type == "countdown.moved" {
            let at = Double(next.at)
            if at < spawned - Self.rounding || at > ready + Self.rounding {
                report(
                    "outage",
                    "\(outage.room) seq \(next.seq): the deadline was extended at \(next.at), not while the server started")
            }
        } else if let end = room.snapshots[after].endsAt, Double(end) < spawned + Double(room.leastRemaining[after]) {
            report(
                "outage",
                "\(outage.room): \(Double(end) - ready) ms were left after the outage and the deadline was not extended")
        }
    }
}

internal import AuctionDomain
internal import ExactJSON

// A paused round waits ten minutes for its host, in which they could have returned: an outage or a clock jump is no part of them.
extension Auditor {
    mutating func absences() {
        for required in transcript.requiredExtensions {
            for id in transcript.rooms {
                guard let seq = required.rooms[id], let room = rooms[id], room.waits.indices.contains(seq),
                    let due = room.waits[seq], due >= required.since?.milliseconds ?? .min,
                    let next = room.events.dropFirst(seq).first(where: { $0.type == "state.changed" }),
                    next.data["cause"]?.text == "hostGone"
                else { continue }
                expect(next, in: room, notBefore: AuditedRoom.longestWait, after: required, "host")
            }
        }
    }
}

internal import AuctionDomain
internal import AuctionService
internal import ExactJSON

// A caller who may not see a private room receives no data of it, and joining requires its invite code.
extension Auditor {
    mutating func visibility() {
        for attempt in transcript.attempts { checkVisibility(attempt) }
        for (number, subscription) in transcript.subscriptions.enumerated() {
            guard let visible = rooms[subscription.room]?.visible else { continue }
            let reader = subscription.reader.id.description
            for page in subscription.pages {
                guard page.through <= page.seq, visible.indices.contains(page.seq) else { continue }
                // A user who may see the room at some seq may read all events up to it.
                let mayRead = (page.through...page.seq).contains { visible[$0]?.contains(reader) ?? true }
                if !mayRead { report("hidden", "reader \(number) was sent up to seq \(page.through) without being a member") }
            }
        }
    }

    private mutating func checkVisibility(_ attempt: Attempt) {
        let request = request(attempt)
        guard let json = responses[attempt.number], let visible = rooms[request.room]?.visible, visible.last != .some(nil)
        else {
            return
        }
        let caller = request.caller.id.description
        if let seq = json["seq"]?.int {
            guard visible.indices.contains(seq), visible[seq]?.contains(caller) == false else { return }
            // The response to `leave` shows the room as the caller left it.
            if case .leave = request.command, attempt.response?.status == 200 { return }
            // The response to a link without effect, or of a banned user, is empty; only the simulated one shows the room.
            if case .linkGuest = request.command, attempt.response?.status == 200 { return }
            report("hidden", "\(name(attempt)) shows the room at seq \(seq), where they are no member")
        } else if attempt.response?.status == 409, let code = json["code"]?.text {
            var isExpected = ["room.not_found", "member.banned"].contains(code)
            // The id of a keyed room follows from its creator and key: only its creator can ask for the same one again.
            if case .openRoom = request.command, rooms[request.room]?.events.first?.person("host") == caller {
                isExpected = isExpected || code == "room.exists"
            }
            // The guest may see the room, or bought something in it.
            if case .linkGuest = request.command { isExpected = isExpected || code.hasPrefix("link.") }
            if !isExpected { report("hidden", "\(name(attempt)) discloses by \(code) that the room exists") }
        }
    }

    /// Checks that each user who joined a private room has sent its invite code.
    mutating func invitations() {
        for id in transcript.rooms {
            guard let room = rooms[id], let code = room.inviteCode else { continue }
            let joins = transcript.attempts.filter { attempt in
                guard attempt.arrivedAt != nil, request(attempt).room == id, case .join(let join) = request(attempt).command
                else { return false }
                return join.inviteCode == code
            }
            let callersWithCode = Set(joins.map { request($0).caller.id.description })
            for person in room.invited.subtracting(callersWithCode).sorted() {
                report("invitation", "\(id): \(person) is let in without the code")
            }
        }
    }
}

internal import AuctionDomain
internal import AuctionService
internal import ExactJSON

// Whoever may not see a private room learns nothing of it, and only its invite code lets anybody in.
extension Auditor {
    mutating func hidden() {
        for attempt in transcript.attempts { keepsHidden(attempt) }
        for (number, subscription) in transcript.subscriptions.enumerated() {
            guard let visible = rooms[subscription.room]?.visible else { continue }
            let reader = subscription.reader.id.description
            for page in subscription.pages {
                guard page.through <= page.seq, visible.indices.contains(page.seq) else { continue }
                // Whoever may see the room at some seq may read everything up to it.
                let mayRead = (page.through...page.seq).contains { visible[$0]?.contains(reader) ?? true }
                if !mayRead { find("hidden", "reader \(number) was sent up to seq \(page.through) without being a member") }
            }
        }
    }

    private mutating func keepsHidden(_ attempt: Attempt) {
        let request = request(attempt)
        guard let json = answers[attempt.number], let visible = rooms[request.room]?.visible, visible.last != .some(nil) else {
            return
        }
        let caller = request.caller.id.description
        if let seq = json["seq"]?.int {
            guard visible.indices.contains(seq), visible[seq]?.contains(caller) == false else { return }
            // Whoever leaves is told how they left it.
            if case .leave = request.command, attempt.answer?.status == 200 { return }
            find("hidden", "\(name(attempt)) shows the room at seq \(seq), where they are no member")
        } else if attempt.answer?.status == 409, let code = json["code"]?.text {
            let isTold = ["room.not_found", "member.banned"].contains(code)
            if !isTold { find("hidden", "\(name(attempt)) tells by \(code) that there is a room") }
        }
    }

    /// Whoever joined a private room has said its code.
    mutating func invitations() {
        for id in transcript.rooms {
            guard let room = rooms[id], let code = room.inviteCode else { continue }
            let said = transcript.attempts.filter { attempt in
                guard attempt.arrivedAt != nil, request(attempt).room == id, case .join(let join) = request(attempt).command
                else { return false }
                return join.inviteCode == code
            }
            let knowing = Set(said.map { request($0).caller.id.description })
            for person in room.invited.subtracting(knowing).sorted() {
                find("invitation", "\(id): \(person) is let in without the code")
            }
        }
    }
}

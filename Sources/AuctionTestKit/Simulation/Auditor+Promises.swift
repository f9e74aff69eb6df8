internal import AuctionDomain
internal import AuctionService
internal import ExactJSON

// What was acknowledged is there exactly once, what was refused is not there, and a key counts once.
extension Auditor {
    mutating func promises() {
        for attempt in transcript.attempts {
            let made = made[attempt.number] ?? []
            if made.count > 1 { find("exactly once", "\(name(attempt)) is in the log \(made.count) times") }
            guard let answer = attempt.answer, let json = answers[attempt.number] else {
                let isOwed = attempt.arrivedAt != nil && attempt.process.map { survivors.contains($0) } ?? false
                if isOwed { find("unanswered", "\(name(attempt)) never gets an answer") }
                if attempt.arrivedAt == nil, !made.isEmpty { find("promise", "\(name(attempt)) never arrived and is there") }
                continue
            }
            if answer.status == 200 {
                if !attempt.isReplay { acknowledged(attempt, json, made) } else { replayed(attempt, made) }
            } else if json["code"]?.text != "outcomeUnknown", !made.isEmpty {
                find("refused", "\(name(attempt)) was answered \(answer.status) and is in the log at \(made[0].seq)")
            }
        }
    }

    private mutating func acknowledged(_ attempt: Attempt, _ json: JSONValue, _ made: [Made]) {
        let (outcome, seq, id) = (json["outcome"]?.text ?? "", json["seq"]?.int ?? 0, json["id"]?.text)
        guard ["bid", "message", "uploaded", "handshake"].contains(outcome) else { return }
        if let only = made.first {
            if only.id != id || only.seq > seq || only.room != request(attempt).room {
                let told = "\(id ?? "nothing") at \(seq)"
                find("acknowledged", "\(name(attempt)) was told \(told), the log has \(only.id) at \(only.seq)")
            }
            return
        }
        // A raised maximum and a handshake's later steps make nothing with an identifier.
        let events = rooms[request(attempt).room]?.events ?? []
        let caller = request(attempt).caller.id.description
        switch outcome {
        case "bid":
            let isRaised = events.contains {
                $0.type == "bid.maximumRaised" && $0.seq <= seq && $0.seq + 4 > seq && $0.person("bidder") == caller
            }
            if !isRaised { find("acknowledged", "\(name(attempt)) was told \(id ?? "nothing"), the log has nothing") }
        case "handshake":
            let isThere = events.contains { $0.seq <= seq && $0.data["stageId"]?.text == id }
            if !isThere { find("acknowledged", "\(name(attempt)) was told of \(id ?? "nothing"), the log has nothing") }
        default: find("acknowledged", "\(name(attempt)) was told \(id ?? "nothing") at seq \(seq), the log has nothing")
        }
    }

    private mutating func replayed(_ attempt: Attempt, _ made: [Made]) {
        if !made.isEmpty { find("exactly once", "\(name(attempt)) got a repeated answer and is in the log") }
        if request(attempt).key == nil { find("keys", "\(name(attempt)) has no key and got a repeated answer") }
    }

    /// Commands without identifiers: each acknowledged one has an event of its own.
    mutating func claims() {
        var claimed: [RoomID: Set<Int>] = [:]
        for attempt in transcript.attempts {
            guard attempt.answer?.status == 200, !attempt.isReplay, let json = answers[attempt.number],
                let seq = json["seq"]?.int, let events = rooms[request(attempt).room]?.events
            else { continue }
            let request = request(attempt)
            guard let matches = Self.mark(of: request.command, by: request.caller.id.description, json) else { continue }
            let taken = claimed[request.room] ?? []
            let found = events.prefix(max(0, seq)).suffix(14).last { matches($0) && !taken.contains($0.seq) }
            if let found {
                claimed[request.room, default: []].insert(found.seq)
            } else {
                find("acknowledged", "\(name(attempt)) was carried out by seq \(seq), the log has no event of it")
            }
        }
    }

    /// How to tell a command's event; nil if it may make none.
    private static func mark(
        of command: Command, by caller: String, _ answer: JSONValue
    ) -> ((AuditedEvent) -> Bool)? {
        switch command {
        case .openRoom: return { $0.type == "room.opened" && $0.person("host") == caller }
        case .archiveRoom: return { $0.type == "room.archived" && $0.person("by") == caller }
        case .join:
            guard answer["outcome"]?.text == "joined" else { return nil }
            return { $0.type == "member.joined" && $0.person("member") == caller }
        case .leave: return { $0.type == "member.left" && $0.person("member") == caller }
        case .kick(let target): return { $0.type == "member.kicked" && $0.person("member") == target.description }
        case .startAuction, .endAuction, .pause, .resume, .cancel:
            return { $0.type == "state.changed" && $0.person("by") == caller }
        case .retractBid(let bid, _): return { $0.type == "bid.retracted" && $0.data["bidId"]?.text == bid.description }
        case .removeMessage(let id): return { $0.type == "message.removed" && $0.data["messageId"]?.text == id.description }
        default: return nil
        }
    }
}

internal import AuctionDomain
internal import AuctionService
internal import ExactJSON

// Each acknowledged command is in the log exactly once, each refused one is not, and each key is used once.
extension Auditor {
    mutating func acknowledgements() {
        for attempt in transcript.attempts {
            let created = created[attempt.number] ?? []
            if created.count > mostCreated(by: attempt) {
                report("exactly once", "\(name(attempt)) is in the log \(created.count) times")
            }
            guard let response = attempt.response, let json = responses[attempt.number] else {
                let isOwed = attempt.arrivedAt != nil && attempt.process.map { survivors.contains($0) } ?? false
                if isOwed { report("unanswered", "\(name(attempt)) never gets an answer") }
                if attempt.arrivedAt == nil, !created.isEmpty {
                    report("promise", "\(name(attempt)) never arrived but is in the log")
                }
                continue
            }
            if response.status == 200 {
                if !attempt.isReplay { acknowledged(attempt, json, created) } else { replayed(attempt, created) }
            } else if json["code"]?.text != "outcomeUnknown", !created.isEmpty {
                report("refused", "\(name(attempt)) was answered \(response.status) and is in the log at \(created[0].seq)")
            }
        }
    }

    private mutating func acknowledged(_ attempt: Attempt, _ json: JSONValue, _ created: [CreatedObject]) {
        let (outcome, seq, id) = (json["outcome"]?.text ?? "", json["seq"]?.int ?? 0, json["id"]?.text)
        guard ["bid", "message", "uploaded", "lotQueued", "handshake"].contains(outcome) else { return }
        if let only = created.first {
            if only.id != id || only.seq > seq || only.room != request(attempt).room {
                let response = "\(id ?? "nothing") at \(seq)"
                report(
                    "acknowledged", "\(name(attempt)) was acknowledged with \(response), the log has \(only.id) at \(only.seq)")
            }
            return
        }
        // A raised maximum and a handshake's later steps create no object with an identifier.
        let events = rooms[request(attempt).room]?.events ?? []
        let caller = request(attempt).caller.id.description
        switch outcome {
        case "bid":
            let isRaised = events.contains {
                $0.type == "bid.maximumRaised" && $0.seq <= seq && $0.seq + 4 > seq && $0.person("bidder") == caller
            }
            if !isRaised {
                report("acknowledged", "\(name(attempt)) was acknowledged with \(id ?? "nothing"), the log has nothing")
            }
        case "handshake":
            let isThere = events.contains { $0.seq <= seq && $0.data["stageId"]?.text == id }
            if !isThere {
                report("acknowledged", "\(name(attempt)) was acknowledged with \(id ?? "nothing"), the log has nothing")
            }
        default:
            report(
                "acknowledged", "\(name(attempt)) was acknowledged with \(id ?? "nothing") at seq \(seq), the log has nothing")
        }
    }

    private mutating func replayed(_ attempt: Attempt, _ created: [CreatedObject]) {
        if !created.isEmpty { report("exactly once", "\(name(attempt)) got a repeated answer and is in the log") }
        if request(attempt).key == nil { report("keys", "\(name(attempt)) has no key and got a repeated answer") }
    }

    /// Commands that create no identifier: checks that each acknowledged one has an event of its own.
    mutating func acknowledgedEvents() {
        var claimed: [RoomID: Set<Int>] = [:]
        for attempt in transcript.attempts {
            guard attempt.response?.status == 200, !attempt.isReplay, let json = responses[attempt.number],
                let seq = json["seq"]?.int, let events = rooms[request(attempt).room]?.events
            else { continue }
            let request = request(attempt)
            if case .absentee(.place(let lot, let maximum)) = request.command {
                requireWaiting(lot, maximum.minorUnits, request, at: seq)
            }
            guard let matches = Self.mark(of: request.command, by: request.caller.id.description, json) else { continue }
            let taken = claimed[request.room] ?? []
            let found = events.prefix(max(0, seq)).suffix(14).last { matches($0) && !taken.contains($0.seq) }
            if let found {
                claimed[request.room, default: []].insert(found.seq)
            } else {
                report("acknowledged", "\(name(attempt)) was carried out by seq \(seq), the log has no event of it")
            }
        }
    }

    /// An absentee bid that was acknowledged waits then, until an event ends it.
    private mutating func requireWaiting(_ lot: LotID, _ maximum: Int64, _ request: ClientRequest, at seq: Int) {
        let waits = rooms[request.room]?.absentees.spans.contains { span in
            span.user == request.caller.id.description && span.lot == lot.description && span.maximum == maximum
                && span.from <= seq && span.until > seq - 14
        }
        if waits != true {
            report("acknowledged", "a bid of \(maximum) on \(lot) was acknowledged by seq \(seq), and does not wait then")
        }
    }

    /// Predicate that recognises a command's event; nil if the command need not produce one.
    private static func mark(
        of command: Command, by caller: String, _ response: JSONValue
    ) -> ((AuditedEvent) -> Bool)? {
        switch command {
        case .openRoom: return { $0.type == "room.opened" && $0.person("host") == caller }
        case .archiveRoom: return { $0.type == "room.archived" && $0.person("by") == caller }
        case .join:
            guard response["outcome"]?.text == "joined" else { return nil }
            return { $0.type == "member.joined" && $0.person("member") == caller }
        case .leave: return { $0.type == "member.left" && $0.person("member") == caller }
        case .kick(let target): return { $0.type == "member.kicked" && $0.person("member") == target.description }
        case .application(.approve(let applicant, _)):
            return {
                $0.type == "member.roleChanged" && $0.person("member") == applicant.description && $0.person("by") == caller
                    && $0.data["to"]?.text == "bidder"
            }
        case .linkGuest(let guest):
            guard response["outcome"]?.text == "linked" else { return nil }
            return {
                $0.type == "member.linked" && $0.person("from") == guest.id.description && $0.person("to") == caller
            }
        // They may change nothing.
        case .auction(.warn, _), .auction(.ask, _), .absentee(.place), .result(.void), .application(.decline): return nil
        case .result(.answer(let id, let accepts)):
            let type = accepts ? "offer.accepted" : "offer.declined"
            return { $0.type == type && $0.data["offerId"]?.text == id.description }
        case .absentee(.withdraw(let lot)):
            return {
                $0.type == "lot.bidsChanged" && $0.data["lotId"]?.text == lot.description && $0.secret?["maximum"]?.units == nil
                    && $0.secret?["bidder"]?["id"]?.text == caller
            }
        case .auction(let step, _): return { step.isShown(by: $0, to: caller) }
        case .retractBid(let bid, _): return { $0.type == "bid.retracted" && $0.data["bidId"]?.text == bid.description }
        case .withdrawLot(let id, _): return { $0.type == "lot.withdrawn" && $0.data["lotId"]?.text == id.description }
        case .sale(.stop): return { $0.type == "sale.stopped" && $0.person("by") == caller }
        case .removeMessage(let id): return { $0.type == "message.removed" && $0.data["messageId"]?.text == id.description }
        default: return nil
        }
    }
}

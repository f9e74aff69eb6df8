internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON

// What was shown to anybody is what the log makes, at the place in it that was named.
extension Auditor {
    /// Whoever asked after another was answered stands behind it.
    mutating func order() {
        struct Answered {
            let at: Int64
            let seq: Int
        }
        for room in transcript.rooms {
            let attempts = transcript.attempts.filter {
                request($0).room == room && $0.answer != nil && !$0.isReplay && answers[$0.number]?["seq"] != nil
            }
            let answered = attempts.map {
                Answered(at: $0.answeredAt ?? .max, seq: answers[$0.number]?["seq"]?.int ?? 0)
            }.sorted { $0.at < $1.at }
            var (next, highest) = (0, 0)
            for attempt in attempts.sorted(by: { ($0.sentAt, $0.number) < ($1.sentAt, $1.number) }) {
                while next < answered.count, answered[next].at < attempt.sentAt {
                    highest = max(highest, answered[next].seq)
                    next += 1
                }
                let seq = answers[attempt.number]?["seq"]?.int ?? 0
                let isBehind = made[attempt.number]?.first.map { $0.seq <= highest } ?? (seq < highest)
                if isBehind { find("order", "\(name(attempt)) was sent after seq \(highest) was shown and stands at \(seq)") }
            }
        }
    }

    /// The room in an answer is the one that the events up to its seq make.
    mutating func pictures() {
        for attempt in transcript.attempts {
            guard let json = answers[attempt.number], let seq = json["seq"]?.int, let shown = RoomPicture(answer: json) else {
                continue
            }
            let pictures = rooms[request(attempt).room]?.pictures ?? []
            guard pictures.indices.contains(seq) else {
                find("picture", "\(name(attempt)) shows seq \(seq), which there is not")
                continue
            }
            keepsSealed(attempt, json, seq)
            if pictures[seq] != shown {
                find("picture", "\(name(attempt)) shows \(shown) at seq \(seq), the events make \(pictures[seq])")
            }
        }
    }

    /// A refusal of a sealed bid tells of nothing but the starting price and the caller's own bids.
    private mutating func keepsSealed(_ attempt: Attempt, _ json: JSONValue, _ seq: Int) {
        guard json["code"]?.text == "bid.below_minimum", let required = json["required"]?.units,
            let room = rooms[request(attempt).room], room.isSealed[seq]
        else { return }
        let caller = request(attempt).caller.id.description
        let own = room.events.prefix(seq).filter { $0.type == "bid.placed" && $0.person("bidder") == caller }
        let known = own.compactMap { $0.secret?["amount"]?.units }.map { $0 + 1 }
        if required != room.pictures[seq].minimum, !known.contains(required) {
            find("secret", "\(name(attempt)) was told of somebody else's sealed bid")
        }
    }

    /// Nobody loses a lot because the service was away or its clock jumped.
    mutating func disturbances() {
        for disturbance in transcript.disturbances {
            for id in transcript.rooms {
                guard let seq = disturbance.rooms[id], let room = rooms[id], room.pictures.indices.contains(seq),
                    room.pictures[seq].state == "auctioning", room.pictures[seq].endsAt != nil
                else { continue }
                if let since = disturbance.since, let end = room.pictures[seq].endsAt, end < since.milliseconds { continue }
                let least = disturbance.at.milliseconds + room.grace[seq]
                let next = room.events.dropFirst(seq).first { $0.type == "state.changed" || $0.type == "price.dropped" }
                guard let next, next.type == "price.dropped" || next.data["cause"]?.text == "countdown" else { continue }
                // What was decided before it and stored after it is nobody's fault.
                guard (disturbance.at.milliseconds..<least).contains(next.at) else { continue }
                find(
                    disturbance.cause.rawValue,
                    "\(id) seq \(next.seq): ends \(least - next.at) ms too soon after \(disturbance.at)")
            }
        }
    }

    /// Every reader was sent a part of the history without gaps or repeats, and in the end all of it.
    mutating func streams() {
        for (number, subscription) in transcript.subscriptions.enumerated() {
            let log = (transcript.log[subscription.room] ?? []).dropFirst(subscription.start)
            for (sent, stored) in zip(subscription.events, log) where sent.publicBytes != stored.publicBytes {
                find("stream", "reader \(number) was sent seq \(sent.seq) where \(stored.seq) belongs, or other bytes")
                break
            }
            if subscription.events.count > log.count {
                find("stream", "reader \(number) was sent more than the log has")
            } else if subscription.events.count < log.count,
                rooms[subscription.room]?.visible.last??.contains(subscription.reader.id.description) ?? true
            {
                find("stream", "reader \(number) never hears of the last \(log.count - subscription.events.count) events")
            }
        }
    }

    /// The log makes the rooms that processes had, and the snapshots that they stored.
    mutating func replays() {
        for id in transcript.rooms {
            let stored = transcript.log[id] ?? []
            guard let last = stored.last else { continue }
            var wanted: [Int: [Room]] = [:]
            for room in transcript.committed where room.id == id { wanted[room.seq, default: []].append(room) }
            if let snapshot = transcript.snapshots[id] {
                let alone = LoadedHistory(
                    head: RoomHead(seq: snapshot.seq, tip: 0), snapshot: snapshot, events: [], hashAtSnapshot: .zero,
                    answers: [])
                switch Result(catching: { () throws(EventLogError) in try RoomReplay.room(id, from: alone) }) {
                case .success(let room): wanted[snapshot.seq, default: []].append(room.room)
                case .failure(let error): find("snapshot", "\(error)")
                }
            }
            var room: Room?
            for event in stored {
                guard let decoded = try? EventCodec.decode(event, after: room) else {
                    find("replay", "\(id): seq \(event.seq) cannot be decoded")
                    break
                }
                if room == nil { room = Room(id: id, opening: decoded) } else { try? room?.apply(decoded) }
                for other in wanted.removeValue(forKey: event.seq) ?? [] where other != room {
                    find("replay", "\(id): a process or a snapshot had another room at seq \(event.seq)")
                }
            }
            for seq in wanted.keys.sorted() { find("replay", "\(id): a process had seq \(seq), the log ends at \(last.seq)") }
        }
    }
}

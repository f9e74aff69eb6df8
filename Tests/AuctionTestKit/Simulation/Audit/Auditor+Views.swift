internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON

// Every room shown to a client equals the fold of the log up to the seq that came with it.
extension Auditor {
    /// Checks real-time order: a request sent after a response gets a seq at least as high as that response's.
    mutating func order() {
        struct Answered {
            let at: Int64
            let seq: Int
        }
        for room in transcript.rooms {
            let attempts = transcript.attempts.filter {
                request($0).room == room && $0.response != nil && !$0.isReplay && responses[$0.number]?["seq"] != nil
            }
            let answered = attempts.map {
                Answered(at: $0.answeredAt ?? .max, seq: responses[$0.number]?["seq"]?.int ?? 0)
            }.sorted { $0.at < $1.at }
            var (next, highest) = (0, 0)
            for attempt in attempts.sorted(by: { ($0.sentAt, $0.number) < ($1.sentAt, $1.number) }) {
                while next < answered.count, answered[next].at < attempt.sentAt {
                    highest = max(highest, answered[next].seq)
                    next += 1
                }
                let seq = responses[attempt.number]?["seq"]?.int ?? 0
                let isStale = created[attempt.number]?.first.map { $0.seq <= highest } ?? (seq < highest)
                if isStale { report("order", "\(name(attempt)) was sent after seq \(highest) was shown and stands at \(seq)") }
            }
        }
    }

    /// Checks that the room in each response equals the fold of the events up to its seq.
    mutating func responseSnapshots() {
        for attempt in transcript.attempts {
            guard let json = responses[attempt.number], let seq = json["seq"]?.int, let shown = PublicSnapshot(response: json)
            else {
                continue
            }
            let snapshots = rooms[request(attempt).room]?.snapshots ?? []
            guard snapshots.indices.contains(seq) else {
                report("picture", "\(name(attempt)) shows seq \(seq), which there is not")
                continue
            }
            checkSealedRefusal(attempt, json, seq)
            if json["paddle"]?.text != nil, rooms[request(attempt).room]?.hosts[seq] != request(attempt).caller.id.description {
                report("secret", "\(name(attempt)) disclosed a paddle to a user who is not the host")
            }
            let won = rooms[request(attempt).room]?.wonBySeq[seq][request(attempt).caller.id.description] ?? 0
            if let shown = json["won"]?.units, shown != won {
                report("totals", "\(name(attempt)) shows that its caller has won \(shown) at seq \(seq), not \(won)")
            }
            if snapshots[seq] != shown {
                report("picture", "\(name(attempt)) shows \(shown) at seq \(seq), the events make \(snapshots[seq])")
            }
        }
    }

    /// Checks that a refusal of a sealed bid discloses only the starting price or the caller's own bids.
    private mutating func checkSealedRefusal(_ attempt: Attempt, _ json: JSONValue, _ seq: Int) {
        guard json["code"]?.text == "bid.below_minimum", let required = json["required"]?.units,
            let room = rooms[request(attempt).room], room.isSealed[seq]
        else { return }
        let caller = request(attempt).caller.id.description
        let own = room.events.prefix(seq).filter { $0.type == "bid.placed" && $0.person("bidder") == caller }
        let known = own.compactMap { $0.secret?["amount"]?.units }.map { $0 + 1 }
        if required != room.snapshots[seq].minimum, !known.contains(required), !isLeft(required - 1, by: caller, in: room, seq)
        {
            report("secret", "\(name(attempt)) disclosed another bidder's sealed bid")
        }
    }

    /// Whether the caller left a bid of this amount, perhaps as a guest; with a credit limit it may be less than what they left.
    private func isLeft(_ amount: Int64, by caller: String, in room: AuditedRoom, _ seq: Int) -> Bool {
        let events = room.events.prefix(seq)
        let links = events.filter { $0.type == "member.linked" && $0.person("to") == caller }
        let names = Set(links.compactMap { $0.person("from") } + [caller])
        let left = events.lazy.filter { event in
            event.type == "lot.bidsChanged" && event.secret?["bidder"]?["id"]?.text.map(names.contains) == true
        }
        let maxima = left.compactMap { $0.secret?["maximum"]?.units }
        return room.credit[caller] == nil ? maxima.contains(amount) : maxima.contains { amount <= $0 }
    }

    /// Checks that deadlines were extended after outages and clock jumps.
    mutating func requiredExtensions() {
        for requiredExtension in transcript.requiredExtensions {
            for id in transcript.rooms {
                guard let seq = requiredExtension.rooms[id], let room = rooms[id], room.snapshots.indices.contains(seq),
                    room.snapshots[seq].state == "auctioning", room.snapshots[seq].endsAt != nil
                else { continue }
                // A drop that was due before the outage is only late.
                let due = room.nextDrops[seq] ?? room.snapshots[seq].endsAt
                if let since = requiredExtension.since, let due, due < since.milliseconds { continue }
                let least = requiredExtension.at.milliseconds + room.leastRemaining[seq]
                let next = room.events.dropFirst(seq).first { $0.type == "state.changed" || $0.type == "price.dropped" }
                guard let next, next.type == "price.dropped" || next.data["cause"]?.text == "countdown" else { continue }
                // An event decided before the outage or jump may be stored after it.
                guard (requiredExtension.at.milliseconds..<least).contains(next.at) else { continue }
                report(
                    requiredExtension.cause.rawValue,
                    "\(id) seq \(next.seq): ends \(least - next.at) ms too soon after \(requiredExtension.at)")
            }
        }
    }

    /// Checks that each reader received the history without gaps or repeats, and in the end all of it.
    mutating func streams() {
        for (number, subscription) in transcript.subscriptions.enumerated() {
            let log = (transcript.log[subscription.room] ?? []).dropFirst(subscription.start)
            for (sent, stored) in zip(subscription.events, log) where sent.publicBytes != stored.publicBytes {
                report("stream", "reader \(number) was sent seq \(sent.seq) where \(stored.seq) belongs, or other bytes")
                break
            }
            if subscription.events.count > log.count {
                report("stream", "reader \(number) was sent more than the log has")
            } else if subscription.events.count < log.count,
                rooms[subscription.room]?.visible.last??.contains(subscription.reader.id.description) ?? true
            {
                report("stream", "reader \(number) never receives the last \(log.count - subscription.events.count) events")
            }
        }
    }

    /// Checks that replaying the log reproduces the rooms that processes held, the snapshots that they stored, and the
    /// index by user.
    mutating func replays() {
        for id in transcript.rooms {
            let stored = transcript.log[id] ?? []
            guard let last = stored.last else { continue }
            var wanted: [Int: [Room]] = [:]
            for room in transcript.committed where room.id == id { wanted[room.seq, default: []].append(room) }
            if let snapshot = transcript.snapshots[id] {
                let alone = LoadedHistory(
                    head: RoomHead(seq: snapshot.seq, headHash: 0), snapshot: snapshot, events: [], hashAtSnapshot: .zero,
                    responses: [])
                switch Result(catching: { () throws(EventLogError) in try RoomReplay.room(id, from: alone) }) {
                case .success(let room): wanted[snapshot.seq, default: []].append(room.room)
                case .failure(let error): report("snapshot", "\(error)")
                }
            }
            var room: Room?
            for event in stored {
                guard let decoded = try? EventCodec.decode(event, after: room) else {
                    report("replay", "\(id): seq \(event.seq) cannot be decoded")
                    break
                }
                if room == nil { room = Room(id: id, opening: decoded) } else { try? room?.apply(decoded) }
                for other in wanted.removeValue(forKey: event.seq) ?? [] where other != room {
                    report("replay", "\(id): a process or a snapshot had another room at seq \(event.seq)")
                }
            }
            if let room, room.seq == last.seq, let difference = transcript.users[id]?.difference(from: room) {
                report("index by user", "\(id): \(difference)")
            }
            for seq in wanted.keys.sorted() { report("replay", "\(id): a process had seq \(seq), the log ends at \(last.seq)") }
        }
    }
}

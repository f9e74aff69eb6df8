package import AuctionDomain

/// Audits one room's history: gaps, hash chain, replay, snapshot, head, money, and the index by user.
///
/// Pure: receives the events in order and returns its findings at the end. To report one finding per cause, the hash chain
/// continues from the stored hash after a mismatch, and replay stops at the first event that cannot be applied.
package struct RoomAudit: Sendable {
    private let id: RoomID
    private let record: ArchivedRoom
    private let users: UserChanges?
    private var findings: [AuditFinding] = []
    private var room: Room?
    private var money: MoneyAudit
    private var lastSeq = 0
    private var lastHash = EventHash.zero
    private var lastAt: Timestamp?
    /// Rewritten events, and those that events of erasures name, by the digests of their bytes.
    private var erased: (found: [Int: String], named: [Int: String]) = ([:], [:])
    /// Whether every event so far could be applied, so that `room` is valid.
    private var canReplay = true
    /// Whether `lastHash` belongs to the directly preceding event.
    private var isPreviousHashKnown = true

    /// - Parameter users: the room's rows in the index by user; nil to leave them out.
    package init(of id: RoomID, _ record: ArchivedRoom, users: UserChanges? = nil) {
        self.id = id
        self.users = users
        self.record = record
        money = MoneyAudit(id)
    }

    /// Checks the next event. Events after the record's `lastSeq` are ignored.
    /// - Returns: The event, if it could be read and applied.
    @discardableResult
    package mutating func take(_ stored: StoredEvent) -> Event? {
        guard stored.seq <= record.lastSeq else { return nil }
        checkOrder(stored)
        checkHash(stored)
        let event = canReplay ? replay(stored) : nil
        if stored.seq == record.head.seq, stored.hash.headHash != record.head.headHash {
            addFinding(stored.seq, "the room's head names another event than this one")
        }
        if stored.seq == record.snapshot?.seq { checkSnapshot() }
        return event
    }

    /// All findings; call it once, after the last event.
    package func allFindings() -> [AuditFinding] {
        var all = findings
        func addFinding(_ text: String) { all.append(AuditFinding(room: id, seq: nil, text)) }
        if lastSeq < record.lastSeq { addFinding("the events end at seq \(lastSeq), but there were \(record.lastSeq)") }
        if record.head.seq > record.lastSeq {
            addFinding("the room's head is at seq \(record.head.seq), beyond the last event")
        }
        if record.head.seq < 1 { addFinding("the room's head is at seq \(record.head.seq), before the first event") }
        if let snapshot = record.snapshot, snapshot.seq > record.lastSeq {
            addFinding("there is a snapshot at seq \(snapshot.seq), beyond the last event")
        }
        if let snapshot = record.snapshot, snapshot.seq < 1 {
            addFinding("there is a snapshot at seq \(snapshot.seq), before the first event")
        }
        // The latest erasure that names an event says what its bytes are.
        for (seq, digest) in erased.found.sorted(by: { $0.key < $1.key }) where erased.named[seq] != digest {
            all.append(AuditFinding(room: id, seq: seq, "it was rewritten, and no erasure names what it says"))
        }
        all += money.findings
        if canReplay, let room {
            all += money.allFindings(room.results)
            if let users, room.seq == record.lastSeq, let difference = users.difference(from: room) { addFinding(difference) }
        }
        return all
    }

    private mutating func addFinding(_ seq: Int, _ text: String) { findings.append(AuditFinding(room: id, seq: seq, text)) }

    private mutating func checkOrder(_ stored: StoredEvent) {
        if stored.seq != lastSeq &+ 1 {
            addFinding(
                stored.seq,
                stored.seq > lastSeq ? "seq \(lastSeq &+ 1) is missing before it" : "it is stored after seq \(lastSeq)"
            )
            canReplay = false
            isPreviousHashKnown = false
        }
        lastSeq = max(lastSeq, stored.seq)
        if let lastAt, stored.at < lastAt {
            addFinding(stored.seq, "its time \(stored.at) is before that of the event before it")
        }
        lastAt = stored.at
    }

    private mutating func checkHash(_ stored: StoredEvent) {
        let expected = EventCodec.chain(lastHash, publicBytes: stored.publicBytes, privateBytes: stored.privateBytes)
        if isPreviousHashKnown, expected != stored.hash {
            if stored.isErased {
                erased.found[stored.seq] = stored.rewrittenEvent.digest
            } else {
                addFinding(stored.seq, "it does not match its hash")
            }
        }
        lastHash = stored.hash
        isPreviousHashKnown = true
    }

    private mutating func replay(_ stored: StoredEvent) -> Event? {
        do {
            let event = try EventCodec.decode(stored, after: room)
            guard event.seq == stored.seq, event.at == stored.at else {
                addFinding(stored.seq, "its JSON has seq \(event.seq) at \(event.at)")
                canReplay = false
                return nil
            }
            // No hash covers the column, from which server-sent events and tables take the type.
            if event.body.type != stored.type { addFinding(stored.seq, "its row has another type than \(event.body.type)") }
            guard try room.apply(event, of: id) else { throw NotAnOpening(type: stored.type) }
            money.take(event)
            if case .memberErased(let member) = event.body {
                for rewritten in member.rewritten where rewritten.seq < event.seq {
                    erased.named[rewritten.seq] = rewritten.digest
                }
            }
            return event
        } catch {
            addFinding(stored.seq, "it cannot be read: \(error)")
            canReplay = false
            return nil
        }
    }

    private mutating func checkSnapshot() {
        guard canReplay, let snapshot = record.snapshot, let room else { return }
        do {
            guard let kept = try RoomReplay.decode(snapshot) else { return }
            // What a room has stored counts for less once a nickname in it is replaced, and a snapshot may be from before that.
            if kept != room, erased.found.isEmpty || kept.counting(as: room) != room {
                addFinding(snapshot.seq, "the snapshot is not what replaying the events makes")
            }
        } catch {
            addFinding(snapshot.seq, "the snapshot cannot be read: \(error)")
        }
    }
}

private struct NotAnOpening: Error, CustomStringConvertible {
    let type: String
    var description: String { "a history begins with room.opened, not \(type)" }
}

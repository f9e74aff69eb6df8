public import AuctionDomain

/// Goes through one room's history and finds what is not as it must be: gaps, hashes, the fold, the snapshot, the head, the money.
///
/// Pure: it is given the events in order and asked for its findings at the end. One cause makes one finding where that can be
/// told: behind a broken hash the chain goes on from what is stored, behind an event that cannot be folded nothing is folded.
public struct RoomAudit: Sendable {
    private let id: RoomID
    private let record: ArchivedRoom
    private var findings: [AuditFinding] = []
    private var room: Room?
    private var money: MoneyAudit
    private var lastSeq = 0
    private var lastHash = EventHash.zero
    private var lastAt: Timestamp?
    /// Whether the room is still what its events made it.
    private var folds = true
    /// Whether the last hash is that of the event before.
    private var chains = true

    public init(of id: RoomID, _ record: ArchivedRoom) {
        self.id = id
        self.record = record
        money = MoneyAudit(id)
    }

    /// The next event of the room; younger ones than the record knows are passed over.
    public mutating func take(_ stored: StoredEvent) {
        guard stored.seq <= record.lastSeq else { return }
        checkPlace(stored)
        checkHash(stored)
        if folds { fold(stored) }
        if stored.seq == record.head.seq, stored.hash.tip != record.head.tip {
            find(stored.seq, "the room's head names another event than this one")
        }
        if stored.seq == record.snapshot?.seq { checkSnapshot() }
    }

    /// Everything that was found, once the last event has been taken.
    public func conclusion() -> [AuditFinding] {
        var all = findings
        func find(_ text: String) { all.append(AuditFinding(room: id, seq: nil, text)) }
        if lastSeq < record.lastSeq { find("the events end at seq \(lastSeq), but there were \(record.lastSeq)") }
        if record.head.seq > record.lastSeq { find("the room's head is at seq \(record.head.seq), beyond the last event") }
        if let snapshot = record.snapshot, snapshot.seq > record.lastSeq {
            find("there is a snapshot at seq \(snapshot.seq), beyond the last event")
        }
        all += money.findings
        if folds, let room { all += money.conclusion(room.results) }
        return all
    }

    private mutating func find(_ seq: Int, _ text: String) { findings.append(AuditFinding(room: id, seq: seq, text)) }

    private mutating func checkPlace(_ stored: StoredEvent) {
        if stored.seq != lastSeq + 1 {
            find(
                stored.seq, stored.seq > lastSeq ? "seq \(lastSeq + 1) is missing before it" : "it stands behind seq \(lastSeq)"
            )
            folds = false
            chains = false
        }
        lastSeq = max(lastSeq, stored.seq)
        if let lastAt, stored.at < lastAt { find(stored.seq, "its time \(stored.at) is before that of the event before it") }
        lastAt = stored.at
    }

    private mutating func checkHash(_ stored: StoredEvent) {
        let expected = EventCodec.chain(lastHash, publicBytes: stored.publicBytes, privateBytes: stored.privateBytes)
        if chains, expected != stored.hash { find(stored.seq, "it does not match its hash") }
        lastHash = stored.hash
        chains = true
    }

    private mutating func fold(_ stored: StoredEvent) {
        do {
            let event = try EventCodec.decode(stored, after: room)
            guard event.seq == stored.seq, event.at == stored.at else {
                find(stored.seq, "it says that it is seq \(event.seq) at \(event.at)")
                folds = false
                return
            }
            // Taken out, so that the room is changed in its place instead of copied.
            if var folded = room.take() {
                try folded.apply(event)
                room = folded
            } else {
                room = Room(id: id, opening: event)
                if room == nil { throw NotAnOpening(type: stored.type) }
            }
            money.take(event)
        } catch {
            find(stored.seq, "it cannot be read: \(error)")
            folds = false
        }
    }

    private mutating func checkSnapshot() {
        guard folds, let snapshot = record.snapshot, let room else { return }
        do {
            guard let kept = try RoomReplay.decode(snapshot) else { return }
            if kept != room { find(snapshot.seq, "the snapshot is not what replaying the events makes") }
        } catch {
            find(snapshot.seq, "the snapshot cannot be read: \(error)")
        }
    }
}

private struct NotAnOpening: Error, CustomStringConvertible {
    let type: String
    var description: String { "a history begins with room.opened, not \(type)" }
}

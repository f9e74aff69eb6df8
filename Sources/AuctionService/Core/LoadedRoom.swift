import AuctionDomain
import DequeModule
import EventLog

/// A room in memory: what is committed, what is decided beyond it, and what waits.
///
/// A class, because reading one field of a large value in a dictionary copies the whole; it belongs to its sequencer alone.
final class LoadedRoom {
    /// Committed; nil while the room's first event is on its way.
    var base: ReplayedRoom?
    /// Decided.
    var head: ReplayedRoom
    var keys: IdempotencyKeys
    /// Batches on their way that hold a part of this room.
    var inFlight = 0
    /// What this turn has decided so far.
    var pending: PendingAppend?
    /// Commands to be decided one by one, each in a batch of its own, after one of them broke a batch.
    var serial: Deque<CommandRequest> = []
    /// Why its end was moved, until the log has that: should it be read anew, the end is moved again.
    var disturbance: CountdownMoved.Cause?
    var snapshots: SnapshotSpacing
    /// Monotonic nanoseconds.
    var lastUsed: Int64
    /// The position of the last of the room's answers that are known here; 0 for none.
    var lastAnswer: Int64
    /// What other nodes appended to it is being read.
    var isCatchingUp = false
    /// Somebody wants to know what came after that reading began.
    var catchesUpAgain = false
    /// Who waits for the room as it is now.
    var touches: [ReplyAddress] = []

    init(
        _ room: ReplayedRoom, isCommitted: Bool, keys: IdempotencyKeys, lastAnswer: Int64 = 0,
        snapshots: SnapshotSpacing = SnapshotSpacing(), at now: Now
    ) {
        self.lastAnswer = lastAnswer
        base = isCommitted ? room : nil
        head = room
        self.keys = keys
        self.snapshots = snapshots
        lastUsed = now.monotonic
    }

    /// Whether nothing is on its way: what the head says is durable.
    var isSettled: Bool { inFlight == 0 && pending == nil }

    /// Records what was decided and adds it to this turn's part.
    func record(_ bodies: [EventBody], at instant: Timestamp) {
        var room = head.room
        let expected = head.head
        let events = EventCodec.encode(
            room.record(bodies, at: instant), currency: room.currency, after: head.hash)
        let profileChanged = room.item != head.room.item || room.host != head.room.host
        head = ReplayedRoom(room: room, hash: events.last?.hash ?? head.hash)
        addToPending(expected: expected) { pending in
            pending.events += events
            pending.writesProfile = pending.writesProfile || profileChanged
        }
    }

    /// Adds an entry whose answer waits for this turn's part.
    func add(_ entry: BatchEntry) {
        addToPending(expected: head.head) { $0.entries.append(entry) }
    }

    private func addToPending(expected: RoomHead, _ change: (inout PendingAppend) -> Void) {
        var part = pending ?? PendingAppend(expected: expected)
        // Let go of the stored one, so that the change happens in place.
        pending = nil
        change(&part)
        pending = part
    }

    /// What another node appended: everything that was decided beyond `base` is void. Nothing of it may be on its way.
    /// - Returns: Whose commands have to be decided again, in order.
    func follow(_ state: Sequencer.AdvancedState) -> [CommandRequest] {
        let void = (pending?.entries.map(\.request) ?? []) + keys.abandonAll()
        pending = nil
        base = state.room
        head = state.room
        learn(state.keys)
        return void
    }

    /// Takes in answers that other nodes gave.
    func learn(_ stored: [StoredKey]) {
        keys.learn(stored)
        lastAnswer = stored.reduce(lastAnswer) { max($0, $1.position) }
    }

    /// Something that was due then has ended.
    func ended(_ due: Timestamp) {
        let latest = max(pending?.notBefore ?? due, due)
        pending?.notBefore = latest
    }

    /// This turn's part, as it goes into the batch.
    func takePending() -> RoomBatch? {
        guard let pending else { return nil }
        self.pending = nil
        inFlight += 1
        let append = RoomAppend(
            room: head.room.id, expected: pending.expected, events: pending.events,
            profile: pending.writesProfile || pending.expected == .none ? head.room.profile : nil,
            status: head.room.status, answers: pending.entries.compactMap(\.record), dueAt: head.room.dueAt,
            notBefore: pending.notBefore)
        return RoomBatch(append: append, after: head, entries: pending.entries)
    }
}

/// What one turn has decided about one room.
struct PendingAppend: Sendable {
    let expected: RoomHead
    var events: [StoredEvent] = []
    var entries: [BatchEntry] = []
    var writesProfile = false
    /// When the last thing was due that ended by itself.
    var notBefore: Timestamp?

    init(expected: RoomHead) { self.expected = expected }
}

extension BatchEntry {
    /// What is stored of the answer: that of a keyed command that changed something.
    var record: AnswerRecord? {
        guard effect == .change, let key = request.idempotency else { return nil }
        return AnswerRecord(
            key: key.key, fingerprint: key.fingerprint, owner: KeyOwner(request.caller.id), at: request.info.receivedAt,
            status: answer.status,
            headers: answer.headers, body: answer.body)
    }
}

extension Room {
    /// What lists of rooms show and seldom changes.
    var profile: RoomProfile {
        RoomProfile(
            name: details.name, host: host, currency: currency.code, visibility: details.visibility.rawValue,
            openedAt: details.openedAt, itemName: item?.name)
    }

    /// What lists of rooms show and every bid changes.
    var status: RoomStatus {
        RoomStatus(
            state: state.rawValue, round: round, endsAt: endsAt, currentPrice: currentPrice?.minorUnits,
            isArchived: isArchived, isOpen: dueAt != nil)
    }
}

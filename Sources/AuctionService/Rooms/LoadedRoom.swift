import AuctionDomain
import DequeModule
import EventLog

/// A room in memory: its committed state, the state decided beyond it, and waiting requests.
///
/// A class, because reading one field of a large value in a dictionary copies the whole value. Used only by the sequencer that owns
/// it.
final class LoadedRoom {
    /// The committed state; nil while the room's first event is in flight.
    var base: ReplayedRoom?
    /// The decided state, of which events after `base` are not durable yet.
    var head: ReplayedRoom
    var keys: IdempotencyKeys
    /// Number of batches in flight that have a part of this room.
    var inFlight = 0
    /// What this turn has decided; nil if nothing.
    var pending: PendingAppend?
    /// Commands to be decided one at a time, each in its own batch, because one of them made an append fail.
    var serial: Deque<CommandRequest> = []
    /// Why its deadline was extended, until that is durable: if the room is read again before, the deadline is extended again.
    var pendingExtension: CountdownMoved.Cause?
    var snapshots: SnapshotSpacing
    /// When a command last used the room, in monotonic nanoseconds.
    var lastUsed: Int64
    var catchUp = CatchUp.idle
    /// Readers that wait for the room to be up to date with the log, or for its first event to be durable.
    var waitingReaders: [ReplyAddress] = []
    /// Whether a reader came after the appends in flight: the log may have compared heads before what that reader knows of.
    var hasLateReader = false

    /// Reads of what other nodes appended to a room in memory.
    enum CatchUp {
        case idle
        case reading
        /// Reading, and a request has arrived after that read began: another read has to follow.
        case readingAgain
    }

    init(
        _ room: ReplayedRoom, isCommitted: Bool, keys: IdempotencyKeys, snapshots: SnapshotSpacing = SnapshotSpacing(),
        at now: Now
    ) {
        base = isCommitted ? room : nil
        head = room
        self.keys = keys
        self.snapshots = snapshots
        lastUsed = now.monotonic
    }

    /// Whether no append is pending or in flight, so that `head` is durable.
    var isSettled: Bool { inFlight == 0 && pending == nil }

    /// Applies decided events and adds them to this turn's part.
    func record(_ bodies: [EventBody], at instant: Timestamp) {
        let before = head
        var room = before.room
        let decided = room.record(bodies, at: instant)
        let events = EventCodec.encode(decided, currency: room.currency, after: before.hash)
        let profileChanged =
            !room.hasSameOffer(as: before.room) || room.host != before.room.host || room.premium != before.room.premium
        head = ReplayedRoom(room: room, hash: events.last?.hash ?? before.hash)
        addToPending(after: before) { pending in
            // The first is taken over without a copy; most turns decide one command of a room.
            if pending.decided.isEmpty {
                (pending.decided, pending.events) = (decided, events)
            } else {
                pending.decided += decided
                pending.events += events
            }
            pending.writesProfile = pending.writesProfile || profileChanged
            for body in bodies {
                if let user = body.affectedUser(in: before.room) { pending.affectedUsers.append(user) }
                if let round = body.changedRound { pending.changedRounds.append(round) }
                guard let transfer = body.winTransfer else { continue }
                pending.affectedUsers.append(transfer.to)
                pending.links.append(transfer)
            }
        }
    }

    /// Adds a command whose response waits for the commit of this turn's part.
    func add(_ entry: BatchEntry) { addToPending(after: head) { $0.entries.append(entry) } }

    private func addToPending(after base: ReplayedRoom, _ change: (inout PendingAppend) -> Void) {
        // Taken out of its place, so that the change happens without a copy.
        var part = pending.take() ?? PendingAppend(expected: base.head, finishedRounds: base.room.resultCount)
        change(&part)
        pending = part
    }

    /// Adopts the state that another node committed: everything decided beyond `base` is void. No append of the room may be in
    /// flight.
    /// - Returns: The commands that have to be decided again, in order.
    func adopt(_ state: Sequencer.CaughtUpState) -> [CommandRequest] {
        let discarded = (pending?.entries.map(\.request) ?? []) + keys.abandonAll()
        pending = nil
        base = state.room
        head = state.room
        keys.insert(state.keys)
        return discarded
    }

    /// Removes and returns the readers.
    func takeReaders() -> [ReplyAddress] {
        defer { (waitingReaders, hasLateReader) = ([], false) }
        return waitingReaders
    }

    /// Returns the commands without a durable outcome that are in no submitted batch, in order. The room must not be used after.
    func takeUndecided() -> Deque<CommandRequest> {
        Deque(pending?.entries.map(\.request) ?? []) + serial + keys.abandonAll()
    }

    /// Notes that a transition was caused by a deadline, before which the log must not accept it.
    func noteExpiry(_ due: Timestamp) {
        let latest = max(pending?.notBefore ?? due, due)
        pending?.notBefore = latest
    }

    /// Removes and returns this turn's part of the batch; nil if there is none.
    func takePending() -> RoomBatch? {
        guard let pending = pending.take() else { return nil }
        inFlight += 1
        let append = RoomAppend(
            room: head.room.id, expected: pending.expected, events: pending.events,
            profile: pending.writesProfile || pending.expected == .none ? head.room.profile : nil,
            status: head.room.status, responses: pending.entries.compactMap(\.record), dueAt: head.room.dueAt,
            notBefore: pending.notBefore,
            users: pending.events.isEmpty
                ? UserChanges()
                : UserChanges(
                    of: pending.affectedUsers, in: head.room, finishedRounds: pending.finishedRounds, links: pending.links,
                    changedRounds: pending.changedRounds))
        return RoomBatch(append: append, decided: pending.decided, after: head, entries: pending.entries)
    }
}

/// What one turn has decided about one room.
struct PendingAppend: Sendable {
    let expected: RoomHead
    /// Number of the room's results at `expected`.
    let finishedRounds: Int
    /// Users whose rows in the index by user may change; a user may occur repeatedly.
    var affectedUsers: [UserID] = []
    /// Links of guests among `events`.
    var links: [WinTransfer] = []
    /// Rounds whose sale `events` void or make anew.
    var changedRounds: [Int] = []
    /// The values of `events`.
    var decided: [Event] = []
    var events: [StoredEvent] = []
    var entries: [BatchEntry] = []
    var writesProfile = false
    /// The latest deadline whose expiry these events record; nil if only commands caused them.
    var notBefore: Timestamp?
}

extension BatchEntry {
    /// The response as it is stored; nil unless the command has an idempotency key and changed something.
    var record: StoredResponse? {
        guard effect == .change, let key = request.idempotency else { return nil }
        return StoredResponse(
            key: key.key, fingerprint: key.fingerprint, owner: KeyOwner(request.caller.id), at: request.info.receivedAt,
            status: response.status,
            headers: response.lastingHeaders, body: response.body)
    }
}

extension Room {
    /// The fields of room lists that seldom change.
    var profile: RoomProfile {
        RoomProfile(
            name: details.name, host: host, currency: currency.code, visibility: details.visibility.rawValue,
            openedAt: details.openedAt, itemName: item?.name, premium: premium, offer: offer, startsAt: saleStartsAt)
    }

    private var offer: RoomOffer? {
        if let item { return RoomOffer(name: item.name, media: item.media, startingPrice: item.rules.startingPrice) }
        return (offeredLot?.content.upload).map {
            RoomOffer(name: $0.name, media: $0.media, startingPrice: $0.rules.startingPrice)
        }
    }

    /// The fields of room lists that every bid changes.
    var status: RoomStatus {
        RoomStatus(
            state: state.rawValue, round: round, endsAt: endsAt,
            currentPrice: currentPrice?.minorUnits,
            isArchived: isArchived, isOpen: dueAt != nil, isDueAtEnd: dueAt == endsAt)
    }
}

extension CommandResponse {
    /// The headers without what they say of a rate, which is over for a repeat. Most responses have none, and are not copied.
    fileprivate var lastingHeaders: [ResponseHeader] {
        guard headers.contains(where: { $0.name.hasPrefix("RateLimit") }) else { return headers }
        return headers.filter { !$0.name.hasPrefix("RateLimit") }
    }
}

public import AuctionDomain
public import EventLog

/// The stream subscribers of one event loop: where each stands in its room's history, and what it is sent next. A value without
/// I/O.
///
/// Everybody has a cursor, the next seq. Whoever is behind catches up page by page, from memory as far as that reaches back and
/// else from the log; the look that finds nothing more makes it live in the same turn, so that no event falls between. Live
/// subscribers of a room stand at the same place, and get the same bytes. Nothing below a cursor is ever sent again.
public struct LiveFeed: Sendable {
    /// Names a subscriber on its loop.
    public typealias ID = UInt64

    /// What catching up is bounded by.
    public struct Limits: Sendable {
        /// Events read at once.
        public var pageEvents = 256
        /// Bytes of events sent at once, unless one event alone is larger.
        public var pageBytes = 65536
        /// Pages beyond those that there were when somebody joined: who needs more falls behind faster than it reads.
        public var sparePages = 16

        /// The defaults.
        public init() {}
    }

    /// What happened.
    public enum Input: Sendable {
        /// - Parameter seq: where the room stood when it came.
        case join(ID, RoomID, after: Int, seq: Int)
        /// What a look in memory found.
        case found(ID, CommittedRoom.Recent)
        /// What the log has.
        case page(ID, [StoredEvent])
        /// The subscriber has taken what it was sent to catch up.
        case ready(ID)
        /// Became durable, in order; may overlap with what a look found.
        case published(RoomID, [StoredEvent])
        /// Its stream ended.
        case gone(ID)
    }

    /// What the loop does now, in order.
    public enum Directive: Sendable {
        /// Look in memory for what follows, and hand it in within this turn.
        case look(ID, after: Int)
        /// Read up to `pageEvents` from the log and hand them in.
        case read(ID, after: Int)
        /// To one that catches up; `ready` once it has room for more.
        case sendPage(ID, ArraySlice<StoredEvent>)
        /// To all of these, who may have gone meanwhile.
        case send([ID], ArraySlice<StoredEvent>)
        /// It has everything there is.
        case caughtUp(ID)
        /// It will never catch up.
        case tooSlow(ID)
    }

    private enum Phase {
        case looking
        case reading
        /// Has been sent a page.
        case taking
        case live
    }

    private struct Subscriber {
        let room: RoomID
        /// Of no meaning while live: its group knows.
        var next: Int
        /// Pages up to there are no sign of slowness.
        var target: Int
        var pagesLeft: Int
        var phase = Phase.looking
    }

    /// Live subscribers of a room that stand at the same place.
    private struct Group {
        var next: Int
        var ids: [ID]
        /// How many of `ids` are gone.
        var stale = 0
    }

    private let limits: Limits
    private var subscribers: [ID: Subscriber] = [:]
    private var groups: [RoomID: [Group]] = [:]

    /// Nobody yet.
    public init(limits: Limits = Limits()) { self.limits = limits }

    /// How many there are.
    public var count: Int { subscribers.count }

    /// Takes in what happened and says what to do.
    public mutating func handle(_ input: Input) -> [Directive] {
        switch input {
        case .join(let id, let room, let after, let seq):
            subscribers[id] = Subscriber(room: room, next: after + 1, target: seq, pagesLeft: limits.sparePages)
            return [.look(id, after: after)]
        case .found(let id, let recent): return found(id, recent)
        case .page(let id, let events): return page(id, events)
        case .ready(let id):
            guard let subscriber = subscribers[id], subscriber.phase == .taking else { return [] }
            subscribers[id]?.phase = .looking
            return [.look(id, after: subscriber.next - 1)]
        case .published(let room, let events): return published(room, events)
        case .gone(let id):
            leave(id)
            return []
        }
    }

    private mutating func found(_ id: ID, _ recent: CommittedRoom.Recent) -> [Directive] {
        guard let subscriber = subscribers[id], subscriber.phase == .looking else { return [] }
        switch recent {
        case .events(let events, let more):
            let fitting = fitting(events.drop { $0.seq < subscriber.next })
            guard more || fitting.count < events.count else {
                // Small, and the last: no need to wait until it is taken.
                guard let last = fitting.last else { return goLive(id, next: subscriber.next) }
                return [.send([id], fitting)] + goLive(id, next: last.seq + 1)
            }
            return send(fitting, to: id)
        case .nothingNew, .beyond: return goLive(id, next: subscriber.next)
        case .tooOld:
            subscribers[id]?.phase = .reading
            return [.read(id, after: subscriber.next - 1)]
        }
    }

    private mutating func page(_ id: ID, _ events: [StoredEvent]) -> [Directive] {
        guard let subscriber = subscribers[id], subscriber.phase == .reading else { return [] }
        let fitting = fitting(events.drop { $0.seq < subscriber.next })
        guard !fitting.isEmpty else {
            subscribers[id]?.phase = .looking
            return [.look(id, after: subscriber.next - 1)]
        }
        return send(fitting, to: id)
    }

    private mutating func send(_ events: ArraySlice<StoredEvent>, to id: ID) -> [Directive] {
        guard let last = events.last, takePage(id, to: last.seq) else { return [.tooSlow(id)] }
        subscribers[id]?.next = last.seq + 1
        subscribers[id]?.phase = .taking
        return [.sendPage(id, events)]
    }

    /// As many as one page may have, and one at least.
    private func fitting(_ events: ArraySlice<StoredEvent>) -> ArraySlice<StoredEvent> {
        events.prefix(bytes: limits.pageBytes)
    }

    private mutating func takePage(_ id: ID, to seq: Int) -> Bool {
        guard let subscriber = subscribers[id] else { return false }
        guard seq > subscriber.target else { return true }
        guard subscriber.pagesLeft > 0 else { return false }
        subscribers[id]?.pagesLeft -= 1
        return true
    }

    private mutating func goLive(_ id: ID, next: Int) -> [Directive] {
        guard let room = subscribers[id]?.room else { return [] }
        subscribers[id]?.phase = .live
        if let index = groups[room]?.firstIndex(where: { $0.next == next }) {
            groups[room]?[index].ids.append(id)
        } else {
            groups[room, default: []].append(Group(next: next, ids: [id]))
        }
        return [.caughtUp(id)]
    }

    private mutating func published(_ room: RoomID, _ events: [StoredEvent]) -> [Directive] {
        guard let first = events.first, let last = events.last, let standing = groups[room] else { return [] }
        var directives: [Directive] = []
        var ahead: [Group] = []
        var together: Group?
        for group in standing {
            let unseen = events.drop { $0.seq < group.next }
            if unseen.isEmpty {
                ahead.append(group)
            } else if group.next < first.seq || fitting(unseen).count < unseen.count {
                directives += catchUp(group, to: last.seq)
            } else {
                directives.append(.send(group.ids, unseen))
                together = Group(
                    next: last.seq + 1, ids: (together?.ids).map { $0 + group.ids } ?? group.ids,
                    stale: (together?.stale ?? 0) + group.stale)
            }
        }
        if let together { ahead.append(together) }
        groups[room] = ahead.isEmpty ? nil : ahead
        return directives
    }

    /// Something was missed, or is too much at once: back to reading at one's own pace.
    private mutating func catchUp(_ group: Group, to seq: Int) -> [Directive] {
        group.ids.compactMap { id in
            guard subscribers[id] != nil else { return nil }
            subscribers[id]?.phase = .looking
            subscribers[id]?.next = group.next
            subscribers[id]?.target = seq
            subscribers[id]?.pagesLeft = limits.sparePages
            return .look(id, after: group.next - 1)
        }
    }

    private mutating func leave(_ id: ID) {
        guard let subscriber = subscribers.removeValue(forKey: id), subscriber.phase == .live,
            var standing = groups[subscriber.room]
        else { return }
        // With one group, which is the rule, nobody is searched for; the list is swept when half of it is gone.
        guard let index = standing.count == 1 ? 0 : standing.firstIndex(where: { $0.ids.contains(id) }) else { return }
        standing[index].stale += 1
        if standing[index].stale * 2 > standing[index].ids.count {
            standing[index].ids.removeAll { subscribers[$0] == nil }
            standing[index].stale = 0
        }
        standing.removeAll { $0.ids.isEmpty }
        groups[subscriber.room] = standing.isEmpty ? nil : standing
    }
}

package import AuctionDomain
package import EventLog

/// The stream subscribers of one event loop: each one's position in its room's history and what to send next. A value without I/O.
///
/// Every subscriber has a cursor, the next sequence number. A lagging subscriber catches up page by page, from memory as far back
/// as that reaches and otherwise from the log. A memory read that finds nothing newer makes it live in the same turn, so that no
/// event is missed in between. Live subscribers of a room at the same position get the same bytes. No event below a cursor is ever
/// sent again.
package struct LiveFeed: Sendable {
    /// Identifies a subscriber on its loop.
    package typealias ID = UInt64

    /// Bounds of catching up.
    package struct Limits: Sendable {
        /// Maximum number of events per read.
        package var pageEvents = 256
        /// Maximum bytes of events per page; a single larger event is sent too.
        package var pageBytes = 65536
        /// Extra pages beyond those that existed when the subscriber joined; one that needs more lags faster than it reads.
        package var sparePages = 16

        /// The defaults.
        package init() {}
    }

    /// What the event loop reports.
    package enum Input: Sendable {
        /// A subscriber joins after a sequence number.
        /// - Parameter seq: The room's last sequence number at that time.
        case join(ID, RoomID, after: Int, seq: Int)
        /// The result of a `readMemory` directive.
        case found(ID, CommittedRoom.Recent)
        /// The result of a `read` directive.
        case page(ID, [StoredEvent])
        /// The subscriber has received its page.
        case ready(ID)
        /// Events that became durable, in order; may overlap with the result of a memory read.
        case published(RoomID, [StoredEvent])
        /// The subscriber's stream has ended.
        case gone(ID)
    }

    /// What the loop has to do now, in order.
    package enum Directive: Sendable {
        /// Read the next events from memory and hand in `found` within this turn.
        case readMemory(ID, after: Int)
        /// Read up to `pageEvents` events from the log and hand in `page`.
        case read(ID, after: Int)
        /// Send a page to a subscriber that catches up; hand in `ready` once it has room for more.
        case sendPage(ID, ArraySlice<StoredEvent>)
        /// Send to all of these subscribers, some of which may have left meanwhile.
        case send([ID], ArraySlice<StoredEvent>)
        /// The subscriber has all published events and is live.
        case caughtUp(ID)
        /// The subscriber is too slow to catch up: close it.
        case tooSlow(ID)
    }

    private enum Phase {
        case readingMemory
        case readingLog
        /// A page has been sent and not been received yet.
        case awaitingReady
        case live
    }

    private struct Subscriber {
        let room: RoomID
        /// The cursor; unused while live, when the group has it.
        var next: Int
        /// Pages up to this sequence number do not count as extra pages.
        var target: Int
        var pagesLeft: Int
        var phase = Phase.readingMemory
    }

    /// Live subscribers of a room at the same position.
    private struct Group {
        var next: Int
        var ids: [ID]
        /// Number of `ids` whose subscribers have left.
        var stale = 0
    }

    private let limits: Limits
    private var subscribers: [ID: Subscriber] = [:]
    private var groups: [RoomID: [Group]] = [:]

    /// A feed without subscribers.
    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Number of subscribers.
    package var count: Int { subscribers.count }

    /// Handles one input; returns the directives in order.
    package mutating func handle(_ input: Input) -> [Directive] {
        switch input {
        case .join(let id, let room, let after, let seq):
            subscribers[id] = Subscriber(room: room, next: after + 1, target: seq, pagesLeft: limits.sparePages)
            return [.readMemory(id, after: after)]
        case .found(let id, let recent): return found(id, recent)
        case .page(let id, let events): return page(id, events)
        case .ready(let id):
            guard let subscriber = subscribers[id], subscriber.phase == .awaitingReady else { return [] }
            subscribers[id]?.phase = .readingMemory
            return [.readMemory(id, after: subscriber.next - 1)]
        case .published(let room, let events): return published(room, events)
        case .gone(let id):
            leave(id)
            return []
        }
    }

    private mutating func found(_ id: ID, _ recent: CommittedRoom.Recent) -> [Directive] {
        guard let subscriber = subscribers[id], subscriber.phase == .readingMemory else { return [] }
        switch recent {
        case .events(let events, let more):
            let fitting = fitting(events.drop { $0.seq < subscriber.next })
            guard more || fitting.count < events.count else {
                // The rest fits into one page: go live without waiting until it is received.
                guard let last = fitting.last else { return goLive(id, next: subscriber.next) }
                return [.send([id], fitting)] + goLive(id, next: last.seq + 1)
            }
            return send(fitting, to: id)
        case .nothingNew, .beyond: return goLive(id, next: subscriber.next)
        case .tooOld:
            subscribers[id]?.phase = .readingLog
            return [.read(id, after: subscriber.next - 1)]
        }
    }

    private mutating func page(_ id: ID, _ events: [StoredEvent]) -> [Directive] {
        guard let subscriber = subscribers[id], subscriber.phase == .readingLog else { return [] }
        let fitting = fitting(events.drop { $0.seq < subscriber.next })
        guard !fitting.isEmpty else {
            subscribers[id]?.phase = .readingMemory
            return [.readMemory(id, after: subscriber.next - 1)]
        }
        return send(fitting, to: id)
    }

    private mutating func send(_ events: ArraySlice<StoredEvent>, to id: ID) -> [Directive] {
        guard let last = events.last, takePage(id, to: last.seq) else { return [.tooSlow(id)] }
        subscribers[id]?.next = last.seq + 1
        subscribers[id]?.phase = .awaitingReady
        return [.sendPage(id, events)]
    }

    /// The events that fit into one page, at least one.
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

    /// Sends a group back to catching up, after a gap or more events than fit into a page.
    private mutating func catchUp(_ group: Group, to seq: Int) -> [Directive] {
        group.ids.compactMap { id in
            guard subscribers[id] != nil else { return nil }
            subscribers[id]?.phase = .readingMemory
            subscribers[id]?.next = group.next
            subscribers[id]?.target = seq
            subscribers[id]?.pagesLeft = limits.sparePages
            return .readMemory(id, after: group.next - 1)
        }
    }

    private mutating func leave(_ id: ID) {
        guard let subscriber = subscribers.removeValue(forKey: id), subscriber.phase == .live,
            var standing = groups[subscriber.room]
        else { return }
        // With one group, the usual case, no search is needed; the list is compacted when half of it has left.
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

package import AuctionDomain
package import EventLog
internal import HeapModule

/// The subscribers of one event loop: each one's position in its room's history and what to send next. A value without I/O.
///
/// A stream has a cursor, the next sequence number. A lagging stream catches up page by page, from memory as far back as that
/// reaches and otherwise from the log. A memory read that finds nothing newer makes it live in the same turn, so that no event is
/// missed in between. No event below a cursor is ever sent again.
///
/// A long-poll is a subscriber that leaves with its first delivery: the events that its memory read finds, the first ones published
/// after it went live, or none when its wait expires. Live subscribers of a room at the same position get the same bytes.
package struct RoomFeed: Sendable {
    /// Identifies a subscriber on its loop.
    package typealias ID = UInt64

    /// Bounds of what is sent at once.
    package struct Limits: Sendable {
        /// Maximum number of events per read for a stream that catches up.
        package var pageEvents = 256
        /// Maximum bytes of events per page of a stream; a single larger event is sent too.
        package var pageBytes = 65536
        /// Extra pages beyond those that existed when the stream joined; one that needs more lags faster than it reads.
        package var sparePages = 16
        /// Maximum bytes of events per response to a long-poll; a single larger event is sent too.
        package var responseBytes = Int.max

        /// The defaults.
        package init() {}
    }

    /// A long-poll's request.
    package struct Poll: Hashable, Sendable {
        /// The last sequence number that its client has.
        package let after: Int
        /// Maximum number of events in the response.
        package let limit: Int
        /// When it is answered without events, in monotonic nanoseconds.
        package let deadline: Int64

        package init(after: Int, limit: Int, deadline: Int64) {
            (self.after, self.limit, self.deadline) = (after, limit, deadline)
        }
    }

    /// The live subscribers that a publication is for.
    package enum Audience: Sendable {
        /// All of them.
        case everyone
        /// Long-polls; streams get the same events later.
        case polls
        /// Streams; long-polls got the same events before.
        case streams
    }

    /// What the event loop reports.
    package enum Input: Sendable {
        /// A stream joins after a sequence number.
        /// - Parameter seq: The room's last sequence number at that time.
        case join(ID, RoomID, after: Int, seq: Int)
        /// A long-poll joins.
        case wait(ID, RoomID, Poll)
        /// The result of a `readMemory` directive.
        case found(ID, CommittedRoom.Recent)
        /// The result of a `read` directive.
        case page(ID, [StoredEvent])
        /// The stream has received its page.
        case ready(ID)
        /// Events that became durable, in order; may overlap with the result of a memory read.
        case published(RoomID, [StoredEvent], to: Audience = .everyone)
        /// The subscriber has left.
        case left(ID)
        /// `nextTick` is due; the current time in monotonic nanoseconds.
        case tick(Int64)
        /// The service stops: long-polls are answered without events.
        case drain
    }

    /// What the loop has to do now, in order.
    package enum Directive: Sendable {
        /// Read the next events from memory and hand in `found` within this turn.
        /// - Parameter limit: nil for a stream, whose limits apply.
        case readMemory(ID, after: Int, limit: Int?)
        /// Read up to `pageEvents` events from the log and hand in `page`.
        case read(ID, after: Int)
        /// Send a page to a stream that catches up; hand in `ready` once it has room for more.
        case sendPage(ID, ArraySlice<StoredEvent>)
        /// Send to all of these streams, some of which may have left meanwhile.
        case send([ID], ArraySlice<StoredEvent>)
        /// Respond to long-polls, which have left the feed with this.
        case respond(PollResponse)
        /// The stream has all published events and is live.
        case caughtUp(ID)
        /// The stream is too slow to catch up: close it.
        case tooSlow(ID)
    }

    enum Phase {
        case readingMemory
        case readingLog
        /// A page has been sent and not been received yet.
        case awaitingReady
        case live
    }

    enum Kind {
        /// Pages up to `target` do not count as extra pages.
        case stream(target: Int, pagesLeft: Int)
        case poll(Poll)
    }

    struct Subscriber {
        let room: RoomID
        var kind: Kind
        /// The cursor; unused while live, when the group has it.
        var next: Int
        var phase = Phase.readingMemory
    }

    /// Live subscribers of a room at the same position.
    struct Group {
        var next: Int
        /// Maximum number of events per response; nil for streams.
        let limit: Int?
        var ids: [ID]
        /// Number of `ids` whose subscribers have left.
        var stale = 0
    }

    private struct Deadline: Comparable {
        let at: Int64
        let id: ID

        static func < (left: Self, right: Self) -> Bool { (left.at, left.id) < (right.at, right.id) }
    }

    let limits: Limits
    var subscribers: [ID: Subscriber] = [:]
    var groups: [RoomID: [Group]] = [:]
    /// Deadlines of long-polls; those of polls that have left stay until they expire or are more than half.
    private var deadlines: Heap<Deadline> = []
    private var waiting = 0

    /// A feed without subscribers.
    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Number of subscribers.
    package var count: Int { subscribers.count }

    /// Whether streams of the room are live.
    package func hasLiveStreams(in room: RoomID) -> Bool { groups[room]?.contains { $0.limit == nil } == true }

    /// Number of deadlines that are kept, those of long-polls that have left included.
    package var deadlineCount: Int { deadlines.count }

    /// When the next `tick` is due, in monotonic nanoseconds; nil while no long-poll waits.
    package var nextTick: Int64? { waiting == 0 ? nil : deadlines.min?.at }

    /// Handles one input; returns the directives in order.
    package mutating func handle(_ input: Input) -> [Directive] {
        switch input {
        case .join(let id, let room, let after, let seq):
            let kind = Kind.stream(target: seq, pagesLeft: limits.sparePages)
            subscribers[id] = Subscriber(room: room, kind: kind, next: after + 1)
            return [.readMemory(id, after: after, limit: nil)]
        case .wait(let id, let room, let poll):
            subscribers[id] = Subscriber(room: room, kind: .poll(poll), next: poll.after + 1)
            waiting += 1
            deadlines.insert(Deadline(at: poll.deadline, id: id))
            return [.readMemory(id, after: poll.after, limit: poll.limit)]
        case .found(let id, let recent): return found(id, recent)
        case .page(let id, let events): return page(id, events)
        case .ready(let id):
            guard let subscriber = subscribers[id], subscriber.phase == .awaitingReady else { return [] }
            subscribers[id]?.phase = .readingMemory
            return [.readMemory(id, after: subscriber.next - 1, limit: nil)]
        case .published(let room, let events, let audience): return published(room, events, to: audience)
        case .left(let id):
            leave(id)
            return []
        case .tick(let now): return tick(now)
        case .drain: return drain()
        }
    }

    // MARK: - Catching up

    private mutating func found(_ id: ID, _ recent: CommittedRoom.Recent) -> [Directive] {
        guard let subscriber = subscribers[id], subscriber.phase == .readingMemory else { return [] }
        switch (subscriber.kind, recent) {
        case (_, .nothingNew), (_, .beyond): return goLive(id, subscriber)
        case (.stream, .events(let events, let more)):
            let fitting = fitting(events.drop { $0.seq < subscriber.next })
            guard more || fitting.count < events.count else {
                // The rest fits into one page: go live without waiting until it is received.
                guard let last = fitting.last else { return goLive(id, subscriber) }
                subscribers[id]?.next = last.seq + 1
                return [.send([id], fitting)] + goLive(id, subscribers[id] ?? subscriber)
            }
            return send(fitting, to: id)
        case (.stream, .tooOld):
            subscribers[id]?.phase = .readingLog
            return [.read(id, after: subscriber.next - 1)]
        case (.poll(let poll), .events(let events, let more)):
            leave(id)
            return [.respond(PollResponse(subscriber.room, [id], poll.after, poll.limit, events[...], more: more))]
        case (.poll(let poll), .tooOld):
            leave(id)
            return [.respond(PollResponse(subscriber.room, [id], poll.after, poll.limit, [], more: true))]
        }
    }

    private mutating func page(_ id: ID, _ events: [StoredEvent]) -> [Directive] {
        guard let subscriber = subscribers[id], subscriber.phase == .readingLog else { return [] }
        let fitting = fitting(events.drop { $0.seq < subscriber.next })
        guard !fitting.isEmpty else {
            subscribers[id]?.phase = .readingMemory
            return [.readMemory(id, after: subscriber.next - 1, limit: nil)]
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
    func fitting(_ events: ArraySlice<StoredEvent>) -> ArraySlice<StoredEvent> { events.prefix(bytes: limits.pageBytes) }

    private mutating func takePage(_ id: ID, to seq: Int) -> Bool {
        guard case .stream(let target, let pagesLeft)? = subscribers[id]?.kind else { return false }
        guard seq > target else { return true }
        guard pagesLeft > 0 else { return false }
        subscribers[id]?.kind = .stream(target: target, pagesLeft: pagesLeft - 1)
        return true
    }

    private mutating func goLive(_ id: ID, _ subscriber: Subscriber) -> [Directive] {
        subscribers[id]?.phase = .live
        var limit: Int?
        if case .poll(let poll) = subscriber.kind { limit = poll.limit }
        if let index = groups[subscriber.room]?.firstIndex(where: { $0.next == subscriber.next && $0.limit == limit }) {
            groups[subscriber.room]?[index].ids.append(id)
        } else {
            groups[subscriber.room, default: []].append(Group(next: subscriber.next, limit: limit, ids: [id]))
        }
        return limit == nil ? [.caughtUp(id)] : []
    }

    // MARK: - Leaving

    /// Removes a subscriber. It stays in the list of its group until half of that has left.
    mutating func leave(_ id: ID) {
        guard let subscriber = remove(id), subscriber.phase == .live, var current = groups[subscriber.room] else { return }
        var limit: Int?
        if case .poll(let poll) = subscriber.kind { limit = poll.limit }
        let candidates = current.indices.filter { current[$0].limit == limit }
        // With one group, the usual case, no search is needed.
        guard let index = candidates.count == 1 ? candidates[0] : candidates.first(where: { current[$0].ids.contains(id) })
        else { return }
        current[index].stale += 1
        if current[index].stale * 2 > current[index].ids.count {
            current[index].ids.removeAll { subscribers[$0] == nil }
            current[index].stale = 0
        }
        current.removeAll { $0.ids.isEmpty }
        groups[subscriber.room] = current.isEmpty ? nil : current
    }

    /// Removes a subscriber whose group is kept up to date by the caller.
    @discardableResult
    mutating func remove(_ id: ID) -> Subscriber? {
        guard let subscriber = subscribers.removeValue(forKey: id) else { return nil }
        guard case .poll = subscriber.kind else { return subscriber }
        waiting -= 1
        if deadlines.count > 2 * waiting + 1024 {
            deadlines = Heap(deadlines.unordered.filter { subscribers[$0.id] != nil })
        }
        return subscriber
    }

    // MARK: - Long-polls whose wait ends

    private mutating func tick(_ now: Int64) -> [Directive] {
        var directives: [Directive] = []
        while let first = deadlines.min, first.at <= now {
            deadlines.removeMin()
            if let response = expire(first.id) { directives.append(response) }
        }
        return directives
    }

    private mutating func drain() -> [Directive] {
        let ids = deadlines.unordered.map(\.id).sorted()
        return ids.compactMap { expire($0) }
    }

    /// The response without events to a long-poll that leaves; nil if it has left before.
    private mutating func expire(_ id: ID) -> Directive? {
        guard let subscriber = subscribers[id], case .poll(let poll) = subscriber.kind else { return nil }
        leave(id)
        return .respond(PollResponse(subscriber.room, [id], poll.after, poll.limit, [], more: false))
    }
}

/// A response to long-polls that get the same bytes.
package struct PollResponse: Sendable {
    /// The room whose events these are.
    package let room: RoomID
    /// The long-polls, in the order in which they arrived; some may have left meanwhile.
    package let ids: [RoomFeed.ID]
    /// The last sequence number that their clients have.
    package let after: Int
    /// The most events that each wants.
    package let limit: Int
    /// The events to send; empty after a timeout or where events are missing in memory.
    package let events: ArraySlice<StoredEvent>
    /// Whether the client should ask again at once, because there are more events.
    package let more: Bool

    init(_ room: RoomID, _ ids: [RoomFeed.ID], _ after: Int, _ limit: Int, _ events: ArraySlice<StoredEvent>, more: Bool) {
        (self.room, self.ids, self.after, self.limit, self.events, self.more) = (room, ids, after, limit, events, more)
    }
}

package import AuctionDomain
package import EventLog
internal import HeapModule

/// The subscriptions of one event loop, streams (server-sent events and WebSockets) and long-polls: what each is sent next, when a stream is
/// closed, who is present, whose token has expired. A value without I/O: event loops and the simulator carry out the directives. Nothing is
/// read but committed rooms in memory.
///
/// A stream has a cursor, the next sequence number. A lagging stream catches up page by page, from memory as far back as that
/// reaches and otherwise from the log. A memory read that finds nothing newer makes it live in the same turn, so that no event is
/// missed in between. No event below a cursor is ever sent again.
///
/// A long-poll is a subscriber that leaves with its first response: the events that its memory read finds, the first ones published
/// after it went live, or none when its wait expires. Live subscribers of a room at the same position get the same bytes.
///
/// Times are monotonic nanoseconds unless documented otherwise.
package struct Subscriptions: Sendable {
    /// Identifies a subscriber on its loop, stream or long-poll.
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
        /// When it is answered without events.
        package let deadline: Int64

        package init(after: Int, limit: Int, deadline: Int64) {
            (self.after, self.limit, self.deadline) = (after, limit, deadline)
        }
    }

    /// What the loop has to do now, in order.
    package enum Directive: Sendable {
        /// Read at most `limit` events of the room from the log, after a sequence number, and hand in `page`.
        case read(ID, RoomID, after: Int, limit: Int)
        /// Send a page to a stream that catches up; hand in `ready` once it has room for more.
        case sendPage(ID, ArraySlice<StoredEvent>)
        /// Send to all of these streams, some of which may have left meanwhile.
        case send([ID], ArraySlice<StoredEvent>)
        /// Close these streams, after everything that was to be sent to them unless the reason is `.forbidden` or `.token`; hand in
        /// `leave` for each.
        case close([ID], CloseReason)
        /// Answer a held long-poll that its token is not valid any more; hand in `leave`.
        case refuse(ID, TokenError)
        /// Respond to these long-polls, each of which `takePoll` removes.
        case respond(PollResponse)
        /// Report to the service.
        case presence([PresenceChange])
    }

    /// Why the service closes a stream.
    package enum CloseReason: Hashable, Sendable {
        /// The subscriber may not see the room any more; nothing more may be sent.
        case forbidden
        /// The room is archived.
        case roomGone
        /// The subscriber reads too slowly to catch up.
        case tooSlow
        /// The log cannot be read.
        case unavailable
        /// The subscriber's token is not valid any more; nothing more may be sent.
        case token(TokenError)
    }

    /// Why a token that was accepted is not valid any more; nil while it is.
    package typealias TokenCheck = (Principal, Now) -> TokenError?

    /// Interval of `checkTokens` while `hasTokens`, in milliseconds.
    package static let tokenCheckMilliseconds: Int64 = 400

    /// A long-poll that has left to be answered.
    package struct TakenPoll: Sendable {
        /// The room that it waited for.
        package let room: CommittedRoom
        fileprivate let user: UserID?

        /// Whether it is answered with events, or else like a room that does not exist. Read it after the events of the response were
        /// read: they may include the ban of its user from a private room.
        package var maySeeEvents: Bool { room.view.room.isVisible(to: user) }
    }

    private struct Subscriber {
        let room: CommittedRoom
        /// Nil without a token.
        let principal: Principal?
        var position: Position

        var user: UserID? { principal?.person.id }
        var isForbidden: Bool { !room.view.room.isVisible(to: user) }

        var isStream: Bool {
            switch position {
            case .readingLog, .awaitingReady, .streaming, .closing: true
            case .waiting, .due: false
            }
        }

        /// Whether it is in a group.
        var isLive: Bool {
            switch position {
            case .streaming, .waiting: true
            case .readingLog, .awaitingReady, .closing, .due: false
            }
        }
    }

    /// Where a subscriber is in the history of its room.
    private enum Position {
        /// A stream whose next page is being read from the log.
        case readingLog(Lag)
        /// A stream that has been sent a page and has not received it yet.
        case awaitingReady(Lag)
        /// A live stream; its group has the cursor.
        case streaming
        /// A stream that gets nothing more.
        case closing
        /// A live long-poll.
        case waiting(Poll)
        /// A long-poll whose response is due.
        case due
    }

    /// How far a stream lags behind.
    private struct Lag {
        /// The next sequence number that it gets.
        var next: Int
        /// Pages up to this sequence number do not count as extra pages.
        let target: Int
        var pagesLeft: Int
    }

    /// Live subscribers of a room at the same position.
    private struct Group {
        var next: Int
        /// Maximum number of events per response; nil for streams.
        let limit: Int?
        var ids: [ID]
        /// Number of `ids` whose subscribers have left.
        var stale = 0
    }

    private enum Audience {
        case everyone, polls, streams

        func includes(_ group: Group) -> Bool {
            switch self {
            case .everyone: true
            case .polls: group.limit != nil
            case .streams: group.limit == nil
            }
        }
    }

    private let limits: Limits
    private var subscribers: [ID: Subscriber] = [:]
    private var groups: [RoomID: [Group]] = [:]
    /// Those of `subscribers` that are streams, by room.
    private var streamsByRoom: [RoomID: Set<ID>] = [:]
    private var waiting = WaitingPolls()
    /// What live streams get later than long-polls.
    private var held: HeldEvents
    private var presence = PresenceTracker()
    private var expiries = TokenExpiries()

    /// No subscribers yet.
    package init(limits: Limits = Limits()) {
        self.limits = limits
        held = HeldEvents(limit: limits.pageEvents)
    }

    /// Number of subscribers.
    package var count: Int { subscribers.count }

    /// Number of rooms with streams.
    package var streamedRoomCount: Int { streamsByRoom.count }

    /// Number of deadlines that are kept, those of long-polls that have left included.
    package var deadlineCount: Int { waiting.deadlineCount }

    /// When the next `tick` is due; nil if nothing waits for time to pass.
    package var nextTick: Int64? {
        guard let poll = waiting.next, let linger = presence.nextTick else { return waiting.next ?? presence.nextTick }
        return min(poll, linger)
    }

    // MARK: - Joining and leaving

    /// A stream joins after a sequence number. The caller has begun to watch the room before (`CommittedRooms.watch`); leaving ends
    /// the watch.
    /// - Parameter principal: Nil for a subscriber without a token.
    package mutating func join(
        _ id: ID, _ room: CommittedRoom, _ principal: Principal?, after: Int, at now: Now
    ) -> [Directive] {
        let changes = add(id, Subscriber(room: room, principal: principal, position: .closing), at: now)
        streamsByRoom[room.id, default: []].insert(id)
        return changes
            + catchUp(id, Lag(next: after + 1, target: room.view.room.seq, pagesLeft: limits.sparePages))
    }

    /// A long-poll joins. As with a stream, the caller has begun to watch the room, and leaving ends the watch.
    /// - Parameter poll: What it waits for; nil if its response is already due and waits to be sent.
    package mutating func wait(
        _ id: ID, _ room: CommittedRoom, _ principal: Principal?, for poll: Poll?, at now: Now
    ) -> [Directive] {
        let changes = add(id, Subscriber(room: room, principal: principal, position: .due), at: now)
        guard let poll else { return changes }
        func response(_ events: [StoredEvent], more: Bool) -> [Directive] {
            changes + [.respond(PollResponse(room.id, [id], poll.after, poll.limit, events[...], more: more))]
        }
        switch room.recent(after: poll.after, limit: poll.limit, bytes: limits.responseBytes) {
        case .events(let events, let more): return response(events, more: more)
        case .tooOld: return response([], more: true)
        case .nothingNew, .beyond:
            waiting.add(id, until: poll.deadline)
            goLive(id, .waiting(poll), next: poll.after + 1)
            return changes
        }
    }

    private mutating func add(_ id: ID, _ subscriber: Subscriber, at now: Now) -> [Directive] {
        subscribers[id] = subscriber
        guard let principal = subscriber.principal else { return [] }
        expiries.add(principal, at: now)
        guard let change = presence.begin(principal.person.id, subscriber.room.id, at: now.monotonic) else { return [] }
        return [.presence([change])]
    }

    /// Removes a subscriber: its connection has ended, its long-poll was answered, or it is refused anything more.
    package mutating func leave(_ id: ID, at now: Int64) {
        guard let subscriber = subscribers.removeValue(forKey: id) else { return }
        if subscriber.isStream { removeStream(id, of: subscriber.room.id) }
        leaveGroup(id, subscriber)
        subscriber.room.endWatching()
        if let user = subscriber.user { presence.end(user, subscriber.room.id, at: now) }
    }

    private mutating func removeStream(_ id: ID, of room: RoomID) {
        streamsByRoom[room]?.remove(id)
        if streamsByRoom[room]?.isEmpty == true { streamsByRoom[room] = nil }
    }

    /// Removes a long-poll that is about to be answered; nil if it has left.
    package mutating func takePoll(_ id: ID, at now: Int64) -> TakenPoll? {
        guard let subscriber = subscribers[id] else { return nil }
        leave(id, at: now)
        return TakenPoll(room: subscriber.room, user: subscriber.user)
    }

    // MARK: - Streams that catch up

    /// Sends a stream the next events in memory, or has them read from the log; if there are none, it is live from now on.
    private mutating func catchUp(_ id: ID, _ lag: Lag) -> [Directive] {
        guard let subscriber = subscribers[id] else { return [] }
        let room = subscriber.room
        let recent = room.recent(after: lag.next - 1, limit: limits.pageEvents, bytes: limits.pageBytes)
        // Checked after the read: the events may include the ban of this user. A long-poll is checked when it is taken.
        guard !subscriber.isForbidden else { return close(id, .forbidden) }
        switch recent {
        case .nothingNew, .beyond: return stream(id, next: lag.next)
        case .events(let events, let more):
            let fitting = fitting(events.drop { $0.seq < lag.next })
            if more || fitting.count < events.count { return send(fitting, to: id, lag) }
            // The rest fits into one page: go live without waiting until it is received.
            guard let last = fitting.last else { return stream(id, next: lag.next) }
            return [.send([id], fitting)] + stream(id, next: last.seq + 1)
        case .tooOld:
            subscribers[id]?.position = .readingLog(lag)
            // The log may be ahead of the published state; a client that resumed from an unpublished seq would be refused.
            let limit = min(limits.pageEvents, max(0, room.view.room.seq - (lag.next - 1)))
            return [.read(id, room.id, after: lag.next - 1, limit: limit)]
        }
    }

    /// The result of a `read` directive.
    package mutating func page(_ id: ID, _ result: Result<[StoredEvent], EventLogError>) -> [Directive] {
        guard case .readingLog(let lag)? = subscribers[id]?.position else { return [] }
        guard case .success(let events) = result else { return close(id, .unavailable) }
        // There were some to read: the room has been deleted.
        guard !events.isEmpty else { return close(id, .roomGone) }
        let fitting = fitting(events.drop { $0.seq < lag.next })
        return fitting.isEmpty ? catchUp(id, lag) : send(fitting, to: id, lag)
    }

    /// The stream has received its page.
    package mutating func ready(_ id: ID) -> [Directive] {
        guard case .awaitingReady(let lag)? = subscribers[id]?.position else { return [] }
        return catchUp(id, lag)
    }

    private mutating func send(_ events: ArraySlice<StoredEvent>, to id: ID, _ lag: Lag) -> [Directive] {
        var lag = lag
        guard let last = events.last, last.seq <= lag.target || lag.pagesLeft > 0 else { return close(id, .tooSlow) }
        if last.seq > lag.target { lag.pagesLeft -= 1 }
        lag.next = last.seq + 1
        subscribers[id]?.position = .awaitingReady(lag)
        return [.sendPage(id, events)]
    }

    /// The events that fit into one page, at least one.
    private func fitting(_ events: ArraySlice<StoredEvent>) -> ArraySlice<StoredEvent> {
        events.prefix(bytes: limits.pageBytes)
    }

    /// The stream has all published events; the last one of an archived room is the last that it gets.
    private mutating func stream(_ id: ID, next: Int) -> [Directive] {
        goLive(id, .streaming, next: next)
        return subscribers[id]?.room.view.room.isArchived == true ? [.close([id], .roomGone)] : []
    }

    private mutating func close(_ id: ID, _ reason: CloseReason) -> [Directive] {
        subscribers[id]?.position = .closing
        return [.close([id], reason)]
    }

    // MARK: - Groups of live subscribers

    private mutating func goLive(_ id: ID, _ position: Position, next: Int) {
        guard let room = subscribers[id]?.room.id else { return }
        subscribers[id]?.position = position
        var limit: Int?
        if case .waiting(let poll) = position { limit = poll.limit }
        if let index = groups[room]?.firstIndex(where: { $0.next == next && $0.limit == limit }) {
            groups[room]?[index].ids.append(id)
        } else {
            groups[room, default: []].append(Group(next: next, limit: limit, ids: [id]))
        }
    }

    /// Removes a subscriber that was live and is not any more. It stays in the list of its group until half of that has left.
    private mutating func leaveGroup(_ id: ID, _ subscriber: Subscriber) {
        guard subscriber.isLive, var current = groups[subscriber.room.id] else { return }
        var limit: Int?
        if case .waiting(let poll) = subscriber.position {
            limit = poll.limit
            forgetDeadline()
        }
        let candidates = current.indices.filter { current[$0].limit == limit }
        // With one group, the usual case, no search is needed.
        guard let index = candidates.count == 1 ? candidates[0] : candidates.first(where: { current[$0].ids.contains(id) })
        else { return }
        current[index].stale += 1
        if current[index].stale * 2 > current[index].ids.count {
            current[index].ids.removeAll { subscribers[$0]?.isLive != true }
            current[index].stale = 0
        }
        current.removeAll { $0.ids.isEmpty }
        groups[subscriber.room.id] = current.isEmpty ? nil : current
    }

    /// A long-poll waits no more.
    private mutating func forgetDeadline() { waiting.left { [subscribers] in subscribers[$0]?.isLive == true } }

    // MARK: - What is published

    /// Events of a room have become durable; `room` is published with at least these. Streams that may not see the room any more are closed
    /// at once.
    /// - Parameter isBusy: Whether the loop has much to send. Then, and while anything is held, live streams get the events later, with
    ///   those that follow (`publishHeld`); long-polls do not wait.
    package mutating func published(
        _ room: CommittedRoom, _ events: [StoredEvent], isBusy: Bool = false
    ) -> [Directive] {
        if subscribers.isEmpty { return [] }
        let isHeld = (isBusy || holdsEvents) && groups[room.id]?.contains { $0.limit == nil } == true
        if isHeld { held.add(events, of: room.id) }
        return publish(events, of: room, to: isHeld ? .polls : .everyone)
    }

    /// Whether events of live streams are held.
    package var holdsEvents: Bool { !held.isEmpty }

    /// Sends the held events of the room that has waited longest to its live streams.
    package mutating func publishHeld() -> [Directive] {
        guard let (id, events) = held.next(), let stream = streamsByRoom[id]?.first, let room = subscribers[stream]?.room
        else { return [] }
        return publish(events, of: room, to: .streams)
    }

    private mutating func publish(_ events: [StoredEvent], of room: CommittedRoom, to audience: Audience) -> [Directive] {
        var directives: [Directive] = []
        let current = room.view.room
        // Visibility changes only with events of members, and only in rooms that are not public.
        if current.details.visibility != .public, events.contains(where: \.changesMembers) {
            let streams = streamsByRoom[room.id] ?? []
            let forbidden = streams.filter { !current.isVisible(to: subscribers[$0]?.user) }.sorted()
            if !forbidden.isEmpty { directives.append(.close(forbidden, .forbidden)) }
        }
        directives += deliver(events, of: room.id, to: audience)
        // The archiving is the last event that streams get.
        if audience != .polls, current.isArchived {
            let remaining = streams(of: room.id)
            if !remaining.isEmpty { directives.append(.close(remaining, .roomGone)) }
        }
        return directives
    }

    private mutating func deliver(_ events: [StoredEvent], of room: RoomID, to audience: Audience) -> [Directive] {
        guard let first = events.first, let last = events.last, let current = groups[room] else { return [] }
        var directives: [Directive] = []
        var (ahead, lagging): ([Group], [Group]) = ([], [])
        var together: Group?
        for group in current {
            let unseen = events.drop { $0.seq < group.next }
            if unseen.isEmpty || !audience.includes(group) {
                ahead.append(group)
            } else if let limit = group.limit {
                let isContinuous = group.next >= first.seq
                directives.append(.respond(respond(to: group, of: room, limit, isContinuous ? unseen : [])))
            } else if group.next < first.seq || fitting(unseen).count < unseen.count {
                lagging.append(group)
            } else {
                directives.append(.send(group.ids, unseen))
                together = Group(
                    next: last.seq + 1, limit: nil, ids: (together?.ids).map { $0 + group.ids } ?? group.ids,
                    stale: (together?.stale ?? 0) + group.stale)
            }
        }
        if let together { ahead.append(together) }
        groups[room] = ahead.isEmpty ? nil : ahead
        // After a gap, or more events than fit into a page, streams catch up again.
        for group in lagging {
            for id in group.ids where subscribers[id]?.isLive == true {
                directives += catchUp(id, Lag(next: group.next, target: last.seq, pagesLeft: limits.sparePages))
            }
        }
        return directives
    }

    /// Responds to the long-polls of a group.
    /// - Parameter unseen: The events that follow directly; empty if another node's events are missing in between: the client's next
    ///   request reads those from the log.
    private mutating func respond(
        to group: Group, of room: RoomID, _ limit: Int, _ unseen: ArraySlice<StoredEvent>
    ) -> PollResponse {
        let page = unseen.prefix(limit).prefix(bytes: limits.responseBytes)
        for id in group.ids where subscribers[id]?.isLive == true {
            subscribers[id]?.position = .due
            forgetDeadline()
        }
        return PollResponse(room, group.ids, group.next - 1, limit, page, more: page.count < unseen.count || unseen.isEmpty)
    }

    /// The streams of a room, in the order in which they joined. Costs nothing for those of other rooms.
    package func streams(of room: RoomID) -> [ID] { streamsByRoom[room]?.sorted() ?? [] }

    // MARK: - Time

    /// `nextTick` is due.
    package mutating func tick(_ now: Int64) -> [Directive] {
        let absences = presence.takeAbsences(at: now)
        var directives: [Directive] = []
        while let id = waiting.popDue(at: now) { directives += expire(id) }
        return directives + (absences.isEmpty ? [] : [.presence(absences)])
    }

    /// The service stops: answers every long-poll without events.
    package mutating func drain() -> [Directive] { waiting.ids.sorted().flatMap { expire($0) } }

    /// The response without events to a long-poll that waits; none if it has left before.
    private mutating func expire(_ id: ID) -> [Directive] {
        guard let subscriber = subscribers[id], case .waiting(let poll) = subscriber.position else { return [] }
        subscribers[id]?.position = .due
        leaveGroup(id, subscriber)
        return [.respond(PollResponse(subscriber.room.id, [id], poll.after, poll.limit, [], more: false))]
    }

    // MARK: - Tokens

    /// Whether tokens are in use, so that `checkTokens` has to be called after `tokenCheckMilliseconds`.
    package var hasTokens: Bool { !expiries.isEmpty }

    /// Finds expired tokens. Costs one comparison while there are none, independent of the number of subscribers.
    package mutating func checkTokens(at now: Now, _ error: TokenCheck) -> [Directive] {
        if subscribers.isEmpty { expiries.removeAll() }
        return expiries.isDue(at: now) ? identityChanged(at: now, error) : []
    }

    /// Keys, revocations or the guest setting have changed: checks all tokens.
    package mutating func identityChanged(at now: Now, _ error: TokenCheck) -> [Directive] {
        expiries.removeAll()
        var invalid: [(id: ID, error: TokenError)] = []
        for (id, subscriber) in subscribers {
            guard let principal = subscriber.principal else { continue }
            if let error = error(principal, now) {
                invalid.append((id, error))
            } else {
                expiries.add(principal, at: now)
            }
        }
        return invalid.sorted { $0.id < $1.id }.map { id, error in
            subscribers[id]?.isStream == true ? .close([id], .token(error)) : .refuse(id, error)
        }
    }
}

/// When the waits of an event loop's long-polls end.
private struct WaitingPolls: Sendable {
    private struct Deadline: Comparable {
        let at: Int64
        let id: Subscriptions.ID

        static func < (left: Self, right: Self) -> Bool { (left.at, left.id) < (right.at, right.id) }
    }

    /// Those of polls that wait no more stay until they expire, or are more than half.
    private var deadlines: Heap<Deadline> = []
    private var count = 0

    var deadlineCount: Int { deadlines.count }
    /// The earliest deadline; nil while no long-poll waits.
    var next: Int64? { count == 0 ? nil : deadlines.min?.at }
    /// Those that wait, and some that wait no more.
    var ids: [Subscriptions.ID] { deadlines.unordered.map(\.id) }

    mutating func add(_ id: Subscriptions.ID, until deadline: Int64) {
        deadlines.insert(Deadline(at: deadline, id: id))
        count += 1
    }

    /// One waits no more; `isWaiting` tells which still do.
    mutating func left(_ isWaiting: (Subscriptions.ID) -> Bool) {
        count -= 1
        guard deadlines.count > 2 * count + 1024 else { return }
        deadlines = Heap(deadlines.unordered.filter { isWaiting($0.id) })
    }

    mutating func popDue(at now: Int64) -> Subscriptions.ID? {
        guard let first = deadlines.min, first.at <= now else { return nil }
        return deadlines.removeMin().id
    }
}

/// A response to long-polls that get the same bytes.
package struct PollResponse: Sendable {
    /// The room whose events these are.
    package let room: RoomID
    /// The long-polls, in the order in which they arrived; some may have left meanwhile.
    package let ids: [Subscriptions.ID]
    /// The last sequence number that their clients have.
    package let after: Int
    /// The most events that each wants.
    package let limit: Int
    /// The events to send; empty after a timeout or where events are missing in memory.
    package let events: ArraySlice<StoredEvent>
    /// Whether the client should ask again at once, because there are more events.
    package let more: Bool

    init(_ room: RoomID, _ ids: [Subscriptions.ID], _ after: Int, _ limit: Int, _ events: ArraySlice<StoredEvent>, more: Bool) {
        (self.room, self.ids, self.after, self.limit, self.events, self.more) = (room, ids, after, limit, events, more)
    }
}

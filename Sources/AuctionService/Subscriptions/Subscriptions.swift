package import AuctionDomain
package import EventLog

/// The subscriptions of one event loop, streams (server-sent events and WebSockets) and long-polls: what each is sent, when a stream is
/// closed, who is present, whose token has expired.
///
/// Times are monotonic nanoseconds unless documented otherwise. Event loops and the simulator carry out the directives. Nothing is read but
/// committed rooms in memory.
package struct Subscriptions: Sendable {
    /// Identifies a subscriber on its loop, stream or long-poll.
    package typealias ID = RoomFeed.ID

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
        let isStream: Bool

        var user: UserID? { principal?.person.id }
        var isForbidden: Bool { !room.view.room.isVisible(to: user) }
    }

    private let limits: RoomFeed.Limits
    private var feed: RoomFeed
    private var presence = PresenceTracker()
    private var expiries = TokenExpiries()
    private var subscribers: [ID: Subscriber] = [:]
    /// Those of `subscribers` that are streams, by room.
    private var streamsByRoom: [RoomID: Set<ID>] = [:]

    /// No subscribers yet.
    package init(limits: RoomFeed.Limits = RoomFeed.Limits()) {
        self.limits = limits
        feed = RoomFeed(limits: limits)
    }

    /// Number of subscribers.
    package var count: Int { subscribers.count }

    /// Number of rooms with streams.
    package var streamedRoomCount: Int { streamsByRoom.count }

    /// When the next `tick` is due, in monotonic nanoseconds; nil if nothing waits for time to pass.
    package var nextTick: Int64? {
        guard let poll = feed.nextTick, let linger = presence.nextTick else { return feed.nextTick ?? presence.nextTick }
        return min(poll, linger)
    }

    // MARK: - Joining and leaving

    /// A stream joins after a sequence number. The caller has begun to watch the room before (`CommittedRooms.watch`); leaving ends
    /// the watch.
    /// - Parameter principal: Nil for a subscriber without a token.
    package mutating func join(
        _ id: ID, _ room: CommittedRoom, _ principal: Principal?, after: Int, at now: Now
    ) -> [Directive] {
        let changes = add(id, room, principal, isStream: true, at: now)
        return changes + perform(feed.handle(.join(id, room.id, after: after, seq: room.view.room.seq)))
    }

    /// A long-poll joins. As with a stream, the caller has begun to watch the room, and leaving ends the watch.
    /// - Parameter poll: What it waits for; nil if its response is already due and waits to be sent.
    package mutating func wait(
        _ id: ID, _ room: CommittedRoom, _ principal: Principal?, for poll: RoomFeed.Poll?, at now: Now
    ) -> [Directive] {
        let changes = add(id, room, principal, isStream: false, at: now)
        guard let poll else { return changes }
        return changes + perform(feed.handle(.wait(id, room.id, poll)))
    }

    private mutating func add(
        _ id: ID, _ room: CommittedRoom, _ principal: Principal?, isStream: Bool, at now: Now
    ) -> [Directive] {
        subscribers[id] = Subscriber(room: room, principal: principal, isStream: isStream)
        if isStream { streamsByRoom[room.id, default: []].insert(id) }
        guard let principal else { return [] }
        expiries.add(principal, at: now)
        guard let change = presence.begin(principal.person.id, room.id, at: now.monotonic) else { return [] }
        return [.presence([change])]
    }

    /// Removes a subscriber: its connection has ended, its long-poll was answered, or it is refused anything more.
    package mutating func leave(_ id: ID, at now: Int64) {
        guard let subscriber = subscribers.removeValue(forKey: id) else { return }
        if subscriber.isStream { removeStream(id, of: subscriber.room.id) }
        _ = feed.handle(.left(id))
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

    // MARK: - What happens meanwhile

    /// Whether streams of the room are live.
    package func hasLiveStreams(in room: RoomID) -> Bool { feed.hasLiveStreams(in: room) }

    /// Events of a room have become durable; `room` is published with at least these.
    /// - Parameter audience: Streams may get them later than long-polls, in the same order (`HeldEvents`). Those that may not see the room
    ///   any more are closed at once for every audience.
    package mutating func published(
        _ room: CommittedRoom, _ events: [StoredEvent], to audience: RoomFeed.Audience = .everyone
    ) -> [Directive] {
        if subscribers.isEmpty { return [] }
        var directives: [Directive] = []
        let current = room.view.room
        // Visibility changes only with events of members, and only in rooms that are not public.
        if current.details.visibility != .public, events.contains(where: \.changesMembers) {
            let streams = streamsByRoom[room.id] ?? []
            let forbidden = streams.filter { !current.isVisible(to: subscribers[$0]?.user) }.sorted()
            if !forbidden.isEmpty { directives.append(.close(forbidden, .forbidden)) }
        }
        directives += perform(feed.handle(.published(room.id, events, to: audience)))
        // The archiving is the last event that streams get.
        if audience != .polls, current.isArchived {
            let remaining = streams(of: room.id)
            if !remaining.isEmpty { directives.append(.close(remaining, .roomGone)) }
        }
        return directives
    }

    /// The result of a `read` directive.
    package mutating func page(_ id: ID, _ result: Result<[StoredEvent], EventLogError>) -> [Directive] {
        guard subscribers[id] != nil else { return [] }
        switch result {
        case .success(let events): return perform(feed.handle(.page(id, events)))
        case .failure: return [.close([id], .unavailable)]
        }
    }

    /// The stream has received its page.
    package mutating func ready(_ id: ID) -> [Directive] { perform(feed.handle(.ready(id))) }

    /// `nextTick` is due.
    package mutating func tick(_ now: Int64) -> [Directive] {
        let absences = presence.takeAbsences(at: now)
        return perform(feed.handle(.tick(now))) + (absences.isEmpty ? [] : [.presence(absences)])
    }

    // MARK: - Tokens

    /// Whether tokens are in use, so that `checkTokens` has to be called after `tokenCheckMilliseconds`.
    package var hasTokens: Bool { !expiries.isEmpty }

    /// Finds expired tokens. Costs one comparison while there are none, independent of the number of subscribers.
    package mutating func checkTokens(at now: Now, _ error: TokenCheck) -> [Directive] {
        if subscribers.isEmpty { expiries.removeAll() }
        return expiries.isDue(at: now) ? removeInvalid(at: now, error) : []
    }

    /// Keys, revocations or the guest setting have changed: checks all tokens.
    package mutating func identityChanged(at now: Now, _ error: TokenCheck) -> [Directive] { removeInvalid(at: now, error) }

    private mutating func removeInvalid(at now: Now, _ error: TokenCheck) -> [Directive] {
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

    /// The service stops: answers every long-poll without events.
    package mutating func drain() -> [Directive] { perform(feed.handle(.drain)) }

    private mutating func perform(_ changes: [RoomFeed.Directive]) -> [Directive] {
        var directives: [Directive] = []
        var rest = changes[...]
        while let change = rest.popFirst() {
            switch change {
            case .readMemory(let id, let after, let limit):
                guard let subscriber = subscribers[id] else { continue }
                let recent = subscriber.room.recent(
                    after: after, limit: limit ?? limits.pageEvents,
                    bytes: limit == nil ? limits.pageBytes : limits.responseBytes)
                // Checked after the read: the events may include the ban of this user. A long-poll is checked when it is taken.
                if subscriber.isStream, subscriber.isForbidden {
                    directives.append(.close([id], .forbidden))
                } else {
                    rest += feed.handle(.found(id, recent))
                }
            case .read(let id, let after):
                guard let room = subscribers[id]?.room else { continue }
                // The log may be ahead of the published state; a client that resumed from an unpublished seq would be refused.
                let limit = min(limits.pageEvents, max(0, room.view.room.seq - after))
                directives.append(.read(id, room.id, after: after, limit: limit))
            case .sendPage(let id, let events): directives.append(.sendPage(id, events))
            case .send(let ids, let events): directives.append(.send(ids, events))
            case .respond(let response): directives.append(.respond(response))
            case .caughtUp(let id):
                if subscribers[id]?.room.view.room.isArchived == true { directives.append(.close([id], .roomGone)) }
            case .tooSlow(let id): directives.append(.close([id], .tooSlow))
            }
        }
        return directives
    }

    /// The streams of a room, in the order in which they joined. Costs nothing for those of other rooms.
    package func streams(of room: RoomID) -> [ID] { streamsByRoom[room]?.sorted() ?? [] }
}

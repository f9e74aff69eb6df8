package import AuctionDomain
package import EventLog

/// The streams of one event loop (server-sent events and WebSockets): what each subscriber is sent, and when its stream is closed.
///
/// Event loops and the simulator carry out the directives. The only reads are those of committed rooms in memory.
package struct RoomStreams: Sendable {
    /// Identifies a subscriber on its loop.
    package typealias ID = LiveFeed.ID

    /// What the loop has to do now, in order.
    package enum Directive: Sendable {
        /// Read at most `limit` events of the room from the log, after a sequence number, and hand in `page`.
        case read(ID, RoomID, after: Int, limit: Int)
        /// Send a page to a subscriber that catches up; hand in `ready` once it has room for more.
        case sendPage(ID, ArraySlice<StoredEvent>)
        /// Send to all of these subscribers, some of which may have left meanwhile.
        case send([ID], ArraySlice<StoredEvent>)
        /// Close these streams, after everything that was to be sent to them unless the reason is `.forbidden`; hand in `leave` for
        /// each.
        case close([ID], CloseReason)
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
    }

    private struct Subscriber {
        let room: CommittedRoom
        let user: UserID?

        var isForbidden: Bool { !room.view.room.isVisible(to: user) }
    }

    private let limits: LiveFeed.Limits
    private var feed: LiveFeed
    private var subscribers: [ID: Subscriber] = [:]

    /// No subscribers yet.
    package init(limits: LiveFeed.Limits = LiveFeed.Limits()) {
        self.limits = limits
        feed = LiveFeed(limits: limits)
    }

    /// Number of subscribers.
    package var count: Int { subscribers.count }

    /// A subscriber joins after a sequence number. The caller has begun to watch the room before.
    /// - Parameter user: Nil for a subscriber without a token.
    package mutating func join(_ id: ID, _ room: CommittedRoom, user: UserID?, after: Int) -> [Directive] {
        subscribers[id] = Subscriber(room: room, user: user)
        return perform(feed.handle(.join(id, room.id, after: after, seq: room.view.room.seq)))
    }

    /// The subscriber's stream has ended.
    package mutating func leave(_ id: ID) {
        guard subscribers.removeValue(forKey: id) != nil else { return }
        _ = feed.handle(.gone(id))
    }

    /// Events of a room have become durable; `room` is published with at least these.
    package mutating func published(_ room: CommittedRoom, _ events: [StoredEvent]) -> [Directive] {
        if subscribers.isEmpty { return [] }
        var directives: [Directive] = []
        let current = room.view.room
        // Visibility changes only with events of members, and only in rooms that are not public.
        if current.details.visibility != .public, events.contains(where: { $0.type.hasPrefix("member.") }) {
            let forbidden = ids { $0.room.id == room.id && !current.isVisible(to: $0.user) }
            if !forbidden.isEmpty { directives.append(.close(forbidden, .forbidden)) }
        }
        directives += perform(feed.handle(.published(room.id, events)))
        if current.isArchived {
            let gone = ids { $0.room.id == room.id }
            if !gone.isEmpty { directives.append(.close(gone, .roomGone)) }
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

    /// The subscriber has received its page.
    package mutating func ready(_ id: ID) -> [Directive] { perform(feed.handle(.ready(id))) }

    private mutating func perform(_ changes: [LiveFeed.Directive]) -> [Directive] {
        var directives: [Directive] = []
        var rest = changes[...]
        while let change = rest.popFirst() {
            switch change {
            case .readMemory(let id, let after):
                guard let subscriber = subscribers[id] else { continue }
                if subscriber.isForbidden {
                    directives.append(.close([id], .forbidden))
                } else {
                    let recent = subscriber.room.recent(after: after, limit: limits.pageEvents, bytes: limits.pageBytes)
                    rest += feed.handle(.found(id, recent))
                }
            case .read(let id, let after):
                guard let room = subscribers[id]?.room else { continue }
                // The log may be ahead of the published state; a client that resumed from an unpublished seq would be refused.
                let limit = min(limits.pageEvents, max(0, room.view.room.seq - after))
                directives.append(.read(id, room.id, after: after, limit: limit))
            case .sendPage(let id, let events): directives.append(.sendPage(id, events))
            case .send(let ids, let events): directives.append(.send(ids, events))
            case .caughtUp(let id):
                if subscribers[id]?.room.view.room.isArchived == true { directives.append(.close([id], .roomGone)) }
            case .tooSlow(let id): directives.append(.close([id], .tooSlow))
            }
        }
        return directives
    }

    /// The subscribers that match, in the order in which they joined.
    private func ids(where matches: (Subscriber) -> Bool) -> [ID] {
        subscribers.filter { matches($0.value) }.keys.sorted()
    }
}

package import AuctionDomain
package import EventLog

/// A request for a room's events after a sequence number, by a page or a long-poll.
package struct EventsRequest: Sendable {
    /// The last sequence number that the client has.
    package let after: Int
    /// Maximum number of events in the response.
    package let limit: Int
    /// Maximum bytes of events in the response; a single larger event is sent too.
    package let bytes: Int
    /// The caller; nil without a token.
    package let user: UserID?
    /// Whether the request may wait for an event.
    package let mayWait: Bool
    /// Whether the room may be read from the log again: the log is shared, and the room was not read for this request yet.
    package let mayRefresh: Bool

    package init(after: Int, limit: Int, bytes: Int = .max, user: UserID?, mayWait: Bool, mayRefresh: Bool) {
        self.after = after
        self.limit = limit
        self.bytes = bytes
        self.user = user
        self.mayWait = mayWait
        self.mayRefresh = mayRefresh
    }

    /// How a request is served.
    package enum Action: Sendable {
        /// Respond now with these events, which may be none.
        case respond([StoredEvent], more: Bool)
        /// The events are no longer in memory: read them from the log, up to a sequence number.
        case readLog(upTo: Int)
        /// Watch the room and subscribe (`Subscriptions.wait`).
        case wait
        /// Read the room from the log, then decide again: the client may have its sequence number from another node.
        case refresh
        /// The sequence number does not exist; the room's last one is given.
        case beyond(seq: Int)
        /// The user may not see the room.
        case notFound
    }

    /// Decides by the committed room in memory.
    package func action(in room: CommittedRoom) -> Action {
        let recent = room.recent(after: after, limit: limit, bytes: bytes)
        // Checked after the events were read: they may include this user's ban, after which the room is hidden from the user.
        let current = room.view.room
        guard current.isVisible(to: user) else { return .notFound }
        switch recent {
        case .events(let events, let more): return .respond(events, more: more)
        case .tooOld: return .readLog(upTo: current.seq)
        case .beyond(let seq): return mayRefresh ? .refresh : .beyond(seq: seq)
        case .nothingNew: return mayWait ? .wait : .respond([], more: false)
        }
    }
}

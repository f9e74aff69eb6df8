import StateMachines

/// Reads of the room beside the stream, for what events do not tell.
struct DetailsReading: Sendable {
    /// The most events that are kept for a read that is on its way.
    private static let maximumEvents = 64

    /// What is due.
    enum Due {
        case read
        /// The read has taken too long.
        case cancel(CallNumbers.CallID)
    }

    private let interval: Duration
    private let timeout: Duration
    /// The seq of the latest event that may have changed it; nil if nothing is to be read.
    private var wantedAt: Int64?
    /// The read that is on its way; nil if none is.
    private(set) var call: CallNumbers.CallID?
    /// When the latest read was sent.
    private(set) var sentAt = MachineTimestamp(milliseconds: 0)
    /// Earliest time of the next read.
    private var nextAt: MachineTimestamp
    /// Whether the connection was live before.
    private var wasLive = false
    /// The first events after `wantedAt`, by which a room that was read before them catches up. None of them may have
    /// changed the details.
    private var later: [RoomEvent] = []

    init(_ settings: ConnectionSettings, at now: MachineTimestamp) {
        interval = settings.detailsInterval
        timeout = settings.openTimeout
        nextAt = now
    }

    /// Whether a read is to come, or on its way.
    var isPending: Bool { wantedAt != nil || call != nil }

    /// When a read is due, or has taken too long; nil if none is pending.
    var deadline: MachineTimestamp? {
        if call != nil { return sentAt + timeout }
        return wantedAt == nil ? nil : nextAt
    }

    // MARK: - Events

    /// The connection is live. What events do not carry may have changed meanwhile.
    mutating func becameLive(with state: RoomState?, at cursor: Int64) {
        if let state, state.details.seq < state.seq || wasLive { want(at: cursor) }
        wasLive = true
    }

    /// An event that is about to be applied to the state.
    mutating func note(_ event: RoomEvent, before state: RoomState, for follower: Follower) {
        if event.mayChangeDetails(of: state, for: follower, isBeingRead: isPending) {
            want(at: event.seq)
        } else if isPending, later.count < Self.maximumEvents {
            // The room that is read may not have it.
            later.append(event)
        }
    }

    private mutating func want(at seq: Int64) {
        wantedAt = seq
        later = []
    }

    // MARK: - Reads

    /// What is due now, while the connection is live; nil if nothing is. A read that is due is followed by `began`.
    mutating func due(at now: MachineTimestamp) -> Due? {
        guard let deadline, deadline <= now else { return nil }
        nextAt = now + interval
        return end().map(Due.cancel) ?? .read
    }

    mutating func began(_ id: CallNumbers.CallID, at now: MachineTimestamp) {
        call = id
        sentAt = now
    }

    /// Ends the read that is on its way, and returns it; nil if there was none.
    @discardableResult
    mutating func end() -> CallNumbers.CallID? {
        defer { call = nil }
        return call
    }

    /// A read that failed is repeated less often. The stream finds out whether the room is still there.
    mutating func failed(at now: MachineTimestamp) {
        call = nil
        nextAt = now + interval * 5
    }

    /// The room that was read, with the events after it. Without them, a message would lose what only a response tells, such as
    /// the caller's minimum in a sealed round.
    mutating func caughtUp(_ reading: RoomState) -> RoomState {
        guard let wanted = wantedAt, reading.seq >= wanted else { return reading }
        var state = reading
        for event in later { state.apply(event) }
        wantedAt = nil
        later = []
        return state
    }
}

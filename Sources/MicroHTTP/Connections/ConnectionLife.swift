/// The life of a connection, from accept to close: who serves it, whether it counts towards the limits, and how it closes.
///
/// A value without effects: each input is one method, which returns the one action to take.
enum ConnectionLife {
    /// libmicrohttpd reads its requests and writes its responses.
    case served(Served)
    /// A stream has taken it over from libmicrohttpd, and returns or closes it.
    case takenOver(Place, Close)
    /// Its client is in this process: it has no socket, and no limit counts it.
    case inProcess

    /// The state of a connection that libmicrohttpd serves.
    ///
    /// `@safe`: libmicrohttpd keeps the handle valid until the connection closes or is taken over, which ends this value.
    @safe
    struct Served {
        let handle: OpaquePointer
        fileprivate var place = Place.awaitingFirstHead
        fileprivate var watch = HangUpWatch.off
        fileprivate var close = Close.plain

        @unsafe
        init(_ handle: OpaquePointer) { unsafe self.handle = handle }
    }

    /// A connection's place among those that the limits count.
    enum Place {
        /// Counts as open, and as one without a complete request head so far.
        case awaitingFirstHead
        /// Counts as open.
        case counted
        /// No longer counts: it was evicted for a new connection, or closes. It starts no further request.
        case released
    }

    /// Whether the loop's poller reports that the client hangs up.
    enum HangUpWatch {
        case off
        case on
        /// The poller has reported it, which it does once; kept for exchanges that ask later.
        case reported
    }

    /// How a connection closes.
    enum Close {
        case plain
        /// Bytes may arrive that nothing reads: a duplicate of the descriptor discards them for a while.
        case lingering
    }

    // MARK: - Requests

    /// The answer to a complete request head.
    enum HeadAction {
        /// Count the connection as one that has sent a head, and handle the request.
        case admit
        /// Handle the request.
        case handle
        /// Start nothing, and close.
        case drop
    }

    /// A complete request head was received.
    mutating func receivedHead() -> HeadAction {
        guard case .served(var served) = self else { return .drop }
        switch served.place {
        case .released: return .drop
        case .counted: return .handle
        case .awaitingFirstHead:
            served.place = .counted
            self = .served(served)
            return .admit
        }
    }

    /// The step after an exchange.
    enum CompletionAction {
        /// Wait for the next request.
        case becomeIdle
        /// It closes.
        case none
    }

    /// The exchange in progress has ended.
    func completedExchange() -> CompletionAction { place == .released || lingers ? .none : .becomeIdle }

    // MARK: - Hanging up

    /// The answer to an exchange that asks for its client's hang-up.
    enum WatchAction {
        /// Add the descriptor to the poller; if that fails, call `unwatch`.
        case watch
        /// Report the hang-up again: the poller does so only once.
        case report
        case none
    }

    /// An exchange asks for its client's hang-up.
    mutating func hangUpWanted() -> WatchAction {
        guard case .served(var served) = self else { return .none }
        switch served.watch {
        case .on: return .none
        case .reported: return .report
        case .off:
            served.watch = .on
            self = .served(served)
            return .watch
        }
    }

    /// The poller has reported the hang-up.
    mutating func reportedHangUp() {
        guard case .served(var served) = self, served.watch == .on else { return }
        served.watch = .reported
        self = .served(served)
    }

    /// The step before a descriptor is closed, or a stream watches it.
    enum UnwatchAction {
        /// Remove the descriptor from the poller.
        case unwatch
        case none
    }

    /// The descriptor is about to be closed, or a stream is about to watch it.
    mutating func unwatch() -> UnwatchAction {
        guard case .served(var served) = self, served.watch != .off else { return .none }
        served.watch = .off
        self = .served(served)
        return .unwatch
    }

    // MARK: - The end

    /// A stream has taken the connection over.
    mutating func takeOver() { self = .takenOver(place, lingers ? .lingering : .plain) }

    /// At the next close bytes may arrive that nothing reads. This follows a response to a request that was not read completely, and the
    /// end of a stream.
    mutating func leaveUnread() {
        switch self {
        case .served(var served):
            served.close = .lingering
            self = .served(served)
        case .takenOver(let place, _): self = .takenOver(place, .lingering)
        case .inProcess: break
        }
    }

    /// The step for the place of a connection that was evicted, or closes.
    enum ReleaseAction: Equatable {
        /// Remove it from the counts, and from that of connections without a request head if it was one.
        case leave(wasAwaitingFirstHead: Bool)
        case none
    }

    /// The connection was evicted, or closes.
    mutating func release() -> ReleaseAction {
        let former = place
        guard former != .released else { return .none }
        switch self {
        case .served(var served):
            served.place = .released
            self = .served(served)
        case .takenOver(_, let close): self = .takenOver(.released, close)
        case .inProcess: break
        }
        return .leave(wasAwaitingFirstHead: former == .awaitingFirstHead)
    }

    // MARK: - What it is now

    /// The connection's place; one of a client in this process has none.
    var place: Place {
        switch self {
        case .served(let served): served.place
        case .takenOver(let place, _): place
        case .inProcess: .released
        }
    }

    /// Whether the close leaves a duplicate of the descriptor that discards what arrives.
    var lingers: Bool {
        switch self {
        case .served(let served): served.close == .lingering
        case .takenOver(_, let close): close == .lingering
        case .inProcess: false
        }
    }

    /// Whether a stream has taken the connection over from libmicrohttpd; then `LoopCore.end` closes it.
    var isTakenOver: Bool { if case .takenOver = self { true } else { false } }
}

/// What the connection to a room does.
public enum ConnectionState: Hashable, Sendable {
    /// Not started.
    case idle
    /// A token, the room or the stream was asked for; attempts since the last success, from 1.
    case connecting(attempt: Int)
    /// Events arrive as they happen.
    case live(RoomTransport)
    /// The attempt failed, and the next one follows after the delay.
    case waiting(WaitReason, delay: Duration)
    /// The reader of the sequence is slower than the room; the connection comes back when it has caught up.
    case waitingForReader
    /// The app paused it.
    case paused
    /// It ended and does not come back.
    case stopped(StopReason)
}

/// Why the connection is not live, and is tried again.
public enum WaitReason: Hashable, Sendable {
    /// The network failed.
    case network(TransportError)
    /// Nothing came in time.
    case timeout
    /// The live connection was silent for too long.
    case stalled
    /// The service or a proxy ended the stream.
    case ended
    /// The service refused for now, or failed.
    case service(Problem)
    /// A response that is not the service's, such as the page of a network's sign-in.
    case unexpectedResponse(status: Int, mediaType: String)
    /// An event was missing; it is read again.
    case gap(expected: Int64, received: Int64)
    /// An event or a page could not be read.
    case unreadable
    /// The node of the service does not have the latest events yet.
    case serviceIsBehind
    /// The token provider failed; what it said.
    case token(String)
}

/// Why the connection ended for good.
public enum StopReason: Error, Hashable, Sendable {
    /// The app stopped it.
    case requested
    /// The room was archived; its last event was delivered.
    case archived
    /// No token, or none that the service accepts, after the provider was asked again.
    case unauthorized(Problem)
    /// The caller may not.
    case forbidden(Problem)
    /// There is no such room, or the caller may not see it any more.
    case notFound(Problem)
    /// The service does not understand the request; the library is too old, or an intermediary is in the way.
    case refused(Problem)
    /// The service has fewer events than this client has seen: its data were replaced, and the sequence cannot go on.
    case historyReplaced(seen: Int64)
    /// This event could not be read, also not again.
    case unreadableEvent(seq: Int64)
    /// The token provider has no token and says that it will not have one.
    case signedOut
    /// What the app configured cannot be the address of a service. The address.
    case invalidAddress(String)
}

/// A room after an event.
public struct RoomUpdate: Hashable, Sendable {
    /// The event; nil if the room was read, or a notice arrived.
    public let event: RoomEvent?
    /// The room after the event. For history (see `isHistory`) a later state.
    public let state: RoomState
    /// Whether the event is older than the state: it happened before the room was first read.
    public var isHistory: Bool { event.map { $0.seq < state.seq } ?? false }
}

/// Where following a room begins.
public enum FollowStart: Hashable, Sendable {
    /// The first event is the next one after the room was read.
    case now
    /// The first event is the one after this, such as the last that the app has stored; 0: the first event of the room.
    case after(Int64)
}

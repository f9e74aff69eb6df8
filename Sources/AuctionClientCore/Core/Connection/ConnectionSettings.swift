/// How a room is followed: times, bounds, and which ways are tried.
public struct ConnectionSettings: Hashable, Sendable {
    /// The ways to follow a room, the preferred one first. With one way only there is no fallback.
    public var transports: [RoomTransport] = [.serverSentEvents, .longPoll]
    /// The ceiling of the first delay between two attempts; it doubles with every failure.
    public var firstDelay: Duration = .milliseconds(500)
    /// The largest ceiling of the delay between two attempts. Short, because a room is followed while someone looks at it: a paused one
    /// (`LiveRoom.pause()`) makes no attempts.
    public var maximumDelay: Duration = .seconds(5)
    /// The longest wait for a token.
    public var tokenTimeout: Duration = .seconds(30)
    /// The longest wait for the room, and for the first bytes of a stream or a poll.
    public var openTimeout: Duration = .seconds(10)
    /// The longest silence of a live connection. The service sends a notice every 15 seconds.
    public var stallTimeout: Duration = .seconds(35)
    /// How long a poll asks the service to wait, 1 to 60 seconds; less than `stallTimeout`.
    public var pollSeconds = 20
    /// After how long on the fallback the preferred transport is tried again.
    public var preferredRetryInterval: Duration = .seconds(600)
    /// The least time between two reads of the room for what events do not tell.
    public var detailsInterval: Duration = .seconds(1)
    /// The most events that wait for the reader of the sequence; at this number the connection ends, and the rest is read again from the
    /// cursor later.
    public var bufferedEvents = 256
    /// The same in bytes of events.
    public var bufferedBytes = 4 << 20
    /// The most bytes of one event; the service sends at most 256 KiB.
    public var maximumEventBytes = 1 << 20
    /// The most bytes of one response.
    public var maximumResponseBytes = 4 << 20

    /// The defaults.
    public init() {}
}

/// A way to follow a room.
public enum RoomTransport: String, Hashable, Sendable, Codable, CaseIterable {
    /// One response that does not end (`text/event-stream`).
    case serverSentEvents
    /// One request after the other, each held by the service until there is something. Gets through proxies that buffer.
    case longPoll
}

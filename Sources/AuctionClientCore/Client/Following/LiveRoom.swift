/// A room that is followed: its updates, and what its connection does.
///
/// It connects when the first update is asked for, and ends when it is released or stopped.
public final class LiveRoom: Sendable {
    /// Identifier of the room that is followed.
    public let id: String
    private let follower: RoomFollower
    private let hub: StatusHub
    private let inbox: AsyncStream<RoomConnection.Input>.Continuation

    init(
        room: String, start: FollowStart, settings: ConnectionSettings, context: ClientContext, seed: UInt64
    ) {
        id = room
        let hub = StatusHub()
        let follower = RoomFollower(
            room: room, start: start, settings: settings, context: context, statuses: hub, seed: seed)
        let (stream, continuation) = AsyncStream.makeStream(of: RoomConnection.Input.self)
        self.hub = hub
        self.follower = follower
        inbox = continuation
        // One task, so that the app's wishes keep their order.
        Task { for await input in stream { await follower.feed(input) } }
    }

    deinit {
        inbox.yield(.stop)
        inbox.finish()
    }

    /// The room and what happens in it: first the room as it is, then every event exactly once and in order, each with the room after it.
    ///
    /// For one reader: two readers share the updates between them. A slow reader loses nothing; the connection waits for it.
    public var updates: RoomUpdates { RoomUpdates(room: self) }

    /// The connection's status now, then every change of it, for any number of readers. A slow reader misses changes in between, never
    /// the latest.
    public var statuses: AsyncStream<ConnectionStatus> { hub.stream() }

    /// What the connection does now.
    public var status: ConnectionStatus { hub.status }

    /// The latest state of the room; nil until it was read. May be ahead of a slow reader of `updates`.
    public var state: RoomState? { get async { await follower.state } }

    /// Connects without waiting for the first reader.
    public func start() { inbox.yield(.start) }

    /// Ends the connection for good; updates that have arrived can still be read.
    public func stop() { inbox.yield(.stop) }

    /// Closes the connection until `resume()`, for example while the app is in the background. The cursor stays.
    public func pause() { inbox.yield(.pause) }

    /// Connects again after `pause()`, and delivers what was missed; not before the time that the service asked to wait.
    public func resume() { inbox.yield(.resume) }

    /// The device has a network again, or another one: a pending attempt begins at once, and a silent connection is replaced.
    public func networkReturned() { inbox.yield(.networkReturned) }

    fileprivate func next() async throws(StopReason) -> RoomUpdate? { try await follower.next() }
}

/// The updates of a followed room, see `LiveRoom.updates`.
///
/// Iterating throws a `StopReason` if the connection ends for another reason than the app's wish or the archiving of the room.
public struct RoomUpdates: AsyncSequence, Sendable {
    public typealias Element = RoomUpdate

    let room: LiveRoom

    /// One reader of the updates.
    public func makeAsyncIterator() -> Iterator { Iterator(room: room) }

    /// Reads the updates; the room is followed as long as there is one.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let room: LiveRoom

        public mutating func next() async throws -> RoomUpdate? { try await room.next() }
    }
}

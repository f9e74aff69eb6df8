/// A room as far as it was followed: the cursor, the state there, and the updates that wait for the reader.
///
/// The cursor is the seq of the last event that was put into the buffer. An event at or before it is dropped, and one beyond the next is
/// a gap. So each event is buffered once, in order, whatever the network does.
struct FollowedRoom: Sendable {
    /// What became of an event.
    enum Outcome {
        /// It is in the buffer.
        case buffered
        /// It was there already.
        case repeated
        /// It is in the buffer, and none will follow.
        case archived
        case unreadable
        /// Another event was to come first.
        case gap(expected: Int64, received: Int64)
    }

    /// Attempts in a row whose service may lack the event at the cursor. A node that reads late catches up within seconds.
    private static let maximumBehind = 8
    /// Attempts in a row in which the same event may be unreadable. Damaged on the way, it is readable the next time.
    private static let maximumUnreadable = 3

    // The simulation's planted bugs set the next three.
    /// Seq of the last event that was buffered; nil until the room was read.
    var cursor: Int64?
    /// The room at the cursor, or further; nil until it was read.
    var state: RoomState?
    /// A room that was read and is ahead of the state. It becomes the state as soon as that has reached it.
    var ahead: RoomState?
    private var buffer: UpdateBuffer
    private var behind = 0
    private var unreadable: (seq: Int64, count: Int) = (0, 0)

    init(_ start: FollowStart, _ settings: ConnectionSettings) {
        if case .after(let seq) = start { cursor = max(0, seq) }
        buffer = UpdateBuffer(settings)
    }

    /// The event after which the service is to go on.
    var after: Int64 { cursor ?? 0 }

    // MARK: - The reader

    /// Updates that wait for the reader.
    var waitingUpdates: Int { buffer.count }
    /// How many updates more the buffer can take.
    var space: Int { buffer.space }
    var isFull: Bool { buffer.isFull }
    var isHalfEmpty: Bool { buffer.isHalfEmpty }

    mutating func takeUpdate() -> RoomUpdate? { buffer.take() }

    private mutating func update(_ state: RoomState) {
        self.state = state
        buffer.append(RoomUpdate(event: nil, state: state), bytes: 0)
    }

    // MARK: - Rooms that were read

    /// Takes the room with which following begins.
    /// - Returns: whether it has the event at the cursor. Another node may have that already.
    mutating func begin(with reading: RoomState) -> Bool {
        if let cursor, reading.seq < cursor { return false }
        cursor = cursor ?? reading.seq
        update(reading)
        return true
    }

    /// Takes a room that was read for its details.
    mutating func take(_ reading: RoomState, _ details: inout DetailsReading) {
        guard var state, reading.details.seq >= state.details.seq else { return }
        let reading = details.caughtUp(reading)
        if reading.seq >= state.seq {
            ahead = reading
            adoptIfReached()
        } else {
            state.details = reading.details
            update(state)
        }
    }

    /// Replaces the state by the room that was read, once both are at the same place: the state never has more than the events before it.
    private mutating func adoptIfReached() {
        guard let reading = ahead, let state, reading.seq <= state.seq else { return }
        ahead = nil
        guard reading.seq == state.seq else { return }
        var adopted = reading
        adopted.result = state.result
        adopted.isArchived = state.isArchived
        if adopted.item?.id == state.item?.id { adopted.itemLot = state.itemLot }
        if adopted != state { update(adopted) }
    }

    /// Takes the number of streams on the room, if it is one.
    mutating func take(viewers value: JSONValue?) {
        guard let viewers = value?.integer.flatMap(Int.init(exactly:)), var state, state.viewers != viewers else { return }
        state.viewers = viewers
        update(state)
    }

    // MARK: - Events

    /// Buffers an event if it is the next one.
    mutating func take(event json: JSONValue, bytes: Int, for follower: Follower, _ details: inout DetailsReading) -> Outcome {
        guard var state, let cursor else { return .repeated }
        if let seq = json["seq"]?.integer, seq <= cursor { return .repeated }
        let event: RoomEvent
        do throws(MalformedJSON) { event = try RoomEvent(json, currency: state.currency) } catch { return .unreadable }
        guard event.seq == cursor + 1 else { return .gap(expected: cursor + 1, received: event.seq) }
        self.cursor = event.seq
        if state.seq < event.seq {
            details.note(event, before: state, for: follower)
            state.apply(event)
        } else {
            state.followResult(event)
        }
        self.state = state
        buffer.append(RoomUpdate(event: event, state: state), bytes: bytes)
        adoptIfReached()
        if case .roomArchived = event.body { return .archived }
        return .buffered
    }

    // MARK: - Failures

    /// The service does not have the event at the cursor.
    /// - Returns: whether that is final.
    mutating func noteBehind() -> Bool {
        behind += 1
        return behind >= Self.maximumBehind
    }

    /// The service has the event at the cursor.
    mutating func noteCurrent() { behind = 0 }

    /// The next event could not be read.
    /// - Returns: its seq, if that is final; else nil.
    mutating func noteUnreadable() -> Int64? {
        let next = after + 1
        unreadable = unreadable.seq == next ? (next, unreadable.count + 1) : (next, 1)
        return unreadable.count >= Self.maximumUnreadable ? next : nil
    }
}

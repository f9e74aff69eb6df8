public import EventLog

/// What one turn of the sequencer wants made durable, with the answers that wait for it.
public struct Batch: Sendable {
    /// 1, 2, 3 … in the order of submission.
    public let id: Int
    public let rooms: [RoomBatch]
}

/// The part of a batch that concerns one room.
public struct RoomBatch: Sendable {
    public let append: RoomAppend
    /// The room after this batch.
    public let after: ReplayedRoom
    /// In the order they were decided.
    public let entries: [BatchEntry]
}

/// A decided command whose answer waits for the commit.
public struct BatchEntry: Sendable {
    public let request: CommandRequest
    public let answer: Answer
    public let effect: Effect

    /// What the command does, as it was decided.
    public enum Effect: Hashable, Sendable {
        /// It is refused; the answer only waits for the state that was seen to be confirmed.
        case refusal
        /// It is carried out and changes nothing: it waits for the same, and nothing of it is stored.
        case none
        case change
    }

    /// Whether it was carried out.
    public var isAccepted: Bool { effect != .refusal }
}

/// What became of one room's part of a batch.
public enum RoomVerdict: Hashable, Sendable {
    case appended(answerPositions: [Int64])
    case conflict
    /// Not now; only logs that nodes share say so.
    case deferred(AppendVerdict.Deferral)
    case failed(EventLogError)
}

/// An answer and where it goes.
public struct AddressedAnswer: Hashable, Sendable {
    public let reply: ReplyAddress
    public let answer: Answer

    public init(reply: ReplyAddress, answer: Answer) {
        self.reply = reply
        self.answer = answer
    }
}

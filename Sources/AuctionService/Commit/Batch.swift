package import AuctionDomain
package import EventLog

/// Everything one turn of the sequencer decided, with the responses that wait for its commit.
package struct Batch: Sendable {
    /// 1, 2, 3 … in order of submission.
    package let id: Int
    /// One part per room, in the order of their first change in the turn.
    package let rooms: [RoomBatch]
}

/// The part of a batch that concerns one room.
package struct RoomBatch: Sendable {
    /// The events and stored responses to append.
    package let append: RoomAppend
    /// The values of the events in `append`. Not part of them: readers keep recent events for long, and need only their bytes.
    package let decided: [Event]
    /// The room after this batch.
    package let after: ReplayedRoom
    /// The commands, in the order they were decided.
    package let entries: [BatchEntry]
}

/// A decided command whose response waits for the commit.
package struct BatchEntry: Sendable {
    /// The command and where its response goes.
    package let request: CommandRequest
    /// The response to send after the commit.
    package let response: CommandResponse
    /// What the command does to the room.
    package let effect: Effect

    /// What a command does, as it was decided.
    package enum Effect: Hashable, Sendable {
        /// Refused: the response waits only until the state it depends on is confirmed.
        case refusal
        /// Accepted without a change: the response waits for the same confirmation, and is not stored.
        case none
        case change
    }

    /// Whether the command was accepted.
    package var isAccepted: Bool { effect != .refusal }
}

/// The outcome of one room's part of a batch.
package enum RoomVerdict: Hashable, Sendable {
    case appended(responsePositions: [Int64])
    case conflict
    /// Not accepted now, to be retried; only shared logs defer.
    case deferred(AppendVerdict.Deferral)
    case failed(EventLogError)
}

/// A response and where it goes.
package struct AddressedResponse: Hashable, Sendable {
    /// The exchange that waits for the response.
    package let reply: ReplyAddress
    /// The encoded response.
    package let response: CommandResponse

    package init(reply: ReplyAddress, response: CommandResponse) {
        self.reply = reply
        self.response = response
    }
}

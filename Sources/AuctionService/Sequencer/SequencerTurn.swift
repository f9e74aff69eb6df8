import AuctionDomain
import DequeModule
import EventLog

/// What a sequencer has decided in the current turn, and the numbers of the batches that it has submitted.
struct SequencerTurn {
    /// Rooms with changes in this turn's batch, in the order of their first change.
    private var changed: [LoadedRoom] = []
    private var released: [AddressedResponse] = []
    /// Positions of stored responses whose keys were evicted, until there are enough for one directive.
    private var discarded: [Int64] = []
    private var directives: [Sequencer.Directive] = []
    /// Identifiers of the submitted batches whose verdicts are outstanding, in order.
    private var submitted: Deque<Int> = []
    /// The identifier of this turn's batch, if there will be one.
    private(set) var batch = 1

    /// Whether any room has changes in this turn's batch.
    var hasChanges: Bool { !changed.isEmpty }
    /// Whether verdicts of submitted batches are outstanding.
    var hasBatchesInFlight: Bool { !submitted.isEmpty }

    /// Adds a directive, after those of the turn so far.
    mutating func direct(_ directive: Sequencer.Directive) { directives.append(directive) }

    /// Adds a response that is sent when the turn ends.
    mutating func release(_ response: CommandResponse, to reply: ReplyAddress) {
        released.append(AddressedResponse(reply: reply, response: response))
    }

    /// Deletes stored responses, with others at a later time.
    mutating func discard(_ positions: [Int64]) { discarded += positions }

    /// Adds the room to the batch. Call it before the room's first change.
    mutating func willChange(_ room: LoadedRoom) {
        if room.pending == nil { changed.append(room) }
    }

    /// Adds a new room, which has its first change already.
    mutating func opened(_ room: LoadedRoom) { changed.append(room) }

    /// Takes the room out of the batch, because what was decided in it is void.
    mutating func remove(_ room: LoadedRoom) { changed.removeAll { $0 === room } }

    /// Empties the batch.
    mutating func removeAllChanges() { changed = [] }

    /// Notes the verdicts of a batch. Batches return in the order in which they were submitted.
    /// - Returns: false if this batch is not the next.
    mutating func returned(_ batch: Int) -> Bool {
        guard submitted.first == batch else { return false }
        submitted.removeFirst()
        return true
    }

    /// Ends the turn: everything decided in it becomes one batch.
    /// - Parameter discardedAtOnce: How many stored responses are deleted together.
    /// - Returns: The directives of this turn, in order.
    mutating func end(discardedAtOnce: Int) -> [Sequencer.Directive] {
        var parts: [RoomBatch] = []
        parts.reserveCapacity(changed.count)
        for room in changed {
            if let part = room.takePending() { parts.append(part) }
        }
        changed.removeAll(keepingCapacity: true)
        if !parts.isEmpty {
            directives.append(.submit(Batch(id: batch, rooms: parts)))
            submitted.append(batch)
            batch += 1
        }
        if !released.isEmpty {
            directives.append(.release(released))
            released = []
        }
        if discarded.count >= discardedAtOnce {
            directives.append(.discard(responses: discarded))
            discarded = []
        }
        defer { directives = [] }
        return directives
    }
}

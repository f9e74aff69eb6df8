package import AuctionDomain
import EventLog

/// Which sequencer gets an input. A process may have several, each on its own thread: every room is owned by one of them, chosen by its
/// identifier, and sequencers know nothing of each other. The order of a room's inputs stays, since all of them go to its owner.
package struct SequencerRouting: Hashable, Sendable {
    /// Number of sequencers; at least 1.
    package let count: Int

    package init(count: Int) { self.count = max(1, count) }

    /// The sequencer that owns a room, from 0.
    package func owner(of room: RoomID) -> Int { Int(UInt64(truncatingIfNeeded: room.bits) % UInt64(count)) }

    /// The sequencer that decided a batch, from 0.
    package func owner(of batch: Batch) -> Int { batch.rooms.first.map { owner(of: $0.append.room) } ?? 0 }

    /// The parts of an input, each with the sequencer that gets it.
    package func parts(of input: Sequencer.Input) -> [(sequencer: Int, input: Sequencer.Input)] {
        switch input {
        case .command(let request): [(owner(of: request.room), input)]
        case .ensureLoaded(let room, _, _), .refresh(let room, _, _), .loaded(let room, _), .snapshotFinished(let room, _),
            .caughtUp(let room, _):
            [(owner(of: room), input)]
        case .completed(let batch, _): [(owner(of: batch), input)]
        case .tick, .sweep, .extendDeadlines, .logFailed, .stop: (0..<count).map { ($0, input) }
        // To those without a room too: a recovery is over once all of them have finished, see `JointRecovery`.
        case .recover(let rooms): (0..<count).map { index in (index, .recover(rooms.filter { owner(of: $0.room) == index })) }
        case .presence(let changes): split(changes, by: \.room).map { ($0, .presence($1)) }
        case .remotePresence(let reports): split(reports, by: \.room).map { ($0, .remotePresence($1)) }
        case .lagging(let marks): split(marks, by: \.room).map { ($0, .lagging($1)) }
        case .expired(let rooms): split(rooms, by: \.self).map { ($0, .expired($1)) }
        case .pruned(let rooms): split(rooms, by: \.self).map { ($0, .pruned($1)) }
        }
    }

    /// The elements that concern each sequencer's rooms, in order; nothing for those that none concern.
    private func split<Element>(_ elements: [Element], by room: (Element) -> RoomID) -> [(sequencer: Int, elements: [Element])]
    {
        (0..<count).compactMap { index in
            let own = elements.filter { owner(of: room($0)) == index }
            return own.isEmpty ? nil : (index, own)
        }
    }
}

/// How a recovery has ended, or one sequencer's part of it.
package enum RecoveryResult: Hashable, Sendable {
    /// Every deadline that had to be is extended.
    case complete
    /// Those of these rooms are not, and the recovery has to be repeated for them.
    case unfinished(Set<RoomID>)
    /// A room could not be read, or the log took no appends, so the time that any room has got may be of no use: the recovery has to be
    /// repeated for all.
    case failed

    /// - Parameter unfinished: The rooms whose deadlines could not be extended; may be empty.
    init(unfinished: Set<RoomID>) { self = unfinished.isEmpty ? .complete : .unfinished(unfinished) }

    /// The result of two parts together.
    func joined(with other: RecoveryResult) -> RecoveryResult {
        switch (self, other) {
        case (.failed, _), (_, .failed): .failed
        case (.complete, _): other
        case (_, .complete): self
        case (.unfinished(let rooms), .unfinished(let others)): .unfinished(rooms.union(others))
        }
    }

    /// Whether the recovery has to be repeated for a room.
    func isUnfinished(_ room: RoomID) -> Bool {
        switch self {
        case .complete: false
        case .unfinished(let rooms): rooms.contains(room)
        case .failed: true
        }
    }
}

/// A recovery that all sequencers of a process begin together. Deadlines are extended once the last of them has read its rooms, and the
/// recovery is over once the last of them has finished. The next one begins only after that, see `NodeTasks`.
package struct JointRecovery: Sendable {
    private let count: Int
    private var read = 0
    private var finished = 0
    private var result = RecoveryResult.complete

    /// - Parameter count: Number of sequencers.
    package init(of count: Int) { self.count = count }

    /// One sequencer has read its rooms.
    /// - Returns: Whether it was the last one.
    package mutating func partRead() -> Bool {
        read += 1
        guard read == count else { return false }
        read = 0
        return true
    }

    /// One sequencer has finished its part.
    /// - Returns: The result of all parts; nil while others have not finished.
    package mutating func partFinished(_ part: RecoveryResult) -> RecoveryResult? {
        finished += 1
        result = result.joined(with: part)
        guard finished == count else { return nil }
        defer { self = JointRecovery(of: count) }
        return result
    }
}

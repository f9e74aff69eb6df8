import AuctionDomain
import EventLog
import Testing

extension RoomPruning {
    /// Prunes all rooms that may be, and deletes all rows of theirs.
    @discardableResult
    func pruneAll(
        _ rule: PruningRule, isDryRun: Bool = false, limit: Int = 2, report: (RoomID) -> Void = { _ in }
    ) throws -> PrunedRooms {
        var pass = PruningPass()
        while !pass.isAtEnd { for room in try pass.step(rule, on: self, limit: limit, isDryRun: isDryRun) { report(room) } }
        while try deletePrunedRows() {}
        return pass.result
    }
}

extension LogBackEnd {
    fileprivate func withPruningLog(_ body: (any RoomPruning) throws -> Void) throws {
        try withLog { log throws in try body(#require(log as? any RoomPruning)) }
    }
}

extension LogConformance {
    private static let rule = PruningRule(cutoff: Samples.after(1_000_000))

    private static func archived(_ number: UInt64, in log: any EventLog, events: Int = 3) throws -> SampleRoom {
        var room = try log.create(SampleRoom(number))
        room.status = Samples.status(archived: true)
        try log.commit(room.next(events - 1))
        return room
    }

    private static func feed(_ log: any EventLog, after position: FeedPosition = .beginning, overPruned: Bool = false) throws
        -> [FeedEvent]?
    {
        guard case .events(let events) = try log.feed(after: position, limit: 99, overPruned: overPruned) else { return nil }
        return events
    }

    @Test(arguments: LogBackEnd.all)
    func `a pruned room is not found, and its feed begins after it`(_ backEnd: LogBackEnd) throws {
        try backEnd.withPruningLog { log throws in
            let old = try Self.archived(1, in: log)
            let stays = try log.create(SampleRoom(2))
            let kept = try Self.archived(3, in: log)
            let newest = try Self.archived(4, in: log)
            try log.maintain()
            _ = try log.feedEnd()
            for _ in 0..<12 { try log.maintain() }
            let before = try #require(try Self.feed(log))
            var rule = Self.rule
            rule.kept = [kept.id]
            #expect(try log.prunedEnd() == .beginning)
            let result = try log.pruneAll(rule)
            #expect(result.rooms == 1 && result.events == 3 && result.unread == 1 && result.damaged == 0)
            #expect(try log.load(old.id, responsesSince: Samples.noon) == nil && log.seqs(old.id) == [])
            for room in [stays, kept, newest] { #expect(try log.seqs(room.id).count == room.head.seq) }
            let last = try #require(before.lastIndex { $0.room == old.id })
            #expect(try log.prunedEnd() == before[last].position)
            for index in before.indices {
                let rest = Array(before[(index + 1)...]).filter { $0.room != old.id }
                #expect(try Self.feed(log, after: before[index].position) == (index < last ? nil : rest), "\(index)")
                #expect(
                    try Self.feed(log, after: before[index].position, overPruned: true) == rest, "\(index), over what is gone")
            }
            #expect(try Self.feed(log) == before.filter { $0.room != old.id })
            let wrong = FeedPosition(number: try log.feedEnd().number, hash: 1)
            #expect(try Self.feed(log, after: wrong, overPruned: true) == nil)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `an append to a pruned room conflicts, and a room that has changed is not pruned`(_ backEnd: LogBackEnd) throws {
        try backEnd.withPruningLog { log throws in
            var (first, second) = (try Self.archived(1, in: log), try Self.archived(2, in: log))
            try log.create(SampleRoom(3))
            _ = try log.feedEnd()
            for _ in 0..<12 { try log.maintain() }
            let found = try log.prunableRooms(before: Self.rule.cutoff, after: 0, limit: 9)
            #expect(found.map(\.id) == [first.id, second.id])
            try #require(found.count == 2)
            #expect(try log.prunableRooms(before: Self.rule.cutoff, after: found[0].number, limit: 9) == [found[1]])
            #expect(try log.prunableRooms(before: Samples.noon, after: 0, limit: 9) == [])
            try log.commit(second.next())
            #expect(try log.prune(found[1]) == false)
            #expect(try log.prune(found[0]))
            #expect(try log.prune(found[0]) == false)
            guard case .conflict(let actual) = try log.append([first.next()])[0] else { throw ScenarioError() }
            #expect(actual == .none)
            #expect(try log.seqs(first.id) == [] && log.seqs(second.id).count == 4)
            // Its identifier may be used again, as that of a room which is opened with the same key.
            try log.create(SampleRoom(1))
            while try log.deletePrunedRows() {}
            #expect(try log.seqs(first.id) == [1])
        }
    }
}

private struct ScenarioError: Error {}

import AuctionDomain
import EventLog
import Testing

/// The log that is broken on purpose, and shows it.
@Suite struct InMemoryFaults {
    @Test func `the next append fails and only that one`() throws {
        let log = InMemoryEventLog()
        var room = try log.create(SampleRoom(1))
        let committed = room
        log.failNextAppend(with: EventLogError(.io, "the disk is on fire"))
        let error = #expect(throws: EventLogError.self) { try log.commit(room.next()) }
        #expect(error == EventLogError(.io, "the disk is on fire"))
        #expect(try log.seqs(room.id) == [1])
        room = committed
        try log.commit(room.next())
    }

    @Test func `a failed append may have been committed all the same`() throws {
        let log = InMemoryEventLog()
        var room = try log.create(SampleRoom(1))
        log.failNextAppend(with: EventLogError(.outcomeUnknown, "no reply"), afterCommitting: true)
        let error = #expect(throws: EventLogError.self) { try log.commit(room.next()) }
        #expect(error?.code == .outcomeUnknown)
        #expect(try log.seqs(room.id) == [1, 2])
    }

    @Test func `a poisoned room fails every batch that holds it, and only those`() throws {
        let log = InMemoryEventLog()
        let bad = try log.create(SampleRoom(1))
        let good = try log.create(SampleRoom(2))
        log.poison(room: bad.id)
        for _ in 0..<2 {
            var (first, second) = (bad, good)
            let error = #expect(throws: EventLogError.self) { try log.append([second.next(), first.next()]) }
            #expect(error?.code == .statement)
            #expect(try log.seqs(good.id) == [1])
        }
        var room = good
        try log.commit(room.next())
    }

    @Test func `a losing log acknowledges what it does not keep`() throws {
        let log = InMemoryEventLog(losesEvery: 3)
        var kept = 0
        for number in 1...9 {
            var room = SampleRoom(UInt64(number))
            #expect(try log.append([room.next(answers: [Samples.answer(1)])]).first != .conflict(actual: .none))
            try log.commit(room.comparison(with: log.load(room.id, answersSince: Samples.noon)?.head ?? .none))
            if try log.seqs(room.id) == [1] { kept += 1 }
        }
        #expect(kept == 6)
    }
}

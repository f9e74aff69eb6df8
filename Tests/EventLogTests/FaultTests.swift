import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

/// The faults that can be injected into the in-memory log.
@Suite struct InMemoryFaults {
    @Test func `an injected error fails only the next append`() throws {
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

    @Test func `a failed append is committed if only its reply is lost`() throws {
        let log = InMemoryEventLog()
        var room = try log.create(SampleRoom(1))
        log.failNextAppend(with: EventLogError(.outcomeUnknown, "no reply"), afterCommitting: true)
        let error = #expect(throws: EventLogError.self) { try log.commit(room.next()) }
        #expect(error?.code == .outcomeUnknown)
        #expect(try log.seqs(room.id) == [1, 2])
    }

    @Test func `a poisoned room fails exactly the batches that contain it`() throws {
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

    @Test func `a log that loses every third append acknowledges it nevertheless`() throws {
        let log = InMemoryEventLog(losesEvery: 3)
        var kept = 0
        for number in 1...9 {
            var room = SampleRoom(UInt64(number))
            #expect(try log.append([room.next(responses: [Samples.response(1)])]).first != .conflict(actual: .none))
            try log.commit(room.comparison(with: log.load(room.id, responsesSince: Samples.noon)?.head ?? .none))
            if try log.seqs(room.id) == [1] { kept += 1 }
        }
        #expect(kept == 6)
    }
}

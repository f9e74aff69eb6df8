import AuctionTestKit
import EventLog
import Synchronization
import Testing

@testable import AuctionServer

/// A log that counts how often its feed is read.
final class CountedLog: ForwardingEventLog {
    let forwarded: any EventLog
    let readings = Atomic<Int>(0)

    init(_ log: any EventLog) { forwarded = log }

    func scanFeed(_ query: FeedQuery) throws(EventLogError) -> FeedScan {
        readings.add(1, ordering: .relaxed)
        return try forwarded.scanFeed(query)
    }
}

/// What several readers of the feed that wait for events cost the log.
struct FeedTailTests {
    private let world: WebhookWorld
    private let log: CountedLog
    private let tail: FeedTail

    init() throws {
        world = try WebhookWorld()
        log = CountedLog(world.log)
        tail = FeedTail(of: log, clock: world.clock)
    }

    private var readings: Int { log.readings.load(ordering: .relaxed) }

    /// Reads what follows a position, as one who waits.
    private func read(_ filter: FeedFilter = FeedFilter(), after position: FeedPosition, limit: Int = 100) throws -> FeedBatch {
        try log.batch(after: position, limit: limit, filter, in: tail.view())
    }

    @Test func `those who want the same types read the log once, and others by themselves`() throws {
        let sales = FeedFilter(types: ["item.sold"])
        var positions = Array(repeating: FeedPosition.beginning, count: 5)
        for round in 1...3 {
            try world.append(4)
            let end = try log.feedEnd()
            for index in positions.indices {
                let batch = try read(sales, after: positions[index])
                #expect(batch.isEmpty && !batch.more && batch.next == end)
                positions[index] = batch.next
            }
            #expect(readings == round)
        }
        #expect(try read(after: .beginning).events.count == 12)
        #expect(readings == 4)
    }

    @Test func `one that is behind goes through what another has read, and gets each event once`() throws {
        var ahead = FeedPosition.beginning
        for _ in 1...5 {
            try world.append(3)
            ahead = try read(after: ahead).next
        }
        #expect(readings == 5)
        var read: [FeedEvent] = []
        var position = FeedPosition.beginning
        while position != ahead {
            let batch = try self.read(after: position)
            read += batch.events
            position = batch.next
        }
        #expect(read.map(\.event.seq) == Array(1...15))
    }

    @Test func `after a second it is read again, as a name may have been erased`() throws {
        try world.append(3)
        _ = try read(after: .beginning)
        world.clock.advance(milliseconds: 999)
        _ = try read(after: .beginning)
        #expect(readings == 1)
        world.clock.advance(milliseconds: 1)
        _ = try read(after: .beginning)
        #expect(readings == 2)
    }

    @Test func `32 readings are kept, and none of more than a quarter of a mebibyte`() throws {
        try world.append(40)
        for limit in 1...33 { _ = try read(after: .beginning, limit: limit) }
        #expect(readings == 33)
        _ = try read(after: .beginning, limit: 33)
        #expect(readings == 33)
        _ = try read(after: .beginning, limit: 1)
        #expect(readings == 34, "all before the last one are forgotten")
        let end = try log.feedEnd()
        try world.append(6, bytes: 50_000)
        for _ in 1...2 { _ = try read(after: end) }
        #expect(readings == 36)
    }

    @Test func `a position from before a pruning is checked by the log`() throws {
        try world.append(3)
        for overPruned in [false, true] {
            _ = try log.batch(after: .beginning, limit: 9, FeedFilter(), overPruned: overPruned, in: tail.view())
        }
        #expect(readings == 1, "nothing was pruned")
        let old = FeedPosition(number: 0, hash: 0, pruning: 1)
        _ = try log.batch(after: old, limit: 9, FeedFilter(), in: tail.view())
        #expect(readings == 2)
    }
}

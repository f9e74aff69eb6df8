import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// What readers find of a room in memory, and behind it in the log.
struct CommittedRoomTests {
    private let auction = Auction()

    /// The room of an auction at every seq, and the log that made it.
    private func history() throws -> (log: InMemoryEventLog, events: [StoredEvent], rooms: [Room]) {
        let harness = try ServiceHarness()
        auction.open(harness)
        let events = try harness.log.events(of: Auction.room, after: 0, limit: .max)
        var rooms: [Room] = []
        for event in events {
            let decoded = try EventCodec.decode(event, after: rooms.last)
            var room = try #require(rooms.last ?? Room(id: Auction.room, opening: decoded))
            if !rooms.isEmpty { try room.apply(decoded) }
            rooms.append(room)
        }
        return (harness.log, events, rooms)
    }

    /// Found by simulation: the reader was told of an event between its commit and its publication, asked for what comes
    /// after it, and was refused.
    @Test func `a page from the log ends where the published room does`() throws {
        let (log, events, rooms) = try history()
        let published = CommittedRooms(recentLimit: 1).publish(rooms[4], Array(events[4...4]))
        let page = try published.older(after: 2, upTo: published.view.room.seq, limit: 100, from: log)
        #expect(page.events.map(\.seq) == [3, 4, 5])
        #expect(!page.more)
        let first = try published.older(after: 2, upTo: published.view.room.seq, limit: 2, from: log)
        #expect(first.events.map(\.seq) == [3, 4])
        #expect(first.more)
    }

    /// Who was allowed to see the room as it was then may have been banned before the page was read.
    @Test func `a page from the log ends where its reader was last allowed to see the room`() throws {
        let (log, events, rooms) = try history()
        let all = CommittedRooms(recentLimit: 1)
        let published = all.publish(rooms[3], Array(events[3...3]))
        let seen = published.view.room.seq
        _ = all.publish(rooms[5], Array(events[4...5]))
        let page = try published.older(after: 1, upTo: seen, limit: 100, from: log)
        #expect(page.events.map(\.seq) == [2, 3, 4])
        #expect(!page.more)
    }

    /// Found by simulation: with two writers the ring kept a hole, and a reader behind it trapped.
    @Test func `events that another writer appended are found in the log, not skipped`() throws {
        let (_, events, rooms) = try history()
        let all = CommittedRooms(recentLimit: 100)
        let room = all.publish(rooms[2], Array(events[0...2]))
        // Read anew after a lost race: the events in between were somebody else's.
        _ = all.publish(rooms[4], [])
        for seq in 0...3 {
            guard case .tooOld = room.recent(after: seq, limit: 100) else {
                Issue.record("after \(seq) memory pretends to know")
                continue
            }
        }
        _ = all.publish(rooms[5], Array(events[5...5]))
        guard case .events(let next, _) = room.recent(after: 5, limit: 100) else {
            Issue.record("the newest event is not in memory")
            return
        }
        #expect(next.map(\.seq) == [6])
    }
}

import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// What readers get of a room from memory, and from the log beyond that.
struct CommittedRoomTests {
    private let auction = Auction()

    /// The room of an auction at every sequence number, and the log that has it.
    private func history() throws -> (log: InMemoryEventLog, events: [StoredEvent], rooms: [Room]) {
        let harness = try auction.opened()
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

    /// Found by simulation: a reader got an event between its commit and its publication, resumed after it, and was refused.
    @Test func `a page from the log ends at the published room's last event`() throws {
        let (log, events, rooms) = try history()
        let published = CommittedRooms(recentLimit: 1).publish(rooms[4], Array(events[4...4]))
        let page = try published.eventsFromLog(after: 2, upTo: published.view.room.seq, limit: 100, from: log)
        #expect(page.events.map(\.seq) == [3, 4, 5])
        #expect(!page.more)
        let first = try published.eventsFromLog(after: 2, upTo: published.view.room.seq, limit: 2, from: log)
        #expect(first.events.map(\.seq) == [3, 4])
        #expect(first.more)
    }

    /// A reader may have been banned between the access check and the read of the page.
    @Test func `a page from the log ends at the event where the reader's access was checked`() throws {
        let (log, events, rooms) = try history()
        let all = CommittedRooms(recentLimit: 1)
        let published = all.publish(rooms[3], Array(events[3...3]))
        let seen = published.view.room.seq
        _ = all.publish(rooms[5], Array(events[4...5]))
        let page = try published.eventsFromLog(after: 1, upTo: seen, limit: 100, from: log)
        #expect(page.events.map(\.seq) == [2, 3, 4])
        #expect(!page.more)
    }

    /// Found by simulation: with two writers the recent events had a gap, and a reader before it trapped.
    @Test func `events of another writer are read from the log, not skipped`() throws {
        let (_, events, rooms) = try history()
        let all = CommittedRooms(recentLimit: 100)
        let room = all.publish(rooms[2], Array(events[0...2]))
        // Read again after a conflict: the events in between are another writer's.
        _ = all.publish(rooms[4], [])
        for seq in 0...3 {
            guard case .tooOld = room.recent(after: seq, limit: 100) else {
                Issue.record("memory returns events after \(seq) despite the gap")
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

    @Test func `all events of the newest publication stay in memory for the subscribers that read them`() throws {
        let (_, events, rooms) = try history()
        let all = CommittedRooms(recentLimit: 2)
        let room = all.publish(rooms[4], Array(events[0...4]))
        guard case .events(let page, false) = room.recent(after: 0, limit: 9) else {
            Issue.record("not all")
            return
        }
        #expect(page.map(\.seq) == [1, 2, 3, 4, 5])
        _ = all.publish(rooms[5], Array(events[5...5]))
        guard case .tooOld = room.recent(after: 3, limit: 9), case .events = room.recent(after: 4, limit: 9) else {
            Issue.record("not the last two")
            return
        }
    }

    @Test func `a room keeps recent events up to its byte limit, at least the last one`() throws {
        let (_, events, rooms) = try history()
        let sizes = events.map(\.byteCount)
        let all = CommittedRooms(recentLimit: 100, recentBytesPerRoom: sizes[3] + sizes[4])
        let room = all.publish(rooms[4], Array(events[0...4]))
        #expect(all.recentBytes == sizes[3] + sizes[4])
        guard case .tooOld = room.recent(after: 2, limit: 9), case .events(let last, false) = room.recent(after: 3, limit: 9)
        else {
            Issue.record("not the last two")
            return
        }
        #expect(last.map(\.seq) == [4, 5])
        let tight = CommittedRooms(recentLimit: 100, recentBytesPerRoom: 1)
        let other = tight.publish(rooms[4], Array(events[0...4]))
        guard case .events(let only, false) = other.recent(after: 4, limit: 9) else {
            Issue.record("not the last one")
            return
        }
        #expect(only.map(\.seq) == [5])
    }

    @Test func `a page is bounded in bytes, and has at least one event`() throws {
        let (_, events, rooms) = try history()
        let room = CommittedRooms(recentLimit: 100).publish(rooms[4], Array(events[0...4]))
        let two = events[0].byteCount + events[1].byteCount
        for (bytes, seqs) in [(two, [1, 2]), (two - 1, [1]), (0, [1]), (.max, [1, 2, 3, 4, 5])] {
            guard case .events(let page, let more) = room.recent(after: 0, limit: 9, bytes: bytes) else {
                Issue.record("nothing with \(bytes)")
                continue
            }
            #expect(page.map(\.seq) == seqs)
            #expect(more == (seqs.count < 5))
        }
    }

    @Test func `given more recent bytes than the limit of all rooms, the room idle for longest drops its events`() throws {
        let (_, events, rooms) = try history()
        let size = events[0].byteCount
        func opening(_ number: UInt64) throws -> Room {
            try #require(Room(id: RoomID(bits: UInt128(number)), opening: EventCodec.decode(events[0], after: nil)))
        }
        let all = CommittedRooms(recentLimit: 100, recentBytes: 3 * size)
        func keeps(_ room: CommittedRoom) -> Bool {
            if case .events = room.recent(after: 0, limit: 9) { true } else { false }
        }
        let kept = try (1...3).map { all.publish(try opening($0), [events[0]]) }
        #expect(kept.allSatisfy(keeps))
        #expect(all.recentBytes == 3 * size)
        let fourth = all.publish(try opening(4), [events[0]])
        #expect(keeps(fourth))
        #expect(all.recentBytes == 3 * size)
        #expect(kept.map(keeps).count { $0 } == 2)
        // An unloaded room frees its bytes, and many loads and unloads leak none.
        for room in kept { all.remove(room.id) }
        #expect(all.recentBytes == size)
        for number in 10..<500 as Range<UInt64> {
            let room = all.publish(try opening(number), [events[0]])
            all.remove(room.id)
        }
        #expect(all.recentBytes == size)
        #expect(keeps(fourth))
        _ = rooms
    }

    @Test func `rooms that left memory are released at once, however many remain`() throws {
        let (_, events, _) = try history()
        let all = CommittedRooms(recentLimit: 100)
        func publish(_ number: UInt128) throws -> CommittedRoom {
            let room = try #require(Room(id: RoomID(bits: number), opening: EventCodec.decode(events[0], after: nil)))
            return all.publish(room, [events[0]])
        }
        let remaining = try (1...10).map { try publish($0) }
        for number in 11..<100 as Range<UInt128> {
            weak let room = try publish(number)
            all.remove(RoomID(bits: number))
            #expect(room == nil)
        }
        #expect(remaining.allSatisfy { all[$0.id] === $0 })
    }

    /// Found by simulation: every simulated process that had ended was kept with its rooms.
    @Test func `rooms are released with the collection that has them`() throws {
        let (_, events, rooms) = try history()
        var all: CommittedRooms? = CommittedRooms(recentLimit: 100)
        weak let room = all?.publish(rooms[4], Array(events[0...4]))
        #expect(room != nil)
        all = nil
        #expect(room == nil)
    }

    private final class Encoded: Sendable {}

    @Test func `readers of the same page share its encoding, as long as one of them retains it`() throws {
        let (_, events, rooms) = try history()
        let room = CommittedRooms(recentLimit: 100).publish(rooms[4], Array(events[0...4]))
        var made = 0
        func page(_ after: Int, _ last: Int) -> Encoded {
            room.page(.init(after: after, last: last, more: false)) {
                made += 1
                return Encoded()
            }
        }
        var first: Encoded? = page(0, 5)
        #expect(page(0, 5) === first)
        #expect(page(1, 5) !== first)
        #expect(made == 2)
        first = nil
        _ = page(0, 5)
        #expect(made == 3)
    }
}

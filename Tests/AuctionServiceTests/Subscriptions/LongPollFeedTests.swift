import AuctionDomain
import AuctionService
import EventLog
import Testing

struct LongPollFeedTests {
    private let room = RoomID(bits: 1)
    private let now = Now(wall: Timestamp(milliseconds: 0), monotonic: 0)

    private func event(_ seq: Int) -> StoredEvent {
        StoredEvent(
            seq: seq, at: Timestamp(milliseconds: 0), type: "bid.placed", publicBytes: Array("{\(seq)}".utf8),
            privateBytes: nil, hash: .zero)
    }

    private func waiter(_ exchange: UInt64, after: Int, limit: Int = 100, deadline: Int64 = 1000) -> LongPollFeed.Waiter {
        LongPollFeed.Waiter(exchange: exchange, room: room, after: after, limit: limit, deadline: deadline)
    }

    @Test func `polls at the same position get one response together`() {
        var feed = LongPollFeed()
        for exchange in 1...3 { _ = feed.handle(.hold(waiter(UInt64(exchange), after: 5)), now: now) }
        _ = feed.handle(.hold(waiter(4, after: 5, limit: 1)), now: now)
        let releases = feed.handle(.published(room, [event(6), event(7)]), now: now)
        #expect(releases.map(\.exchanges) == [[1, 2, 3], [4]])
        #expect(releases.map { $0.events.map(\.seq) } == [[6, 7], [6]])
        #expect(releases.map(\.more) == [false, true])
        #expect(feed.count == 0)
    }

    @Test func `events that a poll has received already do not release it`() {
        var feed = LongPollFeed()
        _ = feed.handle(.hold(waiter(1, after: 7)), now: now)
        #expect(feed.handle(.published(room, [event(6), event(7)]), now: now).isEmpty)
        #expect(feed.handle(.published(room, [event(7), event(8)]), now: now).first?.events.map(\.seq) == [8])
    }

    @Test func `events of another room release no poll`() {
        var feed = LongPollFeed()
        _ = feed.handle(.hold(waiter(1, after: 0)), now: now)
        #expect(feed.handle(.published(RoomID(bits: 2), [event(1)]), now: now).isEmpty)
    }

    @Test func `a poll is answered without events after its timeout`() {
        var feed = LongPollFeed()
        _ = feed.handle(.hold(waiter(1, after: 5, deadline: 2000)), now: now)
        _ = feed.handle(.hold(waiter(2, after: 5, deadline: 1000)), now: now)
        #expect(feed.nextTick == 1000)
        let releases = feed.handle(.tick, now: Now(wall: now.wall, monotonic: 1500))
        #expect(releases.map(\.exchanges) == [[2]])
        #expect(releases.first?.events.isEmpty == true)
        #expect(releases.first?.after == 5)
        #expect(feed.nextTick == 2000)
    }

    @Test func `a disconnected poll is removed`() {
        var feed = LongPollFeed()
        _ = feed.handle(.hold(waiter(1, after: 5)), now: now)
        _ = feed.handle(.gone(exchange: 1, room), now: now)
        #expect(feed.handle(.published(room, [event(6)]), now: now).isEmpty)
        #expect(feed.handle(.tick, now: Now(wall: now.wall, monotonic: 5000)).isEmpty)
        #expect(feed.nextTick == nil)
    }

    @Test func `a poll before a gap of another node's events is answered without events`() {
        var feed = LongPollFeed()
        _ = feed.handle(.hold(waiter(1, after: 5)), now: now)
        let releases = feed.handle(.published(room, [event(8), event(9)]), now: now)
        #expect(releases.map(\.exchanges) == [[1]])
        #expect(releases.first?.events.isEmpty == true)
        #expect(releases.first?.more == true)
        #expect(feed.count == 0)
    }

    @Test func `draining answers every poll`() {
        var feed = LongPollFeed()
        for exchange in 1...3 { _ = feed.handle(.hold(waiter(UInt64(exchange), after: exchange)), now: now) }
        #expect(feed.handle(.drain, now: now).map(\.exchanges) == [[1], [2], [3]])
        #expect(feed.count == 0)
    }
}

import AuctionDomain
import AuctionService
import EventLog
import Testing

struct FeedTests {
    private let room = RoomID(bits: 1)
    private let now = Now(wall: Timestamp(milliseconds: 0), monotonic: 0)

    private func event(_ seq: Int) -> StoredEvent {
        StoredEvent(
            seq: seq, at: Timestamp(milliseconds: 0), type: "bid.placed", publicBytes: Array("{\(seq)}".utf8),
            privateBytes: nil, hash: .zero)
    }

    private func waiter(_ exchange: UInt64, after: Int, limit: Int = 100, deadline: Int64 = 1000) -> Feed.Waiter {
        Feed.Waiter(exchange: exchange, room: room, after: after, limit: limit, deadline: deadline)
    }

    @Test func `those who wait for the same get one answer together`() {
        var feed = Feed()
        for exchange in 1...3 { _ = feed.handle(.hold(waiter(UInt64(exchange), after: 5)), now: now) }
        _ = feed.handle(.hold(waiter(4, after: 5, limit: 1)), now: now)
        let releases = feed.handle(.published(room, [event(6), event(7)]), now: now)
        #expect(releases.map(\.exchanges) == [[1, 2, 3], [4]])
        #expect(releases.map { $0.events.map(\.seq) } == [[6, 7], [6]])
        #expect(releases.map(\.more) == [false, true])
        #expect(feed.count == 0)
    }

    @Test func `events somebody has seen do not wake them`() {
        var feed = Feed()
        _ = feed.handle(.hold(waiter(1, after: 7)), now: now)
        #expect(feed.handle(.published(room, [event(6), event(7)]), now: now).isEmpty)
        #expect(feed.handle(.published(room, [event(7), event(8)]), now: now).first?.events.map(\.seq) == [8])
    }

    @Test func `events of another room wake nobody`() {
        var feed = Feed()
        _ = feed.handle(.hold(waiter(1, after: 0)), now: now)
        #expect(feed.handle(.published(RoomID(bits: 2), [event(1)]), now: now).isEmpty)
    }

    @Test func `when the wait is over there is an answer with nothing`() {
        var feed = Feed()
        _ = feed.handle(.hold(waiter(1, after: 5, deadline: 2000)), now: now)
        _ = feed.handle(.hold(waiter(2, after: 5, deadline: 1000)), now: now)
        #expect(feed.nextTick == 1000)
        let releases = feed.handle(.tick, now: Now(wall: now.wall, monotonic: 1500))
        #expect(releases.map(\.exchanges) == [[2]])
        #expect(releases.first?.events.isEmpty == true)
        #expect(releases.first?.after == 5)
        #expect(feed.nextTick == 2000)
    }

    @Test func `whoever hung up is forgotten`() {
        var feed = Feed()
        _ = feed.handle(.hold(waiter(1, after: 5)), now: now)
        _ = feed.handle(.gone(exchange: 1, room), now: now)
        #expect(feed.handle(.published(room, [event(6)]), now: now).isEmpty)
        #expect(feed.handle(.tick, now: Now(wall: now.wall, monotonic: 5000)).isEmpty)
        #expect(feed.nextTick == nil)
    }

    @Test func `nobody is handed events beyond a gap that another writer made`() {
        var feed = Feed()
        _ = feed.handle(.hold(waiter(1, after: 5)), now: now)
        let releases = feed.handle(.published(room, [event(8), event(9)]), now: now)
        #expect(releases.map(\.exchanges) == [[1]])
        #expect(releases.first?.events.isEmpty == true)
        #expect(releases.first?.more == true)
        #expect(feed.count == 0)
    }

    @Test func `at the end everybody is answered`() {
        var feed = Feed()
        for exchange in 1...3 { _ = feed.handle(.hold(waiter(UInt64(exchange), after: exchange)), now: now) }
        #expect(feed.handle(.drain, now: now).map(\.exchanges) == [[1], [2], [3]])
        #expect(feed.count == 0)
    }
}

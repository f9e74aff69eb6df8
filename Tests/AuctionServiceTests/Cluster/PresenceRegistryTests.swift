import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

struct PresenceRegistryTests {
    private let auction = Auction()
    private let second: Int64 = 1_000_000_000
    private var registry = PresenceRegistry()

    private func room() throws -> Room {
        let harness = try auction.opened()
        return try #require(try harness.storedRoom(Auction.room))
    }

    private func stream(of person: Person, open: Bool = true) -> PresenceChange {
        PresenceChange(room: Auction.room, user: person.id, isPresent: open, at: 0)
    }

    /// The report published now.
    private mutating func publish(_ room: Room?, watchers: Int, at monotonic: Int64) -> RoomPresenceReport? {
        let report = registry.report(of: Auction.room, room, watchers: watchers, at: monotonic)
        if let report { registry.markPublished([report], at: monotonic) }
        return report
    }

    @Test mutating func `a report counts all watchers, and names only users that the room depends on`() throws {
        let room = try room()
        registry.record([stream(of: auction.host), stream(of: auction.bidder), stream(of: auction.auctioneer)])
        let report = publish(room, watchers: 5, at: 0)
        #expect(report == RoomPresenceReport(room: Auction.room, count: 5, people: [auction.host.id, auction.auctioneer.id]))
        #expect(publish(room, watchers: 5, at: 1) == nil, "nothing has changed")
    }

    @Test mutating func `a changed count is reported every two seconds at most, changed users at once`() throws {
        let room = try room()
        registry.record([stream(of: auction.host)])
        #expect(publish(room, watchers: 1, at: 0) != nil)
        #expect(publish(room, watchers: 2, at: 2 * second - 1) == nil)
        #expect(publish(room, watchers: 2, at: 2 * second)?.count == 2)
        registry.record([stream(of: auction.host, open: false)])
        #expect(publish(room, watchers: 1, at: 2 * second + 1)?.people == [])
    }

    @Test mutating func `a user is absent once their streams on all loops are closed`() throws {
        let room = try room()
        registry.record([stream(of: auction.host), stream(of: auction.host), stream(of: auction.host, open: false)])
        #expect(publish(room, watchers: 1, at: 0)?.people == [auction.host.id])
        registry.record([stream(of: auction.host, open: false)])
        #expect(publish(room, watchers: 1, at: 1)?.people == [])
    }

    @Test mutating func `an unchanged report is published again after ten seconds, and an empty one once`() throws {
        let room = try room()
        #expect(publish(room, watchers: 0, at: 0) == nil, "no watchers, and no report published before")
        #expect(publish(room, watchers: 1, at: 0) != nil)
        #expect(publish(room, watchers: 1, at: 10 * second - 1) == nil)
        #expect(publish(room, watchers: 1, at: 10 * second)?.count == 1)
        #expect(registry.rooms == [Auction.room])
        #expect(publish(nil, watchers: 0, at: 13 * second)?.isEmpty == true)
        #expect(registry.rooms.isEmpty)
        #expect(publish(nil, watchers: 0, at: 99 * second) == nil)
    }

    @Test func `a host between two long-polls is reported, though no subscriber is left in the room`() throws {
        let (log, rooms) = (InMemoryEventLog(), CommittedRooms(recentLimit: 10))
        _ = rooms.publish(try room(), [])
        let (node, other) = (NodeID(bits: 1), NodeID(bits: 2))
        _ = try log.heartbeat(of: node)
        let exchange = PresenceExchange(of: node, rooms: rooms)
        exchange.record([stream(of: auction.host)])
        _ = try exchange.exchange(log, at: 0)
        #expect(try log.presence(in: [Auction.room], except: other).map(\.people) == [[auction.host.id]])
    }

    @Test func `with more rooms than one query has, the full report every ten seconds has all of them`() throws {
        let (log, rooms) = (InMemoryEventLog(), CommittedRooms(recentLimit: 10))
        let (node, other) = (NodeID(bits: 1), NodeID(bits: 2))
        let opening = EventBody.roomOpened(
            RoomOpened(name: "Tonight", host: auction.host, currency: .cny, visibility: .public, inviteCode: "letmein"))
        let ids = (0..<4001).map { RoomID(bits: UInt128(1000 + $0)) }
        for id in ids {
            let event = Event(seq: 1, at: Timestamp(milliseconds: 0), round: 1, body: opening)
            _ = rooms.publish(try #require(Room(id: id, opening: event)), [])
        }
        for each in [node, other] { _ = try log.heartbeat(of: each) }
        try log.setPresence(ids.map { RoomPresenceReport(room: $0, count: 1, people: [auction.host.id]) }, of: other)
        let exchange = PresenceExchange(of: node, rooms: rooms)
        var reported: [RoomID: Int] = [:]
        for half in Int64(0)..<50 {
            for report in try exchange.exchange(log, at: half * second / 2) { reported[report.room, default: 0] += 1 }
        }
        #expect(ids.allSatisfy { reported[$0, default: 0] >= 2 })
    }

    @Test mutating func `remote users are returned when they change, and with every full report`() {
        let report = RoomPresenceReport(room: Auction.room, count: 3, people: [auction.host.id])
        let emptyReport = RoomPresenceReport(room: Auction.room, count: 0, people: [])
        #expect(registry.merge([Auction.room], [report], isFull: false) == [report])
        #expect(registry.merge([Auction.room], [report], isFull: false).isEmpty)
        #expect(registry.merge([Auction.room], [report], isFull: true) == [report])
        #expect(registry.merge([Auction.room], [], isFull: false) == [emptyReport])
        #expect(registry.merge([Auction.room], [], isFull: true).isEmpty)
    }
}

import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

struct PresenceLedgerTests {
    private let auction = Auction()
    private let second: Int64 = 1_000_000_000
    private var ledger = PresenceLedger()

    private func room() throws -> Room {
        let harness = try ServiceHarness()
        auction.open(harness)
        return try #require(try harness.storedRoom(Auction.room))
    }

    private func stream(of person: Person, open: Bool = true) -> PresenceChange {
        PresenceChange(room: Auction.room, user: person.id, isPresent: open, at: Timestamp(milliseconds: 0))
    }

    /// What the others are told now.
    private mutating func tell(_ room: Room?, watchers: Int, at monotonic: Int64) -> RoomPresenceReport? {
        let report = ledger.report(of: Auction.room, room, watchers: watchers, at: monotonic)
        if let report { ledger.tell([report], at: monotonic) }
        return report
    }

    @Test mutating func `others hear of everybody, and by name of those only whom the room depends on`() throws {
        let room = try room()
        ledger.note([stream(of: auction.host), stream(of: auction.bidder), stream(of: auction.auctioneer)])
        let report = tell(room, watchers: 5, at: 0)
        #expect(report == RoomPresenceReport(room: Auction.room, count: 5, people: [auction.host.id, auction.auctioneer.id]))
        #expect(tell(room, watchers: 5, at: 1) == nil, "nothing has changed")
    }

    @Test mutating func `a number that moves is told every two seconds at most, and people at once`() throws {
        let room = try room()
        ledger.note([stream(of: auction.host)])
        #expect(tell(room, watchers: 1, at: 0) != nil)
        #expect(tell(room, watchers: 2, at: 2 * second - 1) == nil)
        #expect(tell(room, watchers: 2, at: 2 * second)?.count == 2)
        ledger.note([stream(of: auction.host, open: false)])
        #expect(tell(room, watchers: 1, at: 2 * second + 1)?.people == [])
    }

    @Test mutating func `of two loops' streams the last one counts`() throws {
        let room = try room()
        ledger.note([stream(of: auction.host), stream(of: auction.host), stream(of: auction.host, open: false)])
        #expect(tell(room, watchers: 1, at: 0)?.people == [auction.host.id])
        ledger.note([stream(of: auction.host, open: false)])
        #expect(tell(room, watchers: 1, at: 1)?.people == [])
    }

    @Test mutating func `what the log may have forgotten is told again, and nobody is told once`() throws {
        let room = try room()
        #expect(tell(room, watchers: 0, at: 0) == nil, "nobody follows it, and nobody was told of anybody")
        #expect(tell(room, watchers: 1, at: 0) != nil)
        #expect(tell(room, watchers: 1, at: 10 * second - 1) == nil)
        #expect(tell(room, watchers: 1, at: 10 * second)?.count == 1)
        #expect(ledger.toldRooms == [Auction.room])
        #expect(tell(nil, watchers: 0, at: 13 * second)?.isEmpty == true)
        #expect(ledger.toldRooms.isEmpty)
        #expect(tell(nil, watchers: 0, at: 99 * second) == nil)
    }

    @Test mutating func `the room hears of people elsewhere when they change, and now and then all the same`() {
        let report = RoomPresenceReport(room: Auction.room, count: 3, people: [auction.host.id])
        let nobody = RoomPresenceReport(room: Auction.room, count: 0, people: [])
        #expect(ledger.learn([Auction.room], [report], isWhole: false) == [report])
        #expect(ledger.learn([Auction.room], [report], isWhole: false).isEmpty)
        #expect(ledger.learn([Auction.room], [report], isWhole: true) == [report])
        #expect(ledger.learn([Auction.room], [], isWhole: false) == [nobody])
        #expect(ledger.learn([Auction.room], [], isWhole: true).isEmpty)
    }
}

import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import AuctionServer

/// Which rooms a page of standing bids loads.
struct StandingBidPageTests {
    private func row(_ position: Int64) -> RoomRow {
        RoomRow(
            room: RoomID(bits: UInt128(position)), position: position, head: RoomHead(seq: 1, headHash: 1),
            profile: RoomProfile(
                name: "Spring sale", host: Person(id: UserID(bits: 1), nickname: "Ada"), currency: "CNY", visibility: "public",
                openedAt: Timestamp(milliseconds: 0), itemName: nil),
            status: RoomStatus(state: "auctioning", round: 1, endsAt: nil, currentPrice: nil, isArchived: false))
    }

    /// A page of these rooms, newest first.
    private func rows(_ positions: some Sequence<Int64>, next: Int64?) -> UserRoomPage {
        UserRoomPage(rows: positions.map { UserRoomRow(room: row($0), role: "bidder") }, next: next)
    }

    @Test func `a page loads a few rooms, and the next page continues after them`() throws {
        var loaded: [Int64] = []
        func page(_ rows: UserRoomPage) throws -> StandingBidPage {
            try StandingBidPage(
                rows, resident: { _ in nil },
                load: { row throws(EventLogError) in
                    loaded.append(row.position)
                    return nil
                }, standing: { _ in nil })
        }
        let all = (1...Int64(StandingBidPage.loadLimit + 3)).reversed()
        let first = try page(rows(all, next: nil))
        #expect(loaded.count == StandingBidPage.loadLimit)
        let next = try #require(first.next)
        #expect(next == loaded.last)
        #expect(try page(rows(all.filter { $0 < next }, next: nil)).next == nil)
        #expect(loaded == Array(all), "every room is loaded once")
    }

    @Test func `rooms in memory do not count, and the list's own cursor stays`() throws {
        let scenario = try Scenario.auctioning()
        var count = 0
        let page = try StandingBidPage(
            rows((1...20).reversed(), next: 1), resident: { _ in scenario.room },
            load: { _ throws(EventLogError) in
                Issue.record("a room in memory was loaded")
                return nil
            },
            standing: { _ in
                count += 1
                return nil
            })
        #expect(page.next == 1)
        #expect(count == 20)
    }
}

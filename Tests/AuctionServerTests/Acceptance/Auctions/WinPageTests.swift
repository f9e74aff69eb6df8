import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import AuctionServer

/// Which rooms a page of what a user bought loads, and the totals that it finds there.
struct WinPageTests {
    private func row(_ room: UInt128, round: Int = 1) -> WinRow {
        let win = Win(
            winner: UserID(bits: 1), round: round, item: ItemID(bits: room), itemName: "Vase", price: 10_000,
            at: Timestamp(milliseconds: Int64(room)))
        return WinRow(
            win: win, room: RoomID(bits: room), roomName: "Spring sale", currency: "CNY",
            place: WinPlace(at: Int64(room), room: Int64(room), round: Int64(round)))
    }

    @Test func `a page loads a few rooms once each, and the next page continues after them`() throws {
        var loaded: [RoomID] = []
        func page(_ rows: [WinRow]) throws -> WinPage {
            try WinPage(
                rows, limit: 100, resident: { _ in nil },
                load: { room throws(EventLogError) in
                    loaded.append(room)
                    return nil
                })
        }
        let rooms = (1...UInt128(StandingBidPage.loadLimit + 3)).reversed()
        let rows = rooms.flatMap { [row($0, round: 2), row($0)] }
        let first = try page(rows)
        #expect(first.wins.count == 2 * StandingBidPage.loadLimit && first.wins.allSatisfy { $0.total == nil })
        let next = try #require(first.next)
        #expect(next.room == 4 && next.round == 1)
        #expect(try page(Array(rows.dropFirst(first.wins.count))).next == nil)
        #expect(loaded == rooms.map { RoomID(bits: $0) })
    }

    @Test func `rooms in memory are not loaded, and have the totals`() throws {
        var scenario = try Scenario.withItem()
        try scenario.perform(
            .sale(.configure(Sale(mode: .manual, pause: Seconds(10), premium: Premium(rawValue: 1255)))), by: scenario.host)
        for _ in 0..<2 { try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host) }
        try scenario.bid(10_000, by: scenario.bidder)
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        let page = try WinPage(
            (1...20).reversed().map { row($0) }, limit: 19, resident: { _ in scenario.room },
            load: { _ throws(EventLogError) in
                Issue.record("a room in memory was loaded")
                return nil
            })
        #expect(page.wins.map(\.total) == Array(repeating: Money(minorUnits: 11_255), count: 19))
        #expect(page.next?.room == 2)
    }
}

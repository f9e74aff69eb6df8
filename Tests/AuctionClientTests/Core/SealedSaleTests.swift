import Testing

@testable import AuctionClientCore

/// What the sale of a round shows of its bids.
struct SealedSaleTests {
    private func sold(_ seq: Int) throws -> RoomEvent {
        let text =
            #"{"seq":\#(seq),"type":"item.sold","at":"2026-11-21T09:00:00.000Z","round":1,"#
            + #""data":{"winner":{"id":"user_Bo","nickname":"Bo"},"price":"80.00"}}"#
        return try RoomEvent(try JSONParser.parse(text), currency: "CNY")
    }

    @Test func `after a sealed round the winner's bid is the current one, at the price that they pay`() throws {
        let text = SimulatedRoom(seq: 1).json(serverTime: 1, for: "Me", shown: "auctioning")
        var room = try RoomState(try JSONParser.parse(text))
        #expect(room.currentBid == nil)
        room.apply(try sold(2))
        let price = Money(minorUnits: 8000, currency: "CNY")
        #expect(room.currentBid == LeadingBid(id: nil, amount: price, bidder: Person(id: "user_Bo", nickname: "Bo"), at: nil))
        #expect(room.currentPrice == price)
    }
}

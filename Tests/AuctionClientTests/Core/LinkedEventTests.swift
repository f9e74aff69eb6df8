import Testing

@testable import AuctionClientCore

/// The reduced state of a room after a guest was linked to a user.
struct LinkedEventTests {
    private func event(_ seq: Int64, _ type: String, _ data: String) throws -> RoomEvent {
        let text = #"{"seq":\#(seq),"type":"\#(type)","at":"2026-11-21T09:00:00.000Z","round":1,"data":{\#(data)}}"#
        return try RoomEvent(try JSONParser.parse(text), currency: "CNY")
    }

    private func person(_ name: String) -> String { #"{"id":"user_\#(name)","nickname":"\#(name)"}"# }

    @Test func `lead, win and the room itself become the user's`() throws {
        let text = SimulatedRoom(seq: 1).json(serverTime: 1, for: "Me", shown: "auctioning")
        var room = try RoomState(try JSONParser.parse(text))
        let host = room.host.nickname
        let bid = #"""
            "bidId":"bid_1","amount":"10.00","bidder":\#(person("Bo")),"leading":true,"automatic":false,"nextMinimum":"11.00",\#
            "endsAt":null,"reserveMet":null
            """#
        room.apply(try event(2, "bid.placed", bid))
        room.apply(try event(3, "item.sold", #""winner":\#(person("Bo")),"price":"10.00""#))
        let link = #""from":\#(person("Bo")),"to":\#(person("Cy")),"role":"bidder","banned":false,"muted":false"#
        room.apply(try event(4, "member.linked", link))
        #expect(room.seq == 4)
        #expect(room.currentBid?.bidder.nickname == "Cy")
        #expect(room.result?.sale?.winner.nickname == "Cy")
        #expect(room.host.nickname == host)
        room.apply(
            try event(
                5, "member.linked", #""from":\#(person(host)),"to":\#(person("Cy")),"role":"host","banned":false,"muted":false"#
            ))
        #expect(room.host.nickname == "Cy")
        let none = try event(6, "member.linked", #""from":\#(person("Bo")),"to":\#(person("Cy")),"role":null"#)
        #expect(
            none.body
                == .memberLinked(
                    from: .init(id: "user_Bo", nickname: "Bo"), to: .init(id: "user_Cy", nickname: "Cy"), role: nil))
    }

    @Test func `a user who has left for good has their pseudonym in the room`() throws {
        var room = try RoomState(
            try JSONParser.parse(SimulatedRoom(seq: 1).json(serverTime: 1, for: "Me", shown: "auctioning")))
        let bid = #"""
            "bidId":"bid_1","amount":"10.00","bidder":\#(person("Bo")),"leading":true,"automatic":false,"nextMinimum":"11.00",\#
            "endsAt":null,"reserveMet":null
            """#
        room.apply(try event(2, "bid.placed", bid))
        room.apply(try event(3, "item.sold", #""winner":\#(person("Bo")),"price":"10.00""#))
        let host = room.host
        for (seq, id) in [(4, "user_Bo"), (5, host.id)] as [(Int64, String)] {
            room.apply(try event(seq, "member.erased", #""member":{"id":"\#(id)","nickname":"Former user QXYZ"}"#))
        }
        #expect(room.seq == 5 && room.host == .init(id: host.id, nickname: "Former user QXYZ"))
        #expect(room.currentBid?.bidder == .init(id: "user_Bo", nickname: "Former user QXYZ"))
        #expect(room.result?.sale?.winner.nickname == "Former user QXYZ" && room.result?.sale?.price == room.currentPrice)
    }
}

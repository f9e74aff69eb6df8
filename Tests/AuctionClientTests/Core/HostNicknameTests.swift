import Testing

@testable import AuctionClientCore

/// The host is shown by the nickname of their latest event.
struct HostNicknameTests {
    private func event(_ seq: Int64, _ type: String, _ data: String) throws -> RoomEvent {
        let text = #"{"seq":\#(seq),"type":"\#(type)","at":"2026-11-21T09:00:00.000Z","round":1,"data":{\#(data)}}"#
        return try RoomEvent(try JSONParser.parse(text), currency: "CNY")
    }

    @Test func `a host who was renamed is shown so from their next event on, and not by what was kept of them`() throws {
        let text = SimulatedRoom(seq: 1).json(serverTime: 1, for: "Me", shown: "auctioning")
        var room = try RoomState(try JSONParser.parse(text))
        let before = room.host
        func host(_ nickname: String) -> String { #"{"id":"\#(before.id)","nickname":"\#(nickname)"}"# }
        room.apply(try event(2, "message.sent", #""messageId":"m1","author":\#(host("Hanna")),"text":"Hello.""#))
        #expect(room.host == Person(id: before.id, nickname: "Hanna"))
        let end = #""stageId":"s1","guest":\#(host(before.nickname)),"by":\#(host(before.nickname)),"reason":"leftRoom""#
        room.apply(try event(3, "stage.ended", end))
        room.apply(try event(4, "bid.maximumVoided", #""bidId":"bid_1","bidder":\#(host(before.nickname))"#))
        room.apply(try event(5, "state.changed", #""from":"auctioning","to":"closed","by":null"#))
        room.apply(try event(6, "message.sent", #""author":{"id":"user_other","nickname":"Other"}"#))
        #expect(room.host.nickname == "Hanna")
        room.apply(try event(7, "state.changed", #""from":"closed","to":"preparing","by":\#(host("Hannah"))"#))
        #expect(room.host.nickname == "Hannah")
    }
}

import Testing

@testable import AuctionClientCore

/// When a followed room is read again for what events do not carry.
struct DetailsTests {
    private static func guest(_ name: String) -> Credential { .claiming(#"{"iss":"auction-room","sub":"user_\#(name)"}"#) }

    /// A room that a bidder leads.
    private static func room(_ seq: Int64, leader: String) -> SimulatedRoom {
        SimulatedRoom(
            seq: seq, phase: "auctioning", itemName: "Teapot", price: 1000 + seq * 100, leader: leader,
            leadingBid: "bid_\(seq)", leadingAt: 3_600_000, nextMinimum: 1100 + seq * 100, endsAt: 3_615_000)
    }

    private static func bid(_ seq: Int64, by bidder: String) -> [UInt8] {
        let (amount, minimum) = (SimulatedRoom.amount(1000 + seq * 100), SimulatedRoom.amount(1100 + seq * 100))
        let data = #"""
            "bidId":"bid_\#(seq)","amount":\#(amount),"bidder":\#(SimulatedRoom.person(bidder)),"leading":true,"automatic":false,\#
            "nextMinimum":\#(minimum),"endsAt":"1970-01-01T01:00:15.000Z","reserveMet":null
            """#
        let event = #"{"seq":\#(seq),"type":"bid.placed","at":"1970-01-01T01:00:00.000Z","round":1,"data":{\#(data)}}"#
        return Array("id: \(seq)\nevent: bid.placed\ndata: \(event)\n\n".utf8)
    }

    /// The room as it is shown without a token.
    private static func anonymous(_ room: SimulatedRoom) throws -> HTTPResponse {
        let text = room.json(serverTime: 3_600_000, for: "Me", shown: room.phase)
        guard case .object(var members) = try JSONParser.parse(text) else { throw MalformedJSON(member: "") }
        members["me"] = nil
        members["allowedActions"] = nil
        return SimulatedService.response(200, JSONValue.object(members).text)
    }

    private func live(_ credential: Credential?, _ room: HTTPResponse) -> ConnectionFixture {
        var fixture = ConnectionFixture()
        fixture.tokens = [credential]
        fixture.becomeLive(room)
        return fixture
    }

    @Test func `a pause has what was left of the countdown, and no deadline`() throws {
        let text = SimulatedRoom(seq: 4, phase: "paused").json(serverTime: 1, for: "Me", shown: "paused")
        guard case .object(var members) = try JSONParser.parse(text) else { throw MalformedJSON(member: "") }
        members["remainingMs"] = try JSONParser.parse("10000")
        let room = try RoomState(.object(members))
        #expect(room.details.frozenRemaining == .milliseconds(10_000) && room.endsAt == nil)
    }

    @Test func `a user of an identity provider sees what their own bid changes`() {
        var fixture = live(.claiming(#"{"iss":"https://idp","sub":"alice"}"#), Responses.room(Self.room(4, leader: "Cy")))
        // The service derives the id.
        fixture.feed(.bytes(fixture.stream, Self.bid(5, by: "8f1c")))
        fixture.advance(by: .seconds(2))
        #expect(fixture.reads == 1)
    }

    @Test func `a host sees what the first bid of a round changes, and reads nothing for the others`() {
        var fixture = live(Self.guest("Ann"), Responses.room(Responses.auctioning))
        fixture.feed(.bytes(fixture.stream, Self.bid(5, by: "Cy")))
        fixture.advance(by: .seconds(2))
        #expect(fixture.reads == 1)
        fixture.feed(.response(fixture.last, Responses.room(Self.room(5, leader: "Cy"))))
        for seq in 6...8 as ClosedRange<Int64> {
            fixture.feed(.bytes(fixture.stream, Self.bid(seq, by: seq == 7 ? "Cy" : "Di")))
            fixture.advance(by: .seconds(2))
        }
        #expect(fixture.reads == 1)
    }

    @Test func `a follower without a token reads nothing for bids`() throws {
        var fixture = live(nil, try Self.anonymous(Responses.auctioning))
        for seq in 5...8 as ClosedRange<Int64> {
            fixture.feed(.bytes(fixture.stream, Self.bid(seq, by: seq == 7 ? "Cy" : "Di")))
            fixture.advance(by: .seconds(2))
        }
        #expect(fixture.connection.state?.currentBid?.bidder.nickname == "Di" && fixture.reads == 0)
    }

    private static func event(_ seq: Int64, _ type: String, _ data: String) -> [UInt8] {
        let head = #"{"seq":\#(seq),"type":"\#(type)","at":"1970-01-01T01:00:00.000Z","round":1,"#
        return Array("data: \(head)\"data\":{\(data)}}\n\n".utf8)
    }

    @Test func `the room is not read for bids that others leave, or for an offer to another`() {
        let (me, cy) = (SimulatedRoom.person("Me"), SimulatedRoom.person("Cy"))
        let offer = #""offerId":"offer_1","round":1,"lotId":null,"price":"10.00","expiresAt":"1970-01-01T01:10:00.000Z""#
        var fixture = live(Self.guest("Me"), Responses.room(Self.room(4, leader: "Cy")))
        for seq in 5...7 as ClosedRange<Int64> {
            fixture.feed(.bytes(fixture.stream, Self.event(seq, "lot.bidsChanged", #""lotId":"lot_1","absenteeBids":\#(seq)"#)))
            fixture.advance(by: .seconds(2))
        }
        fixture.feed(.bytes(fixture.stream, Self.event(8, "offer.made", #"\#(offer),"to":\#(cy)"#)))
        fixture.feed(.bytes(fixture.stream, Self.event(9, "offer.declined", #""offerId":"offer_1","to":\#(cy)"#)))
        fixture.advance(by: .seconds(2))
        #expect(fixture.connection.state?.seq == 9 && fixture.reads == 0)
        fixture.feed(.bytes(fixture.stream, Self.event(10, "offer.made", #"\#(offer),"to":\#(me)"#)))
        fixture.advance(by: .seconds(2))
        #expect(fixture.reads == 1, "one's own is in the details")
    }

    @Test func `a bidder of a sealed round has their own minimum, also if a message is faster than the room that is read`() {
        func room(_ seq: Int64, minimum: Int64) -> HTTPResponse {
            Responses.room(
                SimulatedRoom(
                    seq: seq, phase: "auctioning", itemName: "Teapot", nextMinimum: minimum, endsAt: 3_615_000))
        }
        var fixture = live(Self.guest("Me"), room(4, minimum: 1000))
        let (me, cy) = (SimulatedRoom.person("Me"), SimulatedRoom.person("Cy"))
        let sealed = #""bidId":"bid_5","bidder":\#(me),"leading":false,"automatic":false,"nextMinimum":null,"endsAt":null"#
        fixture.feed(.bytes(fixture.stream, Self.event(5, "bid.placed", sealed)))
        fixture.feed(.timePassed)
        #expect(fixture.reads == 1)
        fixture.feed(.bytes(fixture.stream, Self.event(6, "message.sent", #""messageId":"m","author":\#(cy),"text":"Hi""#)))
        fixture.feed(.response(fixture.last, room(5, minimum: 1200)))
        #expect(fixture.connection.state?.seq == 6 && fixture.connection.state?.details.seq == 5)
        #expect(fixture.connection.state?.nextMinimum?.decimal == "12.00")
        fixture.advance(by: .seconds(10))
        #expect(fixture.reads == 1)
    }

    @Test func `a bidder who is outbid while their own bid is read sees it`() {
        var fixture = live(Self.guest("Me"), Responses.room(Self.room(4, leader: "Cy")))
        fixture.feed(.bytes(fixture.stream, Self.bid(5, by: "Me")))
        fixture.feed(.timePassed)
        #expect(fixture.reads == 1)
        fixture.feed(.bytes(fixture.stream, Self.bid(6, by: "Cy")))
        fixture.feed(.response(fixture.last, Responses.room(Self.room(5, leader: "Me"))))
        fixture.advance(by: .seconds(2))
        #expect(fixture.reads == 2)
        fixture.feed(.response(fixture.last, Responses.room(Self.room(6, leader: "Cy"))))
        #expect(fixture.connection.state?.details.seq == 6)
        #expect(fixture.connection.state?.details.me?.isLeading == false)
        fixture.advance(by: .seconds(10))
        #expect(fixture.reads == 2)
    }
}

extension ConnectionFixture {
    /// How often the room was read again.
    fileprivate var reads: Int { calls.filter { $0.call.target == "/v1/rooms/room_1" }.count - 1 }
}

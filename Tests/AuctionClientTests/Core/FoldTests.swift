import StateMachines
import Testing

@testable import AuctionClientCore

/// The state that events make, compared with the room as the service shows it after them.
struct FoldTests {
    private static let ann = SimulatedRoom.person("Ann")

    private static func event(_ seq: Int64, _ type: String, _ data: String, round: Int = 1) throws -> RoomEvent {
        try RoomEvent(try JSONParser.parse(text(seq, type, data, round: round)), currency: "CNY")
    }

    private static func text(_ seq: Int64, _ type: String, _ data: String, round: Int = 1) -> String {
        #"{"seq":\#(seq),"type":"\#(type)","at":"1970-01-01T01:00:00.000Z","round":\#(round),"data":{\#(data)}}"#
    }

    /// A room as a response has it, with some members as the test wants them.
    private static func response(
        _ seq: Int64, _ phase: String, item: String? = "Teapot", _ members: [String: JSONValue] = [:]
    ) throws -> JSONValue {
        let room = SimulatedRoom(seq: seq, phase: phase, itemName: item, nextMinimum: item.map { _ in 1000 })
        let text = room.json(serverTime: 3_600_000, for: "Me", shown: phase)
        guard case .object(let all) = try JSONParser.parse(text) else { throw MalformedJSON(member: "") }
        return .object(all.merging(members) { _, wanted in wanted })
    }

    private static func dutch() throws -> JSONValue {
        guard case .object(var rules) = try JSONParser.parse(SimulatedRoom.rules) else { throw MalformedJSON(member: "") }
        rules["format"] = "dutch"
        rules["floorPrice"] = "2.00"
        rules["dutchTickSeconds"] = 1
        return .object(rules)
    }

    private static func upload(_ seq: Int64, lot: String) -> String {
        let item = #"{"id":"item_1","name":"Teapot","description":"","media":[],"owner":\#(SimulatedRoom.person("Bo")),"#
        return text(seq, "item.uploaded", #""item":\#(item)"rules":\#(SimulatedRoom.rules)},"lotId":"\#(lot)""#)
    }

    /// Whether two states are the same but for what responses and events do not both tell.
    private func expect(_ state: RoomState, is response: JSONValue, _ step: Comment) throws {
        var shown = try RoomState(response)
        (shown.details, shown.viewers) = (state.details, state.viewers)
        (shown.result, shown.itemLot) = (state.result, state.itemLot)
        #expect(state == shown, step)
    }

    @Test func `a Dutch round that is cancelled has its starting price again`() throws {
        let rules: [String: JSONValue] = ["rules": try Self.dutch()]
        var room = try RoomState(try Self.response(4, "listing", rules))
        room.apply(try Self.event(5, "state.changed", #""from":"listing","to":"auctioning","cause":"countdown","by":null"#))
        let times = #""endsAt":"1970-01-01T01:00:09.000Z","nextDropAt":"1970-01-01T01:00:01.000Z""#
        room.apply(try Self.event(6, "countdown.started", times))
        room.apply(try Self.event(7, "price.dropped", #""price":"9.00","nextDropAt":"1970-01-01T01:00:02.000Z""#))
        #expect(room.currentPrice?.decimal == "9.00")
        let cancelled = #""from":"auctioning","to":"preparing","cause":"cancel","by":\#(Self.ann)"#
        room.apply(try Self.event(8, "state.changed", cancelled))
        try expect(room, is: try Self.response(8, "preparing", rules), "cancelled")
    }

    @Test func `the next round has no item, and an English one that is cancelled keeps it`() throws {
        var room = try RoomState(try Self.response(4, "auctioning"))
        let cancelled = #""from":"auctioning","to":"preparing","cause":"cancel","by":\#(Self.ann)"#
        room.apply(try Self.event(5, "state.changed", cancelled))
        try expect(room, is: try Self.response(5, "preparing"), "cancelled")
        room.apply(try Self.event(6, "state.changed", #""from":"preparing","to":"closed","cause":"end","by":null"#))
        room.apply(try Self.event(7, "state.changed", #""from":"closed","to":"preparing","cause":"start","by":null"#, round: 2))
        try expect(room, is: try Self.response(7, "preparing", item: nil, ["round": 2]), "the next round")
    }

    @Test func `a warning stands until the next bid, retraction or transition`() throws {
        let warned = try RoomState(try Self.response(4, "auctioning", ["warning": 2]))
        #expect(warned.warning == 2)
        let bid = #""bidId":"b","amount":"12.00","bidder":\#(Self.ann),"leading":true,"automatic":false,"nextMinimum":null"#
        let retracted = #""bidId":"b","bidder":\#(Self.ann),"by":\#(Self.ann),"removed":["b"]"#
        let ends = [
            ("bid.placed", bid), ("bid.retracted", retracted),
            ("state.changed", #""from":"auctioning","to":"paused","cause":"pause""#),
        ]
        for (type, data) in ends {
            var room = warned
            room.apply(try Self.event(5, type, data))
            #expect(room.warning == 0 && room.seq == 5, "\(type)")
        }
        var room = warned
        room.apply(try Self.event(5, "warning.given", #""level":1,"by":\#(Self.ann)"#))
        room.apply(try Self.event(6, "bid.maximumRaised", #""bidId":"b","bidder":\#(Self.ann)"#))
        #expect(room.warning == 1 && room.seq == 6)
    }

    @Test func `a floor bid leads as any other, and says who entered it`() throws {
        var room = try RoomState(try Self.response(4, "auctioning"))
        let floor = #"{"id":"user_floor","nickname":"Floor"}"#
        let data =
            #""bidId":"b","amount":"12.00","bidder":\#(floor),"leading":true,"automatic":false,"nextMinimum":"13.00","#
            + #""floor":true,"by":\#(Self.ann)"#
        let event = try Self.event(5, "bid.placed", data)
        room.apply(event)
        #expect(room.currentBid?.bidder.id == "user_floor" && room.nextMinimum?.decimal == "13.00")
        guard case .bidPlaced(let bid) = event.body else { throw MalformedJSON(member: "type") }
        #expect(bid.isOfFloor && bid.enteredBy?.nickname == "Ann" && event.author?.nickname == "Ann")
    }

    @Test func `the host follows the number of reports, which others are not shown`() throws {
        var (hosts, others) = (
            try RoomState(try Self.response(4, "auctioning", ["reports": 2])), try RoomState(try Self.response(4, "auctioning"))
        )
        hosts.apply(try Self.event(5, "message.reported", #""reports":3"#))
        others.apply(try Self.event(5, "message.reported", #""reports":3"#))
        #expect(hosts.reports == 3 && others.reports == nil && others.seq == 5)
    }

    @Test func `an ask is the next minimum, and another increment stays`() throws {
        var room = try RoomState(try Self.response(4, "auctioning"))
        room.apply(try Self.event(5, "ask.changed", #""nextMinimum":"130.00","by":\#(Self.ann)"#))
        #expect(room.nextMinimum?.decimal == "130.00")
        let changed = #""increment":{"percent":5},"nextMinimum":"105.00","by":\#(Self.ann)"#
        room.apply(try Self.event(6, "increment.changed", changed))
        #expect(room.nextMinimum?.decimal == "105.00" && room.rules?.increment == .percent("5"))
    }

    @Test func `a prepared lot that is withdrawn is no longer the item`() throws {
        var room = try RoomState(try Self.response(4, "preparing", item: nil))
        room.apply(try RoomEvent(try JSONParser.parse(Self.upload(5, lot: "lot_1")), currency: "CNY"))
        room.apply(try Self.event(6, "lot.withdrawn", #""lotId":"lot_2","by":\#(Self.ann)"#))
        try expect(room, is: try Self.response(6, "preparing"), "another lot")
        room.apply(try Self.event(7, "lot.withdrawn", #""lotId":"lot_1","by":\#(Self.ann)"#))
        try expect(room, is: try Self.response(7, "preparing", item: nil), "the lot")
    }

    @Test func `a room that is read keeps what it knew of the item's lot`() throws {
        func shown(_ seq: Int64, item: String?) throws -> HTTPResponse {
            SimulatedService.response(200, try Self.response(seq, "preparing", item: item).text)
        }
        var fixture = ConnectionFixture()
        fixture.becomeLive(try shown(4, item: nil))
        fixture.feed(.bytes(fixture.stream, Array("data: \(Self.upload(5, lot: "lot_1"))\n\n".utf8)))
        fixture.feed(.timePassed)
        fixture.feed(.response(fixture.last, try shown(5, item: "Teapot")))
        #expect(fixture.connection.state?.details.seq == 5 && fixture.connection.state?.item?.name == "Teapot")
        let withdrawn = Self.text(6, "lot.withdrawn", #""lotId":"lot_1","by":\#(Self.ann)"#)
        fixture.feed(.bytes(fixture.stream, Array("data: \(withdrawn)\n\n".utf8)))
        #expect(fixture.connection.state?.seq == 6 && fixture.connection.state?.item == nil)
    }

    @Test func `a room that is followed from an earlier event has the result of the round that ended since`() throws {
        let winner = SimulatedRoom.person("Bo")
        let linked = #""from":\#(winner),"to":\#(SimulatedRoom.person("Cy")),"role":"bidder","banned":false,"muted":false"#
        let history = [
            Self.text(4, "item.passed", #""reason":"no_bids""#),
            Self.text(5, "item.sold", #""winner":\#(winner),"price":"12.00""#, round: 2),
            Self.text(6, "member.linked", linked, round: 2),
        ]
        var fixture = ConnectionFixture(start: .after(3))
        let response = try Self.response(6, "closed", ["round": 2])
        fixture.becomeLive(SimulatedService.response(200, response.text))
        #expect(fixture.connection.state?.result == nil)
        for event in history { fixture.feed(.bytes(fixture.stream, Array("data: \(event)\n\n".utf8))) }
        var results: [RoundOutcome?] = []
        while let update = fixture.connection.takeUpdate(at: MachineTimestamp(milliseconds: 0)).update {
            if update.event != nil { results.append(update.state.result) }
        }
        let price = Money(minorUnits: 1200, currency: "CNY")
        let buyers = ["Bo", "Cy"].map { Person(id: "user_\($0)", nickname: $0) }
        let sold = buyers.map { RoundOutcome(round: 2, sale: .init(winner: $0, price: price), passedReason: nil) }
        let passed = RoundOutcome(round: 1, sale: nil, passedReason: "no_bids")
        let expected: [RoundOutcome?] = [passed, sold[0], sold[1]]
        #expect(results == expected)
        #expect(fixture.connection.state?.result == sold[1] && fixture.connection.state?.seq == 6)
        try expect(try #require(fixture.connection.state), is: response, "the rest")
    }

    @Test(arguments: ["sale.stopped", "sale.finished"]) func `no lot follows a sale that has ended`(type: String) throws {
        let data = type == "sale.stopped" ? #""cause":"host","by":\#(Self.ann)"# : ""
        let ending: [String: JSONValue] = ["endsAt": "1970-01-01T01:00:09.000Z"]
        var between = try RoomState(try Self.response(4, "closed", ending))
        between.apply(try Self.event(5, type, data))
        try expect(between, is: try Self.response(5, "closed"), "between two lots")
        var during = try RoomState(try Self.response(4, "auctioning", ending))
        during.apply(try Self.event(5, type, data))
        try expect(during, is: try Self.response(5, "auctioning", ending), "during a round")
    }
}

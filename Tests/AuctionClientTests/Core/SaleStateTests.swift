import Testing

@testable import AuctionClientCore

/// Sale and total of a room, as events make them and as a response has them.
struct SaleStateTests {
    private static let ann = SimulatedRoom.person("Ann")
    private static let bo = SimulatedRoom.person("Bo")

    private static func item(_ number: Int) -> String {
        #"{"id":"item_\#(number)","name":"Teapot","description":"","media":[],"owner":\#(bo),"rules":\#(SimulatedRoom.rules)}"#
    }

    private static func sale(_ members: String) -> String { #"{"mode":"automatic","pauseSeconds":20,\#(members)}"# }

    /// A room as a response has it, with some members as the test wants them.
    private static func room(_ seq: Int64, _ phase: String, _ members: String = "{}") throws -> RoomState {
        let text = SimulatedRoom(seq: seq, phase: phase).json(serverTime: 1, for: "Me", shown: phase)
        guard case .object(let all) = try JSONParser.parse(text), case .object(let wanted) = try JSONParser.parse(members)
        else { throw MalformedJSON(member: "") }
        return try RoomState(.object(all.merging(wanted) { _, wanted in wanted }))
    }

    /// Applies events that follow each other.
    private static func apply(_ events: [(type: String, data: String)], to room: inout RoomState) throws {
        for (type, data) in events {
            let text =
                #"{"seq":\#(room.seq + 1),"type":"\#(type)","at":"1970-01-01T01:00:00.000Z","round":1,"data":{\#(data)}}"#
            let event = try RoomEvent(try JSONParser.parse(text), currency: "CNY")
            #expect(event.body != .unknown, "\(type)")
            room.apply(event)
        }
    }

    private static func state(_ from: String, _ to: String) -> (type: String, data: String) {
        ("state.changed", #""from":"\#(from)","to":"\#(to)","cause":"sale","by":null"#)
    }

    private static let configured: (type: String, data: String) = (
        "sale.configured", #""mode":"automatic","pauseSeconds":20,"startsAt":null,"premium":{"percent":"12.5"},"by":\#(ann)"#
    )

    /// Two lots in a sale with a premium, of which the first is being auctioned.
    private static func auctioning() throws -> RoomState {
        var room = try room(4, "preparing")
        try apply(
            [
                ("lot.queued", #""lotId":"lot_1","item":\#(item(1))"#), ("lot.queued", #""lotId":"lot_2","item":\#(item(2))"#),
                configured, ("sale.started", #""by":\#(ann)"#), ("item.uploaded", #""item":\#(item(1)),"lotId":"lot_1""#),
                state("preparing", "auctioning"),
            ], to: &room)
        return room
    }

    private static let bid: (type: String, data: String) = (
        "bid.placed",
        #""bidId":"bid_1","amount":"10.01","bidder":\#(ann),"leading":true,"automatic":false,"nextMinimum":"11.01","reserveMet":null"#
    )

    @Test func `a response has the sale, and the price with its premium`() throws {
        let sale = #""startsAt":null,"premium":{"percent":"12.5"},"running":true,"nextLotAt":null,"lots":2,"queued":1"#
        let room = try Self.room(4, "auctioning", #"{"currentPrice":"10.01","total":"11.26","sale":\#(Self.sale(sale))}"#)
        #expect(room.total?.decimal == "11.26" && room.sale?.premiumPercent == "12.5" && room.sale?.queuedCount == 1)
        let other = try Self.room(4, "auctioning")
        #expect(other.total == nil && other.sale == nil)
        // It may be up to twice the largest amount.
        let large = try Self.room(4, "auctioning", #"{"total":"90071992547409.92"}"#)
        #expect(large.total?.decimal == "90071992547409.92")
    }

    @Test func `a bid has the price with its premium`() throws {
        let response = Responses.bid(leading: true, price: "\"10.01\",\"total\":\"11.26\"")
        let placed = try BidPlacement(try JSONParser.parse(response.body), "CNY", isReplay: false)
        #expect(placed.total?.decimal == "11.26" && placed.currentPrice?.decimal == "10.01")
    }

    @Test func `events give the sale and the total that the service shows`() throws {
        var room = try Self.auctioning()
        var sale = #""startsAt":null,"premium":{"percent":"12.5"},"running":true,"nextLotAt":null,"lots":2,"queued":1"#
        var shown = try Self.room(10, "auctioning", #"{"sale":\#(Self.sale(sale))}"#)
        #expect(room.sale == shown.sale && room.total == nil)
        try Self.apply([Self.bid], to: &room)
        #expect(room.total?.decimal == "11.26" && room.currentPrice?.decimal == "10.01")
        let end = "1970-01-01T01:00:20.000Z"
        try Self.apply(
            [
                ("item.sold", #""winner":\#(Self.ann),"price":"10.01","lotId":"lot_1""#), Self.state("auctioning", "closed"),
                ("countdown.started", #""endsAt":"\#(end)""#),
            ], to: &room)
        sale = sale.replacing(#""nextLotAt":null"#, with: #""nextLotAt":"\#(end)""#)
        shown = try Self.room(13, "closed", #"{"sale":\#(Self.sale(sale))}"#)
        #expect(room.sale == shown.sale && room.total?.decimal == "11.26")
    }

    @Test func `a round that is over keeps its premium, and the next one has the new one`() throws {
        var room = try Self.auctioning()
        try Self.apply([Self.bid, Self.state("auctioning", "closed")], to: &room)
        let changed = Self.configured.data.replacing("12.5", with: "20")
        try Self.apply([("sale.configured", changed)], to: &room)
        #expect(room.total?.decimal == "11.26" && room.sale?.premiumPercent == "20")
        try Self.apply(
            [
                Self.state("closed", "preparing"), ("item.uploaded", #""item":\#(Self.item(2)),"lotId":"lot_2""#),
                Self.state("preparing", "auctioning"),
            ], to: &room)
        #expect(room.total == nil && room.sale?.queuedCount == 0)
        try Self.apply([Self.bid], to: &room)
        #expect(room.total?.decimal == "12.01")
    }

    @Test func `lots that are withdrawn or replaced are counted as the service counts them`() throws {
        var room = try Self.room(4, "preparing")
        for lot in ["lot_1", "lot_2", "lot_3"] {
            try Self.apply([("lot.queued", #""lotId":"\#(lot)","item":\#(Self.item(1))"#)], to: &room)
        }
        try Self.apply([("item.uploaded", #""item":\#(Self.item(1)),"lotId":"lot_1""#)], to: &room)
        #expect(room.sale?.queuedCount == 2 && room.sale?.lotCount == 3 && room.sale?.mode == .manual)
        try Self.apply([("lot.withdrawn", #""lotId":"lot_3","by":\#(Self.ann)"#)], to: &room)
        #expect(room.sale?.queuedCount == 1)
        // The prepared lot is changed, then lot 2 takes its turn.
        try Self.apply([("item.uploaded", #""item":\#(Self.item(1)),"lotId":"lot_1""#)], to: &room)
        try Self.apply([("item.uploaded", #""item":\#(Self.item(2)),"lotId":"lot_2""#)], to: &room)
        #expect(room.sale?.queuedCount == 1)
        try Self.apply([("lot.withdrawn", #""lotId":"lot_2","by":\#(Self.ann)"#)], to: &room)
        #expect(room.sale?.queuedCount == 1 && room.sale?.lotCount == 3 && room.item == nil)
    }

    @Test func `a sale that is removed in a room without lots is gone`() throws {
        var room = try Self.room(4, "preparing")
        try Self.apply([Self.configured], to: &room)
        #expect(room.sale?.pauseSeconds == 20)
        let removed = #""mode":"manual","pauseSeconds":10,"startsAt":null,"premium":null,"by":\#(Self.ann)"#
        try Self.apply([("sale.configured", removed)], to: &room)
        #expect(room.sale == nil)
    }

    @Test func `a start that the absent host of an attended sale prevents is shown until the host starts it`() throws {
        var room = try Self.room(4, "preparing")
        let attended =
            #""mode":"automatic","pauseSeconds":20,"startsAt":"1970-01-01T02:00:00.000Z","premium":null,"attended":true,"#
        try Self.apply([("sale.configured", attended + #""by":\#(Self.ann)"#)], to: &room)
        #expect(room.sale?.isAttended == true && room.sale?.isPostponed == false && room.sale?.startsAt != nil)
        try Self.apply([("sale.postponed", #""cause":"host_gone""#)], to: &room)
        #expect(room.sale?.isPostponed == true && room.sale?.startsAt == nil)
        let members =
            #""startsAt":null,"premium":null,"attended":true,"running":false,"postponed":true,"nextLotAt":null,"lots":2,"queued":2"#
        let read = try Self.room(9, "preparing", #"{"sale":\#(Self.sale(members))}"#)
        #expect(read.sale?.isPostponed == true && read.sale?.isAttended == true)
        try Self.apply([("sale.started", #""by":\#(Self.ann)"#)], to: &room)
        #expect(room.sale?.isPostponed == false && room.sale?.isRunning == true)
        try Self.apply([Self.configured], to: &room)
        #expect(room.sale?.isAttended == false)
    }

    @Test func `a premium is rounded half up, and exact for every amount`() {
        func total(_ units: Int64, _ percent: String) -> Int64? {
            Money(minorUnits: units, currency: "CNY").withPremium(percent: percent)?.minorUnits
        }
        #expect(total(1001, "12.5") == 1126 && total(4, "12.5") == 5 && total(3, "12.5") == 3 && total(1001, "0") == 1001)
        #expect(total(Money.maximumMinorUnits, "100") == 2 * Money.maximumMinorUnits)
        #expect(total(Money.maximumMinorUnits, "33.33") == 12_009_298_766_346_163)
        for percent in ["", "x", "-1", "100.01", "12.555"] { #expect(total(100, percent) == nil, "\(percent)") }
    }
}

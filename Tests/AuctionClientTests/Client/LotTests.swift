import Testing

@testable import AuctionClientCore

/// Lots, imports and the sale. The bodies are the examples of the contract.
struct LotTests {
    private static let room = SimulatedRoom(seq: 1).json(serverTime: 1, for: "Me", shown: "preparing")
    private static let lot = """
        {"id":"lot_1","number":7,"position":1,"reference":"A-12","state":"sold","round":3,"item":{"id":"item_1","name":"Teapot","description":"",\
        "media":[],"estimate":{"low":"150.00","high":"250.00"},"condition":"Worn","owner":{"id":"user_2","nickname":"Bo"}},"rules":{"startingPrice":"120.00","increment":{"fixed":"10.00"},\
        "buyNowPrice":null,"floorPrice":null,"listingSeconds":3,"biddingSeconds":15,"countdown":"reset","extendWindowSeconds":10,\
        "extendBySeconds":10,"maxDurationSeconds":null,"dutchTickSeconds":null,"format":"english","tie":"earliest"},\
        "result":{"result":"sold","winner":{"id":"user_3","nickname":"Ed"},"price":"130.00","reason":null,"premium":"16.25",\
        "total":"146.25","bids":2,"closedAt":"2026-11-21T08:56:46.572Z"}}
        """
    private static let sale = """
        {"mode":"automatic","pauseSeconds":10,"startsAt":"2026-11-21T20:00:00.000Z","premium":{"percent":"12.5"},"running":false,\
        "nextLotAt":null,"lots":200,"queued":190}
        """

    private func room(_ response: String, status: Int = 200) -> (AuctionRoom, FakeTransport) {
        let transport = FakeTransport { call throws(TransportError) in
            let isRoom = call.method == "GET" && call.target == "/v1/rooms/room_1"
            return SimulatedService.response(isRoom ? 200 : status, isRoom ? Self.room : response)
        }
        return (AuctionClient(transport: transport, configuration: .init(), clock: TestClock()).room("room_1"), transport)
    }

    private func sent(_ transport: FakeTransport) -> [String] {
        transport.calls.filter { $0.target != "/v1/rooms/room_1" }.map { call in
            "\(call.method) \(call.target) \(String(decoding: call.body ?? [], as: UTF8.self))"
        }
    }

    @Test func `a lot has its item, its rules, its outcome and what the buyer pays`() async throws {
        let (room, transport) = room("{\"lots\":[\(Self.lot)],\"nextCursor\":null}")
        var lots: [Lot] = []
        for try await lot in room.lots(state: .sold, pageSize: 7) { lots.append(lot) }
        let lot = try #require(lots.first)
        #expect(
            lot.id == "lot_1" && lot.number == 7 && lot.reference == "A-12" && lot.state == .sold && lot.round == 3
                && lot.item.name == "Teapot")
        #expect(lot.item.estimate?.high.decimal == "250.00" && lot.item.condition == "Worn")
        #expect(lot.outcome?.sale?.winner.nickname == "Ed" && lot.outcome?.round == 3)
        #expect(lot.total?.decimal == "146.25" && lot.premium?.decimal == "16.25" && lot.rules.biddingSeconds == 15)
        #expect(sent(transport) == ["GET /v1/rooms/room_1/lots?state=sold&limit=7 "])
    }

    @Test func `a total beyond the largest price is read as any other`() async throws {
        let dear = #""price":"90071992547409.91","reason":null,"premium":"90071992547409.91","total":"180143985094819.82""#
        let lot = Self.lot.replacing(#""price":"130.00","reason":null,"premium":"16.25","total":"146.25""#, with: dear)
        let (room, _) = room("{\"lots\":[\(lot)],\"nextCursor\":null}")
        var totals: [String?] = []
        for try await lot in room.lots(state: .sold, pageSize: 7) { totals.append(lot.total?.decimal) }
        #expect(totals == ["180143985094819.82"])
    }

    @Test func `a finished round has what the seller said of the item, if anything`() async throws {
        func row(_ round: Int, _ appraisal: String) -> String {
            """
            {"round":\(round),"item":{"id":"item_1","name":"Teapot"\(appraisal)},"result":"passed","winner":null,"price":null,\
            "reason":"no_bids","premium":null,"total":null,"bids":0,"openedAt":null,"closedAt":"2026-11-21T08:56:46.572Z",\
            "seller":{"id":"user_2","nickname":"Bo"},"lotId":null,"reference":null,"number":null,"currency":"CNY","room":"room_1"}
            """
        }
        let whole = row(2, #","estimate":{"low":"150.00","high":"250.00"},"condition":"Worn""#)
        let (room, _) = room("{\"results\":[\(whole),\(row(1, ""))],\"nextCursor\":null}")
        var rows: [RoundResult] = []
        for try await row in room.results() { rows.append(row) }
        #expect(rows.map { $0.estimate?.low.decimal } == ["150.00", nil])
        #expect(rows.map(\.condition) == ["Worn", nil])
    }

    @Test func `lots are queued, changed, moved and withdrawn under keys of their own`() async throws {
        let (room, transport) = room(Self.lot)
        var item = NewItem(name: "Vase", rules: NewRules(startingPrice: nil))
        let price = Money(minorUnits: 100, currency: "CNY")
        (item.estimate, item.condition) = (Estimate(low: price, high: price), "Worn")
        try await room.queueLot(NewLot(item, reference: "A-1"))
        var changes = LotChanges()
        (changes.estimate, changes.condition) = (.some(nil), .some(nil))
        (changes.name, changes.reference, changes.before) = ("Jug", .some(nil), .some("lot_2"))
        try await room.changeLot("lot_1", changes)
        try await room.withdrawLot("lot_1", reason: "broken & gone")
        #expect(
            sent(transport) == [
                #"POST /v1/rooms/room_1/lots {"condition":"Worn","description":"","estimate":{"high":"1.00","low":"1.00"},"media":[],"name":"Vase","reference":"A-1","rules":{}}"#,
                #"PATCH /v1/rooms/room_1/lots/lot_1 {"before":"lot_2","condition":null,"estimate":null,"name":"Jug","reference":null}"#,
                "DELETE /v1/rooms/room_1/lots/lot_1?reason=broken%20%26%20gone ",
            ])
        let keys = transport.calls.compactMap { $0.header("Idempotency-Key") }
        #expect(keys.count == 3 && Set(keys).count == 3)
    }

    @Test func `a lot is offered again, as it was or with other rules, and is known by both`() async throws {
        let again = Self.lot.dropLast() + #","offeredBefore":"lot_0","offeredAgain":"lot_2"}"#
        let (room, transport) = room(String(again))
        let lot = try await room.reofferLot("lot_0")
        #expect(lot.offeredBefore == "lot_0" && lot.offeredAgain == "lot_2")
        try await room.reofferLot("lot_1", rules: NewRules(startingPrice: Money(minorUnits: 100, currency: "CNY")))
        #expect(
            sent(transport) == [
                "POST /v1/rooms/room_1/lots/lot_0/reoffer {}",
                #"POST /v1/rooms/room_1/lots/lot_1/reoffer {"rules":{"startingPrice":"1.00"}}"#,
            ])
    }

    @Test func `a bid is left on a lot, read and taken back`() async throws {
        let bid = """
            {"lotId":"lot_1","bidId":"bid_1","maximum":"300.00","placedAt":"2026-11-21T08:56:46.560Z","state":"void","cause":"left",\
            "problem":null}
            """
        let (room, transport) = room(bid, status: 201)
        let maximum = Money(minorUnits: 30000, currency: "CNY")
        let left = try await room.placeAbsenteeBid(on: "lot_1", upTo: maximum)
        #expect(left.id == "bid_1" && left.maximum == maximum && left.state == .void && left.cause == "left")
        #expect(left.problem == nil)
        #expect(try await room.absenteeBid(on: "lot_1") == left)
        try await room.withdrawAbsenteeBid(on: "lot_1")
        #expect(
            sent(transport) == [
                #"PUT /v1/rooms/room_1/lots/lot_1/bid {"maximum":"300.00"}"#, "GET /v1/rooms/room_1/lots/lot_1/bid ",
                "DELETE /v1/rooms/room_1/lots/lot_1/bid ",
            ])
        #expect(transport.calls.compactMap { $0.header("Idempotency-Key") }.count == 2)
        await #expect(throws: AuctionError.failed(.differentCurrency(room: "CNY"))) {
            try await room.placeAbsenteeBid(on: "lot_1", upTo: Money(minorUnits: 300, currency: "JPY"))
        }
    }

    @Test func `a lot says how many bids were left on it, and what became of the caller's`() async throws {
        let own = #""absenteeBids":3,"myBid":{"bidId":"bid_1","maximum":"300.00","placedAt":"2026-11-21T08:56:46.560Z","#
        let problem = #""state":"standing","cause":null,"problem":"absentee.below_start"}}"#
        let (room, transport) = room("{\"lots\":[\(Self.lot.dropLast()),\(own)\(problem),\(Self.lot)],\"nextCursor\":null}")
        var lots: [Lot] = []
        for try await lot in room.lots(withOwnBids: true) { lots.append(lot) }
        #expect(lots.map(\.absenteeBids) == [3, 0])
        #expect(lots[0].ownBid?.state == .standing && lots[0].ownBid?.problem == .absenteeBelowStart)
        #expect(lots[0].ownBid?.maximum.decimal == "300.00" && lots[1].ownBid == nil)
        #expect(sent(transport) == ["GET /v1/rooms/room_1/lots?bids=mine&limit=100 "])
    }

    @Test func `a sale is voided and offered to the next bidder, who answers`() async throws {
        let row = """
            {"round":3,"item":{"id":"item_1","name":"Teapot"},"result":"sold","winner":{"id":"user_3","nickname":"Ed"},"price":"130.00",\
            "reason":null,"premium":null,"total":null,"voided":{"at":"2026-11-21T08:56:46.572Z","reason":"Not paid.",\
            "by":{"id":"user_1","nickname":"Ann"},"winner":{"id":"user_3","nickname":"Ed"},"price":"130.00"},"bids":2,"openedAt":null,\
            "closedAt":"2026-11-21T08:56:46.572Z","seller":{"id":"user_2","nickname":"Bo"},"lotId":null,"reference":null,"number":null,\
            "currency":"CNY","room":"room_1","offer":{"id":"offer_1","to":{"id":"user_4","nickname":"Cy"},"price":"120.00",\
            "expiresAt":"2026-11-21T09:06:46.572Z"}}
            """
        let (room, transport) = room(row)
        let voided = try await room.voidResult(ofRound: 3, reason: "Not paid.", offersNext: true)
        #expect(voided.outcome.sale == nil && voided.outcome.voided?.winner.nickname == "Ed" && voided.total == nil)
        #expect(voided.outcome.voided?.price.decimal == "130.00" && voided.outcome.voided?.reason == "Not paid.")
        #expect(voided.offeredTo?.nickname == "Cy")
        try await room.voidResult(ofRound: 3, reason: "Not paid.")
        try await room.acceptOffer("offer_1")
        try await room.declineOffer("offer_1")
        #expect(
            sent(transport) == [
                #"POST /v1/rooms/room_1/results/3/void {"offerTo":"next","reason":"Not paid."}"#,
                #"POST /v1/rooms/room_1/results/3/void {"reason":"Not paid."}"#,
                "POST /v1/rooms/room_1/offers/offer_1/accept {}", "POST /v1/rooms/room_1/offers/offer_1/decline {}",
            ])
    }

    @Test func `the host reads, approves and declines applications`() async throws {
        let row = """
            {"applicant":{"id":"user_3","nickname":"Ed"},"at":"2026-11-21T08:56:46.572Z","state":"declined","reason":"Not yet."}
            """
        let (room, transport) = room("{\"applications\":[\(row)],\"nextCursor\":null}")
        var read: [Application] = []
        for try await application in room.applications() { read.append(application) }
        for try await application in room.applications(.declined, pageSize: 5) { read.append(application) }
        #expect(read.count == 2 && read[0].id == "user_3" && read[0].state == .declined && read[0].reason == "Not yet.")
        let (other, sentLater) = self.room(row)
        #expect(try await other.declineApplication(of: "user_3", reason: "Not yet.").applicant.nickname == "Ed")
        try await other.declineApplication(of: "user_3")
        let member =
            #"{"user":{"id":"user_3","nickname":"Ed"},"role":"bidder","joinedAt":"2026-11-21T08:56:46.572Z","muted":false,"#
        let (third, sentLast) = self.room(member + #""banned":false,"creditLimit":"500.00"}"#)
        let approved = try await third.approveApplication(of: "user_3", creditLimit: Money(minorUnits: 50000, currency: "CNY"))
        #expect(approved.creditLimit?.decimal == "500.00" && approved.application == nil)
        try await third.approveApplication(of: "user_3")
        #expect(
            sent(transport) + sent(sentLater) + sent(sentLast) == [
                "GET /v1/rooms/room_1/applications?state=open&limit=100 ",
                "GET /v1/rooms/room_1/applications?state=declined&limit=5 ",
                #"POST /v1/rooms/room_1/applications/user_3/decline {"reason":"Not yet."}"#,
                "POST /v1/rooms/room_1/applications/user_3/decline {}",
                #"POST /v1/rooms/room_1/applications/user_3/approve {"creditLimit":"500.00"}"#,
                "POST /v1/rooms/room_1/applications/user_3/approve {}",
            ])
    }

    @Test func `a caller reads what became of their application`() async throws {
        let json =
            #"{"user":{"id":"user_3","nickname":"Ed"},"role":"viewer","joinedAt":"2026-11-21T08:56:46.572Z","muted":false,"#
        let own = #""application":{"state":"open","at":"2026-11-21T08:56:46.572Z","reason":null}}"#
        let (room, _) = room(json + #""banned":false,"# + own)
        let member = try await room.join(as: .bidder)
        #expect(member.role == .viewer && member.application?.state == .open && member.application?.reason == nil)
    }

    @Test func `rules that an item may be without are removed from it, and others stay as they are`() async throws {
        let (room, transport) = room(Self.lot)
        var rules = NewRules(startingPrice: Money(minorUnits: 100, currency: "CNY"))
        rules.buyNowPrice = Money(minorUnits: 200, currency: "CNY")
        rules.removed = [.reservePrice, .buyNowPrice]
        try await room.adjustRules(rules, ofItem: "item_1")
        var changes = LotChanges()
        changes.rules = NewRules(startingPrice: nil)
        changes.rules?.removed = Set(RemovableRule.allCases)
        try await room.changeLot("lot_1", changes)
        let all = #""buyNowPrice":null,"dutchTickSeconds":null,"floorPrice":null,"maxDurationSeconds":null,"reservePrice":null"#
        #expect(
            sent(transport) == [
                #"PATCH /v1/rooms/room_1/items/item_1 {"rules":{"buyNowPrice":null,"reservePrice":null,"startingPrice":"1.00"}}"#,
                #"PATCH /v1/rooms/room_1/lots/lot_1 {"rules":{\#(all)}}"#,
            ])
    }

    @Test func `rules and credit limits in another currency than the room's are not sent`() async throws {
        let (room, transport) = room(Self.lot)
        let (yuan, yen) = (Money(minorUnits: 100, currency: "CNY"), Money(minorUnits: 100, currency: "JPY"))
        let expected = AuctionError.failed(.differentCurrency(room: "CNY"))
        let tiers = Increment.tiers([.init(from: yuan, step: yen)])
        await #expect(throws: expected) {
            var rules = NewRules(startingPrice: yuan)
            rules.increment = tiers
            try await room.adjustRules(rules, ofItem: "item_1")
        }
        #expect(transport.calls.isEmpty)
        _ = try await room.read()
        let item = NewItem(name: "Vase", rules: NewRules(startingPrice: yen))
        await #expect(throws: expected) { try await room.uploadItem(item) }
        await #expect(throws: expected) { try await room.queueLot(NewLot(item)) }
        await #expect(throws: expected) {
            var changes = LotChanges()
            changes.rules = NewRules(startingPrice: nil)
            changes.rules?.increment = .fixed(yen)
            try await room.changeLot("lot_1", changes)
        }
        await #expect(throws: expected) {
            var changes = MemberChanges()
            changes.creditLimit = .some(yen)
            try await room.change(member: "user_1", changes)
        }
        #expect(sent(transport).isEmpty)
    }

    @Test func `a file is sent as it is, and a refusal names its wrong rows`() async throws {
        let file = "name,startingPrice\r\nVase,1\r\n"
        let (room, transport) = room(
            #"{"rows":1,"lots":[{"line":2,"id":"lot_1","reference":null,"outcome":"added"}],"ignoredColumns":["Date"]}"#)
        let imported = try await room.importLots(csv: file)
        let lots = imported.lots
        #expect(
            imported.ignoredColumns == ["Date"] && lots.map(\.line) == [2] && lots[0].outcome == "added"
                && lots[0].id == "lot_1" && lots[0].reference == nil)
        #expect(sent(transport) == ["POST /v1/rooms/room_1/lots/import \(file)"])
        #expect(transport.calls.last?.header("Content-Type") == "text/csv")
        let problem = """
            {"type":"/problems/import-refused","title":"Import refused","status":422,"code":"import.bad_rows","detail":"No.",\
            "rows":[{"line":3,"field":"startingPrice","code":"money.malformed","detail":"Not an amount."},{"line":4,"field":null,\
            "code":"request.malformed","detail":"Odd."}]}
            """
        let refusing = FakeTransport { _ throws(TransportError) in
            let head = HTTPHead(status: 422, headers: [HTTPHeader("Content-Type", "application/problem+json")])
            return HTTPResponse(head: head, body: Array(problem.utf8))
        }
        let other = AuctionClient(transport: refusing, configuration: .init(), clock: TestClock()).room("room_1")
        let error = await #expect(throws: AuctionError.self) { try await other.importLots(csv: file) }
        #expect(error?.problem?.code == .importBadRows)
        #expect(
            error?.problem?.rows.map { "\($0.line) \($0.field ?? "-") \($0.code)" } == [
                "3 startingPrice money.malformed", "4 - request.malformed",
            ])
    }

    @Test func `the sale is configured, started, stopped and read`() async throws {
        let (room, transport) = room(Self.sale)
        var plan = NewSale(mode: .automatic)
        (plan.premiumPercent, plan.startsAt) = ("12.5", ServerTime(rfc3339: "2026-11-21T20:00:00Z"))
        plan.isAttended = true
        let sale = try await room.configureSale(plan)
        #expect(sale.mode == .automatic && sale.premiumPercent == "12.5" && sale.startsAt == plan.startsAt)
        #expect(sale.lotCount == 200 && sale.queuedCount == 190 && !sale.isRunning && sale.nextLotAt == nil)
        try await room.startSale()
        try await room.stopSale()
        try await room.clearSale()
        _ = try await room.sale()
        #expect(
            sent(transport) == [
                #"PUT /v1/rooms/room_1/sale {"attended":true,"mode":"automatic","premium":{"percent":"12.5"},"startsAt":"2026-11-21T20:00:00.000Z"}"#,
                "POST /v1/rooms/room_1/sale/start {}", "POST /v1/rooms/room_1/sale/stop {}", "DELETE /v1/rooms/room_1/sale ",
                "GET /v1/rooms/room_1/sale ",
            ])
    }

    @Test func `events about lots and the sale have their members, also under later versions`() throws {
        func body(_ type: String, _ data: String) throws -> RoomEvent.Body {
            let json = "{\"seq\":1,\"type\":\"\(type)\",\"at\":\"2026-11-21T08:56:46.572Z\",\"round\":1,\"data\":\(data)}"
            return try RoomEvent(try JSONParser.parse(json), currency: "CNY").body
        }
        guard case .lot(let moved) = try body("lot.moved", #"{"lotId":"lot_1","before":null,"by":{"id":"u","nickname":"Ann"}}"#)
        else { Issue.record("no event of a lot"); return }
        #expect(moved.lotId == "lot_1" && moved.before == nil && moved.by?.nickname == "Ann" && moved.item == nil)
        guard case .sale(let stopped) = try body("sale.stopped", #"{"cause":"hostGone","by":null}"#)
        else { Issue.record("no event of a sale"); return }
        #expect(stopped.cause == "hostGone" && stopped.by == nil)
        guard case .sale(let postponed) = try body("sale.postponed", #"{"cause":"host_gone"}"#)
        else { Issue.record("no event of a sale"); return }
        #expect(postponed.cause == "host_gone")
        #expect(try body("sale.finished", "{}") != .unknown)
    }
}

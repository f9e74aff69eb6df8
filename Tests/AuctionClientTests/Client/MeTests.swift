import Testing

@testable import AuctionClientCore

/// The caller's own account. The bodies are the examples of the contract.
struct MeTests {
    private static let row = """
        {"id":"room_1","name":"Night market","host":{"id":"user_2","nickname":"Ann"},"currency":"JPY","visibility":"private",\
        "state":"auctioning","round":1,"seq":15,"itemName":"Teapot","currentPrice":"130","total":"146",\
        "offer":{"name":"Teapot","picture":"/v1/media/9f64","startingPrice":"100"},"startsAt":"2026-11-21T09:00:00.000Z","endsAt":"2026-11-21T08:57:01.564Z",\
        "viewers":0,"openedAt":"2026-11-21T08:56:46.534Z"}
        """

    private static let bid = """
        {"room":{"id":"room_1","name":"Night market"},"state":"auctioning","round":1,"item":{"id":"item_1","name":"Teapot"},\
        "currency":"CNY","standing":"leading","bidId":"bid_1","amount":"130.00","maximum":"200.00","bidAt":"2026-11-21T08:56:46.564Z",\
        "currentPrice":"130.00","total":"143.00","nextMinimum":"140.00","endsAt":"2026-11-21T08:57:01.564Z"}
        """

    private static let win = """
        {"room":{"id":"room_1","name":"Night market"},"round":1,"item":{"id":"item_1","name":"Teapot"},"currency":"CNY",\
        "price":"130.00","total":"146.25","wonAt":"2026-11-21T08:56:46.572Z"}
        """

    static func session(_ nickname: String, _ token: String, expiresAt: String = "2027-02-01T08:00:00.000Z") -> String {
        #"{"user":{"id":"user_1","nickname":"\#(nickname)"},"token":"\#(token)","expiresAt":"\#(expiresAt)"}"#
    }

    /// A client whose service has three pages of every list, the first of them empty.
    private func lists(_ name: String, _ row: String) -> (AuctionClient, FakeTransport) {
        let transport = FakeTransport { call throws(TransportError) in
            let isFirst = !call.target.contains("cursor"), isLast = call.target.hasSuffix("&cursor=b%2Fc")
            let next = isFirst ? "\"a\"" : isLast ? "null" : "\"b/c\""
            return SimulatedService.response(200, "{\"\(name)\":[\(isFirst ? "" : row)],\"nextCursor\":\(next)}")
        }
        return (AuctionClient(transport: transport, configuration: .init(), clock: TestClock()), transport)
    }

    private func all<Element>(_ pages: Pages<Element>) async throws -> [Element] {
        var elements: [Element] = []
        for try await element in pages { elements.append(element) }
        return elements
    }

    @Test func `the account has its user, the end of the token and the number of rooms`() async throws {
        let body = #"{"user":{"id":"user_1","nickname":"Ed"},"tokenExpiresAt":"2026-11-28T08:56:46.000Z","rooms":2}"#
        let transport = FakeTransport { _ throws(TransportError) in SimulatedService.response(200, body) }
        let account = try await AuctionClient(transport: transport, configuration: .init(), clock: TestClock()).me()
        #expect(account.user == Person(id: "user_1", nickname: "Ed") && account.roomCount == 2)
        #expect(account.tokenExpiresAt == ServerTime(rfc3339: "2026-11-28T08:56:46Z"))
        #expect(transport.calls.map(\.target) == ["/v1/me"])
    }

    @Test func `own rooms have the role and the room, and an empty page does not end them`() async throws {
        let (client, transport) = lists("rooms", #"{"role":"bidder","room":\#(Self.row)}"#)
        let rooms = try await all(client.myRooms(pageSize: 7))
        #expect(rooms.count == 2 && rooms[0].role == .bidder && rooms[0].id == "room_1")
        #expect(rooms[0].room.visibility == .membersOnly && rooms[0].room.seq == 15)
        #expect(rooms[0].room.currentPrice == Money(minorUnits: 130, currency: "JPY") && rooms[0].room.total?.decimal == "146")
        let offer = try #require(rooms[0].room.offer)
        #expect(offer.name == "Teapot" && offer.picture == "/v1/media/9f64" && offer.startingPrice.decimal == "100")
        #expect(rooms[0].room.startsAt == ServerTime(rfc3339: "2026-11-21T09:00:00Z"))
        let targets = ["limit=7", "limit=7&cursor=a", "limit=7&cursor=b%2Fc"].map { "/v1/me/rooms?\($0)" }
        #expect(transport.calls.map(\.target) == targets)
    }

    @Test func `own bids have their standing, and amounts in the currency of their room`() async throws {
        let (client, transport) = lists("bids", Self.bid)
        let bids = try await all(client.myBids())
        let bid = try #require(bids.first)
        #expect(bids.count == 2 && bid.standing == .leading && bid.phase == .auctioning && bid.round == 1)
        #expect(bid.amount == Money(minorUnits: 13000, currency: "CNY"))
        #expect(bid.maximum?.decimal == "200.00" && bid.nextMinimum?.decimal == "140.00" && bid.currentPrice == bid.amount)
        #expect(bid.total?.decimal == "143.00")
        #expect(
            [bid.roomId, bid.roomName, bid.itemId, bid.itemName, bid.id] == [
                "room_1", "Night market", "item_1", "Teapot", "bid_1",
            ])
        #expect(transport.calls.first?.target == "/v1/me/bids?limit=25")
    }

    @Test func `what the caller bought has its price, and what they pay`() async throws {
        let (client, transport) = lists("wins", Self.win)
        let wins = try await all(client.myWins())
        #expect(wins.count == 2 && wins[0].price == Money(minorUnits: 13000, currency: "CNY"))
        #expect(wins[0].total?.decimal == "146.25")
        #expect(wins[0].wonAt == ServerTime(rfc3339: "2026-11-21T08:56:46.572Z") && wins[0].itemName == "Teapot")
        #expect(transport.calls.first?.target == "/v1/me/wins?limit=50")
    }

    @Test func `a guest's new nickname comes with a token that is used and kept from then on`() async throws {
        let kept = Locked<[String]>([])
        let transport = FakeTransport { call throws(TransportError) in
            switch call.method {
            case "PATCH": SimulatedService.response(200, Self.session("Eddie", "second"))
            case "POST": SimulatedService.response(201, Self.session("Ed", "first"))
            default: Responses.room(Responses.auctioning)
            }
        }
        let tokens = GuestTokens(transport, "Ed", clock: TestClock()) { session in kept.withLock { $0.append(session.token) } }
        var configuration = ClientConfiguration()
        configuration.tokens = tokens
        let client = AuctionClient(transport: transport, configuration: configuration, clock: TestClock())
        _ = try await client.room("room_1").read()
        #expect(try await client.setNickname("Eddie").nickname == "Eddie")
        _ = try await client.room("room_1").read()
        await client.forgetToken()
        _ = try await client.room("room_1").read()
        let sent = transport.calls.map { "\($0.method) \($0.header("Authorization") ?? "-")" }
        #expect(sent == ["POST -", "GET Bearer first", "PATCH Bearer first", "GET Bearer second", "GET Bearer second"])
        #expect(transport.calls[2].header("Idempotency-Key") == nil)
        #expect(transport.calls[2].body.map { String(decoding: $0, as: UTF8.self) } == #"{"nickname":"Eddie"}"#)
        #expect(kept.withLock { $0 } == ["first", "second"])
        #expect(try await tokens.guest().nickname == "Eddie")
    }
}

import AuctionDomain
import AuctionServer
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

@testable import AuctionServer

/// All rooms, for operators.
struct AdminRoomTests {
    private func names(_ response: HTTPResponse) -> [String] { response.list("rooms").compactMap { $0.text("name") } }

    @Test func `all rooms are listed, private ones too, by state, host and name`() throws {
        let fixture = try OperatorFixture()
        let (ann, bob) = (try fixture.server.guest("Ann"), try fixture.server.guest("Bob"))
        _ = try fixture.room("Night market", by: ann)
        _ = try fixture.room("Back room", visibility: "private", by: bob)
        _ = try fixture.room("Märkte am Morgen", visibility: "private", by: ann)
        let gone = try fixture.room("Gone", by: ann)
        #expect(try fixture.server.call("DELETE", "/v1/rooms/\(gone)", by: ann).status == 204)
        let token = try fixture.token("rooms:read").text
        func list(_ query: String = "") throws -> HTTPResponse {
            try fixture.call("GET", "/v1/admin/rooms\(query)", token: token)
        }
        #expect(names(try list()) == ["Märkte am Morgen", "Back room", "Night market"])
        #expect(names(try list("?host=\(ann.id)")) == ["Märkte am Morgen", "Night market"])
        #expect(names(try list("?q=MARKET")) == ["Night market"])
        #expect(names(try list("?q=m%C3%84rk")) == ["Märkte am Morgen"])
        #expect(names(try list("?q=teapot")).isEmpty)
        #expect(names(try list("?state=closed")).isEmpty)
        #expect(names(try list("?state=preparing")).count == 3)
        let first = try list("?limit=1")
        let cursor = try #require(first.text("nextCursor"))
        let rest = try list("?limit=2&cursor=\(cursor)")
        #expect(names(first) == ["Märkte am Morgen"] && names(rest) == ["Back room", "Night market"])
        #expect(rest["nextCursor"] == .null)
        for query in ["?state=sold", "?host=x", "?q=", "?limit=0", "?cursor=x", "?name=x"] {
            #expect(try list(query).status == 400, "\(query)")
        }
        #expect(try fixture.call("GET", "/v1/admin/rooms", token: fixture.token("feed:read").text).code == "scope.missing")
        #expect(try fixture.server.call("GET", "/v1/admin/rooms", by: ann).code == "route.not_found")
    }

    @Test func `a search reads a bounded number of rooms for a page, and goes on with the next`() throws {
        let log = InMemoryEventLog()
        for number in 0..<RoomSearch.rowLimit + 250 {
            let profile = RoomProfile(
                name: number == 7 ? "Teapots" : "Room \(number)", host: Person(id: UserID(bits: 1), nickname: "Ada"),
                currency: "EUR", visibility: "public", openedAt: Timestamp(milliseconds: 0), itemName: nil)
            let status = RoomStatus(state: "preparing", round: 1, endsAt: nil, currentPrice: nil, isArchived: false)
            let event = StoredEvent(
                seq: 1, at: Timestamp(milliseconds: 0), type: "room.opened", publicBytes: [0x7B, 0x7D], privateBytes: nil,
                hash: EventHash(words: (UInt64(number), 0, 0, 0)))
            _ = try log.append([
                RoomAppend(
                    room: RoomID(bits: UInt128(number)), expected: .none, events: [event], profile: profile, status: status,
                    responses: [])
            ])
        }
        var query = RoomQuery(limit: 20)
        query.isComplete = true
        let first = try RoomSearch(query, text: "teapot").page(of: log)
        #expect(first.rows.isEmpty)
        query.after = first.next
        let second = try RoomSearch(query, text: "teapot").page(of: log)
        #expect(second.rows.map(\.profile.name) == ["Teapots"] && second.next == nil)
    }

    @Test func `any room is read as its host knows it, without the invite code and what is hidden`() throws {
        let server = try TestServer { $0.adminToken = OperatorFixture.adminToken }
        let fixture = try RoomFixture(server)
        try fixture.upload(
            [
                "name": "Teapot",
                "rules": ["startingPrice": "100", "reservePrice": "150", "listingSeconds": 60, "biddingSeconds": 60],
            ])
        for _ in 1...2 { try fixture.start() }
        #expect(try fixture.call("POST", "/bids", ["amount": "100", "maximum": "145"], by: fixture.bidder).status == 201)
        let id = fixture.path.dropFirst("/v1/rooms/".count)
        let service = OperatorFixture.bearer(OperatorFixture.adminToken)
        let room = try server.call("GET", "/v1/admin/rooms/\(id)", nil, by: nil, service)
        #expect(room.status == 200, "\(room.bodyText)")
        #expect(room.text("visibility") == "public" && room.text("currentPrice") == "100.00" && room["reserveMet"] == false)
        #expect(room.int("members.host") == 1 && room.int("reports") == 0 && room.int("banned") == 0)
        #expect(room.text("openedAt") != nil && room["inviteCode"] == nil && room["allowedActions"] == nil)
        for hidden in ["145.00", "150.00"] { #expect(!room.bodyText.contains(hidden)) }
        for unknown in ["room_7zzzzzzzzzzzzzzzzzzzzzzzzz", "x"] {
            let response = try server.call("GET", "/v1/admin/rooms/\(unknown)", nil, by: nil, service)
            #expect(response.status == 404 && response.code == "room.not_found")
        }
        #expect(try server.call("GET", "/v1/admin/rooms/\(id)", by: fixture.host).code == "route.not_found")
    }

    @Test func `a service token reads private rooms as everybody reads public ones, and reports as the host`() throws {
        let operators = try OperatorFixture()
        let fixture = try RoomFixture(operators.server, visibility: "private")
        try fixture.openBidding()
        try #require(try fixture.bid("100", by: fixture.bidder).status == 201)
        let message = try fixture.call("POST", "/messages", ["text": "Buy my watches"], by: fixture.rival)
        let id = try #require(message.text("id"))
        try #require(try fixture.call("POST", "/messages/\(id)/report", ["reason": "spam"], by: fixture.viewer).status < 300)
        let (reader, other) = (try operators.token("rooms:read"), try operators.token("rooms:write", "feed:read"))
        let tails = ["", "/members", "/lots", "/bids", "/results", "/results.csv", "/sale", "/events?after=0", "/reports"]
        for tail in tails {
            let shown = try operators.call("GET", fixture.path + tail, token: reader.text)
            #expect(shown.status == 200, "\(tail): \(shown.bodyText)")
            let refused = try operators.call("GET", fixture.path + tail, token: other.text)
            #expect(refused.status == 403 && refused.code == "scope.missing", "\(tail)")
            #expect(try fixture.call("GET", tail).status != 200, "without a token")
        }
        let reports = try operators.call("GET", fixture.path + "/reports", token: reader.text)
        #expect(try reports.body == fixture.call("GET", "/reports", by: fixture.host).body)
        // What members see of themselves, and the host alone, is not shown.
        let room = try operators.call("GET", fixture.path, token: reader.text)
        for member in ["me", "allowedActions", "inviteCode", "reports"] { #expect(room[member] == nil, "\(member)") }
        #expect(room.text("currentPrice") == "100.00")
        #expect(try operators.call("GET", "/v1/rooms", token: reader.text).list("rooms").isEmpty, "only public ones")
        // Waiting is the feed's.
        for (tail, accept) in [("/events?after=latest&wait=5", "application/json"), ("/events", "text/event-stream")] {
            let refused = try operators.call(
                "GET", fixture.path + tail, token: reader.text, [(name: "Accept", value: accept)])
            #expect(refused.status == 403 && refused.code == "token.not_a_person", "\(tail)")
        }
        #expect(try operators.call("GET", fixture.path + "/events?wait=0", token: reader.text).status == 200)
        for tail in ["/permissions", "/applications"] {
            #expect(try operators.call("GET", fixture.path + tail, token: reader.text).code == "token.not_a_person", "\(tail)")
        }
    }

    @Test func `a private room that is not in memory is read from the log`() throws {
        let log = InMemoryEventLog()
        let fixture = try OperatorFixture(log: NodeLog(log))
        let room = try fixture.room("Back room", visibility: "private", by: fixture.server.guest("Ann"))
        fixture.server.auctionServer.stop()
        let later = try OperatorFixture(log: NodeLog(log))
        #expect(try later.call("GET", "/v1/admin/rooms/\(room)").text("name") == "Back room")
    }
}

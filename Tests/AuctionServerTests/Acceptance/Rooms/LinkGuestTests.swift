import AuctionDomain
import AuctionServer
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

/// A guest signs in with the identity provider and takes along what they had: `POST /v1/me/link`.
struct LinkGuestTests {
    private let issuer: TokenIssuer
    private let alice: Guest

    init() throws {
        issuer = try TokenIssuer.shared.get()
        alice = try issuer.guest("alice", "Alice")
    }

    private func fixture(visibility: String = "public", _ configure: (inout ServerOptions) -> Void = { _ in }) throws
        -> RoomFixture
    {
        let identity = try issuer.identity()
        let server = try TestServer {
            $0.identity = identity
            configure(&$0)
        }
        return try RoomFixture(server, visibility: visibility)
    }

    @discardableResult
    private func link(
        _ guest: Guest, to user: Guest? = nil, at server: TestServer, _ more: [JSONMember] = []
    ) throws -> HTTPResponse {
        let body = JSONValue.object([JSONMember(name: "guestToken", value: .string(guest.token))] + more)
        return try server.call("POST", "/v1/me/link", body, by: user ?? alice)
    }

    /// A round that the bidder wins.
    private func sell(_ fixture: RoomFixture) throws {
        try fixture.openBidding()
        try #require(try fixture.bid("100", by: fixture.rival).status == 201)
        try #require(try fixture.bid("120", by: fixture.bidder).status == 201)
        try #require(try fixture.call("POST", "/auction/end", by: fixture.host).status == 200)
    }

    private func wins(of guest: Guest, at server: TestServer) throws -> [String] {
        try server.call("GET", "/v1/me/wins", by: guest).list("wins").compactMap { $0.text("price") }
    }

    private func rooms(of guest: Guest, at server: TestServer) throws -> [String] {
        try server.call("GET", "/v1/me/rooms", by: guest).list("rooms").compactMap { $0.text("role") }
    }

    @Test func `whom the guest blocked the user blocks`() throws {
        let fixture = try fixture()
        let server = fixture.server
        let block: JSONValue = ["userId": .string(fixture.rival.id)]
        try #require(try server.call("POST", "/v1/me/blocks", block, by: fixture.bidder).status == 201)
        try #require(try link(fixture.bidder, at: server).status == 200)
        #expect(try server.call("GET", "/v1/me/blocks", by: alice).text("blocks.0.userId") == fixture.rival.id)
        #expect(try server.call("GET", "/v1/me/blocks", by: fixture.bidder).list("blocks").isEmpty)
    }

    @Test func `membership, bids and wins of the guest are the user's, and all members see it`() throws {
        let fixture = try fixture(visibility: "private")
        try sell(fixture)
        // Round 2 begins, so the bids of round 1 are read from the log.
        try fixture.start()
        let before = try fixture.seq()
        let response = try link(fixture.bidder, at: fixture.server)
        #expect(response.status == 200)
        #expect(response["user"] == alice.person)
        #expect(response.list("linked").count == 1)
        #expect(response.text("linked.0.room.name") == "Night market")
        #expect(response.text("linked.0.role") == "bidder")
        #expect(response.int("linked.0.wins") == 1)
        #expect(response.list("skipped").isEmpty)
        #expect(response.isNull("nextCursor"))
        #expect(try wins(of: alice, at: fixture.server) == ["120.00"])
        #expect(try wins(of: fixture.bidder, at: fixture.server) == [])
        #expect(try rooms(of: alice, at: fixture.server) == ["bidder"])
        #expect(try rooms(of: fixture.bidder, at: fixture.server) == [])

        let event = try #require(try fixture.events(after: before).first)
        #expect(event.text("type") == "member.linked")
        #expect(event["data"]?["from"] == fixture.bidder.person)
        #expect(event["data"]?["to"] == alice.person)
        #expect(try fixture.call("GET", "", by: alice).text("me.role") == "bidder")
        #expect(try fixture.call("GET", "", by: fixture.bidder).status == 404)
        #expect(try fixture.call("GET", "/results", by: fixture.host)["results.0.winner"] == alice.person)
        #expect(try fixture.call("GET", "/results.csv", by: fixture.host).bodyText.contains(alice.id))
        let bids = try fixture.call("GET", "/bids?round=1", by: alice).list("bids")
        #expect(bids.map { $0.text("bidder.nickname") } == ["Alice", "Rui"])
        let all = try fixture.events().map(\.written).joined() + response.bodyText
        #expect(!all.contains(fixture.bidder.token))
    }

    @Test func `linking the same guest again changes nothing`() throws {
        let fixture = try fixture()
        try sell(fixture)
        try link(fixture.bidder, at: fixture.server)
        let before = try fixture.seq()
        let again = try link(fixture.bidder, at: fixture.server)
        #expect(again.status == 200)
        #expect(again.list("linked").isEmpty && again.list("skipped").isEmpty)
        #expect(try fixture.seq() == before)
        #expect(try wins(of: alice, at: fixture.server) == ["120.00"])
        // The guest's token goes on, without rooms; what they win from now on is theirs, until they link it.
        #expect(try fixture.call("POST", "/members", ["role": "bidder"], by: fixture.bidder).status == 201)
        #expect(try link(fixture.bidder, at: fixture.server).list("linked").count == 1)
    }

    @Test func `a room in a round is left out until the round is over`() throws {
        let fixture = try fixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        for step in ["pause", "resume"] {
            let response = try link(fixture.bidder, at: fixture.server)
            #expect(response.list("linked").isEmpty)
            #expect(response.text("skipped.0.room.name") == "Night market")
            #expect(response.text("skipped.0.reason.code") == "link.in_round")
            try fixture.call("POST", "/auction/\(step)", by: fixture.host)
        }
        #expect(try rooms(of: fixture.bidder, at: fixture.server) == ["bidder"])
        try fixture.call("POST", "/auction/end", by: fixture.host)
        #expect(try link(fixture.bidder, at: fixture.server).int("linked.0.wins") == 1)
        #expect(try wins(of: alice, at: fixture.server) == ["100.00"])
    }

    @Test func `wins in an archived room are the user's, also when the index has forgotten the memberships`() throws {
        let fixture = try fixture()
        try sell(fixture)
        try fixture.call("DELETE", by: fixture.host)
        #expect(try link(fixture.rival, at: fixture.server).list("linked").isEmpty)
        let response = try link(fixture.bidder, at: fixture.server)
        #expect(response.int("linked.0.wins") == 1)
        #expect(response.list("skipped").isEmpty)
        #expect(try wins(of: alice, at: fixture.server) == ["120.00"])
        #expect(try wins(of: fixture.bidder, at: fixture.server) == [])
        #expect(try rooms(of: alice, at: fixture.server) == [])
        #expect(try link(fixture.bidder, at: fixture.server).list("linked").isEmpty)
    }

    @Test func `bids of an earlier round become the user's in a room that the guest has left`() throws {
        let fixture = try fixture()
        try sell(fixture)
        try fixture.call("DELETE", "/members/me", by: fixture.rival)
        try fixture.start()
        #expect(try link(fixture.rival, at: fixture.server).list("linked").count == 1)
        let bids = try fixture.call("GET", "/bids?round=1", by: fixture.host).list("bids")
        #expect(bids.map { $0.text("bidder.nickname") } == [fixture.bidder.nickname, "Alice"])
        let seq = try fixture.seq()
        #expect(try link(fixture.rival, at: fixture.server).list("linked").isEmpty)
        #expect(try fixture.seq() == seq)
    }

    @Test func `a ban of the guest applies to the user, and to the guest still`() throws {
        let fixture = try fixture()
        try sell(fixture)
        try fixture.call("PATCH", "/members/\(fixture.bidder.id)", ["banned": true], by: fixture.host)
        let response = try link(fixture.bidder, at: fixture.server)
        #expect(response["linked.0.banned"] == .bool(true))
        #expect(try wins(of: alice, at: fixture.server) == ["120.00"])
        for guest in [alice, fixture.bidder] {
            #expect(try fixture.call("POST", "/members", by: guest).code == "member.banned")
        }
    }

    @Test(arguments: [["banned": true], ["muted": true]] as [JSONValue])
    func `what the host decided about a guest without bids applies to the user, also if the guest has left`(
        _ decision: JSONValue
    ) throws {
        let fixture = try fixture()
        try fixture.call("PATCH", "/members/\(fixture.bidder.id)", decision, by: fixture.host)
        try fixture.call("DELETE", "/members/me", by: fixture.bidder)
        #expect(try rooms(of: fixture.bidder, at: fixture.server).isEmpty)
        #expect(try link(fixture.bidder, at: fixture.server).list("linked").count == 1)
        let again = try fixture.call("POST", "/members", ["role": "bidder"], by: alice)
        #expect(decision["banned"] == true ? again.code == "member.banned" : again["muted"] == true)
        let seq = try fixture.seq()
        #expect(try link(fixture.bidder, at: fixture.server).list("linked").isEmpty, "a repeat finds nothing more")
        #expect(try fixture.seq() == seq)
    }

    @Test func `a guest whose application was declined is found after they have left, and the user is declined`() throws {
        let fixture = try fixture()
        try fixture.call("PATCH", "/permission-rules/bid.not_approved", ["enabled": true], by: fixture.host)
        try fixture.call("POST", "/members", ["role": "bidder"], by: fixture.stranger)
        let decline = "/applications/\(fixture.stranger.id)/decline"
        #expect(try fixture.call("POST", decline, ["reason": "Register first."], by: fixture.host).status == 200)
        try fixture.call("DELETE", "/members/me", by: fixture.stranger)
        #expect(try rooms(of: fixture.stranger, at: fixture.server).isEmpty)
        #expect(try link(fixture.stranger, at: fixture.server).list("linked").count == 1)
        #expect(try fixture.call("POST", "/members", ["role": "bidder"], by: alice).code == "application.declined")
        #expect(try link(fixture.stranger, at: fixture.server).list("linked").isEmpty, "a repeat finds nothing more")
    }

    @Test func `what the host gave with an approval applies to the user, also if the guest has left`() throws {
        let fixture = try fixture()
        try fixture.call("PATCH", "/permission-rules/bid.not_approved", ["enabled": true], by: fixture.host)
        for leaves in [true, false] {
            let guest = leaves ? fixture.stranger : fixture.viewer
            try fixture.call("POST", "/members", ["role": "bidder"], by: guest)
            let approve = "/applications/\(guest.id)/approve"
            #expect(try fixture.call("POST", approve, ["creditLimit": "500"], by: fixture.host).status == 200)
            if leaves { try fixture.call("DELETE", "/members/me", by: guest) }
            #expect(try link(guest, at: fixture.server).list("linked").count == 1)
            #expect(try fixture.room(as: alice).text("me.creditLimit") == "500.00")
            // Who leaves loses a role that the host gave, as everybody does; who is there keeps it.
            if !leaves { #expect(try fixture.room(as: alice).text("me.role") == "bidder") }
        }
    }

    @Test func `a ban of the user is not lifted by the guest's membership`() throws {
        let fixture = try fixture()
        try fixture.call("POST", "/members", by: alice)
        try fixture.call("PATCH", "/members/\(alice.id)", ["banned": true], by: fixture.host)
        #expect(try link(fixture.owner, at: fixture.server)["linked.0.banned"] == .bool(true))
        #expect(try fixture.call("POST", "/messages", ["text": "Me again."], by: alice).code == "message.banned")
    }

    @Test func `the host's room is the user's, who is a member already`() throws {
        let fixture = try fixture()
        try fixture.call("POST", "/members", ["role": "bidder"], by: alice)
        #expect(try link(fixture.host, at: fixture.server).text("linked.0.role") == "host")
        #expect(try fixture.call("GET", "", by: alice)["host"] == alice.person)
        try fixture.upload()
        #expect(try fixture.call("POST", "/auction/start", by: fixture.host).code == "start.not_host")
        #expect(try fixture.call("POST", "/auction/start", by: alice).status == 200)
        let counts = try fixture.call("GET", "", by: alice)
        #expect(counts.int("members.host") == 1)
    }

    @Test func `rooms are linked page by page`() throws {
        let fixture = try fixture()
        let more = try (0..<2).map { _ in try RoomFixture(fixture.server) }
        for other in more { try other.call("POST", "/members", by: fixture.stranger) }
        try fixture.call("POST", "/members", by: fixture.stranger)
        try more[0].openBidding()
        let limit = JSONMember(name: "limit", value: 2)
        let first = try link(fixture.stranger, at: fixture.server, [limit])
        #expect(first.list("linked").count == 1)
        #expect(first.list("skipped").count == 1)
        let cursor = try #require(first.text("nextCursor"))
        let second = try link(
            fixture.stranger, at: fixture.server, [limit, JSONMember(name: "cursor", value: .string(cursor))])
        #expect(second.list("linked").count == 1)
        #expect(second.isNull("nextCursor"))
        #expect(try rooms(of: fixture.stranger, at: fixture.server) == ["viewer"])
        #expect(try rooms(of: alice, at: fixture.server) == ["viewer", "viewer"])
    }

    @Test func `a guest may not link, and the refusal says what to do`() throws {
        let fixture = try fixture()
        let response = try link(fixture.bidder, to: fixture.rival, at: fixture.server)
        #expect(response.status == 403)
        #expect(response.code == "link.by_guest")
        #expect(response.text("detail")?.contains("sign in") == true)
        #expect(try rooms(of: fixture.bidder, at: fixture.server) == ["bidder"])
    }

    @Test func `every token that is no valid guest's gets the same refusal`() throws {
        let fixture = try fixture()
        func refusal(_ token: String) throws -> HTTPResponse {
            try fixture.server.call("POST", "/v1/me/link", ["guestToken": .string(token)], by: alice)
        }
        let bob = try issuer.guest("bob", "Bob")
        let parts = fixture.bidder.token.split(separator: ".")
        var details: Set<String?> = []
        for token in ["x", bob.token, alice.token, "\(parts[0]).\(parts[1]).\(String(repeating: "A", count: 43))"] {
            let response = try refusal(token)
            #expect(response.status == 403)
            #expect(response.code == "link.token_invalid")
            #expect(token.utf8.count < 2 || !response.bodyText.contains(token))
            details.insert(response.text("detail"))
        }
        fixture.server.clock.advance(seconds: 3500)
        #expect(try refusal(fixture.bidder.token).status == 200)
        #expect(details.count == 1)
    }

    @Test func `an expired guest token links nothing`() throws {
        let fixture = try fixture()
        fixture.server.clock.advance(seconds: 8 * 24 * 3600)
        let user = try issuer.guest("alice", "Alice", lifetime: 9 * 24 * 3600)
        #expect(try link(fixture.bidder, to: user, at: fixture.server).code == "link.token_invalid")
    }

    @Test func `a malformed body is refused, naming the field`() throws {
        let fixture = try fixture()
        let token = JSONMember(name: "guestToken", value: .string(fixture.bidder.token))
        let bodies: [(JSONValue, String)] = [
            ([:], "guestToken"), (["guestToken": 1], "guestToken"), (["guestToken": ""], "guestToken"),
            (["guestToken": .string(String(repeating: "x", count: 2049))], "guestToken"),
            (.object([token, JSONMember(name: "limit", value: 51)]), "limit"),
            (.object([token, JSONMember(name: "cursor", value: "next")]), "cursor"),
            (.object([token, JSONMember(name: "cursor", value: "-1")]), "cursor"),
            (.object([token, JSONMember(name: "room", value: "all")]), "room"),
        ]
        for (body, field) in bodies {
            let response = try fixture.server.call("POST", "/v1/me/link", body, by: alice)
            #expect(response.status == 400, "\(field)")
            #expect(response.text("field") == field)
        }
        #expect(try rooms(of: fixture.bidder, at: fixture.server) == ["bidder"])
    }

    @Test func `the whole call counts as one command`() throws {
        let fixture = try fixture { $0.limits.commandsPerSecond = 8 }
        for _ in 0..<2 { try RoomFixture(fixture.server).call("POST", "/members", by: fixture.stranger) }
        fixture.server.clock.advance(seconds: 2)
        var statuses: [Int] = []
        for _ in 0..<20 { statuses.append(try link(fixture.stranger, at: fixture.server).status) }
        #expect(statuses == Array(repeating: 200, count: 8) + Array(repeating: 429, count: 12))
        #expect(try rooms(of: alice, at: fixture.server).count == 2)
    }

    @Test func `a page links eight rooms at most, and rooms in a round are skipped without counting`() throws {
        let fixture = try fixture { $0.limits.commandsPerSecond = 0 }
        let rooms = try (0..<12).map { _ in try RoomFixture(fixture.server) }
        for room in rooms { try room.call("POST", "/members", by: fixture.stranger) }
        for room in rooms[..<3] { try room.openBidding() }
        let first = try link(fixture.stranger, at: fixture.server)
        #expect(first.list("linked").count == 8)
        #expect(first.list("skipped").isEmpty)
        let cursor = JSONMember(name: "cursor", value: .string(try #require(first.text("nextCursor"))))
        let second = try link(fixture.stranger, at: fixture.server, [cursor])
        #expect(second.list("linked").count == 1)
        #expect(second.list("skipped").count == 3)
        #expect(second.text("skipped.0.reason.code") == "link.in_round")
        #expect(second.text("skipped.0.reason.actual") == "auctioning")
        #expect(second.text("skipped.0.reason.required") == "preparing or closed")
        #expect(second.text("skipped.0.reason.instance") == "/v1/me/link")
        #expect(second.isNull("nextCursor"))
    }

    @Test func `a user has one link in progress at a time`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let identity = try issuer.identity()
        let server = try TestServer(log: log) { $0.identity = identity }
        let fixture = try RoomFixture(server)
        let body: JSONValue = ["guestToken": .string(fixture.bidder.token)]
        log.commits.shut()
        let connection = try server.connect()
        let request = server.request("POST", "/v1/me/link", Array(body.written.utf8), by: alice)
        try connection.send(request)
        eventually("the link is blocked") { log.commits.blockedCalls > 0 }
        let refused = try link(fixture.rival, at: server)
        #expect(refused.status == 503)
        #expect(refused.code == "service.too_many_reads")
        #expect(refused.text("detail")?.contains("links a guest") == true)
        log.commits.open()
        #expect(try server.receive(on: connection, to: request).list("linked").count == 1)
        #expect(try link(fixture.rival, at: server).list("linked").count == 1)
    }

    @Test func `a user who disconnects during a link may begin another`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let identity = try issuer.identity()
        let server = try TestServer(log: log) { $0.identity = identity }
        let fixture = try RoomFixture(server)
        try RoomFixture(server).call("POST", "/members", by: fixture.bidder)
        let body: JSONValue = ["guestToken": .string(fixture.bidder.token)]
        log.commits.shut()
        let connection = try server.connect()
        try connection.send(server.request("POST", "/v1/me/link", Array(body.written.utf8), by: alice))
        eventually("the link is blocked") { log.commits.blockedCalls > 0 }
        connection.close()
        log.commits.open()
        var response = try link(fixture.bidder, at: server)
        // The server may not have noticed yet that the client has gone.
        eventually("the user may link again") {
            if response.status == 503 { response = (try? link(fixture.bidder, at: server)) ?? response }
            return response.status == 200
        }
        #expect(try rooms(of: alice, at: server).count == 2)
    }
}

import AuctionDomain
import AuctionServer
import AuctionTestKit
import EventLog
import ExactJSON
import MicroHTTP
import Testing

@testable import AuctionServer

/// What operators do about users in all rooms.
struct UserRestrictionTests {
    private let admin = OperatorFixture.bearer(OperatorFixture.adminToken)

    private func fixture(log: any EventLog = InMemoryEventLog(), systemClock: Bool = false) throws -> RoomFixture {
        try RoomFixture(
            try TestServer(log: log, systemClock: systemClock) {
                $0.adminToken = OperatorFixture.adminToken
                $0.http.threads = 2
                $0.streams.noticeSeconds = 3600
            })
    }

    @discardableResult
    private func restrict(
        _ user: String, _ action: String, _ reason: String? = nil, in fixture: RoomFixture
    ) throws -> HTTPResponse {
        try fixture.server.call(
            "POST", "/v1/admin/users/\(user)/\(action)", reason.map { ["reason": .string($0)] }, by: nil, admin)
    }

    @Test func `all tokens issued so far end at once, with their streams, and a later one is accepted`() throws {
        let fixture = try fixture()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.viewer)
        let others = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        let revoked = try restrict(fixture.viewer.id, "revoke", in: fixture)
        #expect(revoked.status == 200 && revoked["banned"] == false && revoked.text("tokensEndedAt") != nil)
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 4401)
        #expect(try fixture.call("GET", "", by: fixture.viewer).code == "token.revoked")
        #expect(try fixture.server.call("POST", "/v1/tokens/renew", by: fixture.viewer).code == "token.revoked")
        try fixture.call("POST", "/messages", ["text": "still here"], by: fixture.host)
        #expect(try others.event()?.type == "message.sent")
        // A backend's user signs in again.
        func signIn() throws -> String? {
            try fixture.server.call(
                "POST", "/v1/admin/users/tokens", ["subject": "c-1", "nickname": "Ann"], by: nil, admin
            ).text("token")
        }
        let first = try #require(try signIn())
        let user = try #require(
            try fixture.server.call("GET", "/v1/me", nil, by: nil, OperatorFixture.bearer(first)).text("user.id"))
        try restrict(user, "revoke", "lost phone", in: fixture)
        #expect(try fixture.server.call("GET", "/v1/me", nil, by: nil, OperatorFixture.bearer(first)).code == "token.revoked")
        // In the same second, and for good.
        let second = OperatorFixture.bearer(try #require(try signIn()))
        for _ in 0..<2 {
            #expect(try fixture.server.call("GET", "/v1/me", nil, by: nil, second).status == 200)
            fixture.server.clock.advance(seconds: 2)
        }
        let renewed = try fixture.server.call("POST", "/v1/tokens/renew", nil, by: nil, second)
        #expect(renewed.status == 200)
        #expect(try fixture.server.call("GET", "/v1/me", nil, by: nil, OperatorFixture.bearer(first)).code == "token.revoked")
    }

    @Test func `a ban holds for whom its user is after they have left and come back, until it is taken back`() throws {
        let fixture = try fixture()
        func signIn() throws -> Guest {
            let body: JSONValue = ["subject": "c-1", "nickname": "Ann"]
            let user = try fixture.server.call("POST", "/v1/admin/users/tokens", body, by: nil, admin)
            return Guest(id: try #require(user.text("user.id")), nickname: "Ann", token: try #require(user.text("token")))
        }
        func join(_ guest: Guest) throws -> HTTPResponse {
            try fixture.call("POST", "/members", ["role": "bidder"], by: guest)
        }
        let first = try signIn()
        #expect(try restrict(first.id, "ban", "Shill bidding", in: fixture).status == 200)
        #expect(try fixture.server.call("DELETE", "/v1/me", by: first).status == 204)
        let second = try signIn()
        #expect(second.id != first.id)
        #expect(try join(second).code == "user.banned")
        #expect(try fixture.server.call("DELETE", "/v1/me", by: second).status == 204)
        let third = try signIn()
        #expect(try join(third).code == "user.banned", "after the second time too")
        #expect(try fixture.server.call("GET", "/v1/me", by: third).status == 200)
        #expect(try restrict(first.id, "unban", "It was another one", in: fixture).status == 200)
        #expect(try join(third).status == 201)
    }

    @Test func `a banned user can send no command and open no stream, and open ones are closed`() throws {
        let fixture = try fixture()
        try fixture.upload()
        try fixture.openBidding()
        let (bidder, server) = (fixture.bidder, fixture.server)
        let socket = try SocketReader(fixture, "?after=latest", by: bidder)
        let events = try EventReader(fixture, "?after=latest", by: bidder)
        let (poll, request) = (
            try server.connect(), server.request("GET", fixture.path + "/events?after=latest&wait=60", by: bidder)
        )
        try poll.send(request)
        try eventually("the poll is waiting") { try fixture.room().int("viewers") == 3 }
        let banned = try restrict(bidder.id, "ban", "never paid", in: fixture)
        #expect(banned["banned"] == true && banned.text("reason") == "never paid" && banned.text("userId") == bidder.id)
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 4403)
        #expect(try events.event() == nil)
        #expect(try server.receive(on: poll, to: request).code == "user.banned")
        let seq = try fixture.seq()
        let refused = try fixture.bid("130", by: bidder)
        #expect(refused.status == 403 && refused.code == "user.banned" && refused.text("receivedAt") != nil)
        #expect(refused.text("detail")?.contains("reason") == true && !refused.bodyText.contains("never paid"))
        for (method, tail) in [("POST", "/messages"), ("DELETE", "/members/me"), ("POST", "/tickets"), ("GET", "/events")] {
            #expect(try fixture.call(method, tail, method == "POST" ? ["text": "hi"] : nil, by: bidder).code == "user.banned")
        }
        #expect(try SocketReader(fixture, by: bidder).problemCode() == "user.banned")
        #expect(try server.call("POST", "/v1/rooms", ["name": "Mine"], by: bidder).code == "user.banned")
        #expect(try fixture.seq() == seq)
        // What is no command and no stream stays.
        #expect(try fixture.call("GET", "", by: bidder).status == 200)
        #expect(try server.call("GET", "/v1/me", by: bidder).status == 200)
        #expect(try fixture.bid("130", by: fixture.rival).status == 201)
        let unbanned = try restrict(bidder.id, "unban", "paid", in: fixture)
        #expect(unbanned["banned"] == false && unbanned["reason"] == .null)
        #expect(try fixture.bid("140", by: bidder).status == 201)
    }

    @Test func `a ban outlives a restart, also without service tokens, and reaches other nodes within five seconds`() throws {
        let log = InMemoryEventLog()
        let fixture = try fixture(log: NodeLog(log))
        try restrict(fixture.bidder.id, "ban", "never paid", in: fixture)
        fixture.server.auctionServer.stop()
        let later = try TestServer(log: NodeLog(log))
        #expect(try later.call("POST", fixture.path + "/messages", ["text": "hi"], by: fixture.bidder).code == "user.banned")
        let nodes = try TwoNodes { $0.adminToken = OperatorFixture.adminToken }
        let socket = try SocketReader(nodes.nodeB, "?after=latest", by: nodes.nodeB.bidder)
        let start = ContinuousClock.now
        try restrict(nodes.nodeA.bidder.id, "ban", "never paid", in: nodes.nodeA)
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 4403 && ContinuousClock.now - start < .seconds(5))
    }

    @Test func `a ban is not shed by linking the guest to an account`() throws {
        let issuer = try TokenIssuer.shared.get()
        let identity = try issuer.identity()
        let server = try TestServer {
            $0.identity = identity
            $0.adminToken = OperatorFixture.adminToken
        }
        let fixture = try RoomFixture(server)
        try restrict(fixture.bidder.id, "ban", "never paid", in: fixture)
        let alice = try issuer.guest("alice", "Alice")
        func link(_ guest: Guest) throws -> HTTPResponse {
            try server.call("POST", "/v1/me/link", ["guestToken": .string(guest.token)], by: alice)
        }
        #expect(try link(fixture.bidder).code == "user.banned")
        try restrict(alice.id, "ban", "never paid either", in: fixture)
        #expect(try link(fixture.rival).code == "user.banned")
    }

    @Test func `what is wrong with a restriction is said, the audit has all, and there is a bounded number`() throws {
        let log = InMemoryEventLog()
        let fixture = try fixture(log: log)
        let user = fixture.bidder.id
        for action in ["ban", "unban"] {
            #expect(try restrict(user, action, in: fixture).text("field") == "reason")
            #expect(try restrict(user, action, " ", in: fixture).text("field") == "reason")
            #expect(try restrict(user, action, String(repeating: "x", count: 501), in: fixture).text("field") == "reason")
        }
        for id in ["user_x", "\(UserID.floor)"] {
            #expect(try restrict(id, "ban", "x", in: fixture).code == "user.not_found")
        }
        try restrict(user, "ban", "first", in: fixture)
        let again = try restrict(user, "ban", "second", in: fixture)
        #expect(again.text("reason") == "second")
        try restrict(user, "revoke", in: fixture)
        let both = try restrict(user, "unban", "fine", in: fixture)
        #expect(both.text("tokensEndedAt") != nil)
        let audit = try fixture.server.call("GET", "/v1/admin/audit", nil, by: nil, admin)
        #expect(
            Set(audit.list("entries").compactMap { $0.text("action") }) == ["banUser", "revokeUserTokens", "unbanUser"])
        #expect(audit.list("entries").allSatisfy { $0.text("target") == user } && audit.list("entries").count == 4)
        for start in stride(from: 1, to: UserRestriction.limit, by: 50) {
            let changes = (start..<min(start + 50, UserRestriction.limit)).map { number in
                var restriction = UserRestriction(of: UserID(bits: UInt128(number)))
                restriction.ban = UserRestriction.Ban(at: Timestamp(milliseconds: 0), reason: "x")
                return restriction.change(if: .none, at: Timestamp(milliseconds: 0))
            }
            #expect(try log.write(changes))
        }
        try restrict(user, "ban", "the marker is written, and all are read", in: fixture)
        let refused = try restrict(fixture.rival.id, "ban", "one more", in: fixture)
        #expect(refused.status == 429 && refused.code == "user.too_many")
        #expect(try restrict(fixture.rival.id, "unban", "one more", in: fixture).status == 200)
        // One whose time is over does not count, although its record is still there.
        var over = UserRestriction(of: UserID(bits: 1))
        over.tokenEnd = UserRestriction.TokenEnd(
            own: Timestamp(milliseconds: 0), provider: Timestamp(milliseconds: 0))
        #expect(try log.write([over.change(if: .any, at: Timestamp(milliseconds: 0))]))
        try restrict(user, "ban", "all are read", in: fixture)
        #expect(try restrict(fixture.rival.id, "ban", "one more", in: fixture).status == 200)
        #expect(try restrict(fixture.viewer.id, "ban", "one more", in: fixture).code == "user.too_many")
    }
}

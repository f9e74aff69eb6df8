import AuctionDomain
import AuctionServer
import AuctionService
import AuctionTestKit
import ExactJSON
import MicroHTTP
import Testing

/// Tokens that expire or are revoked while in use: their streams and polls end within a second, independently of notices.
struct AccessEndTests {
    private static let timeout = Duration.seconds(1)

    /// One user's streams over both transports, and a waiting long-poll.
    private struct OpenStreams {
        let socket: SocketReader
        let reader: EventReader
        let poll: HTTPConnection
        let request: HTTPRequest
    }

    private func fixture(_ configure: (inout ServerOptions) -> Void = { _ in }) throws -> RoomFixture {
        try RoomFixture(
            try TestServer {
                $0.http.threads = 2
                $0.streams.noticeSeconds = 3600
                configure(&$0)
            })
    }

    private func open(_ fixture: RoomFixture, _ guest: Guest?) throws -> OpenStreams {
        let poll = try fixture.server.connect()
        let request = fixture.server.request("GET", fixture.path + "/events?after=latest&wait=60", by: guest)
        let viewers = try fixture.room().int("viewers") ?? 0
        try poll.send(request)
        try eventually("the poll is waiting") { try fixture.room().int("viewers") == viewers + 1 }
        return OpenStreams(
            socket: try SocketReader(fixture, "?after=latest", by: guest),
            reader: try EventReader(fixture, "?after=latest", by: guest), poll: poll, request: request)
    }

    private func expectClosed(_ open: OpenStreams, _ fixture: RoomFixture, _ code: String) throws {
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try open.socket.event() == nil)
        #expect(open.socket.closeCode == 4401)
        #expect(try open.reader.event() == nil)
        let response = try fixture.server.receive(on: open.poll, to: open.request)
        #expect(response.status == 401)
        #expect(response.code == code)
        #expect(response.header("WWW-Authenticate")?.contains("invalid_token") == true)
        #expect(clock.now - start < Self.timeout)
    }

    private func expectOpen(_ open: OpenStreams, _ fixture: RoomFixture) throws {
        try fixture.call("POST", "/messages", ["text": "still here"], by: fixture.host)
        #expect(try open.socket.event()?.type == "message.sent")
        #expect(try open.reader.event()?.type == "message.sent")
        #expect(try fixture.server.receive(on: open.poll, to: open.request).status == 200)
    }

    @Test func `an expired token ends its own streams within a second and no others`() throws {
        let issuer = try TokenIssuer.shared.get()
        let fixture = try fixture { $0.identity = (try? issuer.identity()) ?? Identity() }
        let soon = try open(fixture, issuer.guest("alice", "Alice", lifetime: 10))
        let later = try open(fixture, issuer.guest("bob", "Bob", lifetime: 3600))
        let anonymous = try open(fixture, nil)
        fixture.server.clock.advance(seconds: 10)
        try expectClosed(soon, fixture, "token.expired")
        try expectOpen(later, fixture)
        try expectOpen(anonymous, fixture)
        #expect(try fixture.room().int("viewers") == 4, "disconnected viewers are not counted")
    }

    @Test func `a connection that is known by its token is not known any longer than the token is accepted`() throws {
        let fixture = try fixture()
        let (server, guest) = (fixture.server, fixture.viewer)
        let connection = try server.connect()
        func attempt() throws -> HTTPResponse {
            let request = server.request("GET", "/v1/me", by: guest)
            try connection.send(request)
            return try server.receive(on: connection, to: request)
        }
        for _ in 1...2 { #expect(try attempt().status == 200) }
        var identity = Identity()
        identity.revocations = try Revocations("user \(guest.id)", issuers: [])
        try server.auctionServer.use(identity)
        try eventually("the user is revoked") { try attempt().code == "token.revoked" }
        try server.auctionServer.use(Identity())
        try eventually("the user is accepted") { try attempt().status == 200 }
        server.clock.setWall(server.clock.now().wall.advanced(byMilliseconds: 8 * 24 * 3_600_000))
        #expect(try attempt().code == "token.expired")
    }

    @Test func `users who take turns on one connection are each who their token says`() throws {
        let fixture = try fixture()
        let server = fixture.server
        let connection = try server.connect()
        func caller(_ token: String?) throws -> HTTPResponse {
            let guest = token.map { Guest(id: "", nickname: "", token: $0) }
            let request = server.request("GET", "/v1/me", by: guest)
            try connection.send(request)
            return try server.receive(on: connection, to: request)
        }
        for _ in 1...2 {
            for guest in [fixture.bidder, fixture.rival, fixture.bidder] {
                #expect(try caller(guest.token).text("user.id") == guest.id)
                for token in [guest.token + "x", String(guest.token.dropLast())] {
                    #expect(try caller(token).code == "token.invalid")
                }
                #expect(try caller(nil).code == "token.missing")
            }
        }
    }

    @Test func `setting the wall clock past a token's expiry ends its streams`() throws {
        let fixture = try fixture()
        let open = try open(fixture, fixture.viewer)
        fixture.server.clock.setWall(fixture.server.clock.now().wall.advanced(byMilliseconds: 8 * 24 * 3_600_000))
        try expectClosed(open, fixture, "token.expired")
    }

    @Test func `a clock jump expires a provider's token by the wall clock, but no guest's token`() throws {
        let issuer = try TokenIssuer.shared.get()
        let fixture = try fixture { $0.identity = (try? issuer.identity()) ?? Identity() }
        let guests = try open(fixture, fixture.viewer)
        let alice = try issuer.guest("alice", "Alice", lifetime: 3600)
        let theirs = try open(fixture, alice)
        let ticket = try fixture.ticket(by: fixture.bidder)
        fixture.server.clock.jump(milliseconds: 8 * 24 * 3_600_000)
        try expectClosed(theirs, fixture, "token.expired")
        #expect(try fixture.call("GET", "", by: alice).code == "token.expired")
        let me = try fixture.server.call("GET", "/v1/me", by: fixture.bidder)
        #expect(me.text("tokenExpiresAt") == fixture.server.clock.text(in: 7 * 24 * 3600), "and says so")
        #expect(try SocketReader(fixture, "?after=latest&ticket=\(ticket)").status == 101)
        try expectOpen(guests, fixture)
        fixture.server.clock.advance(seconds: 8 * 24 * 3600)
        #expect(try fixture.call("GET", "", by: fixture.bidder).code == "token.expired")
    }

    @Test func `a revoked token's streams end at once, and others continue`() throws {
        let fixture = try fixture()
        let theirs = try open(fixture, fixture.viewer)
        let others = try open(fixture, fixture.bidder)
        var identity = Identity()
        identity.revocations = try Revocations("user \(fixture.viewer.id) # lost their phone", issuers: [])
        try fixture.server.auctionServer.use(identity)
        try expectClosed(theirs, fixture, "token.revoked")
        #expect(try fixture.call("GET", "", by: fixture.viewer).code == "token.revoked")
        #expect(try SocketReader(fixture, by: fixture.viewer).status == 401)
        try expectOpen(others, fixture)
    }

    @Test func `removing a key invalidates its tokens and ends their streams`() throws {
        let issuer = try TokenIssuer.shared.get()
        let fixture = try fixture { $0.identity = (try? issuer.identity()) ?? Identity() }
        let alice = try issuer.guest("alice", "Alice")
        let old = try open(fixture, alice)
        let guests = try open(fixture, fixture.viewer)
        try fixture.server.auctionServer.use(try issuer.identity(["RS256", "EdDSA"]))
        try expectClosed(old, fixture, "token.invalid")
        #expect(try fixture.call("GET", "", by: alice).code == "token.invalid")
        try expectOpen(guests, fixture)
    }

    @Test func `disabling guests refuses new ones and ends the streams of existing ones`() throws {
        let issuer = try TokenIssuer.shared.get()
        let fixture = try fixture { $0.identity = (try? issuer.identity()) ?? Identity() }
        let guests = try open(fixture, fixture.viewer)
        let alice = try issuer.guest("alice", "Alice")
        let known = try open(fixture, alice)
        try fixture.server.auctionServer.use(try issuer.identity(guests: false))
        try expectClosed(guests, fixture, "token.invalid")
        #expect(try fixture.server.call("POST", "/v1/guests", ["nickname": "Ann"]).code == "guest.off")
        #expect(try fixture.call("GET", "", by: fixture.host).code == "token.invalid")
        #expect(try fixture.call("POST", "/members", by: alice).status == 201)
        #expect(try known.socket.event()?.type == "member.joined")
        #expect(try known.reader.event()?.type == "member.joined")
    }

    @Test func `a socket's frames are refused as soon as its token has expired`() throws {
        let fixture = try fixture()
        try fixture.openBidding()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        fixture.server.clock.advance(seconds: 8 * 24 * 3600)
        try socket.sendText(#"{"id":"c1","type":"placeBid","amount":"120"}"#)
        var last: JSONValue?
        while let item = try socket.next() { last = item.data["ack"] == nil ? last : item.data }
        #expect(last == nil || last?.text("problem.code") == "token.expired")
        #expect(socket.closeCode == 4401)
    }
}

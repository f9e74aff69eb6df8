import AuctionDomain
import AuctionServer
import AuctionService
import AuctionTestKit
import ExactJSON
import MicroHTTP
import Testing

/// A right that ends while somebody makes use of it: their streams end within a second, whatever notices there are or are not.
struct AccessEndTests {
    private static let patience = Duration.seconds(1)

    /// One person's streams of every kind, and a held long-poll.
    private struct Open {
        let socket: SocketReader
        let reader: EventReader
        let poll: HTTPConnection
        let request: HTTPRequest
    }

    private func scene(_ configure: (inout ServerOptions) -> Void = { _ in }) throws -> Scene {
        try Scene(
            try House {
                $0.http.threads = 2
                $0.streams.noticeSeconds = 3600
                configure(&$0)
            })
    }

    private func open(_ scene: Scene, _ guest: Guest?) throws -> Open {
        let poll = try scene.house.connect()
        let request = scene.house.request("GET", scene.path + "/events?after=latest&wait=60", by: guest)
        let viewers = try scene.room().int("viewers") ?? 0
        try poll.send(request)
        try eventually("the poll is held") { try scene.room().int("viewers") == viewers + 1 }
        return Open(
            socket: try SocketReader(scene, "?after=latest", by: guest),
            reader: try EventReader(scene, "?after=latest", by: guest), poll: poll, request: request)
    }

    private func expectEnd(_ open: Open, _ scene: Scene, _ code: String) throws {
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try open.socket.event() == nil)
        #expect(open.socket.closeCode == 4401)
        #expect(try open.reader.event() == nil)
        let answer = try scene.house.receive(on: open.poll, to: open.request)
        #expect(answer.status == 401)
        #expect(answer.code == code)
        #expect(answer.header("WWW-Authenticate")?.contains("invalid_token") == true)
        #expect(clock.now - start < Self.patience)
    }

    private func expectLife(_ open: Open, _ scene: Scene) throws {
        try scene.call("POST", "/messages", ["text": "still here"], by: scene.host)
        #expect(try open.socket.event()?.type == "message.sent")
        #expect(try open.reader.event()?.type == "message.sent")
        #expect(try scene.house.receive(on: open.poll, to: open.request).status == 200)
    }

    @Test func `a token's last second is its streams' last second, and nobody else's`() throws {
        let issuer = try TokenIssuer.shared.get()
        let scene = try scene { $0.identity = (try? issuer.identity()) ?? Identity() }
        let soon = try open(scene, issuer.guest("alice", "Alice", lifetime: 10))
        let later = try open(scene, issuer.guest("bob", "Bob", lifetime: 3600))
        let anonymous = try open(scene, nil)
        scene.house.clock.advance(seconds: 10)
        try expectEnd(soon, scene, "token.expired")
        try expectLife(later, scene)
        try expectLife(anonymous, scene)
        #expect(try scene.room().int("viewers") == 4, "whoever was cut off is not counted any more")
    }

    @Test func `a wall clock that is set forward ends what it has made old`() throws {
        let scene = try scene()
        let open = try open(scene, scene.viewer)
        scene.house.clock.setWall(scene.house.clock.now().wall.advanced(byMilliseconds: 8 * 24 * 3_600_000))
        try expectEnd(open, scene, "token.expired")
    }

    @Test func `a jump of the clock ages no guest's token, and a provider's ends by the wall clock`() throws {
        let issuer = try TokenIssuer.shared.get()
        let scene = try scene { $0.identity = (try? issuer.identity()) ?? Identity() }
        let guests = try open(scene, scene.viewer)
        let alice = try issuer.guest("alice", "Alice", lifetime: 3600)
        let theirs = try open(scene, alice)
        let ticket = try #require(try scene.call("POST", "/tickets", by: scene.bidder).text("ticket"))
        scene.house.clock.jump(milliseconds: 8 * 24 * 3_600_000)
        try expectEnd(theirs, scene, "token.expired")
        #expect(try scene.call("GET", "", by: alice).code == "token.expired")
        #expect(try scene.call("GET", "", by: scene.bidder).status == 200)
        #expect(try SocketReader(scene, "?after=latest&ticket=\(ticket)").status == 101)
        try expectLife(guests, scene)
        scene.house.clock.advance(seconds: 8 * 24 * 3600)
        #expect(try scene.call("GET", "", by: scene.bidder).code == "token.expired")
    }

    @Test func `what is revoked ends at once, and what is not goes on`() throws {
        let scene = try scene()
        let theirs = try open(scene, scene.viewer)
        let others = try open(scene, scene.bidder)
        var identity = Identity()
        identity.revocations = try Revocations("user \(scene.viewer.id) # lost their phone", issuer: nil)
        try scene.house.server.use(identity)
        try expectEnd(theirs, scene, "token.revoked")
        #expect(try scene.call("GET", "", by: scene.viewer).code == "token.revoked")
        #expect(try SocketReader(scene, by: scene.viewer).status == 401)
        try expectLife(others, scene)
    }

    @Test func `a key that is taken out of the set takes its tokens and their streams with it`() throws {
        let issuer = try TokenIssuer.shared.get()
        let scene = try scene { $0.identity = (try? issuer.identity()) ?? Identity() }
        let alice = try issuer.guest("alice", "Alice")
        let old = try open(scene, alice)
        let guests = try open(scene, scene.viewer)
        try scene.house.server.use(try issuer.identity(["RS256", "EdDSA"]))
        try expectEnd(old, scene, "token.invalid")
        #expect(try scene.call("GET", "", by: alice).code == "token.invalid")
        try expectLife(guests, scene)
    }

    @Test func `once guests are off none of them is let in, and none stays`() throws {
        let issuer = try TokenIssuer.shared.get()
        let scene = try scene { $0.identity = (try? issuer.identity()) ?? Identity() }
        let guests = try open(scene, scene.viewer)
        let alice = try issuer.guest("alice", "Alice")
        let known = try open(scene, alice)
        try scene.house.server.use(try issuer.identity(guests: false))
        try expectEnd(guests, scene, "token.invalid")
        #expect(try scene.house.call("POST", "/v1/guests", ["nickname": "Ann"]).code == "guest.off")
        #expect(try scene.call("GET", "", by: scene.host).code == "token.invalid")
        #expect(try scene.call("POST", "/members", by: alice).status == 201)
        #expect(try known.socket.event()?.type == "member.joined")
        #expect(try known.reader.event()?.type == "member.joined")
    }

    @Test func `a socket's frames are refused from the moment its token counts no more`() throws {
        let scene = try scene()
        try scene.openBidding()
        let socket = try SocketReader(scene, "?after=latest", by: scene.bidder)
        scene.house.clock.advance(seconds: 8 * 24 * 3600)
        try socket.sendText(#"{"id":"c1","type":"placeBid","amount":"120"}"#)
        var last: JSONValue?
        while let item = try socket.next() { last = item.data["ack"] == nil ? last : item.data }
        #expect(last == nil || last?.text("problem.code") == "token.expired")
        #expect(socket.closeCode == 4401)
    }
}

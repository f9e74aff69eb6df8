import AuctionContract
import AuctionTestKit
import EventLog
import ExactJSON
import Synchronization
import Testing

@testable import AuctionServer

/// Reads at a node that cannot poll the log for other nodes' appends, or was suspended.
struct StaleReadTests {
    /// All reads of a room as a whole, below its path.
    private static let reads =
        Operation.all.filter { $0.method == .get && $0.isInRoom && $0.path.count { $0 == "{" } == 1 }
        .map { String($0.path.dropFirst("/v1/rooms/{id}".count)) } + ["/events?after=latest"]

    private func twoNodes() throws -> TwoNodes {
        let nodes = try TwoNodes()
        // The second node has the room in memory.
        #expect(try nodes.nodeB.call("GET", "").status == 200)
        nodes.logs[1].areHeadsUnavailable.set(true)
        return nodes
    }

    @Test func `stale reads carry their age, and commands are not affected`() throws {
        let nodes = try twoNodes()
        nodes.clock.suspend(milliseconds: 2500)
        for read in Self.reads {
            let response = try nodes.nodeB.call("GET", read, by: nodes.nodeA.host)
            #expect(response.status == 200, "\(read)")
            #expect(try #require(response.header("Age").flatMap { Int($0) }, "\(read)") >= 3, "\(read)")
        }
        #expect(try nodes.nodeB.server.call("GET", "/v1/rooms").header("Age") == nil, "it was read from the log just now")
        #expect(try nodes.nodeB.call("POST", "/messages", ["text": "Hello"], by: nodes.nodeA.bidder).status == 201)
        #expect(try nodes.nodeB.call("GET", "").header("Age") == nil, "the append confirmed that the room was current")
    }

    @Test func `reads beyond the staleness limit are refused until the node polls successfully`() throws {
        let nodes = try twoNodes()
        nodes.clock.suspend(milliseconds: 5001)
        for read in Self.reads {
            let response = try nodes.nodeB.call("GET", read, by: nodes.nodeA.host)
            #expect(response.status == 503, "\(read)")
            #expect(response.code == "service.stale")
            #expect(response.header("Retry-After") == "1")
            #expect(response.header("Age") == nil)
        }
        #expect(try SocketReader(nodes.nodeB, "?after=0").status == 503)
        #expect(try nodes.nodeB.server.call("GET", "/v1/state-machine").status == 200)
        nodes.logs[1].areHeadsUnavailable.set(false)
        eventually("it polls again") { (try? nodes.nodeB.call("GET", ""))?.status == 200 }
    }

    @Test func `a picture is never stale, as its address stands for its content`() throws {
        let nodes = try twoNodes()
        let url = try #require(try nodes.nodeA.uploadPicture("photo.png", by: nodes.nodeA.owner).text("url"))
        nodes.clock.suspend(milliseconds: 6000)
        for _ in 0..<2 {
            let picture = try nodes.nodeB.server.call("GET", url)
            #expect(picture.status == 200)
            #expect(picture.header("Age") == nil)
        }
    }

    @Test func `an upload, a picture, and a read of the log are not stale for having waited`() throws {
        let nodes = try TwoNodes()
        let (node, log) = (nodes.nodeB, nodes.logs[1])
        let server = node.server
        let url = try #require(try nodes.nodeA.uploadPicture("photo.png", by: nodes.nodeA.owner).text("url"))
        let body = try RoomFixture.sample("palette.png")
        var waiting: [(request: HTTPRequest, connection: HTTPConnection, status: Int)] = []
        func begin(_ request: HTTPRequest, _ status: Int) throws {
            let connection = try server.connect()
            try connection.send(request)
            waiting.append((request, connection, status))
        }
        log.pictureGate.shut()
        try begin(server.request("POST", node.path + "/media", body, by: node.owner, [("Content-Type", "image/png")]), 201)
        // One for each of the two threads that read.
        for _ in 0..<2 { try begin(server.request("GET", url), 200) }
        eventually("all three are blocked") { log.pictureGate.blockedCalls == 3 }
        try begin(server.request("GET", "/v1/rooms", by: node.owner), 200)
        #expect(try server.call("GET", "/healthz").status == 200, "the list waits for its turn")
        nodes.clock.suspend(milliseconds: 6000)
        log.pictureGate.open()
        for (request, connection, status) in waiting {
            let response = try server.receive(on: connection, to: request)
            #expect(response.status == status, "\(request.path)")
            #expect(response.header("Age") == nil, "\(request.path)")
        }
    }

    @Test func `a change by an operator that is committed late is answered as what it is`() throws {
        let nodes = try TwoNodes { $0.adminToken = OperatorFixture.adminToken }
        let (server, clock) = (nodes.nodeB.server, nodes.clock)
        // The node is suspended between the commit and the response.
        nodes.logs[1].onWrite.withLock { hook in
            hook = { if $0.contains(where: { $0.kind == AuditEntry.recordKind }) { clock.suspend(milliseconds: 6000) } }
        }
        func call(_ method: String, _ path: String, _ body: JSONValue? = nil, _ status: Int) throws -> HTTPResponse {
            let service = OperatorFixture.bearer(OperatorFixture.adminToken)
            let response = try server.call(method, "/v1/admin/" + path, body, by: nil, service)
            #expect(response.status == status && response.header("Age") == nil, "\(path): \(response.bodyText)")
            return response
        }
        let token = try call("POST", "tokens", ["name": "Backend", "scopes": ["feed:read"]], 201)
        #expect(token.text("token") != nil, "it is shown once")
        _ = try call("DELETE", "tokens/\(token.text("id") ?? "")", nil, 204)
        _ = try call("POST", "users/tokens", ["subject": "c-1", "nickname": "Ann"], 201)
        let webhook = try call("POST", "webhooks", ["url": "https://hooks.invalid/"], 201)
        #expect(webhook.text("secret") != nil, "it is shown once")
        let path = "webhooks/\(webhook.text("id") ?? "")"
        _ = try call("PATCH", path, ["types": ["item.sold"]], 200)
        #expect(try call("POST", path + "/rotate", nil, 200).text("secret") != nil)
        for step in ["pause", "resume", "resend"] { _ = try call("POST", "\(path)/\(step)", nil, 200) }
        _ = try call("POST", path + "/replay", ["after": "latest"], 200)
        _ = try call("DELETE", path, nil, 204)
        for step in ["revoke", "ban", "unban"] {
            _ = try call("POST", "users/\(nodes.nodeA.stranger.id)/\(step)", ["reason": "Fraud"], 200)
        }
    }

    @Test func `a poll that waited while its node was suspended gets 503 instead of an empty page`() throws {
        let nodes = try twoNodes()
        let seq = try #require(try nodes.nodeB.room().int("seq"))
        let (server, poll) = (nodes.nodeB.server, try nodes.nodeB.server.connect())
        let request = server.request("GET", nodes.nodeB.path + "/events?after=\(seq)&wait=1")
        try poll.send(request)
        eventually("the poll is waiting") { (try? nodes.nodeB.room().int("viewers")) == 1 }
        nodes.clock.suspend(milliseconds: 6000)
        nodes.clock.advance(milliseconds: 1000)
        let response = try server.receive(on: poll, to: request)
        #expect(response.status == 503)
        #expect(response.code == "service.stale")
    }

    @Test func `the staleness limit is an option`() throws {
        let nodes = try TwoNodes { $0.limits.staleSeconds = 60 }
        #expect(try nodes.nodeB.call("GET", "").status == 200)
        nodes.logs[1].areHeadsUnavailable.set(true)
        nodes.clock.suspend(milliseconds: 30_000)
        let age = try nodes.nodeB.call("GET", "").header("Age").flatMap { Int($0) }
        #expect(try #require(age) >= 30)
    }

    @Test func `a node without a shared log is never stale`() throws {
        let fixture = try RoomFixture()
        fixture.server.clock.suspend(milliseconds: 3_600_000)
        for read in Self.reads {
            let response = try fixture.call("GET", read, by: fixture.host)
            #expect(response.status == 200, "\(read)")
            #expect(response.header("Age") == nil)
        }
    }
}

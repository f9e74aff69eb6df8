import AuctionDomain
import AuctionServer
import EventLog
import ExactJSON
import Testing

/// What one node's operator takes back, at the other nodes.
struct RevocationNodesTests {
    private func identity(revoking lines: String...) throws -> Identity {
        var identity = Identity()
        identity.revocations = try Revocations(lines.joined(separator: "\n"), issuer: nil)
        return identity
    }

    @Test func `what one node revokes ends at every node within a second, and nobody else's`() throws {
        let nodes = try Neighbours { $0.streams.noticeSeconds = 3600 }
        let (here, there) = (nodes.here, nodes.there)
        let theirs = try SocketReader(there, "?after=latest", by: there.viewer)
        let reader = try EventReader(there, "?after=latest", by: there.viewer)
        let others = try SocketReader(there, "?after=latest", by: there.bidder)
        let clock = ContinuousClock()
        let start = clock.now
        try here.house.server.use(try identity(revoking: "user \(here.viewer.id)"))
        #expect(try theirs.event() == nil)
        #expect(theirs.closeCode == 4401)
        #expect(try reader.event() == nil)
        #expect(clock.now - start < .seconds(1))
        #expect(try there.call("GET", "", by: there.viewer).code == "token.revoked")
        #expect(try there.house.call("POST", "/v1/tokens/renew", by: there.viewer).code == "token.revoked")
        try there.call("POST", "/messages", ["text": "still here"], by: there.host)
        #expect(try others.event()?.type == "message.sent")
    }

    @Test func `a node that starts later knows it from its first answer, also when the one that said so is gone`() throws {
        let nodes = try Neighbours()
        try nodes.here.house.server.use(try identity(revoking: "user \(nodes.here.viewer.id)"))
        try eventually("the other node knows") {
            try nodes.there.call("GET", "", by: nodes.there.viewer).code == "token.revoked"
        }
        nodes.here.house.stop()
        let later = try nodes.third()
        #expect(try later.call("GET", "", by: later.viewer).code == "token.revoked")
        #expect(try later.call("GET", "", by: later.bidder).status == 200)
    }

    @Test func `what a node's file says when it starts holds at the others too`() throws {
        let nodes = try Neighbours()
        let identity = try identity(revoking: "user \(nodes.here.viewer.id)")
        let later = try nodes.third { $0.identity = identity }
        #expect(try later.call("GET", "", by: later.viewer).code == "token.revoked")
        try eventually(within: 1, "the first node knows") {
            try nodes.here.call("GET", "", by: nodes.here.viewer).code == "token.revoked"
        }
    }

    @Test func `a line that is taken out counts no more, at once where it stood`() throws {
        let nodes = try Neighbours()
        try nodes.here.house.server.use(try identity(revoking: "user \(nodes.here.viewer.id)"))
        try eventually("the log knows") { try !nodes.log.revocations(since: Timestamp(milliseconds: 0)).isEmpty }
        try nodes.here.house.server.use(Identity())
        try eventually("it is taken back") { try nodes.log.revocations(since: Timestamp(milliseconds: 0)).isEmpty }
        try eventually("it counts again") { try nodes.here.call("GET", "", by: nodes.here.viewer).status == 200 }
    }

    @Test func `while the log is out of reach what is known goes on to count, and what is new is told afterwards`() throws {
        let nodes = try Neighbours()
        nodes.logs[0].goAway(true)
        try nodes.here.house.server.use(try identity(revoking: "user \(nodes.here.viewer.id)"))
        #expect(try nodes.here.call("GET", "", by: nodes.here.viewer).code == "token.revoked")
        #expect(try nodes.there.call("GET", "", by: nodes.there.viewer).status == 200)
        nodes.logs[0].goAway(false)
        try eventually("the other node knows") {
            try nodes.there.call("GET", "", by: nodes.there.viewer).code == "token.revoked"
        }
    }
}

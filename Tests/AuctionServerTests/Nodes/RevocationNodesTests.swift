import AuctionDomain
import AuctionServer
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

/// Revocations listed at one node take effect at the other nodes.
struct RevocationNodesTests {
    private func identity(revoking lines: String...) throws -> Identity {
        var identity = Identity()
        identity.revocations = try Revocations(lines.joined(separator: "\n"), issuers: [])
        return identity
    }

    @Test func `a revocation at one node ends that user's streams at every node within a second`() throws {
        let nodes = try TwoNodes { $0.streams.noticeSeconds = 3600 }
        let (nodeA, nodeB) = (nodes.nodeA, nodes.nodeB)
        let theirs = try SocketReader(nodeB, "?after=latest", by: nodeB.viewer)
        let reader = try EventReader(nodeB, "?after=latest", by: nodeB.viewer)
        let others = try SocketReader(nodeB, "?after=latest", by: nodeB.bidder)
        let clock = ContinuousClock()
        let start = clock.now
        try nodeA.server.auctionServer.use(try identity(revoking: "user \(nodeA.viewer.id)"))
        #expect(try theirs.event() == nil)
        #expect(theirs.closeCode == 4401)
        #expect(try reader.event() == nil)
        #expect(clock.now - start < .seconds(1))
        #expect(try nodeB.call("GET", "", by: nodeB.viewer).code == "token.revoked")
        #expect(try nodeB.server.call("POST", "/v1/tokens/renew", by: nodeB.viewer).code == "token.revoked")
        try nodeB.call("POST", "/messages", ["text": "still here"], by: nodeB.host)
        #expect(try others.event()?.type == "message.sent")
    }

    @Test func `a node that starts later applies the revocation at once, even if the publishing node stopped`() throws {
        let nodes = try TwoNodes()
        try nodes.nodeA.server.auctionServer.use(try identity(revoking: "user \(nodes.nodeA.viewer.id)"))
        try eventually("the other node has received it") {
            try nodes.nodeB.call("GET", "", by: nodes.nodeB.viewer).code == "token.revoked"
        }
        nodes.nodeA.server.stop()
        let later = try nodes.startThird()
        #expect(try later.call("GET", "", by: later.viewer).code == "token.revoked")
        #expect(try later.call("GET", "", by: later.bidder).status == 200)
    }

    @Test func `revocations that a node lists at startup apply at the other nodes`() throws {
        let nodes = try TwoNodes()
        let identity = try identity(revoking: "user \(nodes.nodeA.viewer.id)")
        let later = try nodes.startThird { $0.identity = identity }
        #expect(try later.call("GET", "", by: later.viewer).code == "token.revoked")
        try eventually(within: 1, "the first node has received it") {
            try nodes.nodeA.call("GET", "", by: nodes.nodeA.viewer).code == "token.revoked"
        }
    }

    @Test func `removing a line restores access, at once at the node that listed it`() throws {
        let nodes = try TwoNodes()
        try nodes.nodeA.server.auctionServer.use(try identity(revoking: "user \(nodes.nodeA.viewer.id)"))
        try eventually("the revocation is in the log") { try !nodes.log.revocations(since: Timestamp(milliseconds: 0)).isEmpty }
        try nodes.nodeA.server.auctionServer.use(Identity())
        try eventually("it is withdrawn") { try nodes.log.revocations(since: Timestamp(milliseconds: 0)).isEmpty }
        try eventually("the token is accepted again") { try nodes.nodeA.call("GET", "", by: nodes.nodeA.viewer).status == 200 }
    }

    @Test func `while the log is unreachable, known revocations apply, and new ones are published afterwards`() throws {
        let nodes = try TwoNodes()
        nodes.logs[0].isUnreachable.set(true)
        try nodes.nodeA.server.auctionServer.use(try identity(revoking: "user \(nodes.nodeA.viewer.id)"))
        #expect(try nodes.nodeA.call("GET", "", by: nodes.nodeA.viewer).code == "token.revoked")
        #expect(try nodes.nodeB.call("GET", "", by: nodes.nodeB.viewer).status == 200)
        nodes.logs[0].isUnreachable.set(false)
        try eventually("the other node has received it") {
            try nodes.nodeB.call("GET", "", by: nodes.nodeB.viewer).code == "token.revoked"
        }
    }
}

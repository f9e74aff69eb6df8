import AuctionDomain
import AuctionServer
import EventLog
import ExactJSON
import Testing

/// Viewer counts of rooms with viewers on several nodes.
struct PresenceNodesTests {
    @Test func `every node reports the viewers of all nodes`() throws {
        let nodes = try TwoNodes(systemClock: true) { $0.streams.noticeSeconds = 0.1 }
        let first = try EventReader(nodes.nodeA, "?after=latest", by: nodes.nodeA.viewer)
        let second = try SocketReader(nodes.nodeB, "?after=latest", by: nodes.nodeB.bidder)
        let third = try EventReader(nodes.nodeB, "?after=latest")
        for fixture in [nodes.nodeA, nodes.nodeB] {
            try eventually("three viewers") { try fixture.room().int("viewers") == 3 }
            #expect(try fixture.call("GET", "/events?after=0").int("presence.viewers") == 3)
        }
        var notice = try first.next()
        for _ in 0..<100 where notice?.data.int("viewers") != 3 { notice = try first.next() }
        #expect(notice?.data.int("viewers") == 3)
        second.close()
        third.close()
        try eventually("one viewer is left") {
            try [nodes.nodeA, nodes.nodeB].allSatisfy { try $0.room().int("viewers") == 1 }
        }
    }

    @Test func `the room list includes viewers of rooms that the node has not loaded`() throws {
        let nodes = try TwoNodes()
        let reader = try EventReader(nodes.nodeA, "?after=latest", by: nodes.nodeA.viewer)
        let listing = try nodes.startThird().server
        try eventually("one viewer") { try listing.call("GET", "/v1/rooms").int("rooms.0.viewers") == 1 }
        reader.close()
    }

    @Test func `while the log is unreachable, remote viewers stay counted`() throws {
        let nodes = try TwoNodes()
        let reader = try EventReader(nodes.nodeB, "?after=latest", by: nodes.nodeB.viewer)
        try eventually("one viewer") { try nodes.nodeA.room().int("viewers") == 1 }
        nodes.logs[0].isUnreachable.set(true)
        let polls = nodes.logs[0].isUnreachable.failures
        eventually("it polled again") { nodes.logs[0].isUnreachable.failures > polls + 8 }
        #expect(try nodes.nodeA.room().int("viewers") == 1)
        reader.close()
    }

    @Test func `the viewers of a stopped node are no longer counted`() throws {
        let nodes = try TwoNodes()
        let reader = try EventReader(nodes.nodeB, "?after=latest", by: nodes.nodeB.viewer)
        try eventually("one viewer") { try nodes.nodeA.room().int("viewers") == 1 }
        nodes.nodeB.server.stop()
        try eventually("none") { try nodes.nodeA.room().int("viewers") == 0 }
        reader.close()
    }
}

import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

/// A room that one node deletes while another one has it in memory.
struct PrunedNodesTests {
    @Test(arguments: [false, true])
    func `a room that another node has deleted is not found, although it was in memory`(listens: Bool) throws {
        let nodes = try TwoNodes()
        // All that is shown of an archived room is what a repeated command was answered.
        func repeated(_ node: RoomFixture) throws -> HTTPResponse {
            try node.call("POST", "/messages", ["text": "Hello"], by: node.bidder, [("Idempotency-Key", "hello")])
        }
        #expect(try repeated(nodes.nodeA).status == 201)
        #expect(try nodes.nodeA.call("DELETE", by: nodes.nodeA.host).status == 204)
        _ = try nodes.log.feedEnd()
        let newest = try nodes.nodeA.server.call("POST", "/v1/rooms", ["name": "Newest"], by: nodes.nodeA.host)
        try #require(newest.status == 201)
        for node in [nodes.nodeA, nodes.nodeB] { #expect(try repeated(node).status == 201, "it has the room in memory") }
        nodes.logs[1].isListeningUnavailable.set(!listens)
        let cutoff = nodes.clock.now().wall.advanced(byMilliseconds: 60_000)
        _ = try nodes.log.feedEnd()
        let found = try nodes.log.prunableRooms(before: cutoff, after: 0, limit: 9)
        try #require(found.count == 1)
        #expect(try nodes.log.prune(found[0]))
        for node in [nodes.nodeB, nodes.nodeA] {
            try eventually("the room is not found") { try repeated(node).code == "room.not_found" }
        }
    }
}

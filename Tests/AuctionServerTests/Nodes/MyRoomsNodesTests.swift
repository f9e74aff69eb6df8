import EventLogSQLite
import ExactJSON
import Testing

/// A user's rooms, bids and wins at another node, and after a restart.
struct MyRoomsNodesTests {
    private func texts(_ fixture: RoomFixture, of guest: Guest) throws -> [String] {
        let call = { (tail: String) in try fixture.server.call("GET", "/v1/me" + tail, by: guest) }
        return [
            try call("/rooms").list("rooms").map { $0.text("role") ?? "?" }.joined(separator: ","),
            try call("/bids").list("bids").map { $0.text("standing") ?? "?" }.joined(separator: ","),
            try call("/wins").list("wins").map { $0.text("price") ?? "?" }.joined(separator: ","),
        ]
    }

    /// A round that the bidder wins, then one in which the rival has outbid them.
    private func play(_ fixture: RoomFixture) throws {
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        try fixture.call("POST", "/auction/end", by: fixture.host)
        try fixture.start()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        try fixture.bid("120", by: fixture.rival)
    }

    @Test func `another node lists what the first one wrote, at once and without the room in memory`() throws {
        let nodes = try TwoNodes(visibility: "private")
        try play(nodes.nodeA)
        let third = try nodes.startThird()
        for node in [nodes.nodeA, nodes.nodeB, third] {
            #expect(try texts(node, of: node.bidder) == ["bidder", "outbid", "100.00"])
            #expect(try texts(node, of: node.rival) == ["bidder", "leading", ""])
            #expect(try texts(node, of: node.stranger) == ["", "", ""])
        }
        // The second node has the room in memory when the first one changes it.
        #expect(try nodes.nodeB.bid("140", by: nodes.nodeB.bidder).status == 201)
        #expect(try texts(nodes.nodeA, of: nodes.nodeA.bidder)[1] == "leading")
        try nodes.nodeA.call("DELETE", "/members/\(nodes.nodeA.rival.id)", by: nodes.nodeA.host)
        #expect(try texts(nodes.nodeB, of: nodes.nodeB.rival) == ["", "", ""])
    }

    @Test func `a command to a room that another node has archived is refused, and changes no list`() throws {
        let nodes = try TwoNodes()
        try nodes.nodeA.call("DELETE", by: nodes.nodeA.host)
        for node in [nodes.nodeA, nodes.nodeB, nodes.nodeA] {
            #expect(try node.call("POST", "/messages", ["text": "Hello?"], by: node.bidder).status == 404)
            #expect(try texts(node, of: node.bidder) == ["", "", ""])
        }
    }

    private func restarted(_ fixture: RoomFixture, _ folder: TemporaryFolder) throws -> RoomFixture {
        fixture.server.stop()
        return RoomFixture(fixture, in: try TestServer(log: SQLiteEventLog(path: folder.log), clock: fixture.server.clock))
    }

    @Test func `a restart changes nothing`() throws {
        let folder = TemporaryFolder()
        let fixture = try RoomFixture(try TestServer(log: SQLiteEventLog(path: folder.log)), visibility: "private")
        try play(fixture)
        let back = try restarted(fixture, folder)
        #expect(try texts(back, of: back.bidder) == ["bidder", "outbid", "100.00"])
        #expect(try texts(back, of: back.rival) == ["bidder", "leading", ""])
        #expect(try texts(back, of: back.host) == ["host", "", ""])
    }
}

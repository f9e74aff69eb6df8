import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

/// A client that resumes at a node that is behind the one it read from.
struct OtherNodeTests {
    @Test func `a client resumes at another node's seq even if this node has not read those events yet`() throws {
        let clock = TestClock()
        let log = InMemoryEventLog(clock: { clock.now().wall })
        let (first, second) = (try TestServer(log: log, clock: clock), try TestServer(log: log, clock: clock))
        defer {
            first.stop()
            second.stop()
        }
        let fixture = try RoomFixture(first)
        let nodeB = RoomFixture(fixture, in: second)
        var seq = try #require(try fixture.room().int("seq"))
        // Change notices race with the request: in some of the turns the request is first.
        for turn in 0..<60 {
            let muted = turn.isMultiple(of: 2)
            try #require(
                try fixture.call("PATCH", "/members/\(fixture.viewer.id)", ["muted": .bool(muted)], by: fixture.host).status
                    == 200)
            seq += 1
            switch turn % 3 {
            case 0:
                let reader = try EventReader(nodeB, "?after=0", lastID: seq)
                #expect(reader.status == 200)
                reader.close()
            case 1:
                let socket = try SocketReader(nodeB, "?after=\(seq)")
                #expect(socket.status == 101)
                socket.close()
            default: #expect(try nodeB.call("GET", "/events?after=\(seq)").int("next") == seq)
            }
        }
        // A seq that no node has is still refused.
        #expect(try EventReader(nodeB, "?after=\(seq + 1)").status == 400)
        #expect(try SocketReader(nodeB, "?after=\(seq + 1)").status == 400)
        #expect(try nodeB.call("GET", "/events?after=\(seq + 1)").status == 400)
    }
}

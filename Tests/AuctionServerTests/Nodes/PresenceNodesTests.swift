import AuctionDomain
import AuctionServer
import EventLog
import ExactJSON
import Testing

/// Who follows a room through several nodes.
struct PresenceNodesTests {
    @Test func `viewers are those of all nodes, wherever one asks`() throws {
        let nodes = try Neighbours(systemClock: true) { $0.streams.noticeSeconds = 0.1 }
        let first = try EventReader(nodes.here, "?after=latest", by: nodes.here.viewer)
        let second = try SocketReader(nodes.there, "?after=latest", by: nodes.there.bidder)
        let third = try EventReader(nodes.there, "?after=latest")
        for scene in [nodes.here, nodes.there] {
            try eventually("three viewers") { try scene.room().int("viewers") == 3 }
            #expect(try scene.call("GET", "/events?after=0").int("presence.viewers") == 3)
        }
        var notice = try first.next()
        for _ in 0..<100 where notice?.data.int("viewers") != 3 { notice = try first.next() }
        #expect(notice?.data.int("viewers") == 3)
        second.close()
        third.close()
        try eventually("one viewer is left") {
            try [nodes.here, nodes.there].allSatisfy { try $0.room().int("viewers") == 1 }
        }
    }

    @Test func `a list tells how many follow a room that is in no memory of its node`() throws {
        let nodes = try Neighbours()
        let reader = try EventReader(nodes.here, "?after=latest", by: nodes.here.viewer)
        let listing = try nodes.third().house
        try eventually("one viewer") { try listing.call("GET", "/v1/rooms").int("rooms.0.viewers") == 1 }
        reader.close()
    }

    @Test func `while the log is out of reach nobody is gone`() throws {
        let nodes = try Neighbours()
        let reader = try EventReader(nodes.there, "?after=latest", by: nodes.there.viewer)
        try eventually("one viewer") { try nodes.here.room().int("viewers") == 1 }
        nodes.logs[0].goAway(true)
        let looks = nodes.logs[0].failures
        eventually("it looked again") { nodes.logs[0].failures > looks + 8 }
        #expect(try nodes.here.room().int("viewers") == 1)
        reader.close()
    }

    @Test func `a node that stops takes its viewers along`() throws {
        let nodes = try Neighbours()
        let reader = try EventReader(nodes.there, "?after=latest", by: nodes.there.viewer)
        try eventually("one viewer") { try nodes.here.room().int("viewers") == 1 }
        nodes.there.house.stop()
        try eventually("none") { try nodes.here.room().int("viewers") == 0 }
        reader.close()
    }
}

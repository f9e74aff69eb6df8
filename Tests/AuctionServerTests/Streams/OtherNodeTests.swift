import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

/// A reader that comes from another node, which was further.
struct OtherNodeTests {
    @Test func `a reader goes on at once where another node left it, even if this one has not heard of that yet`() throws {
        let clock = TestClock()
        let log = InMemoryEventLog(clock: { clock.now().wall })
        let (first, second) = (try House(log: log, clock: clock), try House(log: log, clock: clock))
        defer {
            first.stop()
            second.stop()
        }
        let scene = try Scene(first)
        let there = Scene(scene, in: second)
        var seq = try #require(try scene.room().int("seq"))
        // Notices are fast here: often enough the reader is faster.
        for turn in 0..<60 {
            let muted = turn.isMultiple(of: 2)
            try #require(
                try scene.call("PATCH", "/members/\(scene.viewer.id)", ["muted": .bool(muted)], by: scene.host).status == 200)
            seq += 1
            switch turn % 3 {
            case 0:
                let reader = try EventReader(there, "?after=0", lastID: seq)
                #expect(reader.status == 200)
                reader.close()
            case 1:
                let socket = try SocketReader(there, "?after=\(seq)")
                #expect(socket.status == 101)
                socket.close()
            default: #expect(try there.call("GET", "/events?after=\(seq)").int("next") == seq)
            }
        }
        // What nobody has seen is still a mistake.
        #expect(try EventReader(there, "?after=\(seq + 1)").status == 400)
        #expect(try SocketReader(there, "?after=\(seq + 1)").status == 400)
        #expect(try there.call("GET", "/events?after=\(seq + 1)").status == 400)
    }
}

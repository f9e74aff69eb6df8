import AuctionServer
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

/// A node that cannot see what the other one wrote, or was paused.
struct StaleReadTests {
    private static let reads = [
        "", "/members", "/permissions", "/permission-rules", "/bids", "/results", "/results.csv", "/stage", "/events?after=0",
        "/events?after=latest",
    ]

    private func neighbours() throws -> Neighbours {
        let nodes = try Neighbours()
        // It is in the second one's memory.
        #expect(try nodes.there.call("GET", "").status == 200)
        nodes.logs[1].goBlind(true)
        return nodes
    }

    @Test func `reads say how old they may be, and commands are not held up`() throws {
        let nodes = try neighbours()
        nodes.clock.suspend(milliseconds: 2500)
        for read in Self.reads {
            let answer = try nodes.there.call("GET", read, by: nodes.here.host)
            #expect(answer.status == 200, "\(read)")
            #expect(try #require(answer.header("Age").flatMap { Int($0) }, "\(read)") >= 3, "\(read)")
        }
        #expect(try nodes.there.house.call("GET", "/v1/rooms").header("Age") == nil, "it was read from the log this moment")
        #expect(try nodes.there.call("POST", "/messages", ["text": "Hello"], by: nodes.here.bidder).status == 201)
        #expect(try nodes.there.call("GET", "").header("Age") == nil, "the log compared the room when it took the message")
    }

    @Test func `what is too old is refused, for reads alone, until the node sees again`() throws {
        let nodes = try neighbours()
        nodes.clock.suspend(milliseconds: 5001)
        for read in Self.reads {
            let answer = try nodes.there.call("GET", read, by: nodes.here.host)
            #expect(answer.status == 503, "\(read)")
            #expect(answer.code == "service.stale")
            #expect(answer.header("Retry-After") == "1")
            #expect(answer.header("Age") == nil)
        }
        #expect(try SocketReader(nodes.there, "?after=0").status == 503)
        #expect(try nodes.there.house.call("GET", "/v1/state-machine").status == 200)
        nodes.logs[1].goBlind(false)
        eventually("it sees again") { (try? nodes.there.call("GET", ""))?.status == 200 }
    }

    @Test func `a poll that is held while its node is paused is not answered as if nothing had happened`() throws {
        let nodes = try neighbours()
        let seq = try #require(try nodes.there.room().int("seq"))
        let (house, poll) = (nodes.there.house, try nodes.there.house.connect())
        let request = house.request("GET", nodes.there.path + "/events?after=\(seq)&wait=1")
        try poll.send(request)
        eventually("the poll is held") { (try? nodes.there.room().int("viewers")) == 1 }
        nodes.clock.suspend(milliseconds: 6000)
        nodes.clock.advance(milliseconds: 1000)
        let answer = try house.receive(on: poll, to: request)
        #expect(answer.status == 503)
        #expect(answer.code == "service.stale")
    }

    @Test func `the limit is the operator's`() throws {
        let nodes = try Neighbours { $0.limits.staleSeconds = 60 }
        #expect(try nodes.there.call("GET", "").status == 200)
        nodes.logs[1].goBlind(true)
        nodes.clock.suspend(milliseconds: 30_000)
        let age = try nodes.there.call("GET", "").header("Age").flatMap { Int($0) }
        #expect(try #require(age) >= 30)
    }

    @Test func `alone on its log a node is never old`() throws {
        let scene = try Scene()
        scene.house.clock.suspend(milliseconds: 3_600_000)
        for read in Self.reads {
            let answer = try scene.call("GET", read, by: scene.host)
            #expect(answer.status == 200, "\(read)")
            #expect(answer.header("Age") == nil)
        }
    }
}

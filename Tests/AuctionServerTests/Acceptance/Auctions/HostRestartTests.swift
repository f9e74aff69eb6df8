import AuctionServer
import ExactJSON
import Testing

/// A round that runs while the server is started again, and its host (`product.md`, section 8).
struct HostRestartTests {
    /// A room in whose round bidding has begun, and which is over in ten minutes.
    private func running() throws -> SteppedRoom {
        let room = try SteppedRoom()
        let lot = #"{"name":"Teapot","rules":{"startingPrice":"100","listingSeconds":0,"biddingSeconds":600}}"#
        try room.call("POST", "/lots", lot)
        try room.call("POST", "/auction/start")
        room.letClockRun(seconds: 1)
        try #require(try room.call("GET", "").text("state") == "auctioning")
        return room
    }

    /// The same room after the service has stopped, while its host had a stream, and has started again.
    private func restartedWithStream() throws -> SteppedRoom {
        let room = try running()
        let stream = try room.openStream(asHost: true)
        room.server.runHousekeeping()
        return try withExtendedLifetime(stream) { try SteppedRoom(after: room) }
    }

    @Test func `a host whose stream the stop has closed and who does not return is gone after thirty seconds`() throws {
        let back = try restartedWithStream()
        back.letClockRun(seconds: 29)
        #expect(try back.call("GET", "").text("state") == "auctioning")
        back.letClockRun(seconds: 2)
        #expect(try back.call("GET", "").text("state") == "paused")
    }

    @Test func `a host whose stream is opened again in time stays host of a running round`() throws {
        let back = try restartedWithStream()
        back.letClockRun(seconds: 20)
        let again = try back.openStream(asHost: true)
        back.letClockRun(seconds: 60)
        #expect(try back.call("GET", "").text("state") == "auctioning")
        withExtendedLifetime(again) {}
    }

    @Test func `a host who never had a stream is not gone after a restart`() throws {
        let room = try running()
        room.server.runHousekeeping()
        let back = try SteppedRoom(after: room)
        back.letClockRun(seconds: 60)
        #expect(try back.call("GET", "").text("state") == "auctioning")
    }
}

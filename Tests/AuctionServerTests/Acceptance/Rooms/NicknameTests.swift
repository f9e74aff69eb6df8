import AuctionServer
import EventLogSQLite
import ExactJSON
import Testing

/// A guest changes their nickname, and rooms show it from their next command on.
struct NicknameTests {
    /// The guest with the new nickname and token.
    private func rename(_ guest: Guest, to nickname: String, at server: TestServer) throws -> Guest {
        let response = try server.call("PATCH", "/v1/me", ["nickname": .string(nickname)], by: guest)
        try #require(response.status == 200)
        #expect(response["user"] == ["id": .string(guest.id), "nickname": .string(nickname)])
        return Guest(id: guest.id, nickname: nickname, token: try #require(response.text("token")))
    }

    private func nickname(of guest: Guest, in fixture: RoomFixture) throws -> String? {
        try fixture.call("GET", "/members", by: fixture.host).list("members").first { $0.text("user.id") == guest.id }?
            .text("user.nickname")
    }

    @Test func `a guest gets a token for the same user with the new nickname`() throws {
        let fixture = try RoomFixture()
        let renamed = try rename(fixture.bidder, to: "Beatrix", at: fixture.server)
        #expect(try fixture.server.call("GET", "/v1/me", by: renamed).text("user.nickname") == "Beatrix")
        #expect(try fixture.room(as: renamed).text("me.role") == "bidder")
        // The earlier token stays valid, and keeps its nickname.
        #expect(try fixture.server.call("GET", "/v1/me", by: fixture.bidder).text("user.nickname") == "Bea")
        for body: JSONValue in [[:], ["nickname": ""], ["nickname": "a\u{202E}b"], ["nickname": "Bea", "id": "x"]] {
            #expect(try fixture.server.call("PATCH", "/v1/me", body, by: renamed).status == 400)
        }
    }

    @Test func `the lots of a seller show the new nickname from the seller's next event on`() throws {
        let fixture = try RoomFixture()
        try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.owner)
        let owner = try rename(fixture.owner, to: "Otto II", at: fixture.server)
        try fixture.call("POST", "/messages", ["text": "Here it is."], by: owner)
        #expect(try fixture.call("GET", "/lots").text("lots.0.item.owner.nickname") == "Otto II")
    }

    @Test func `a room shows the nickname from the next event of the user on, and keeps the role`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        let owner = try rename(fixture.owner, to: "Otto II", at: fixture.server)
        let bidder = try rename(fixture.bidder, to: "Beatrix", at: fixture.server)
        // A refused command is no event.
        #expect(try fixture.bid("100", by: bidder).status == 403)
        #expect(try nickname(of: bidder, in: fixture) == "Bea")
        try fixture.bid("120", by: fixture.rival)
        try fixture.bid("140", by: bidder)
        try fixture.call("POST", "/messages", ["text": "Going once."], by: owner)
        #expect(try nickname(of: bidder, in: fixture) == "Beatrix")
        #expect(try nickname(of: owner, in: fixture) == "Otto II")
        #expect(try fixture.room(as: owner).text("me.role") == "auctioneer")
        #expect(try fixture.room(as: owner).text("currentBid.bidder.nickname") == "Beatrix")
        try fixture.call("POST", "/auction/end", by: fixture.host)
        #expect(try fixture.call("GET", "/results").text("results.0.winner.nickname") == "Beatrix")
        let bids = try fixture.call("GET", "/bids").list("bids").map { $0.text("bidder.nickname") }
        #expect(bids == ["Beatrix", "Rui", "Bea"])
    }

    @Test func `a host's new nickname is the room's, also in lists and after a seat is given`() throws {
        let fixture = try RoomFixture()
        let request = try fixture.call("POST", "/stage/requests", ["role": "bidder"], by: fixture.viewer)
        let stage = try #require(request.text("id"))
        let viewer = try rename(fixture.viewer, to: "Veronica", at: fixture.server)
        try fixture.call("POST", "/messages", ["text": "Hello."], by: viewer)
        let host = try rename(fixture.host, to: "Hanna", at: fixture.server)
        try fixture.call("POST", "/stage/\(stage)/accept", by: host)
        try fixture.call("POST", "/stage/\(stage)/confirm", by: viewer)
        #expect(try nickname(of: viewer, in: fixture) == "Veronica")
        #expect(try fixture.room().text("host.nickname") == "Hanna")
        #expect(try fixture.server.call("GET", "/v1/rooms").text("rooms.0.host.nickname") == "Hanna")
        #expect(try fixture.server.call("GET", "/v1/me/rooms", by: host).text("rooms.0.role") == "host")
    }

    @Test func `changing one's nickname counts as a command`() throws {
        let server = try TestServer { $0.limits.commandsPerSecond = 2 }
        let guest = try server.guest("Bea")
        let statuses = try (0..<3).map { _ in try server.call("PATCH", "/v1/me", ["nickname": "Beatrix"], by: guest).status }
        #expect(statuses == [200, 200, 429])
    }

    @Test func `the nickname outlasts a restart`() throws {
        let folder = TemporaryFolder()
        let fixture = try RoomFixture(try TestServer(log: SQLiteEventLog(path: folder.log)))
        let bidder = try rename(fixture.bidder, to: "Beatrix", at: fixture.server)
        try fixture.call("POST", "/messages", ["text": "Hello."], by: bidder)
        fixture.server.stop()
        let back = RoomFixture(fixture, in: try TestServer(log: SQLiteEventLog(path: folder.log), clock: fixture.server.clock))
        #expect(try nickname(of: bidder, in: back) == "Beatrix")
    }
}

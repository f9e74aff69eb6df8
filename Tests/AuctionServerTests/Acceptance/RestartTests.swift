import EventLogSQLite
import ExactJSON
import Foundation
import Testing

/// A server that stops and another that starts on the same file.
struct RestartTests {
    /// A folder of its own, gone with the test.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appending(path: "auction-room-\(UUID().uuidString)")
        var log: String { url.appending(path: "rooms.db").path }
        deinit {
            do { try FileManager.default.removeItem(at: url) } catch { print("\(url.path) stays: \(error)") }
        }
    }

    private func restarted(_ scene: Scene, _ folder: Folder, afterSeconds seconds: Double) throws -> Scene {
        scene.house.stop()
        scene.house.clock.advance(seconds: seconds)
        return Scene(scene, in: try House(log: SQLiteEventLog(path: folder.log), clock: scene.house.clock))
    }

    @Test func `a room in mid-auction reads back the same, and its end moves only if it must`() throws {
        let folder = Folder()
        let scene = try Scene(try House(log: SQLiteEventLog(path: folder.log)))
        try scene.upload(["name": "Vase", "rules": ["startingPrice": "100", "listingSeconds": 0, "biddingSeconds": 90]])
        try scene.start()
        try scene.bid("100", by: scene.bidder)
        let before = try scene.room()
        let events = try scene.events()

        // Back within no time: min(90 s, 60 s) from now is before the end as it stands.
        let back = try restarted(scene, folder, afterSeconds: 0)
        #expect(try back.room().json == before.json)
        #expect(try back.events() == events)

        // Away for eighty of the ninety seconds: the bidders get a minute from when the server is ready.
        let later = try restarted(back, folder, afterSeconds: 80)
        let moved = try later.room()
        #expect(moved.text("state") == "auctioning")
        #expect(moved.text("endsAt") == later.house.clock.text(in: 60.25))
        #expect(moved["currentBid"] == before["currentBid"])
        let last = try #require(try later.events().last)
        #expect(last.text("type") == "countdown.moved")
        #expect(last.text("data.cause") == "outage")
        #expect(last.int("data.extendedBySeconds") == 51)
        #expect(try later.bid("110", by: later.rival).status == 201)
    }

    @Test func `a command is the first to ask for a room after a restart, and is answered`() throws {
        let folder = Folder()
        let scene = try Scene(try House(log: SQLiteEventLog(path: folder.log)))
        // Nothing runs in the room, so it is not loaded at the start; and nobody else asks for anything.
        let back = try restarted(scene, folder, afterSeconds: 1)
        try back.upload(["name": "Vase", "rules": ["startingPrice": "100"]])
    }

    @Test func `a lot whose end passed while the server was away is not lost`() throws {
        let folder = Folder()
        let scene = try Scene(try House(log: SQLiteEventLog(path: folder.log)))
        let slow: JSONValue = ["name": "Vase", "rules": ["startingPrice": "100", "listingSeconds": 0, "biddingSeconds": 300]]
        try scene.upload(slow)
        try scene.start()
        try scene.bid("100", by: scene.bidder)
        let back = try restarted(scene, folder, afterSeconds: 86400)
        #expect(try back.room().text("state") == "auctioning")
        #expect(try back.room().text("endsAt") == back.house.clock.text(in: 60.25), "60 s, though the countdown is longer")
        #expect(try back.bid("101", by: back.rival).text("receipt.endsAt") == back.house.clock.text(in: 300))
        try back.letClockRun(seconds: 300)
        #expect(try back.call("GET", "/results").text("results.0.winner.id") == back.rival.id)
    }

    @Test func `keys are remembered, and refusals are not`() throws {
        let folder = Folder()
        let scene = try Scene(try House(log: SQLiteEventLog(path: folder.log)))
        try scene.openBidding()
        let key = [(name: "Idempotency-Key", value: "k")]
        let bid = try scene.call("POST", "/bids", ["amount": "100"], by: scene.bidder, key)
        let room = try scene.house.call("POST", "/v1/rooms", ["name": "x"], by: scene.host, key)
        #expect(try scene.call("POST", "/bids", ["amount": "1"], by: scene.rival, key).status == 422)

        let back = try restarted(scene, folder, afterSeconds: 1)
        let again = try back.call("POST", "/bids", ["amount": "100"], by: back.bidder, key)
        #expect(again.bodyText == bid.bodyText)
        #expect(again.header("Idempotency-Replayed") == "true")
        let sameRoom = try back.house.call("POST", "/v1/rooms", ["name": "x"], by: back.host, key)
        #expect(sameRoom.bodyText == room.bodyText)
        #expect(sameRoom.header("Location") == room.header("Location"))
        #expect(try back.call("POST", "/bids", ["amount": "101"], by: back.bidder, key).code == "idempotency.key_reused")
        #expect(try back.call("POST", "/bids", ["amount": "110"], by: back.rival, key).status == 201)
    }

    @Test func `rounds that are over and rooms that are archived stay so`() throws {
        let folder = Folder()
        let scene = try Scene(try House(log: SQLiteEventLog(path: folder.log)))
        try scene.openBidding()
        try scene.bid("100", by: scene.bidder)
        try scene.call("POST", "/auction/end", by: scene.host)
        let gone = try Scene(scene.house)
        try gone.call("DELETE", by: gone.host)
        let (results, bids) = (try scene.call("GET", "/results"), try scene.call("GET", "/bids"))

        let back = try restarted(scene, folder, afterSeconds: 3600)
        #expect(try back.state() == "closed")
        #expect(try back.call("GET", "/results").bodyText == results.bodyText)
        #expect(try back.call("GET", "/bids").bodyText == bids.bodyText)
        #expect(try back.house.call("GET", gone.path).status == 404)
        #expect(try back.house.call("GET", "/v1/rooms").list("rooms").count == 1)
        try back.start()
        try back.openBidding()
        #expect(try back.call("GET", "/bids?round=1").bodyText == bids.bodyText)
    }
}

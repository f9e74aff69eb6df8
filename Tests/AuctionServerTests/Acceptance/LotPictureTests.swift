import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import EventLogSQLite
import ExactJSON
import Foundation
import MicroHTTP
import Testing

/// Pictures of items, lots and files of lots: which stay, and which commands are refused for them.
struct LotPictureTests {
    @Test func `a full room takes the repeat of a file with pictures, and corrections of its lots`() throws {
        var limits = RoomLimits()
        limits.lotsPerRoom = 2
        let fixture = try RoomFixture(try TestServer(roomLimits: limits))
        let urls = try ["photo.png", "photo.jpg"].map {
            try #require(try fixture.uploadPicture($0, by: fixture.owner).text("url"))
        }
        func importing(_ rows: String) throws -> HTTPResponse {
            try fixture.server.call(
                "POST", fixture.path + "/lots/import", raw: "reference,name,startingPrice,media\n" + rows, by: fixture.owner,
                [("Content-Type", "text/csv")])
        }
        let first = try importing("1,Vase,10,\(urls[0])\n2,Jug,10,\n")
        #expect(first.status == 200)
        let again = try importing("1,Vase,10,\(urls[0])\n2,Jug,10,\n")
        #expect(
            again.status == 200 && again.int("unchanged") == 2
                && again.list("lots").map { $0.text("id") } == first.list("lots").map { $0.text("id") })
        #expect(try importing("2,Jug,10,\(urls[1])\n").status == 200)
        #expect(try fixture.call("GET", "/lots").text("lots.1.item.media.0") == urls[1])
        #expect(try importing("3,Bowl,10,\(urls[1])\n").code == "lot.too_many")
    }

    @Test func `items and lots name uploaded pictures, which then stay`() throws {
        let log = InMemoryEventLog()
        let fixture = try RoomFixture(try TestServer(log: log))
        let names = ["photo.png", "photo.jpg", "alpha.webp", "photo.avif"]
        let urls = try names.map { try #require(try fixture.uploadPicture($0, by: fixture.owner).text("url")) }
        #expect(try fixture.call("POST", "/items", RoomFixture.item(urls[0]), by: fixture.owner).status == 201)
        let lot = try fixture.call("POST", "/lots", RoomFixture.item(urls[1]), by: fixture.owner)
        #expect(lot.status == 201)
        let change: JSONValue = ["media": [.string(urls[2])]]
        #expect(try fixture.call("PATCH", "/lots/\(try #require(lot.text("id")))", change, by: fixture.owner).status == 200)
        #expect(try fixture.room().text("item.media.0") == urls[0])
        let later = Timestamp(milliseconds: fixture.server.clock.now().wall.milliseconds + 1)
        #expect(try log.pictures.deleteUnused(before: later, limit: 10) == 1)
        let statuses = try urls.map { try fixture.server.call("GET", $0).status }
        #expect(statuses == [200, 200, 200, 404], "also the one that was replaced stays")
        #expect(try fixture.call("POST", "/lots", RoomFixture.item(urls[3]), by: fixture.owner).code == "media.unknown")
        #expect(try fixture.call("GET", "/lots").list("lots").count == 1)
    }

    @Test func `a command with a picture is repeated with its key though its caller may not send it any more`() throws {
        let fixture = try RoomFixture()
        let item = RoomFixture.item(try #require(try fixture.uploadPicture("photo.png", by: fixture.owner).text("url")))
        let key = [("Idempotency-Key", "k1")]
        let first = try fixture.call("POST", "/items", item, by: fixture.owner, key)
        #expect(first.status == 201)
        try fixture.start()
        let again = try fixture.call("POST", "/items", item, by: fixture.owner, key)
        #expect(again.status == 201 && again.body == first.body)
        #expect(try fixture.call("POST", "/items", item, by: fixture.owner).status == 409)
    }

    @Test func `a command is repeated with its key though an operator has removed its picture`() throws {
        let log = InMemoryEventLog()
        let fixture = try RoomFixture(try TestServer(log: log))
        let url = try #require(try fixture.uploadPicture("photo.png", by: fixture.owner).text("url"))
        func queue(_ key: String) throws -> HTTPResponse {
            try fixture.call("POST", "/lots", RoomFixture.item(url), by: fixture.owner, [("Idempotency-Key", key)])
        }
        let first = try queue("k1")
        #expect(first.status == 201)
        #expect(try log.pictures.remove(try #require(PictureID(path: url)), at: fixture.server.clock.now().wall))
        let again = try queue("k1")
        #expect(again.status == 201 && again.body == first.body)
        #expect(again.header("Idempotency-Replayed") == "true")
        let other = try queue("k2")
        #expect(other.status == 400 && other.code == "media.unknown" && other.text("field") == "media")
        #expect(try fixture.call("GET", "/lots").list("lots").count == 1)
    }

    @Test func `a command with a picture is repeated with its key while no picture can be read`() throws {
        let folder = TemporaryFolder()
        let before = try RoomFixture(try TestServer(log: SQLiteEventLog(path: folder.log)))
        let url = try #require(try before.uploadPicture("photo.png", by: before.owner).text("url"))
        func queue(_ key: String, _ fixture: RoomFixture) throws -> HTTPResponse {
            try fixture.call("POST", "/lots", RoomFixture.item(url), by: fixture.owner, [("Idempotency-Key", key)])
        }
        let first = try queue("k1", before)
        #expect(first.status == 201)
        before.server.stop()
        try Data(repeating: 7, count: 50_000).write(to: URL(filePath: folder.log + ".media"))
        let server = try TestServer(log: SQLiteEventLog(path: folder.log), clock: before.server.clock)
        let fixture = RoomFixture(before, in: server)
        let again = try queue("k1", fixture)
        #expect(again.status == 201 && again.body == first.body)
        let other = try queue("k2", fixture)
        #expect(other.status == 503 && other.code == "media.unavailable")
        #expect(other.header("Retry-After") == "1")
    }

    @Test func `pictures named only by refused commands and imports are deleted as unused`() throws {
        let log = InMemoryEventLog()
        let fixture = try RoomFixture(try TestServer(log: log))
        let lots = try (0..<2).map { _ in
            let lot = try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.owner)
            return "/lots/\(try #require(lot.text("id")))"
        }
        try #require(try fixture.call("DELETE", lots[1], by: fixture.owner).status == 200)
        let url = try #require(try fixture.uploadPicture("photo.png", by: fixture.owner).text("url"))
        let change: JSONValue = ["media": [.string(url)]]
        // A key changes nothing: these commands have no stored response.
        for headers in [[], [("Idempotency-Key", "k1")]] {
            func refused(_ method: String, _ tail: String, _ body: JSONValue, by guest: Guest) throws -> String? {
                try fixture.call(method, tail, body, by: guest, headers).code
            }
            #expect(try refused("POST", "/lots", RoomFixture.item(url), by: fixture.bidder) == "lot.not_auctioneer")
            #expect(try refused("PATCH", lots[0], change, by: fixture.bidder) == "lot.not_yours")
            #expect(try refused("PATCH", lots[1], change, by: fixture.owner) == "lot.not_queued")
            let rules: JSONValue = [
                "name": "Vase", "media": [.string(url)], "rules": ["startingPrice": "10", "format": "dutch"],
            ]
            #expect(try refused("POST", "/lots", rules, by: fixture.owner) != nil)
        }
        let file = "name,startingPrice,media\nVase,1,\(url)\nBowl,x,\n"
        let refused = try fixture.server.call(
            "POST", fixture.path + "/lots/import", raw: file, by: fixture.owner, [("Content-Type", "text/csv")])
        #expect(refused.status == 422)
        let later = Timestamp(milliseconds: fixture.server.clock.now().wall.milliseconds + 1)
        #expect(try log.pictures.deleteUnused(before: later, limit: 10) == 1)
    }

    @Test func `with several nodes, refused commands keep no pictures, and a role just granted by another counts`() throws {
        let nodes = try TwoNodes()
        #expect(try nodes.nodeB.call("GET", "").status == 200, "it has the room in memory")
        nodes.logs[1].areHeadsUnavailable.set(true)
        let urls = try ["photo.png", "photo.jpg"].map {
            try #require(try nodes.nodeA.uploadPicture($0, by: nodes.nodeA.owner).text("url"))
        }
        let (rival, bidder) = (nodes.nodeA.rival, nodes.nodeA.bidder)
        #expect(try nodes.nodeB.call("POST", "/lots", RoomFixture.item(urls[0]), by: bidder).code == "lot.not_auctioneer")
        #expect(
            try nodes.nodeA.call("PATCH", "/members/\(rival.id)", ["role": "auctioneer"], by: nodes.nodeA.host).status == 200)
        #expect(try nodes.nodeB.call("POST", "/lots", RoomFixture.item(urls[1]), by: rival).status == 201)
        let later = Timestamp(milliseconds: nodes.clock.now().wall.milliseconds + 1)
        #expect(try nodes.log.pictures.deleteUnused(before: later, limit: 10) == 1)
    }

    @Test func `a picture that the operator removed is not there within a minute, nor taken again`() throws {
        let log = InMemoryEventLog()
        let fixture = try RoomFixture(try TestServer(log: log))
        let url = try #require(try fixture.uploadPicture("photo.png", by: fixture.owner).text("url"))
        #expect(try fixture.call("POST", "/lots", RoomFixture.item(url), by: fixture.owner).status == 201)
        #expect(try fixture.server.call("GET", url).status == 200)
        #expect(try log.pictures.remove(try #require(PictureID(path: url)), at: fixture.server.clock.now().wall))
        fixture.server.clock.advance(seconds: 60)
        #expect(try fixture.server.call("GET", url).code == "media.not_found")
        #expect(try fixture.uploadPicture("photo.png", by: fixture.host).code == "media.removed")
        #expect(try fixture.call("POST", "/lots", RoomFixture.item(url), by: fixture.owner).code == "media.unknown")
        #expect(try fixture.call("GET", "/lots").text("lots.0.item.media.0") == url, "the history stays")
    }

    @Test func `rows of an import that name unknown pictures are bad rows`() throws {
        let fixture = try RoomFixture()
        let url = try #require(try fixture.uploadPicture("photo.png", by: fixture.owner).text("url"))
        let unknown = "/v1/media/" + String(repeating: "0", count: 64)
        func importing(_ rows: [String]) throws -> HTTPResponse {
            let file = (["name,startingPrice,media"] + rows).joined(separator: "\n")
            return try fixture.server.call(
                "POST", fixture.path + "/lots/import", raw: file, by: fixture.owner, [("Content-Type", "text/csv")])
        }
        let refused = try importing(["Vase,10,\(url)", "Jug,10,\(unknown)"])
        #expect(refused.status == 422)
        #expect(refused.int("rows.0.line") == 3)
        #expect(refused.text("rows.0.code") == "media.unknown")
        let all = try importing(["Vase,10,\(unknown)", ",10,", "Vase,10,\(url)", "Jug,10,\(unknown)"])
        #expect(all.list("rows").map { $0.int("line") } == [2, 3, 5], "beside other bad rows too")
        #expect(try fixture.call("GET", "/lots").list("lots").isEmpty)
        #expect(try importing(["Vase,10,\(url)"]).status == 200)
        #expect(try fixture.call("GET", "/lots").text("lots.0.item.media.0") == url)
    }
}

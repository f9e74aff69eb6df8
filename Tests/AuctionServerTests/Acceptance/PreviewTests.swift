import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

@testable import AuctionServer

/// Smaller versions of pictures, for lists.
struct PreviewTests {
    /// The address of a picture that the owner has just uploaded.
    private func picture(_ fixture: RoomFixture) throws -> String {
        try #require(try fixture.uploadPicture("photo.png", by: fixture.owner).text("url"))
    }

    private func give(
        _ preview: [UInt8], of picture: String, by guest: Guest, in fixture: RoomFixture
    ) throws -> HTTPResponse {
        let digest = picture.split(separator: "/").last ?? ""
        return try fixture.server.send(
            fixture.server.request(
                "POST", fixture.path + "/media?previewOf=\(digest)", preview, by: guest, [("Content-Type", "image/png")]))
    }

    private static let caching = [
        "original": "public, max-age=31536000, immutable", "none": "public, max-age=60", "preview": "public, max-age=86400",
    ]

    @Test func `a preview is served where it is asked for, and the picture itself as long as there is none`() throws {
        let fixture = try RoomFixture()
        let url = try picture(fixture)
        let original = try fixture.server.call("GET", url)
        #expect(original.header("Cache-Control") == Self.caching["original"])
        let none = try fixture.server.call("GET", url + "?preview")
        #expect(none.body == original.body && none.header("ETag") == original.header("ETag"))
        #expect(none.header("Cache-Control") == Self.caching["none"])
        let bytes = RoomFixture.png(width: 320, height: 200, bytes: 2000)
        let given = try give(bytes, of: url, by: fixture.owner, in: fixture)
        #expect(given.status == 201 && given.text("url") == url + "?preview")
        #expect(given.header("Location") == url + "?preview")
        #expect([given.int("width"), given.int("height"), given.int("bytes")] == [320, 200, 2000])
        let preview = try fixture.server.call("GET", url + "?preview")
        #expect(preview.body == bytes && preview.header("Content-Type") == "image/png")
        #expect(preview.header("Cache-Control") == Self.caching["preview"])
        #expect(preview.header("X-Content-Type-Options") == "nosniff")
        let tag = try #require(preview.header("ETag"))
        #expect(tag != original.header("ETag"))
        func status(_ tag: String) throws -> Int {
            try fixture.server.call("GET", url + "?preview", nil, by: nil, [("If-None-Match", tag)]).status
        }
        #expect(try [tag, try #require(original.header("ETag"))].map(status) == [304, 200])
        let part = try fixture.server.call("GET", url + "?preview=true", nil, by: nil, [("Range", "bytes=0-7")])
        #expect(part.status == 206 && part.body == Array(bytes[..<8]))
        #expect(try fixture.server.call("GET", url + "?preview=false").body == original.body)
        #expect(try fixture.server.call("GET", url).body == original.body)
        #expect(try fixture.server.call("GET", url + "?preview=x").text("field") == "preview")
        let next = RoomFixture.png(width: 300, height: 200, bytes: 1000)
        #expect(try give(next, of: url, by: fixture.owner, in: fixture).status == 201)
        #expect(try fixture.server.call("GET", url + "?preview").body == next)
    }

    @Test func `a preview that another node stores is served after a few seconds`() throws {
        let log = InMemoryEventLog()
        let fixture = try RoomFixture(try TestServer(log: log))
        let url = try picture(fixture)
        // The picture itself was read long before.
        #expect(try fixture.server.call("GET", url).status == 200)
        fixture.server.clock.advance(seconds: 50)
        let none = try fixture.server.call("GET", url + "?preview").body
        let bytes = RoomFixture.png(width: 320, height: 200, bytes: 2000)
        let preview = StoredPicture(type: "image/png", width: 320, height: 200, bytes: bytes)
        let (id, owner) = (try #require(PictureID(path: url)), try #require(UserID(fixture.owner.id)))
        let room = try #require(RoomID(String(fixture.path.dropFirst(10))))
        let upload = PictureUpload(room: room, user: owner, at: fixture.server.clock.now().wall)
        _ = try log.pictures.store(preview: preview, of: id, by: upload, limits: MediaOptions().limits)
        #expect(try fixture.server.call("GET", url + "?preview").body == none)
        fixture.server.clock.advance(seconds: 3)
        #expect(try fixture.server.call("GET", url + "?preview").body == bytes)
    }

    @Test func `a preview by someone else is refused`() throws {
        let fixture = try RoomFixture()
        let (url, bytes) = (try picture(fixture), RoomFixture.png())
        let refused = try give(bytes, of: url, by: fixture.host, in: fixture)
        #expect(refused.status == 403 && refused.code == "media.not_yours")
        #expect(try give(bytes, of: url, by: fixture.bidder, in: fixture).code == "lot.not_auctioneer")
        #expect(try give(bytes, of: url, by: fixture.owner, in: fixture).status == 201)
        // Everyone who sees the lot can upload its picture too.
        #expect(try fixture.uploadPicture("photo.png", by: fixture.host).status == 201)
        #expect(try give(RoomFixture.png(bytes: 99), of: url, by: fixture.host, in: fixture).code == "media.not_yours")
        #expect(try give(bytes, of: url, by: fixture.owner, in: fixture).code == "media.not_yours")
        let original = try fixture.server.call("GET", url).body
        #expect(try fixture.server.call("GET", url + "?preview").body == original)
    }

    @Test func `a preview is a small picture of one that is stored`() throws {
        let log = InMemoryEventLog()
        let fixture = try RoomFixture(try TestServer(log: log))
        let url = try picture(fixture)
        func refusal(_ bytes: [UInt8], of url: String = url) throws -> [String?] {
            let response = try give(bytes, of: url, by: fixture.owner, in: fixture)
            return [String(response.status), response.code]
        }
        let limit = MediaOptions().previewBytes
        #expect(try refusal(RoomFixture.png(bytes: limit + 1)) == ["413", "media.too_large"])
        #expect(try refusal(RoomFixture.png(width: 1025)) == ["413", "media.too_large"])
        #expect(try refusal(Array("GIF89a".utf8)) == ["415", "media.unsupported"])
        #expect(
            try refusal(RoomFixture.png(), of: "/v1/media/" + String(repeating: "0", count: 64)) == ["404", "media.not_found"])
        #expect(try refusal(RoomFixture.png(), of: "x") == ["400", "request.malformed"])
        #expect(try refusal(RoomFixture.png(width: 1024, bytes: limit)) == ["201", nil])
        #expect(try log.pictures.remove(try #require(PictureID(path: url)), at: fixture.server.clock.now().wall))
        #expect(try refusal(RoomFixture.png()) == ["400", "media.removed"])
        fixture.server.clock.advance(seconds: 60)
        #expect(try fixture.server.call("GET", url + "?preview").code == "media.not_found")
    }

    @Test func `a preview counts against the quota of pictures`() throws {
        let counted = try RoomFixture.sample("photo.png").count + PictureUpload.overheadBytes
        let fixture = try RoomFixture(try TestServer { $0.media.limits.userBytes = counted + 2000 })
        let url = try picture(fixture)
        #expect(try give(RoomFixture.png(bytes: 60_000), of: url, by: fixture.owner, in: fixture).code == "media.quota")
        #expect(try give(RoomFixture.png(bytes: 100), of: url, by: fixture.owner, in: fixture).status == 201)
    }

    @Test func `an item names no preview as its picture`() throws {
        let fixture = try RoomFixture()
        let url = try picture(fixture)
        #expect(try give(RoomFixture.png(), of: url, by: fixture.owner, in: fixture).status == 201)
        let refused = try fixture.call("POST", "/lots", RoomFixture.item(url + "?preview"), by: fixture.owner)
        #expect(refused.status == 400 && refused.text("field") == "media")
    }
}

import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import EventLogSQLite
import ExactJSON
import Foundation
import Logging
import MicroHTTP
import Testing

@testable import AuctionServer

/// Pictures that are uploaded, served and named by items.
struct MediaTests {
    @Test func `an uploaded picture is served without its metadata, to be cached for ever`() throws {
        let fixture = try RoomFixture()
        let uploaded = try fixture.uploadPicture("photo.jpg", by: fixture.owner)
        #expect(uploaded.status == 201)
        #expect(uploaded.text("type") == "image/jpeg")
        #expect([uploaded.int("width"), uploaded.int("height")] == [16, 24], "as displayed: the camera was held upright")
        let url = try #require(uploaded.text("url"))
        let picture = try fixture.server.call("GET", url)
        #expect(picture.status == 200)
        #expect(picture.body.count == uploaded.int("bytes"))
        #expect(picture.body.starts(with: [0xFF, 0xD8]))
        for secret in ["GPS", "Canon", "Jane"] { #expect(Data(picture.body).range(of: Data(secret.utf8)) == nil) }
        #expect(picture.header("Content-Type") == "image/jpeg")
        #expect(picture.header("X-Content-Type-Options") == "nosniff")
        #expect(picture.header("Content-Security-Policy") == "default-src 'none'; sandbox")
        let tag = try #require(picture.header("ETag"))
        func status(_ known: String, _ url: String = url) throws -> Int {
            try fixture.server.call("GET", url, nil, by: nil, [("If-None-Match", known)]).status
        }
        #expect(
            try ["\"x\", \(tag)", "W/\(tag)", "*", "\"x\"", "W/\"x\""].map { try status($0) } == [304, 304, 304, 200, 200])
        #expect(try status("*", Self.unknown) == 404)
        let digest = try #require(Self.unknown.split(separator: "/").last)
        #expect(try status("\"\(digest)\"", Self.unknown) == 404, "a picture that is not there is not confirmed")
        let head = try fixture.server.call("HEAD", url)
        #expect(head.status == 200)
        #expect(head.header("Content-Length") == String(picture.body.count))
        let part = try fixture.server.call("HEAD", url, nil, by: nil, [("Range", "bytes=0-7")])
        #expect(part.status == 200, "ranges are for GET")
    }

    @Test func `a part of a picture can be read`() throws {
        let fixture = try RoomFixture()
        let url = try #require(try fixture.uploadPicture("photo.png", by: fixture.host).text("url"))
        let whole = try fixture.server.call("GET", url).body
        func part(_ range: String, _ more: [(name: String, value: String)] = []) throws -> Part {
            let response = try fixture.server.call("GET", url, nil, by: nil, [("Range", range)] + more)
            return Part(status: response.status, bytes: response.body[...], range: response.header("Content-Range"))
        }
        let count = whole.count
        #expect(try part("bytes=0-7") == Part(status: 206, bytes: whole[0...7], range: "bytes 0-7/\(count)"))
        let end = Part(status: 206, bytes: whole.suffix(3), range: "bytes \(count - 3)-\(count - 1)/\(count)")
        #expect(try part("bytes=\(count - 3)-") == end)
        #expect(try part("bytes=-3") == end)
        #expect(try part("bytes=5-999999999999999999").status == 206)
        #expect(try part("bytes=\(count)-").status == 416)
        #expect(try part("bytes=\(count)-").range == "bytes */\(count)")
        for ignored in ["bytes=0-1,3-4", "bytes=7-2", "bytes=a-", "lines=1-2", "bytes=-", "bytes=0-99999999999999999999"] {
            #expect(try part(ignored) == Part(status: 200, bytes: whole[...], range: nil), "\(ignored)")
        }
        #expect(try part("bytes=0-7", [("If-Range", "\"another\"")]).status == 200)
    }

    private struct Part: Equatable {
        let status: Int
        let bytes: ArraySlice<UInt8>
        let range: String?
    }

    @Test func `a repeat gives the same address`() throws {
        let fixture = try RoomFixture()
        let first = try fixture.uploadPicture("lossy.webp", by: fixture.owner)
        let second = try fixture.uploadPicture("lossy.webp", by: fixture.host)
        #expect(first.status == 201)
        #expect(second.status == 201)
        #expect(first.json == second.json)
        #expect(second.header("Location") == first.text("url"))
    }

    @Test func `an upload is judged by its bytes, whatever it is declared as`() throws {
        let fixture = try RoomFixture()
        let file = try RoomFixture.sample("photo.png")
        for type in [nil, "application/octet-stream", "image/webp"] {
            let headers = [("Authorization", "Bearer \(fixture.owner.token)")] + (type.map { [("Content-Type", $0)] } ?? [])
            let request = HTTPRequest(method: "POST", path: fixture.path + "/media", headers: headers, body: file)
            let uploaded = try fixture.server.send(request)
            #expect(uploaded.status == 201)
            #expect(uploaded.text("type") == "image/png")
        }
    }

    @Test func `a file that is no supported picture, is truncated or too large is refused`() throws {
        let fixture = try RoomFixture()
        func refusal(_ body: [UInt8], _ type: String = "image/png") throws -> [String?] {
            let response = try fixture.uploadPicture(body, type, by: fixture.owner)
            return [String(response.status), response.code]
        }
        #expect(try refusal(Array("GIF89a".utf8)) == ["415", "media.unsupported"])
        #expect(try refusal([]) == ["415", "media.unsupported"])
        #expect(try refusal(RoomFixture.sample("animated.png")) == ["415", "media.unsupported"])
        #expect(try refusal(Array(RoomFixture.sample("photo.png").dropLast(20))) == ["400", "media.malformed"])
        #expect(try refusal(RoomFixture.png(width: 8000, height: 8000)) == ["413", "media.too_large"])
    }

    @Test func `too large a file is refused before it is sent`() throws {
        let fixture = try RoomFixture()
        let headers = [("Content-Type", "image/png"), ("Content-Length", String(5 << 20))]
        let request = fixture.server.request("POST", fixture.path + "/media", nil, by: fixture.owner, headers)
        #expect(try fixture.server.send(request).code == "request.too_large")
    }

    @Test func `a picture of megabytes is taken`() throws {
        let fixture = try RoomFixture()
        let file = RoomFixture.png(bytes: 3 << 20)
        let uploaded = try fixture.uploadPicture(file, "image/png", by: fixture.owner)
        #expect(uploaded.status == 201)
        #expect(try fixture.server.call("GET", try #require(uploaded.text("url"))).body == file)
    }

    @Test func `only users who may queue lots may upload, also when the room has as many lots as it may`() throws {
        var limits = RoomLimits()
        limits.lotsPerRoom = 1
        let fixture = try RoomFixture(try TestServer(roomLimits: limits))
        for guest in [fixture.bidder, fixture.viewer, fixture.stranger] {
            #expect(try fixture.uploadPicture("photo.png", by: guest).code == "lot.not_auctioneer")
        }
        try #require(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.owner).status == 201)
        #expect(try fixture.uploadPicture("photo.png", by: fixture.owner).status == 201)
    }

    @Test func `housekeeping deletes a picture that no item named within a day`() throws {
        let (log, clock) = (InMemoryEventLog(), TestClock())
        let server = try SteppedServer(
            options: ServerOptions(), log: log, secret: TestServer.secret, rulebook: try RoomRulebook.product(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: clock, seeds: { 7 })
        let upload = PictureUpload(room: RoomID(bits: 1), user: UserID(bits: 2), at: clock.now().wall)
        let pictures = (0..<2).map { StoredPicture(type: "image/png", width: 1, height: 1, bytes: [$0]) }
        for picture in pictures { _ = try log.pictures.store(picture, by: upload, limits: .none) }
        _ = try log.pictures.keep([pictures[0].id])
        func stored(afterHours hours: Double) throws -> [Bool] {
            clock.advance(seconds: 3600 * hours)
            for _ in 0..<60 { server.runHousekeeping() }
            return try pictures.map { try log.pictures.picture($0.id) != nil }
        }
        #expect(try stored(afterHours: 23) == [true, true])
        #expect(try stored(afterHours: 2) == [true, false])
    }

    @Test func `pictures that no response has take a sixteenth of the bytes of responses`() throws {
        let pictures = SharedPictures(budget: ResponseBudget(limit: 160), responseBytes: 160)
        let store = InMemoryPictures()
        let upload = PictureUpload(room: RoomID(bits: 1), user: UserID(bits: 2), at: Timestamp(milliseconds: 0))
        let ids = try (0..<3).map { number in
            let picture = StoredPicture(type: "image/png", width: 1, height: 1, bytes: [UInt8(number), 2, 3, 4, 5])
            _ = try store.store(picture, by: upload, limits: .none)
            _ = try pictures.picture(picture.id, in: store, at: 0)
            return picture.id
        }
        #expect(ids.map { pictures.known($0, at: 0) != nil } == [false, true, true])
    }

    @Test func `responses with the same picture share its bytes`() throws {
        let pictures = SharedPictures(budget: ResponseBudget(limit: 0))
        let store = InMemoryPictures()
        let picture = StoredPicture(type: "image/png", width: 1, height: 1, bytes: [1, 2, 3])
        let upload = PictureUpload(room: RoomID(bits: 1), user: UserID(bits: 2), at: Timestamp(milliseconds: 0))
        _ = try store.store(picture, by: upload, limits: .none)
        let first = try #require(try pictures.picture(picture.id, in: store, at: 0))
        #expect(
            try pictures.picture(picture.id, in: InMemoryPictures(), at: 59_999_999_999)?.bytes === first.bytes,
            "not read again")
        #expect(try pictures.picture(picture.id, in: InMemoryPictures(), at: 60_000_000_000) == nil, "it may have been removed")
    }

    @Test func `the operator decides where pictures may be`() throws {
        let elsewhere = "https://example.org/a.jpg"
        let external = try RoomFixture(try TestServer { $0.media.sources = .external })
        #expect(try external.uploadPicture("photo.png", by: external.owner).code == "media.external_only")
        #expect(try external.call("POST", "/lots", RoomFixture.item(elsewhere), by: external.owner).status == 201)
        let unknown = "/v1/media/" + String(repeating: "0", count: 64)
        #expect(try external.call("POST", "/lots", RoomFixture.item(unknown), by: external.owner).code == "request.malformed")

        let own = try RoomFixture(try TestServer { $0.media.sources = .own })
        let url = try #require(try own.uploadPicture("photo.png", by: own.owner).text("url"))
        #expect(try own.call("POST", "/lots", RoomFixture.item(url), by: own.owner).status == 201)
        #expect(try own.call("POST", "/lots", RoomFixture.item(elsewhere), by: own.owner).code == "request.malformed")
    }

    @Test func `a room, a user and the server have a quota`() throws {
        let fixture = try RoomFixture(try TestServer { $0.media.limits.roomBytes = 6000 })
        #expect(try fixture.uploadPicture(RoomFixture.png(bytes: 4000), "image/png", by: fixture.owner).status == 201)
        let refused = try fixture.uploadPicture(RoomFixture.png(bytes: 2000), "image/png", by: fixture.host)
        #expect([refused.status, refused.int("status")] == [429, 429])
        #expect(refused.code == "media.quota")
        #expect(try fixture.uploadPicture(RoomFixture.png(bytes: 4000), "image/png", by: fixture.owner).status == 201)
    }

    @Test func `users of one address share a number of bytes a day`() throws {
        let server = try TestServer { $0.media.bytesPerAddress = 12_000 }
        let fixture = try RoomFixture(server)
        func upload(_ bytes: Int, by guest: Guest) throws -> HTTPResponse {
            try fixture.uploadPicture(RoomFixture.png(bytes: bytes), "image/png", by: guest)
        }
        #expect(try upload(5000, by: fixture.owner).status == 201)
        #expect(try upload(8000, by: fixture.host).status == 201, "the last one may go beyond")
        let refused = try upload(100, by: fixture.owner)
        #expect([refused.status, refused.int("status")] == [429, 429])
        #expect(refused.code == "media.quota")
        #expect(refused.text("detail")?.contains("address") == true)
        let wait = try #require(refused.header("Retry-After").flatMap { Int($0) })
        #expect(wait == (5000 + 8000 + 2 * 1024 - 12_000 + 1) * 86_400 / 12_000 + 1)
        server.clock.advance(seconds: Double(wait))
        #expect(try upload(100, by: fixture.owner).status == 201)
    }

    @Test func `a browser's parallel uploads all succeed`() throws {
        let log = NodeLog(InMemoryEventLog())
        let fixture = try RoomFixture(try TestServer(log: log))
        log.pictureGate.shut()
        let (body, type) = (try RoomFixture.sample("photo.png"), [(name: "Content-Type", value: "image/png")])
        let request = fixture.server.request("POST", fixture.path + "/media", body, by: fixture.owner, type)
        let connections = try (0..<8).map { _ in try fixture.server.connect() }
        for connection in connections { try connection.send(request) }
        eventually("the first upload is being stored") { log.pictureGate.blockedCalls == 1 }
        log.pictureGate.open()
        for connection in connections { #expect(try fixture.server.receive(on: connection, to: request).status == 201) }
    }

    @Test func `an upload beyond the bound of uploads is no read, and says so`() throws {
        let log = NodeLog(InMemoryEventLog())
        let fixture = try RoomFixture(try TestServer(log: log) { $0.service.pendingPictures = 2 })
        log.pictureGate.shut()
        let (body, type) = (try RoomFixture.sample("photo.png"), [(name: "Content-Type", value: "image/png")])
        let request = fixture.server.request("POST", fixture.path + "/media", body, by: fixture.owner, type)
        let connection = try fixture.server.connect()
        try connection.send(request)
        eventually("the upload is being stored") { log.pictureGate.blockedCalls == 1 }
        let refused = try fixture.uploadPicture("photo.png", by: fixture.owner)
        #expect(refused.status == 503 && refused.code == "media.too_many_uploads" && refused.header("Retry-After") == "1")
        log.pictureGate.open()
        #expect(try fixture.server.receive(on: connection, to: request).status == 201)
    }

    @Test func `malformed uploads count as malformed bodies do`() throws {
        let server = try TestServer { $0.limits.commandsPerSecond = 4 }
        let fixture = try RoomFixture(server)
        server.clock.advance(seconds: 10)
        let broken = [UInt8](RoomFixture.png(bytes: 300_000).dropLast(20))
        #expect(try fixture.uploadPicture(broken, "image/png", by: fixture.owner).code == "media.malformed")
        let refused = try fixture.uploadPicture("photo.png", by: fixture.owner)
        #expect(refused.code == "command.rate")
        #expect(refused.header("RateLimit-Policy")?.hasPrefix("\"malformed\"") == true)
        #expect(try fixture.uploadPicture("photo.png", by: fixture.host).status == 201, "another user is not concerned")
    }

    @Test func `uploads count as commands of the user`() throws {
        let server = try TestServer { $0.limits.commandsPerSecond = 20 }
        let fixture = try RoomFixture(server)
        let codes = try (0..<30).map { _ in try fixture.uploadPicture("palette.png", by: fixture.owner).code }
        #expect(codes.contains("command.rate"))
        #expect(codes.first == .some(nil))
    }

    @Test func `uploads leave the bytes of the disk free that the operator wants for the log`() throws {
        let folder = TemporaryFolder()
        let server = try TestServer(log: SQLiteEventLog(path: folder.log)) { $0.media.limits.freeBytes = 1 << 60 }
        let fixture = try RoomFixture(server)
        let refused = try fixture.uploadPicture("photo.png", by: fixture.owner)
        #expect(refused.status == 503)
        #expect(refused.code == "media.disk_full")
        #expect(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.owner).status == 201, "the log goes on")
    }

    @Test func `a failure of the pictures' file is logged with the request, shown as a gauge, and not the log's`() throws {
        let (folder, record) = (TemporaryFolder(), LogRecord())
        try SQLiteEventLog(path: folder.log).close()
        try Data(repeating: 7, count: 50_000).write(to: URL(filePath: folder.log + ".media"))
        let server = try TestServer(log: SQLiteEventLog(path: folder.log), logger: record.logger())
        let fixture = try RoomFixture(server)
        let refused = try fixture.uploadPicture("photo.png", by: fixture.owner)
        #expect(refused.status == 503)
        #expect(refused.code == "media.unavailable")
        let requestID = try #require(refused.text("requestId"))
        #expect(record.text.split(separator: "\n").contains { $0.hasPrefix("error") && $0.contains(requestID) })
        #expect(try server.call("GET", "/metrics").bodyText.contains("auction_pictures_writable 0"))
        server.clock.advance(seconds: 1)
        let unknown = try fixture.call("POST", "/lots", RoomFixture.item(Self.unknown), by: fixture.owner)
        #expect(unknown.code == "media.unavailable")
        #expect(try server.call("GET", Self.unknown).code == "media.unavailable")
        #expect(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.owner).status == 201, "the log goes on")
    }

    private static let unknown = "/v1/media/" + String(repeating: "0", count: 64)

    @Test func `pictures are there after a restart`() throws {
        let folder = TemporaryFolder()
        let fixture = try RoomFixture(try TestServer(log: SQLiteEventLog(path: folder.log)))
        let url = try #require(try fixture.uploadPicture("grid.avif", by: fixture.owner).text("url"))
        let before = try fixture.server.call("GET", url).body
        fixture.server.stop()
        let next = try TestServer(log: SQLiteEventLog(path: folder.log), clock: fixture.server.clock)
        #expect(try next.call("GET", url).body == before)
    }

    @Test func `a picture that was uploaded at one node is served by all`() throws {
        let nodes = try TwoNodes()
        let url = try #require(try nodes.nodeA.uploadPicture("alpha.avif", by: nodes.nodeA.owner).text("url"))
        #expect(try nodes.nodeB.server.call("GET", url).status == 200)
        #expect(try nodes.nodeB.call("POST", "/lots", RoomFixture.item(url), by: nodes.nodeB.owner).status == 201)
    }

    @Test func `an upload is accepted at once after another node has granted the role`() throws {
        let nodes = try TwoNodes()
        #expect(try nodes.nodeB.call("GET", "").status == 200, "it has the room in memory")
        nodes.logs[1].areHeadsUnavailable.set(true)
        let role: JSONValue = ["role": "auctioneer"]
        #expect(try nodes.nodeA.call("PATCH", "/members/\(nodes.nodeA.rival.id)", role, by: nodes.nodeA.host).status == 200)
        #expect(try nodes.nodeB.uploadPicture("photo.png", by: nodes.nodeB.rival).status == 201)
    }

    @Test func `an unknown digest and an invalid one get the same 404`() throws {
        let server = try TestServer()
        #expect(try server.call("GET", "/v1/media/" + String(repeating: "a", count: 64)).code == "media.not_found")
        for other in ["x", String(repeating: "A", count: 64), String(repeating: "a", count: 65)] {
            #expect(try server.call("GET", "/v1/media/" + other).code == "media.not_found")
        }
    }
}

extension RoomFixture {
    /// An item with one picture.
    static func item(_ url: String) -> JSONValue {
        ["name": "Vase", "media": [.string(url)], "rules": ["startingPrice": "10"]]
    }

    /// A picture of the fuzzer's corpus; see `Tests/PicturesTests`.
    static func sample(_ name: String) throws -> [UInt8] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: tests.appending(path: "Corpora/picture/\(name)")))
    }

    /// A PNG whose image data is not compressed data, which nothing but a decoder notices; of `bytes` bytes in all. The data is ASCII: each
    /// byte that is not UTF-8 costs the library of the tests a backtrace where a body is read as text.
    static func png(width: Int = 8, height: Int = 8, bytes: Int = 100) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        func checksum(_ bytes: [UInt8]) -> Int {
            var sum: UInt32 = 0xFFFF_FFFF
            for byte in bytes {
                sum ^= UInt32(byte)
                for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
            }
            return Int(~sum)
        }
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            let content = Array(name.utf8) + data
            return number(data.count) + content + number(checksum(content))
        }
        return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + chunk("IHDR", number(width) + number(height) + [8, 2, 0, 0, 0])
            + chunk("IDAT", [UInt8](repeating: 0x41, count: max(1, bytes - 57))) + chunk("IEND", [])
    }

    func uploadPicture(_ name: String, by guest: Guest, at location: SourceLocation = #_sourceLocation) throws -> HTTPResponse {
        try uploadPicture(Self.sample(name), "image/jpeg", by: guest, at: location)
    }

    func uploadPicture(
        _ body: [UInt8], _ type: String, by guest: Guest, at location: SourceLocation = #_sourceLocation
    ) throws -> HTTPResponse {
        try server.send(server.request("POST", path + "/media", body, by: guest, [("Content-Type", type)]), at: location)
    }
}

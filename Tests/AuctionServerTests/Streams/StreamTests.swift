import AuctionServer
import AuctionService
import EventLogSQLite
import ExactJSON
import Foundation
import MicroHTTP
import Testing

struct StreamTests {
    /// Bids until the room has at least `seq` events.
    private func grow(_ fixture: RoomFixture, to seq: Int) throws {
        let minimum = try #require(try fixture.room().text("nextMinimum"))
        var amount = try #require(Int(minimum.prefix { $0 != "." }))
        while try fixture.seq() < seq {
            for guest in [fixture.bidder, fixture.rival] {
                try #require(try fixture.bid(.string(String(amount)), by: guest).status == 201)
                amount += 10
            }
        }
    }

    @Test func `server-sent events start with stored events and continue live, in order without duplicates`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let seq = try fixture.seq()
        let reader = try EventReader(fixture, "?after=3", by: fixture.viewer)
        #expect(reader.status == 200)
        #expect(reader.headers["content-type"] == "text/event-stream")
        #expect(reader.headers["cache-control"] == "no-store")
        #expect(reader.headers["x-accel-buffering"] == "no")
        let stored = try fixture.events(after: 3)
        for expected in stored {
            let event = try #require(try reader.event())
            #expect(event.data == expected)
            #expect(event.seq == expected.int("seq"))
            #expect(event.type == expected.text("type"))
        }
        #expect(reader.retry == 2000)
        #expect(!reader.comments.isEmpty)
        try fixture.bid("100", by: fixture.bidder)
        try fixture.bid("110", by: fixture.rival)
        for expected in try fixture.events(after: seq) { #expect(try reader.event()?.data == expected) }
    }

    @Test func `an idle room's stream sends notices with the position to resume from`() throws {
        let fixture = try RoomFixture(try TestServer { $0.streams.noticeSeconds = 0.05 })
        let seq = try fixture.seq()
        let reader = try EventReader(fixture, "?after=latest")
        let notice = try #require(try reader.next())
        #expect(reader.lastID == seq)
        #expect(notice.seq == nil)
        #expect(notice.type == "notice")
        #expect(notice.data.text("notice") == "presence")
        #expect(notice.data.int("viewers") == 1)
        #expect(notice.data.text("serverTime") != nil)
    }

    @Test func `Last-Event-ID has priority over after, and a seq beyond the room's is refused`() throws {
        let fixture = try RoomFixture()
        let seq = try fixture.seq()
        #expect(try EventReader(fixture, "?after=0", lastID: seq - 1).event()?.seq == seq)
        #expect(try EventReader(fixture, "?after=0", lastID: seq + 1).status == 400)
        #expect(try EventReader(fixture, "?after=\(seq + 1)").status == 400)
        #expect(try SocketReader(fixture, "?after=\(seq + 1)").status == 400)
    }

    @Test func `lastEventId in the query counts as the header does, which has priority`() throws {
        let fixture = try RoomFixture()
        let seq = try fixture.seq()
        #expect(try EventReader(fixture, "?after=0&lastEventId=\(seq - 1)").event()?.seq == seq)
        #expect(try EventReader(fixture, "?lastEventId=\(seq - 2)", lastID: seq - 1).event()?.seq == seq)
        #expect(try EventReader(fixture, "?after=\(seq - 1)&lastEventId=").event()?.seq == seq)
        #expect(try EventReader(fixture, "?lastEventId=\(seq + 1)").status == 400)
        #expect(try EventReader(fixture, "?lastEventId=x").status == 400)
    }

    @Test func `a WebSocket carries the same events and notices`() throws {
        let fixture = try RoomFixture(try TestServer { $0.streams.noticeSeconds = 0.05 })
        try fixture.openBidding()
        let socket = try SocketReader(fixture, by: fixture.viewer)
        #expect(socket.status == 101)
        #expect(socket.headers["sec-websocket-protocol"] == "auction-room.v1")
        for expected in try fixture.events() { #expect(try socket.event()?.data == expected) }
        try fixture.bid("100", by: fixture.bidder)
        #expect(try socket.event()?.type == "bid.placed")
        var notice = try socket.next()
        while let item = notice, item.seq != nil { notice = try socket.next() }
        #expect(notice?.data.int("viewers") == 1)
    }

    @Test func `a cursor is valid over all three transports`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        var seen: [Int] = []
        let reader = try EventReader(fixture)
        while seen.count < 3 { seen.append(try #require(try reader.event()?.seq)) }
        reader.close()
        let socket = try SocketReader(fixture, "?after=\(seen.last ?? 0)")
        while seen.count < 6 { seen.append(try #require(try socket.event()?.seq)) }
        socket.close()
        let page = try fixture.call("GET", "/events?after=\(seen.last ?? 0)&limit=2")
        seen += page.list("events").compactMap { $0.int("seq") }
        let seq = try fixture.seq()
        let rest = try EventReader(fixture, "?after=\(seen.last ?? 0)")
        while let last = seen.last, last < seq { seen.append(try #require(try rest.event()?.seq)) }
        #expect(seen == Array(1...seq))
    }

    @Test func `events evicted from memory are read from the log, without a gap to the live events`() throws {
        let fixture = try RoomFixture(try TestServer { $0.service.recentEventsPerRoom = 4 })
        try fixture.openBidding()
        try grow(fixture, to: 400)
        let readers = try (0..<3).map { _ in try EventReader(fixture) }
        let sockets = try (0..<3).map { _ in try SocketReader(fixture) }
        try grow(fixture, to: 440)
        let seq = try fixture.seq()
        for reader in readers {
            for expected in 1...seq { try #require(try reader.event()?.seq == expected) }
        }
        for socket in sockets {
            for expected in 1...seq { try #require(try socket.event()?.seq == expected) }
        }
    }

    @Test func `a reader far behind catches up over many small pages`() throws {
        let fixture = try RoomFixture(
            try TestServer {
                $0.service.recentEventsPerRoom = 4
                $0.limits.pageBytes = 1024
            })
        try fixture.openBidding()
        try grow(fixture, to: 300)
        let seq = try fixture.seq()
        let reader = try EventReader(fixture)
        let socket = try SocketReader(fixture)
        for expected in 1...seq { try #require(try reader.event()?.seq == expected) }
        for expected in 1...seq { try #require(try socket.event()?.seq == expected) }
    }

    @Test func `an event reaches every subscriber of every loop`() throws {
        let fixture = try RoomFixture(
            try TestServer {
                $0.http.threads = 2; $0.streams.perUser = 0
            })
        try fixture.openBidding()
        let readers = try (0..<40).map { _ in try EventReader(fixture, "?after=latest") }
        let sockets = try (0..<40).map { _ in try SocketReader(fixture, "?after=latest") }
        #expect(try fixture.room().int("viewers") == 80)
        let bid = try fixture.bid("100", by: fixture.bidder)
        for reader in readers { #expect(try reader.event()?.data["data"]?.text("bidId") == bid.text("bid.id")) }
        for socket in sockets { #expect(try socket.event()?.data["data"]?.text("bidId") == bid.text("bid.id")) }
    }

    @Test func `a broadcast that takes several slices reaches every subscriber in order`() throws {
        let fixture = try RoomFixture(try TestServer { $0.streams.perUser = 0 })
        try fixture.openBidding()
        let readers = try (0..<300).map { _ in try EventReader(fixture, "?after=latest") }
        let sockets = try (0..<300).map { _ in try SocketReader(fixture, "?after=latest") }
        let seq = try fixture.seq()
        for amount in ["100", "120"] { try fixture.bid(.string(amount), by: amount == "100" ? fixture.bidder : fixture.rival) }
        let last = try fixture.seq()
        for reader in readers {
            for expected in seq + 1...last { try #require(try reader.event()?.seq == expected) }
        }
        for socket in sockets {
            for expected in seq + 1...last { try #require(try socket.event()?.seq == expected) }
        }
    }

    @Test func `a room that is not loaded is loaded for its stream`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "auction-room-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "rooms.db").path
        let before = try RoomFixture(try TestServer(log: SQLiteEventLog(path: path)))
        let seq = try before.seq()
        before.server.stop()
        for isSocket in [false, true] {
            let fixture = RoomFixture(before, in: try TestServer(log: SQLiteEventLog(path: path)))
            defer { fixture.server.stop() }
            if isSocket {
                #expect(try SocketReader(fixture, "?after=\(seq - 1)").event()?.seq == seq)
            } else {
                #expect(try EventReader(fixture, "?after=\(seq - 1)").event()?.seq == seq)
            }
        }
    }

    @Test func `HEAD returns a stream's headers and counts no viewer`() throws {
        let fixture = try RoomFixture()
        let connection = try fixture.server.connect()
        try connection.send(
            HTTPRequest(method: "HEAD", path: fixture.path + "/events", headers: [("Accept", "text/event-stream")]))
        let response = try connection.receive(toHead: true)
        #expect(response.status == 200)
        #expect(response.contentType == "text/event-stream")
        try eventually(within: 2, "no viewer is counted") { try fixture.room().int("viewers") == 0 }
    }

    @Test func `a disconnected client is no longer counted as a viewer`() throws {
        let fixture = try RoomFixture()
        let reader = try EventReader(fixture, by: fixture.viewer)
        let socket = try SocketReader(fixture, by: fixture.viewer)
        #expect(try fixture.room().int("viewers") == 2)
        reader.close()
        try eventually(within: 2, "the reader is no longer counted") { try fixture.room().int("viewers") == 1 }
        socket.close()
        try eventually(within: 2, "the socket is no longer counted") { try fixture.room().int("viewers") == 0 }
    }

    @Test func `an archived room ends its streams after its last event`() throws {
        let fixture = try RoomFixture()
        let reader = try EventReader(fixture, "?after=latest")
        let socket = try SocketReader(fixture, "?after=latest")
        try #require(try fixture.call("DELETE", by: fixture.host).status == 204)
        #expect(try socket.event()?.type == "room.archived")
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 4404)
        #expect(try reader.event()?.type == "room.archived")
        #expect(try reader.event() == nil)
    }

    @Test func `a stop closes every stream with its closing message`() throws {
        let fixture = try RoomFixture()
        let reader = try EventReader(fixture, "?after=latest")
        let socket = try SocketReader(fixture, "?after=latest")
        fixture.server.stop()
        #expect(try reader.event() == nil)
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 1001)
    }
}

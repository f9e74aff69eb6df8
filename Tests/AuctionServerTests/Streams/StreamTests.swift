import AuctionServer
import AuctionService
import EventLogSQLite
import ExactJSON
import Foundation
import MicroHTTP
import Testing

struct StreamTests {
    /// Raises the price until so many events are there.
    private func grow(_ scene: Scene, to seq: Int) throws {
        let minimum = try #require(try scene.room().text("nextMinimum"))
        var amount = try #require(Int(minimum.prefix { $0 != "." }))
        while try scene.seq() < seq {
            for guest in [scene.bidder, scene.rival] {
                try #require(try scene.bid(.string(String(amount)), by: guest).status == 201)
                amount += 10
            }
        }
    }

    @Test func `server-sent events begin with what happened, then go on live, each once and in order`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let seq = try scene.seq()
        let reader = try EventReader(scene, "?after=3", by: scene.viewer)
        #expect(reader.status == 200)
        #expect(reader.headers["content-type"] == "text/event-stream")
        #expect(reader.headers["cache-control"] == "no-store")
        #expect(reader.headers["x-accel-buffering"] == "no")
        let stored = try scene.events(after: 3)
        for expected in stored {
            let event = try #require(try reader.event())
            #expect(event.data == expected)
            #expect(event.seq == expected.int("seq"))
            #expect(event.type == expected.text("type"))
        }
        #expect(reader.retry == 2000)
        #expect(!reader.comments.isEmpty)
        try scene.bid("100", by: scene.bidder)
        try scene.bid("110", by: scene.rival)
        for expected in try scene.events(after: seq) { #expect(try reader.event()?.data == expected) }
    }

    @Test func `a quiet room tells where to resume`() throws {
        let scene = try Scene(try House { $0.streams.noticeSeconds = 0.05 })
        let seq = try scene.seq()
        let reader = try EventReader(scene, "?after=latest")
        let notice = try #require(try reader.next())
        #expect(reader.lastID == seq)
        #expect(notice.seq == nil)
        #expect(notice.type == "notice")
        #expect(notice.data.text("notice") == "presence")
        #expect(notice.data.int("viewers") == 1)
        #expect(notice.data.text("serverTime") != nil)
    }

    @Test func `Last-Event-ID wins over after, and one that the room does not have is refused`() throws {
        let scene = try Scene()
        let seq = try scene.seq()
        #expect(try EventReader(scene, "?after=0", lastID: seq - 1).event()?.seq == seq)
        #expect(try EventReader(scene, "?after=0", lastID: seq + 1).status == 400)
        #expect(try EventReader(scene, "?after=\(seq + 1)").status == 400)
        #expect(try SocketReader(scene, "?after=\(seq + 1)").status == 400)
    }

    @Test func `a WebSocket carries the same events and notices`() throws {
        let scene = try Scene(try House { $0.streams.noticeSeconds = 0.05 })
        try scene.openBidding()
        let socket = try SocketReader(scene, by: scene.viewer)
        #expect(socket.status == 101)
        #expect(socket.headers["sec-websocket-protocol"] == "auction-room.v1")
        for expected in try scene.events() { #expect(try socket.event()?.data == expected) }
        try scene.bid("100", by: scene.bidder)
        #expect(try socket.event()?.type == "bid.placed")
        var notice = try socket.next()
        while let item = notice, item.seq != nil { notice = try socket.next() }
        #expect(notice?.data.int("viewers") == 1)
    }

    @Test func `one cursor serves all three transports`() throws {
        let scene = try Scene()
        try scene.openBidding()
        var seen: [Int] = []
        let reader = try EventReader(scene)
        while seen.count < 3 { seen.append(try #require(try reader.event()?.seq)) }
        reader.close()
        let socket = try SocketReader(scene, "?after=\(seen.last ?? 0)")
        while seen.count < 6 { seen.append(try #require(try socket.event()?.seq)) }
        socket.close()
        let page = try scene.call("GET", "/events?after=\(seen.last ?? 0)&limit=2")
        seen += page.list("events").compactMap { $0.int("seq") }
        let seq = try scene.seq()
        let rest = try EventReader(scene, "?after=\(seen.last ?? 0)")
        while let last = seen.last, last < seq { seen.append(try #require(try rest.event()?.seq)) }
        #expect(seen == Array(1...seq))
    }

    @Test func `what memory has forgotten comes from the log, and the splice to live has no gap`() throws {
        let scene = try Scene(try House { $0.service.recentEventsPerRoom = 4 })
        try scene.openBidding()
        try grow(scene, to: 400)
        let readers = try (0..<3).map { _ in try EventReader(scene) }
        let sockets = try (0..<3).map { _ in try SocketReader(scene) }
        try grow(scene, to: 440)
        let seq = try scene.seq()
        for reader in readers {
            for expected in 1...seq { try #require(try reader.event()?.seq == expected) }
        }
        for socket in sockets {
            for expected in 1...seq { try #require(try socket.event()?.seq == expected) }
        }
    }

    @Test func `a reader far behind catches up page by page, though each page has few events`() throws {
        let scene = try Scene(
            try House {
                $0.service.recentEventsPerRoom = 4
                $0.limits.pageBytes = 1024
            })
        try scene.openBidding()
        try grow(scene, to: 300)
        let seq = try scene.seq()
        let reader = try EventReader(scene)
        let socket = try SocketReader(scene)
        for expected in 1...seq { try #require(try reader.event()?.seq == expected) }
        for expected in 1...seq { try #require(try socket.event()?.seq == expected) }
    }

    @Test func `an event reaches every subscriber of every loop`() throws {
        let scene = try Scene(
            try House {
                $0.http.threads = 2; $0.streams.perUser = 0
            })
        try scene.openBidding()
        let readers = try (0..<40).map { _ in try EventReader(scene, "?after=latest") }
        let sockets = try (0..<40).map { _ in try SocketReader(scene, "?after=latest") }
        #expect(try scene.room().int("viewers") == 80)
        let bid = try scene.bid("100", by: scene.bidder)
        for reader in readers { #expect(try reader.event()?.data["data"]?.text("bidId") == bid.text("bid.id")) }
        for socket in sockets { #expect(try socket.event()?.data["data"]?.text("bidId") == bid.text("bid.id")) }
    }

    @Test func `a broadcast to more than one slice comes to everybody in order`() throws {
        let scene = try Scene(try House { $0.streams.perUser = 0 })
        try scene.openBidding()
        let readers = try (0..<300).map { _ in try EventReader(scene, "?after=latest") }
        let sockets = try (0..<300).map { _ in try SocketReader(scene, "?after=latest") }
        let seq = try scene.seq()
        for amount in ["100", "120"] { try scene.bid(.string(amount), by: amount == "100" ? scene.bidder : scene.rival) }
        let last = try scene.seq()
        for reader in readers {
            for expected in seq + 1...last { try #require(try reader.event()?.seq == expected) }
        }
        for socket in sockets {
            for expected in seq + 1...last { try #require(try socket.event()?.seq == expected) }
        }
    }

    @Test func `a room that is not in memory is loaded for its stream`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "auction-room-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "rooms.db").path
        let before = try Scene(try House(log: SQLiteEventLog(path: path)))
        let seq = try before.seq()
        before.house.stop()
        for isSocket in [false, true] {
            let scene = Scene(before, in: try House(log: SQLiteEventLog(path: path)))
            defer { scene.house.stop() }
            if isSocket {
                #expect(try SocketReader(scene, "?after=\(seq - 1)").event()?.seq == seq)
            } else {
                #expect(try EventReader(scene, "?after=\(seq - 1)").event()?.seq == seq)
            }
        }
    }

    @Test func `HEAD tells what a stream would be, and leaves no viewer behind`() throws {
        let scene = try Scene()
        let connection = try scene.house.connect()
        try connection.send(
            HTTPRequest(method: "HEAD", path: scene.path + "/events", headers: [("Accept", "text/event-stream")]))
        let answer = try connection.receive(toHead: true)
        #expect(answer.status == 200)
        #expect(answer.contentType == "text/event-stream")
        try eventually(within: 2, "nobody watches") { try scene.room().int("viewers") == 0 }
    }

    @Test func `who hangs up is no viewer any more`() throws {
        let scene = try Scene()
        let reader = try EventReader(scene, by: scene.viewer)
        let socket = try SocketReader(scene, by: scene.viewer)
        #expect(try scene.room().int("viewers") == 2)
        reader.close()
        try eventually(within: 2, "the reader is gone") { try scene.room().int("viewers") == 1 }
        socket.close()
        try eventually(within: 2, "the socket is gone") { try scene.room().int("viewers") == 0 }
    }

    @Test func `an archived room ends its streams after its last event`() throws {
        let scene = try Scene()
        let reader = try EventReader(scene, "?after=latest")
        let socket = try SocketReader(scene, "?after=latest")
        try #require(try scene.call("DELETE", by: scene.host).status == 204)
        #expect(try socket.event()?.type == "room.archived")
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 4404)
        #expect(try reader.event()?.type == "room.archived")
        #expect(try reader.event() == nil)
    }

    @Test func `a stop ends every stream politely`() throws {
        let scene = try Scene()
        let reader = try EventReader(scene, "?after=latest")
        let socket = try SocketReader(scene, "?after=latest")
        scene.house.stop()
        #expect(try reader.event() == nil)
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 1001)
    }
}

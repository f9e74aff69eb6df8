import AuctionServer
import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
import MicroHTTP
import Testing

/// Streams ended by events of the room: immediately, not with the next periodic notice, which these tests disable.
struct StreamEndingTests {
    private func fixture(_ visibility: String) throws -> RoomFixture {
        try RoomFixture(
            try TestServer {
                $0.http.threads = 2
                $0.streams.noticeSeconds = 3600
            }, visibility: visibility)
    }

    /// Several streams of one user, over both transports and very likely on both event loops.
    private func streams(_ fixture: RoomFixture, of guest: Guest) throws -> (sockets: [SocketReader], readers: [EventReader]) {
        let sockets = try (0..<4).map { _ in try SocketReader(fixture, "?after=latest", by: guest) }
        let readers = try (0..<4).map { _ in try EventReader(fixture, "?after=latest", by: guest) }
        for stream in sockets { try #require(stream.status == 101) }
        for stream in readers { try #require(stream.status == 200) }
        return (sockets, readers)
    }

    enum Departure: String, CaseIterable {
        case banned
        case kicked
        case left

        func perform(_ fixture: RoomFixture) throws -> HTTPResponse {
            let member = "/members/\(fixture.viewer.id)"
            return switch self {
            case .banned: try fixture.call("PATCH", member, ["banned": true], by: fixture.host)
            case .kicked: try fixture.call("DELETE", member, by: fixture.host)
            case .left: try fixture.call("DELETE", "/members/me", by: fixture.viewer)
            }
        }
    }

    @Test(arguments: Departure.allCases)
    func `a user who loses access to a private room loses every stream at once, and others keep theirs`(
        _ departure: Departure
    ) throws {
        let fixture = try fixture("private")
        let theirs = try streams(fixture, of: fixture.viewer)
        let others = try streams(fixture, of: fixture.bidder)
        let poll = try fixture.server.connect()
        let request = fixture.server.request("GET", fixture.path + "/events?after=latest&wait=60", by: fixture.viewer)
        try poll.send(request)
        try eventually("the poll is waiting") { try fixture.room().int("viewers") == 17 }
        #expect(try 200..<300 ~= departure.perform(fixture).status)
        // The streams end without the event of the removal itself, which comes after the loss of access.
        for socket in theirs.sockets {
            #expect(try socket.next() == nil)
            #expect(socket.closeCode == 4403)
        }
        for reader in theirs.readers { #expect(try reader.next() == nil) }
        #expect(try fixture.server.receive(on: poll, to: request).status == 404)
        #expect(try SocketReader(fixture, by: fixture.viewer).status == 404)
        for socket in others.sockets { #expect(try socket.next()?.type.hasPrefix("member.") == true) }
        for reader in others.readers { #expect(try reader.next()?.type.hasPrefix("member.") == true) }
        try fixture.call("POST", "/messages", ["text": "still here"], by: fixture.bidder)
        for socket in others.sockets { #expect(try socket.event()?.type.hasPrefix("message.") == true) }
        for reader in others.readers { #expect(try reader.event()?.type.hasPrefix("message.") == true) }
    }

    @Test func `a ban from a public room keeps the streams, because the room is readable by all`() throws {
        let fixture = try fixture("public")
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.viewer)
        #expect(try Departure.banned.perform(fixture).status == 200)
        #expect(try socket.event()?.type == "member.banned")
    }

    @Test(arguments: ["public", "private"])
    func `an archived room's streams end after its last event`(_ visibility: String) throws {
        let fixture = try fixture(visibility)
        let (sockets, readers) = try streams(fixture, of: fixture.viewer)
        try #require(try fixture.call("DELETE", by: fixture.host).status == 204)
        for socket in sockets {
            #expect(try socket.event()?.type == "room.archived")
            #expect(try socket.event() == nil)
            #expect(socket.closeCode == 4404)
        }
        for reader in readers {
            #expect(try reader.event()?.type == "room.archived")
            #expect(try reader.event() == nil)
        }
        #expect(try SocketReader(fixture, by: fixture.viewer).status == 404)
    }

    @Test func `the log is not read for streams that have ended while their reads waited`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let fixture = try RoomFixture(
            try TestServer(log: log) {
                $0.service.recentEventsPerRoom = 1
                $0.streams.perUser = 0
            })
        let before = log.eventReads
        log.events.shut()
        for _ in 0..<20 {
            let reader = try EventReader(fixture)
            #expect(reader.status == 200)
            reader.close()
        }
        try eventually("all have left") { try fixture.room().int("viewers") == 0 }
        let last = try EventReader(fixture)
        log.events.open()
        #expect(try last.event()?.seq == 1)
        #expect(log.eventReads - before <= 3, "two had begun, as many as there are threads")
    }
}

import AuctionServer
import AuctionService
import ExactJSON
import MicroHTTP
import Testing

/// Streams that the room itself ends: at once, not with the next notice, of which there is none in these tests.
struct StreamEndingTests {
    private func scene(_ visibility: String) throws -> Scene {
        try Scene(
            try House {
                $0.http.threads = 2
                $0.streams.noticeSeconds = 3600
            }, visibility: visibility)
    }

    /// One reader's streams, over both transports and most likely on both loops.
    private func streams(_ scene: Scene, of guest: Guest) throws -> (sockets: [SocketReader], readers: [EventReader]) {
        let sockets = try (0..<4).map { _ in try SocketReader(scene, "?after=latest", by: guest) }
        let readers = try (0..<4).map { _ in try EventReader(scene, "?after=latest", by: guest) }
        for stream in sockets { try #require(stream.status == 101) }
        for stream in readers { try #require(stream.status == 200) }
        return (sockets, readers)
    }

    enum Parting: String, CaseIterable {
        case banned
        case kicked
        case left

        func perform(_ scene: Scene) throws -> HTTPAnswer {
            let member = "/members/\(scene.viewer.id)"
            return switch self {
            case .banned: try scene.call("PATCH", member, ["banned": true], by: scene.host)
            case .kicked: try scene.call("DELETE", member, by: scene.host)
            case .left: try scene.call("DELETE", "/members/me", by: scene.viewer)
            }
        }
    }

    @Test(arguments: Parting.allCases)
    func `whoever may not see a private room any more loses every stream at once, and nobody else does`(
        _ parting: Parting
    ) throws {
        let scene = try scene("private")
        let theirs = try streams(scene, of: scene.viewer)
        let others = try streams(scene, of: scene.bidder)
        let poll = try scene.house.connect()
        let request = scene.house.request("GET", scene.path + "/events?after=latest&wait=60", by: scene.viewer)
        try poll.send(request)
        try eventually("the poll is held") { try scene.room().int("viewers") == 17 }
        #expect(try 200..<300 ~= parting.perform(scene).status)
        // Not even why: the event stands after the moment from which they see nothing.
        for socket in theirs.sockets {
            #expect(try socket.next() == nil)
            #expect(socket.closeCode == 4403)
        }
        for reader in theirs.readers { #expect(try reader.next() == nil) }
        #expect(try scene.house.receive(on: poll, to: request).status == 404)
        #expect(try SocketReader(scene, by: scene.viewer).status == 404)
        for socket in others.sockets { #expect(try socket.next()?.type.hasPrefix("member.") == true) }
        for reader in others.readers { #expect(try reader.next()?.type.hasPrefix("member.") == true) }
        try scene.call("POST", "/messages", ["text": "still here"], by: scene.bidder)
        for socket in others.sockets { #expect(try socket.event()?.type.hasPrefix("message.") == true) }
        for reader in others.readers { #expect(try reader.event()?.type.hasPrefix("message.") == true) }
    }

    @Test func `a ban from a public room keeps its streams, which anybody may read`() throws {
        let scene = try scene("public")
        let socket = try SocketReader(scene, "?after=latest", by: scene.viewer)
        #expect(try Parting.banned.perform(scene).status == 200)
        #expect(try socket.event()?.type == "member.banned")
    }

    @Test(arguments: ["public", "private"])
    func `an archived room's streams end with its last event`(_ visibility: String) throws {
        let scene = try scene(visibility)
        let (sockets, readers) = try streams(scene, of: scene.viewer)
        try #require(try scene.call("DELETE", by: scene.host).status == 204)
        for socket in sockets {
            #expect(try socket.event()?.type == "room.archived")
            #expect(try socket.event() == nil)
            #expect(socket.closeCode == 4404)
        }
        for reader in readers {
            #expect(try reader.event()?.type == "room.archived")
            #expect(try reader.event() == nil)
        }
        #expect(try SocketReader(scene, by: scene.viewer).status == 404)
    }
}

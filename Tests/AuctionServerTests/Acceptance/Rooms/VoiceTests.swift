import AuctionDomain
import AuctionServer
import AuctionService
import AuctionTestKit
import ExactJSON
import Testing

/// Tokens for the sound of a room.
struct VoiceTests {
    private static func claims(of guest: Guest, in room: RoomFixture, speaks: Bool, at seconds: Int) -> JSONValue {
        var video: [JSONMember] = [
            .init(name: "roomJoin", value: true), .init(name: "room", value: .string(String(room.path.dropFirst(10)))),
            .init(name: "canSubscribe", value: true), .init(name: "canPublish", value: .bool(speaks)),
        ]
        if speaks { video.append(.init(name: "canPublishSources", value: ["microphone"])) }
        video.append(.init(name: "canPublishData", value: false))
        return .object([
            .init(name: "iss", value: "APIvoice"), .init(name: "sub", value: .string(guest.id)),
            .init(name: "name", value: .string(guest.nickname)), .init(name: "nbf", value: .number("\(seconds)")),
            .init(name: "exp", value: .number("\(seconds + 600)")), .init(name: "video", value: .object(video)),
        ])
    }

    @Test func `a token has the claims of LiveKit, and only the host's lets its user speak`() throws {
        let fixture = try VoiceFixture()
        let room = fixture.room
        let seconds = Int(room.server.clock.now().wall.milliseconds / 1000)
        for guest in [room.host, room.owner, room.bidder, room.viewer, room.stranger] {
            let response = try fixture.take(by: guest)
            let speaks = guest.id == room.host.id
            #expect(response.text("provider") == "livekit" && response.text("url") == "ws://127.0.0.1:9")
            #expect(response.json["canPublish"] == .bool(speaks))
            let claims = try VoiceFixture.claims(of: response)
            #expect(
                claims == Self.claims(of: guest, in: room, speaks: speaks, at: seconds), "\(guest.nickname): \(claims.written)")
        }
    }

    @Test func `a token is valid by the wall clock, which the RTC service has too, also while the service's time is ahead`()
        throws
    {
        let fixture = try VoiceFixture()
        let clock = fixture.room.server.clock
        let now = clock.now()
        let actual = now.wall.advanced(byMilliseconds: -3_600_000)
        clock.set(Now(wall: now.wall, monotonic: now.monotonic, actual: actual))
        let response = try fixture.take(by: fixture.room.host)
        let claims = try VoiceFixture.claims(of: response)
        let seconds = actual.milliseconds / 1000
        #expect(claims["nbf"] == .number("\(seconds)") && claims["exp"] == .number("\(seconds + 600)"))
    }

    @Test
    func `the occupant of a seat speaks until the seat is muted, moved to silence, or gone, also while muted in the chat`()
        throws
    {
        let fixture = try VoiceFixture()
        let (room, guest) = (fixture.room, fixture.room.viewer)
        try fixture.seat(guest)
        #expect(try fixture.speaks(guest))
        for (path, body, speaks) in [
            ("/stage/seats/1/mute", ["muted": true], false), ("/stage/seats/1/move", ["to": 3], false),
            ("/stage/seats/3/mute", ["muted": false], true), ("/stage/seats/3/move", ["to": 2], true),
        ] as [(String, JSONValue, Bool)] {
            #expect(try room.call("POST", path, body, by: room.host).status == 200)
            #expect(try fixture.speaks(guest) == speaks, "\(path)")
        }
        for muted in [true, false] {
            #expect(try room.call("PATCH", "/members/\(guest.id)", ["muted": .bool(muted)], by: room.host).status == 200)
            #expect(try fixture.speaks(guest))
        }
        #expect(try room.call("POST", "/stage/leave", by: guest).status == 200)
        #expect(try !fixture.speaks(guest))
        try fixture.seat(guest)
        #expect(try room.call("POST", "/stage/seats/1/clear", by: room.host).status == 200)
        #expect(try !fixture.speaks(guest))
    }

    @Test func `a host who leaves listens, and the auctioneer who succeeds them speaks`() throws {
        let fixture = try VoiceFixture()
        let room = fixture.room
        #expect(try room.call("DELETE", "/members/me", by: room.host).status == 204)
        #expect(try fixture.speaks(room.owner))
        #expect(try !fixture.speaks(room.host))
    }

    @Test func `a banned user gets no token, and a hidden or archived room is not found`() throws {
        let fixture = try VoiceFixture()
        let room = fixture.room
        try fixture.seat(room.viewer)
        #expect(try room.call("PATCH", "/members/\(room.viewer.id)", ["banned": true], by: room.host).status == 200)
        #expect(try fixture.take(by: room.viewer).code == "voice.banned")
        let hidden = try VoiceFixture(visibility: "private")
        #expect(try hidden.take(by: hidden.room.stranger).code == "room.not_found")
        #expect(try hidden.take().code == "room.not_found")
        #expect(try hidden.take(by: hidden.room.viewer).status == 200)
        #expect(try room.call("DELETE", "", by: room.host).status == 204)
        #expect(try fixture.take(by: room.host).code == "room.not_found")
    }

    @Test func `without a token one listens under a name of chance, where the operator allows it`() throws {
        #expect(try VoiceFixture().take().code == "token.missing")
        let fixture = try VoiceFixture(admitsAnonymous: true)
        var names: Set<String> = []
        for _ in 1...2 {
            let claims = try VoiceFixture.claims(of: try fixture.take())
            let name = try #require(claims.text("sub"))
            #expect(name.hasPrefix("listener_") && name.utf8.count == 41)
            #expect(claims["name"] == nil && claims["video"]?["canPublish"] == .bool(false))
            #expect(claims["video"]?["canPublishSources"] == nil)
            names.insert(name)
        }
        #expect(names.count == 2)
    }

    @Test func `tokens count as commands, and those of anonymous viewers against their address`() throws {
        let fixture = try VoiceFixture(admitsAnonymous: true) {
            $0.limits.commandsPerSecond = 30
            $0.limits.guestsPerMinute = 6
            $0.limits.guestsBurst = 6
        }
        var codes = try (1...31).map { _ in try fixture.take(by: fixture.room.viewer).code }
        #expect(codes.prefix(29).allSatisfy { $0 == nil } && codes.last == "command.rate")
        codes = try (1...7).map { _ in try fixture.take().code }
        #expect(codes == [nil, nil, nil, nil, nil, nil, "command.rate"])
    }

    @Test func `a program of the operator is no person who listens`() throws {
        let fixture = try VoiceFixture { $0.adminToken = OperatorFixture.adminToken }
        let token = Guest(id: "", nickname: "", token: OperatorFixture.adminToken)
        #expect(try fixture.take(by: token).code == "token.not_a_person")
        let made = try fixture.room.server.call(
            "POST", "/v1/admin/tokens", ["name": "Backend", "scopes": ["feed:read"]], by: token)
        let service = Guest(id: "", nickname: "", token: try #require(made.text("token")))
        #expect(try fixture.take(by: service).code == "token.not_a_person")
    }

    @Test func `a server without an RTC service does not have the call, whatever is asked`() throws {
        let fixture = try RoomFixture()
        let origin = [(name: "Origin", value: "https://shop.example")]
        for method in ["POST", "GET", "PUT", "DELETE", "OPTIONS"] {
            let response = try fixture.call(method, "/stage/voice", by: fixture.host, method == "OPTIONS" ? origin : [])
            #expect(response.status == 404 && response.code == "route.not_found", "\(method)")
            #expect(response.header("Allow") == nil, "\(method)")
        }
        #expect(try fixture.server.call("GET", "/v1").text("links.voice") == nil)
        let with = try VoiceFixture().room
        #expect(try with.server.call("GET", "/v1").text("links.voice") == "/v1/rooms/{id}/stage/voice")
        #expect(try with.call("GET", "/stage/voice").status == 405)
    }

    @Test func `the address of an RTC service is encrypted, or this machine's`() throws {
        for (option, url) in [
            ("livekit:wss://voice.example", "wss://voice.example"), ("livekit:wss://10.0.0.7:7443", "wss://10.0.0.7:7443"),
            ("livekit:ws://127.0.0.1:7880", "ws://127.0.0.1:7880"), ("livekit:ws://localhost:7880", "ws://localhost:7880"),
        ] {
            #expect(VoiceServer(option: option)?.url == url)
        }
        for option in [
            "", "livekit:", "livekit:wss://", "livekit:ws://voice.example", "livekit:ws://10.0.0.7", "wss://voice.example",
            "agora:wss://voice.example", "livekit:https://voice.example", "livekit:wss://voice.example/path",
            "livekit:wss://user@voice.example", "livekit:wss://voice.example:0", "livekit:wss://voice.example?a=b",
        ] {
            #expect(VoiceServer(option: option) == nil, "\(option)")
        }
    }
}

import AuctionServer
import EventLog
import ExactJSON
import Testing

/// Each event that changes what someone may do becomes a call by itself: the RTC service lists no participants, and the clock stands, so
/// that no comparison does what an event has to.
struct VoiceEventsTests {
    /// A room with everyone in it, which the reconciler keeps in mind.
    private struct Sound {
        let liveKit: LiveKitServer
        let fixture: VoiceFixture
        let id: String

        var room: RoomFixture { fixture.room }

        init(visibility: String = "public", _ configure: (inout ServerOptions) -> Void = { _ in }) throws {
            liveKit = try LiveKitServer()
            liveKit.health = .unlisted
            fixture = try VoiceFixture(liveKit, visibility: visibility, systemClock: false, configure)
            id = String(fixture.room.path.dropFirst(10))
            var isMuted = false
            // The thread may begin to read after any of these events.
            try eventually("the room is compared once") { [fixture, liveKit] in
                isMuted.toggle()
                try fixture.room.call("POST", "/stage/seats/8/mute", ["muted": .bool(isMuted)], by: fixture.room.host)
                return liveKit.calls.contains { $0.method == "ListParticipants" }
            }
            for user in [room.host, room.owner, room.bidder, room.rival, room.viewer] { try join(user) }
        }

        func join(_ user: Guest) throws { try liveKit.join(try #require(try fixture.take(by: user).text("token"))) }

        /// Nil: they are not there.
        func speaks(_ user: Guest) -> Bool? { liveKit.present(in: id)[user.id] }

        /// How many calls were made about them.
        func calls(about user: Guest) -> Int { liveKit.calls.count { $0.body.text("identity") == user.id } }

        func becomes(_ user: Guest, _ speaks: Bool?, _ what: String, at location: SourceLocation = #_sourceLocation) {
            eventually(within: 10, what, at: location) { self.speaks(user) == speaks }
        }

        /// Waits until all calls are made that follow from what has happened. Events that are read together may become calls in another
        /// order; those of a later reading come later.
        func settle(seating guest: Guest) throws {
            try fixture.seat(guest)
            becomes(guest, true, "seated")
            try change("POST", "/stage/seats/1/mute", ["muted": true])
            becomes(guest, false, "on a muted seat")
        }

        /// Sends a change of the host's.
        func change(
            _ method: String, _ path: String, _ body: JSONValue? = nil, at location: SourceLocation = #_sourceLocation
        ) throws {
            let status = try room.call(method, path, body, by: room.host, at: location).status
            try #require([200, 204].contains(status), sourceLocation: location)
        }
    }

    @Test func `a seat, its mute, a move to a muted seat and the way off the stage are calls, a mute in the chat is none`()
        throws
    {
        let sound = try Sound()
        let guest = sound.room.viewer
        // Long before the move: events that are read together are one change.
        try sound.change("POST", "/stage/seats/3/mute", ["muted": true])
        try sound.fixture.seat(guest)
        sound.becomes(guest, true, "seated")
        try sound.change("POST", "/stage/seats/1/mute", ["muted": true])
        sound.becomes(guest, false, "on a muted seat")
        try sound.change("POST", "/stage/seats/1/mute", ["muted": false])
        sound.becomes(guest, true, "the mute is over")
        try sound.change("POST", "/stage/seats/1/move", ["to": 3])
        sound.becomes(guest, false, "moved to a muted seat")
        try sound.change("POST", "/stage/seats/3/mute", ["muted": false])
        sound.becomes(guest, true, "the mute is over again")
        let calls = sound.calls(about: guest)
        try sound.change("PATCH", "/members/\(guest.id)", ["muted": true])
        // What comes after it is done: the mute was passed over.
        try sound.settle(seating: sound.room.bidder)
        #expect(sound.speaks(guest) == true && sound.calls(about: guest) == calls)
        #expect(try sound.room.call("POST", "/stage/leave", by: guest).status == 200)
        sound.becomes(guest, false, "off the stage")
    }

    @Test(arguments: ["/stage/seats/1/clear", "/stage/seats/1/close"])
    func `a seat that is cleared or closed is a call`(path: String) throws {
        let sound = try Sound()
        try sound.fixture.seat(sound.room.viewer)
        sound.becomes(sound.room.viewer, true, "seated")
        try sound.change("POST", path)
        sound.becomes(sound.room.viewer, false, "off the stage")
    }

    @Test func `those who are kicked, banned or leave the service are removed, and the end of a ban removes no one`() throws {
        let sound = try Sound()
        let room = sound.room
        try sound.change("DELETE", "/members/\(room.viewer.id)")
        sound.becomes(room.viewer, nil, "kicked")
        let old = try #require(try sound.fixture.take(by: room.rival).text("token"))
        try sound.change("PATCH", "/members/\(room.rival.id)", ["banned": true])
        sound.becomes(room.rival, nil, "banned")
        #expect(try room.server.call("DELETE", "/v1/me", by: room.bidder).status == 204)
        sound.becomes(room.bidder, nil, "no user any more")
        try sound.liveKit.join(old)
        try sound.change("PATCH", "/members/\(room.rival.id)", ["banned": false])
        try sound.settle(seating: room.owner)
        #expect(sound.speaks(room.rival) == false)
    }

    @Test func `one who leaves a private room is removed, and one who leaves a public room listens on`() throws {
        for (visibility, listens) in [("private", nil), ("public", false)] as [(String, Bool?)] {
            let sound = try Sound(visibility: visibility)
            let room = sound.room
            #expect(try room.call("DELETE", "/members/me", by: room.bidder).status == 204)
            try sound.settle(seating: room.viewer)
            #expect(sound.speaks(room.bidder) == listens, "\(visibility)")
        }
    }

    @Test func `a guest who has become a user is removed under the earlier name`() throws {
        let issuer = try TokenIssuer.shared.get()
        let identity = try issuer.identity()
        let sound = try Sound { $0.identity = identity }
        let (server, guest) = (sound.room.server, sound.room.viewer)
        let alice = try issuer.guest("alice", "Alice")
        #expect(try server.call("POST", "/v1/me/link", ["guestToken": .string(guest.token)], by: alice).status == 200)
        sound.becomes(guest, nil, "linked")
    }

    @Test func `a host who left without a successor speaks again once they are back`() throws {
        let sound = try Sound()
        let room = sound.room
        try sound.change("PATCH", "/members/\(room.owner.id)", ["role": "bidder"])
        try sound.change("DELETE", "/members/me")
        sound.becomes(room.host, false, "left")
        #expect(try room.call("POST", "/members", ["role": "viewer"], by: room.host).status == 201)
        sound.becomes(room.host, true, "back")
    }

    @Test func `an archived room is deleted`() throws {
        let sound = try Sound()
        try sound.change("DELETE", "")
        eventually(within: 10, "the room is gone") { sound.liveKit.present(in: sound.id).isEmpty }
    }

    // MARK: - Figures

    /// The value of a line of `/metrics`.
    private func figure(_ name: String, of sound: Sound) throws -> Double {
        let lines = try sound.room.server.call("GET", "/metrics").bodyText.split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("auction_voice_\(name) ") })
        return try #require(Double(line.split(separator: " ").last ?? ""))
    }

    @Test func `the metrics count calls by result, those that wait, and the delay from the event to the call that is done`()
        throws
    {
        let sound = try Sound()
        let (liveKit, guest) = (sound.liveKit, sound.room.viewer)
        let (done, failed) = (#"calls_total{result="done"}"#, #"calls_total{result="failed"}"#)
        try eventually("the comparison is counted") { try figure(done, of: sound) == 1 }
        for name in [failed, #"calls_total{result="refused"}"#, "calls_waiting", "changes_total", "delay_seconds_total"] {
            #expect(try figure(name, of: sound) == 0, "\(name)")
        }
        liveKit.health = .away
        try sound.fixture.seat(guest)
        try eventually("a call has failed") { try figure(failed, of: sound) == 1 }
        try eventually("it waits") { try figure("calls_waiting", of: sound) == 1 }
        #expect(try figure(done, of: sound) == 1 && figure("changes_total", of: sound) == 0)
        liveKit.health = .unlisted
        sound.room.server.clock.advance(seconds: 4)
        sound.becomes(guest, true, "seated")
        try eventually("the call is counted") { try figure(done, of: sound) == 2 }
        #expect(try figure(failed, of: sound) == 1 && figure("changes_total", of: sound) == 1)
        #expect(try figure("delay_seconds_total", of: sound) == 4)
        try eventually("none waits") { try figure("calls_waiting", of: sound) == 0 }
    }
}

import AuctionDomain
@testable import AuctionServer
import EventLog
import EventLogSQLite
import ExactJSON
import Synchronization
import Testing

/// What an RTC service receives, over HTTP.
struct VoiceServerTests {
    private func join(_ guest: Guest, _ fixture: VoiceFixture, _ liveKit: LiveKitServer) throws {
        try liveKit.join(try #require(try fixture.take(by: guest).text("token")))
    }

    private func room(_ fixture: VoiceFixture) -> String { String(fixture.room.path.dropFirst(10)) }

    @Test func `seats, mutes, kicks, another host and the end of a room reach the RTC service`() throws {
        let liveKit = try LiveKitServer()
        let fixture = try VoiceFixture(liveKit)
        let (room, guest) = (fixture.room, fixture.room.viewer)
        let id = self.room(fixture)
        for user in [room.host, room.owner, room.bidder, guest] { try join(user, fixture, liveKit) }
        try fixture.seat(guest)
        eventually("the guest speaks") { liveKit.present(in: id)[guest.id] == true }
        try room.call("POST", "/stage/seats/1/mute", ["muted": true], by: room.host)
        eventually("the guest is muted") { liveKit.present(in: id)[guest.id] == false }
        try room.call("POST", "/stage/seats/1/mute", ["muted": false], by: room.host)
        eventually("the guest speaks again") { liveKit.present(in: id)[guest.id] == true }
        try room.call("DELETE", "/members/\(guest.id)", by: room.host)
        eventually("the guest is gone") { liveKit.present(in: id)[guest.id] == nil }
        #expect(try room.server.call("DELETE", "/v1/me", by: room.bidder).status == 204)
        eventually("one who has left the service is gone") { liveKit.present(in: id)[room.bidder.id] == nil }
        try room.call("DELETE", "/members/me", by: room.host)
        eventually("the new host speaks") { liveKit.present(in: id) == [room.host.id: false, room.owner.id: true] }
        #expect(try room.call("DELETE", "", by: room.owner).status == 204)
        eventually("the room is gone") { liveKit.present(in: id).isEmpty }
        room.server.stop()
        for call in liveKit.calls {
            let claims = try VoiceFixture.claims(of: String(call.authorization.dropFirst("Bearer ".count)))
            let grant = call.method == "DeleteRoom" ? "roomCreate" : "roomAdmin"
            #expect(claims["video"] == [grant: true, "room": .string(id)] && claims.text("sub") == nil, "\(claims.written)")
        }
        let update = try #require(liveKit.calls.first { $0.method == "UpdateParticipant" })
        #expect(
            update.body == [
                "room": .string(id), "identity": .string(guest.id),
                "permission": [
                    "canSubscribe": true, "canPublish": true, "canPublishData": false, "canPublishSources": ["MICROPHONE"],
                ],
            ])
    }

    @Test func `after an outage, and a restart of either side, both agree again`() throws {
        let (liveKit, folder) = (try LiveKitServer(), TemporaryFolder())
        let fixture = try VoiceFixture(liveKit, log: SQLiteEventLog(path: folder.log))
        let (room, guest, id) = (fixture.room, fixture.room.viewer, self.room(fixture))
        try fixture.seat(guest)
        let old = try #require(try fixture.take(by: guest).text("token"))
        try liveKit.join(old)
        liveKit.health = .away
        let calls = liveKit.calls.count
        try room.call("POST", "/stage/seats/1/mute", ["muted": true], by: room.host)
        eventually("a call fails") { liveKit.calls.count > calls }
        liveKit.health = .well
        eventually("the guest is muted") { liveKit.present(in: id)[guest.id] == false }
        room.server.stop()
        liveKit.restartEmpty()
        // With the rights of before; the node that starts finds it out.
        try liveKit.join(old)
        #expect(liveKit.present(in: id)[guest.id] == true)
        let options = try VoiceFixture.options(liveKit.option)
        let server = try TestServer(log: SQLiteEventLog(path: folder.log), systemClock: true) { $0.voice = options }
        eventually("the guest is muted after a start") { liveKit.present(in: id)[guest.id] == false }
        server.stop()
    }

    @Test(arguments: [true, false])
    func `where the cursor is gone all rooms are compared, also archived ones, and the cursor is good after that only`(
        isOtherFeed: Bool
    ) throws {
        let (liveKit, folder) = (try LiveKitServer(), TemporaryFolder())
        let fixture = try VoiceFixture(liveKit, log: SQLiteEventLog(path: folder.log))
        let (room, guest, id) = (fixture.room, fixture.room.viewer, self.room(fixture))
        let over = try RoomFixture(room.server)
        let overID = String(over.path.dropFirst(10))
        try fixture.seat(guest)
        let old = try #require(try fixture.take(by: guest).text("token"))
        let oldOfOver = try #require(try over.call("POST", "/stage/voice", by: over.host).text("token"))
        try room.call("POST", "/stage/seats/1/mute", ["muted": true], by: room.host)
        #expect(try over.call("DELETE", "", by: over.host).status == 204)
        room.server.stop()
        let log = try SQLiteEventLog(path: folder.log)
        let feed = try log.feedID()
        // Of a log that had other events, or of a later state of this one.
        let position = FeedPosition(number: 1_000_000, hash: 7)
        let lost = FeedCursor(feed: isOtherFeed ? feed ^ 1 : feed, position: position).text
        let version = try #require(try log.record(VoiceProgress.recordKind, VoiceProgress.recordID)).version
        #expect(
            try log.write([VoiceProgress(cursor: lost, holder: nil, bansBefore: nil).change(if: .version(version))]))
        liveKit.restartEmpty()
        try liveKit.join(old)
        try liveKit.join(oldOfOver)
        let options = try VoiceFixture.options(liveKit.option)
        let server = try TestServer(log: log, systemClock: true) { $0.voice = options }
        eventually("the guest is muted after a start") { liveKit.present(in: id)[guest.id] == false }
        eventually("the archived room is gone") { liveKit.present(in: overID).isEmpty }
        server.stop()
        let record = try #require(
            try SQLiteEventLog(path: folder.log).record(VoiceProgress.recordKind, VoiceProgress.recordID))
        #expect(VoiceProgress(record)?.cursor == lost, "tokens from before are valid still")
    }

    @Test func `one who was kicked and has joined again is not removed by a restart of the server`() throws {
        let (liveKit, folder) = (try LiveKitServer(), TemporaryFolder())
        let fixture = try VoiceFixture(liveKit, log: SQLiteEventLog(path: folder.log))
        let (room, guest, id) = (fixture.room, fixture.room.viewer, self.room(fixture))
        try join(guest, fixture, liveKit)
        #expect(try room.call("DELETE", "/members/\(guest.id)", by: room.host).status == 204)
        eventually("the guest is gone") { liveKit.present(in: id)[guest.id] == nil }
        #expect(try room.call("POST", "/members", ["role": "viewer"], by: guest).status == 201)
        try fixture.seat(guest)
        try join(guest, fixture, liveKit)
        room.server.stop()
        let before = liveKit.calls.count
        let options = try VoiceFixture.options(liveKit.option)
        let server = try TestServer(log: SQLiteEventLog(path: folder.log), systemClock: true) { $0.voice = options }
        eventually("the room is compared after a start") {
            liveKit.calls.dropFirst(before).contains { $0.method == "ListParticipants" }
        }
        server.stop()
        #expect(liveKit.present(in: id)[guest.id] == true)
    }

    @Test func `a user whom an operator bans leaves every room, gets no token, and is removed again after a restart`() throws {
        let (liveKit, folder) = (try LiveKitServer(), TemporaryFolder())
        let fixture = try VoiceFixture(liveKit, log: SQLiteEventLog(path: folder.log)) {
            $0.adminToken = OperatorFixture.adminToken
        }
        let (room, guest, id) = (fixture.room, fixture.room.viewer, self.room(fixture))
        let other = try RoomFixture(room.server)
        #expect(try other.call("POST", "/members", ["role": "viewer"], by: guest).status == 201)
        let otherID = String(other.path.dropFirst(10))
        try fixture.seat(guest)
        let old = try #require(try fixture.take(by: guest).text("token"))
        try liveKit.join(old)
        try liveKit.join(try #require(try other.call("POST", "/stage/voice", by: guest).text("token")))
        try join(room.bidder, fixture, liveKit)
        #expect(liveKit.present(in: id)[guest.id] == true && liveKit.present(in: otherID)[guest.id] == false)
        let admin = OperatorFixture.bearer(OperatorFixture.adminToken)
        let ban = try room.server.call(
            "POST", "/v1/admin/users/\(guest.id)/ban", ["reason": "never paid"], by: nil, admin)
        #expect(ban.status == 200)
        eventually("the guest is gone from both rooms") {
            liveKit.present(in: id)[guest.id] == nil && liveKit.present(in: otherID)[guest.id] == nil
        }
        let refused = try fixture.take(by: guest)
        #expect(refused.status == 403 && refused.code == "user.banned")
        // The seat is the guest's still: the host's change of it gives no sound back.
        try room.call("POST", "/stage/seats/1/mute", ["muted": true], by: room.host)
        room.server.stop()
        try liveKit.join(old)
        let options = try VoiceFixture.options(liveKit.option)
        let server = try TestServer(log: SQLiteEventLog(path: folder.log), systemClock: true) { $0.voice = options }
        eventually("the guest is gone again after a start") { liveKit.present(in: id)[guest.id] == nil }
        server.stop()
        #expect(liveKit.present(in: id)[room.bidder.id] == false)
    }

    @Test func `of two nodes one calls, and the other goes on once it has stopped`() throws {
        let liveKit = try LiveKitServer()
        let options = try VoiceFixture.options(liveKit.option)
        let nodes = try TwoNodes(systemClock: true) { $0.voice = options }
        let (guest, id) = (nodes.nodeA.viewer, String(nodes.nodeA.path.dropFirst(10)))
        for room in [nodes.nodeA, nodes.nodeB] {
            let stage = try room.call("POST", "/stage/requests", ["role": "bidder"], by: guest)
            try room.call("POST", "/stage/seats", ["userId": .string(guest.id), "role": "bidder"], by: room.host)
            #expect(stage.status == 201)
            try liveKit.join(try #require(try room.call("POST", "/stage/voice", by: guest).text("token")))
            try room.call("POST", "/stage/leave", by: guest)
            eventually("the guest is muted, who left the stage") { liveKit.present(in: id)[guest.id] == false }
            nodes.nodeA.server.stop()
        }
        nodes.nodeB.server.stop()
        let received = liveKit.calls.count {
            $0.method == "UpdateParticipant" && $0.body["permission"]?["canPublish"] == .bool(false)
        }
        #expect(received <= 3, "two nodes would send it twice")
    }

    @Test func `a command does not wait for an RTC service that does not answer`() throws {
        let liveKit = try LiveKitServer()
        let fixture = try VoiceFixture(liveKit)
        let room = fixture.room
        try room.openBidding()
        liveKit.health = .silent
        try fixture.seat(room.viewer)
        eventually("a call waits") { !liveKit.calls.isEmpty }
        let begun = ContinuousClock.now
        for amount in 1...20 {
            let bidder = amount.isMultiple(of: 2) ? room.bidder : room.rival
            #expect(try room.bid(.string("\(90 + 10 * amount).00"), by: bidder).status == 201)
        }
        let took = ContinuousClock.now - begun
        #expect(took < .seconds(4), "a call to the RTC service times out after five")
        // Ends the waiting call, too.
        room.server.stop()
        liveKit.stop()
    }

    @Test func `what a status means: it is so, the call is refused, or the service is not well`() {
        func meaning(_ status: Int, _ text: String = "{}", wasCut: Bool = false, _ order: VoiceCall.Order = .deleteRoom)
            -> String
        {
            switch LiveKitTransport.read(status, Array(text.utf8), wasCut: wasCut, to: order) {
            case .done: "done"
            case .participants(let present): "\(present.count) present"
            case .refused: "refused"
            case .failed: "failed"
            case .unsent: "unsent"
            }
        }
        #expect(meaning(200) == "done" && meaning(200, #"{"participants":[{"identity":"a"}]}"#, .list) == "1 present")
        let missing = #"{"code":"not_found","msg":"no participant"}"#
        #expect(meaning(404, missing) == "done" && meaning(404, missing, .list) == "0 present")
        for status in [401, 403, 404, 408, 429, 500, 502, 503, 599] { #expect(meaning(status) == "failed", "\(status)") }
        #expect(meaning(404, #"{"code":"bad_route"}"#) == "failed", "another server, or another path")
        for status in [201, 204, 301, 307, 400, 409, 412, 422] { #expect(meaning(status) == "refused", "\(status)") }
        #expect(meaning(200, "<html>", .list) == "refused" && meaning(200, "{}", wasCut: true, .list) == "refused")
    }

    @Test func `a list of participants that is too long is refused, and not read as a shorter one`() throws {
        let liveKit = try LiveKitServer()
        liveKit.health = .lengthy
        let transport = LiveKitTransport(try VoiceFixture.options(liveKit.option))
        let answer = Mutex<VoiceResponse?>(nil)
        let call = VoiceCall(number: 1, room: RoomID(bits: 1), order: .list, since: nil)
        transport.send(call, at: Timestamp(milliseconds: 0)) { response in answer.withLock { $0 = response } }
        eventually("it is answered") { answer.withLock { $0 != nil } }
        guard case .refused(let reason) = answer.withLock({ $0 }) else { throw Unexpected() }
        #expect(reason.contains("too long"))
        transport.stop()
    }

    private struct Unexpected: Error {}

    @Test func `lists of participants are read in both forms of JSON, and nothing else is taken for one`() {
        func read(_ text: String) -> [String: Bool]? { LiveKitTransport.participants(in: Array(text.utf8)) }
        #expect(read("{}") == [:])
        #expect(
            read(
                #"""
                {"participants":[{"identity":"a","permission":{"can_publish":true}},{"identity":"b","permission":{"canPublish":true}},
                {"identity":"c","permission":{"canPublish":false}},{"identity":"d"},{"sid":"e"}]}
                """#) == ["a": true, "b": true, "c": false, "d": false])
        for text in ["", "[]", "<html>", #"{"participants":{}}"#, #"{"participants":"#] {
            #expect(read(text) == nil, "\(text)")
        }
    }
}

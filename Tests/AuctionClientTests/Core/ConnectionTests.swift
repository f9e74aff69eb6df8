import StateMachines
import Testing

@testable import AuctionClientCore

/// A connection and a clock in one hand; every call of it is answered by the test.
struct ConnectionFixture {
    var connection: RoomConnection
    var now: Int64 = 0
    var states: [ConnectionState] = []
    var calls: [(id: RoomConnection.CallID, call: HTTPCall)] = []
    var tokenRequests: [RejectedCredential?] = []
    /// What the provider returns, in order; the last one for ever.
    var tokens: [Credential?] = [Credential(token: "t1")]

    init(settings: ConnectionSettings = .init(), seed: UInt64 = 1, start: FollowStart = .now) {
        connection = RoomConnection(
            room: "room_1", start: start, settings: settings, language: "en", seed: seed, at: MachineTimestamp(milliseconds: 0))
    }

    mutating func feed(_ input: RoomConnection.Input) {
        for directive in connection.handle(input, at: MachineTimestamp(milliseconds: now)) {
            switch directive {
            case .askForToken(let id, let rejected):
                tokenRequests.append(rejected)
                let token = tokens.count > 1 ? tokens.removeFirst() : tokens[0]
                feed(.token(id, token))
            case .send(let id, let call): calls.append((id, call))
            case .open(let id, let call):
                calls.append((id, call))
                stream = id
            case .publish(let state): states.append(state)
            case .cancel, .observe: break
            }
        }
    }

    /// The latest stream.
    var stream: RoomConnection.CallID = 0

    var last: RoomConnection.CallID { calls.last?.id ?? 0 }

    mutating func advance(by duration: Duration) {
        let end = now + duration.milliseconds
        while let deadline = connection.nextDeadline, deadline.milliseconds <= end {
            now = max(now, deadline.milliseconds)
            feed(.timePassed)
        }
        now = end
        feed(.timePassed)
    }

    mutating func becomeLive(_ room: HTTPResponse = Responses.room(Responses.auctioning)) {
        feed(.start)
        feed(.response(last, room))
        openStream()
    }

    mutating func openStream() {
        feed(.head(stream, HTTPHead(status: 200, headers: [HTTPHeader("Content-Type", "text/event-stream")])))
        feed(.bytes(stream, Array(": hello\n\n".utf8)))
    }

    /// Refuses whatever is asked for until the next attempt.
    mutating func refuse(_ status: Int, _ code: String, retryAfter: Int64? = nil) {
        feed(.response(last, SimulatedService.problem(status, code, retryAfter: retryAfter, at: 0)))
    }

    mutating func taken() -> [Int64?] {
        var seqs: [Int64?] = []
        while let update = connection.takeUpdate(at: MachineTimestamp(milliseconds: now)).update {
            seqs.append(update.event?.seq)
        }
        return seqs
    }
}

struct ConnectionTests {
    static func event(_ seq: Int64, _ type: String = "weather.changed") -> String {
        #"{"seq":\#(seq),"type":"\#(type)","at":"1970-01-01T01:00:00.000Z","round":1,"data":{"new":{"deep":[1]}}}"#
    }

    private func frame(_ seq: Int64) -> [UInt8] { Array("id: \(seq)\nevent: x\ndata: \(Self.event(seq))\n\n".utf8) }

    @Test func `a token that is refused is asked for once again, then the connection stops`() {
        var fixture = ConnectionFixture()
        fixture.tokens = [Credential(token: "t1"), Credential(token: "t2")]
        fixture.feed(.start)
        fixture.refuse(401, "token.expired")
        #expect(fixture.tokenRequests == [nil, RejectedCredential(credential: Credential(token: "t1"))])
        #expect(fixture.calls.last?.call.header("Authorization") == "Bearer t2")
        fixture.refuse(401, "token.expired")
        guard case .stopped(.unauthorized(let problem)) = fixture.states.last else {
            return #expect(Bool(false), "\(fixture.states)")
        }
        #expect(problem.code == .tokenExpired && problem.requestId == "req_1")
        #expect(fixture.tokenRequests.count == 2)
        #expect(fixture.connection.nextDeadline == nil)
    }

    @Test func `the same token again is not tried again`() {
        var fixture = ConnectionFixture()
        fixture.feed(.start)
        fixture.refuse(401, "token.expired")
        #expect(fixture.calls.count == 1)
        guard case .stopped(.unauthorized) = fixture.states.last else { return #expect(Bool(false), "\(fixture.states)") }
    }

    @Test func `a connection whose poll is refused for its token is not live until a poll with another one is answered`() {
        var settings = ConnectionSettings()
        settings.transports = [.longPoll]
        var fixture = ConnectionFixture(settings: settings)
        fixture.tokens = [Credential(token: "t1"), Credential(token: "t2")]
        fixture.feed(.start)
        fixture.feed(.response(fixture.last, Responses.room(Responses.auctioning)))
        let page = SimulatedService.response(200, #"{"events":[],"next":4,"more":false}"#)
        fixture.feed(.response(fixture.last, page))
        #expect(fixture.states.last == .live(.longPoll))
        fixture.refuse(401, "token.expired")
        #expect(fixture.calls.last?.call.header("Authorization") == "Bearer t2")
        #expect(fixture.states.last == .connecting(attempt: 1))
        fixture.feed(.response(fixture.last, page))
        #expect(fixture.states.last == .live(.longPoll))
    }

    @Test(arguments: [403, 404, 410]) func `a refusal by the service is final`(status: Int) {
        var fixture = ConnectionFixture()
        fixture.feed(.start)
        fixture.refuse(status, "room.not_found")
        #expect(fixture.connection.stopReason != nil)
        fixture.advance(by: .seconds(3600))
        #expect(fixture.calls.count == 1)
    }

    @Test(arguments: [401, 404]) func `a refusal by a proxy is retried for a minute, with the same token`(status: Int) {
        var fixture = ConnectionFixture()
        fixture.feed(.start)
        let page = HTTPResponse(head: HTTPHead(status: status, headers: [HTTPHeader("Content-Type", "text/html")]))
        var attempts = 0
        while fixture.connection.stopReason == nil, attempts < 1000 {
            attempts += 1
            fixture.feed(.response(fixture.last, page))
            // Every attempt asks for a token once; none of them says that one was refused.
            #expect(fixture.tokenRequests.count == attempts && fixture.tokenRequests.allSatisfy { $0 == nil })
            if let deadline = fixture.connection.nextDeadline {
                fixture.now = deadline.milliseconds
                fixture.feed(.timePassed)
            }
        }
        #expect(attempts > 3 && fixture.now >= 60_000)
        guard case .waiting(.unexpectedResponse(status: status, mediaType: ""), _) = fixture.states[1] else {
            return #expect(Bool(false), "\(fixture.states)")
        }
        switch fixture.connection.stopReason {
        case .unauthorized?: #expect(status == 401)
        case .notFound?: #expect(status == 404)
        default: #expect(Bool(false), "\(fixture.states)")
        }
    }

    @Test func `Retry-After is kept, even if the network returns, or the app pauses and resumes`() {
        var fixture = ConnectionFixture()
        fixture.feed(.start)
        fixture.refuse(503, "service.overloaded", retryAfter: 20)
        fixture.feed(.networkReturned)
        fixture.advance(by: .seconds(1))
        fixture.feed(.pause)
        fixture.feed(.resume)
        guard case .waiting(.service, let delay) = fixture.states.last else { return #expect(Bool(false), "\(fixture.states)") }
        #expect(delay >= .seconds(19))
        fixture.feed(.networkReturned)
        fixture.advance(by: .seconds(18))
        #expect(fixture.calls.count == 1)
        fixture.advance(by: .seconds(2))
        #expect(fixture.calls.count == 2)
        // A pause that was longer than that ends at once.
        fixture.refuse(503, "service.overloaded", retryAfter: 20)
        fixture.feed(.pause)
        fixture.advance(by: .seconds(20))
        fixture.feed(.resume)
        #expect(fixture.calls.count == 3)
    }

    @Test func `the delays are random up to a ceiling that doubles`() {
        var longest: [Int64] = []
        for seed in 0..<300 as Range<UInt64> {
            var fixture = ConnectionFixture(seed: seed)
            fixture.feed(.start)
            for attempt in 0..<8 {
                fixture.feed(.failed(fixture.last, .notSent("")))
                guard case .waiting(_, let delay) = fixture.states.last else { return #expect(Bool(false)) }
                if longest.count <= attempt { longest.append(0) }
                longest[attempt] = max(longest[attempt], delay.milliseconds)
                fixture.advance(by: delay)
            }
        }
        let ceilings: [Int64] = [500, 1000, 2000, 4000, 5000, 5000, 5000, 5000]
        for (found, ceiling) in zip(longest, ceilings) { #expect(found <= ceiling && found > ceiling * 8 / 10) }
    }

    @Test(arguments: [true, false]) func `a connection that brought an event is followed by a short delay`(hasEvent: Bool) {
        var longest: Int64 = 0
        for seed in 0..<50 as Range<UInt64> {
            var fixture = ConnectionFixture(seed: seed)
            fixture.becomeLive()
            for _ in 0..<6 {
                fixture.feed(.failed(fixture.last, .notSent("refused")))
                while fixture.connection.life.state == .waiting { fixture.advance(by: .milliseconds(100)) }
            }
            fixture.openStream()
            if hasEvent { fixture.feed(.bytes(fixture.stream, frame(5))) }
            fixture.feed(.ended(fixture.stream))
            guard case .waiting(_, let delay) = fixture.states.last else { return #expect(Bool(false), "\(fixture.states)") }
            longest = max(longest, delay.milliseconds)
        }
        #expect(hasEvent ? longest <= 500 : longest > 2000)
    }

    @Test func `what cannot be an address is not tried again`() {
        var fixture = ConnectionFixture()
        fixture.feed(.start)
        fixture.feed(.failed(fixture.last, .invalidAddress("auctions")))
        #expect(fixture.states.last == .stopped(.invalidAddress("auctions")))
    }

    @Test func `the network returns and the attempt begins at once`() {
        var fixture = ConnectionFixture()
        fixture.feed(.start)
        for _ in 0..<6 {
            fixture.feed(.failed(fixture.last, .notSent("")))
            let count = fixture.calls.count
            fixture.feed(.networkReturned)
            #expect(fixture.calls.count == count + 1)
        }
    }

    @Test func `a silent stream is given up, and after two of them polls take over`() {
        var fixture = ConnectionFixture()
        fixture.becomeLive()
        #expect(fixture.states.last == .live(.serverSentEvents))
        fixture.advance(by: .seconds(34))
        #expect(fixture.states.last == .live(.serverSentEvents))
        fixture.advance(by: .seconds(1))
        guard case .waiting(.stalled, _) = fixture.states.last else { return #expect(Bool(false), "\(fixture.states)") }
        fixture.advance(by: .seconds(1))
        fixture.advance(by: .seconds(11))
        fixture.advance(by: .seconds(2))
        #expect(fixture.calls.last?.call.target.contains("wait=0") == true, "\(fixture.calls.last?.call.target ?? "")")
        fixture.feed(
            .response(fixture.last, SimulatedService.response(200, #"{"events":[\#(Self.event(5))],"next":5,"more":false}"#)))
        #expect(fixture.states.last == .live(.longPoll))
        #expect(fixture.calls.last?.call.target == "/v1/rooms/room_1/events?after=5&wait=20&limit=100")
        #expect(fixture.taken() == [nil, 5])
    }

    @Test func `events come once and in order, whatever their pieces, repetitions and gaps`() {
        var fixture = ConnectionFixture()
        fixture.becomeLive()
        for byte in frame(5) { fixture.feed(.bytes(fixture.stream, [byte])) }
        fixture.feed(.bytes(fixture.stream, frame(5) + frame(4) + frame(6)))
        let old = fixture.stream
        fixture.feed(.bytes(old, frame(8)))
        guard case .waiting(.gap(expected: 7, received: 8), _) = fixture.states.last else { return #expect(Bool(false)) }
        fixture.feed(.bytes(old, frame(7)))
        fixture.advance(by: .milliseconds(500))
        #expect(fixture.calls.last?.call.target == "/v1/rooms/room_1/events?after=6")
        fixture.openStream()
        fixture.feed(.bytes(fixture.stream, frame(7) + frame(8)))
        #expect(fixture.taken() == [nil, 5, 6, 7, 8])
    }

    @Test func `an unknown event keeps its type and its data`() throws {
        var fixture = ConnectionFixture()
        fixture.becomeLive()
        fixture.feed(.bytes(fixture.stream, frame(5)))
        _ = fixture.connection.takeUpdate(at: MachineTimestamp(milliseconds: 0))
        let update = try #require(fixture.connection.takeUpdate(at: MachineTimestamp(milliseconds: 0)).update)
        let event = try #require(update.event)
        #expect(event.type == "weather.changed" && !event.type.isKnown && event.body == .unknown)
        #expect(event.data["new"]?["deep"] == [1])
        #expect(update.state.seq == 5)
    }

    @Test func `a slow reader stops the stream, and gets everything later`() {
        var settings = ConnectionSettings()
        settings.bufferedEvents = 3
        var fixture = ConnectionFixture(settings: settings)
        fixture.becomeLive()
        fixture.feed(.bytes(fixture.stream, frame(5) + frame(6)))
        #expect(fixture.states.last == .waitingForReader)
        let count = fixture.calls.count
        #expect(fixture.taken() == [nil, 5, 6])
        fixture.feed(.timePassed)
        fixture.advance(by: .seconds(1))
        #expect(fixture.connection.life.state != .saturated || fixture.calls.count > count)
    }

    @Test func `what is too large, or not an event, ends the attempt and in the end the connection`() {
        var settings = ConnectionSettings()
        settings.maximumEventBytes = 1000
        var fixture = ConnectionFixture(settings: settings)
        fixture.becomeLive()
        for attempt in 1...3 {
            fixture.feed(.bytes(fixture.stream, Array(repeating: UInt8(ascii: "x"), count: attempt == 2 ? 2000 : 990)))
            if attempt != 2 { fixture.feed(.bytes(fixture.stream, Array("\ndata: {\n\n".utf8))) }
            guard attempt < 3 else { break }
            guard case .waiting(.unreadable, _) = fixture.states.last else { return #expect(Bool(false), "\(fixture.states)") }
            fixture.advance(by: .seconds(4))
            fixture.openStream()
        }
        #expect(fixture.connection.stopReason == .unreadableEvent(seq: 5))
    }

    @Test func `a paused connection is silent, and resumes at its cursor`() {
        var fixture = ConnectionFixture()
        fixture.becomeLive()
        fixture.feed(.bytes(fixture.stream, frame(5)))
        fixture.feed(.pause)
        let count = fixture.calls.count
        fixture.advance(by: .seconds(3600))
        #expect(fixture.calls.count == count && fixture.states.last == .paused)
        fixture.feed(.resume)
        #expect(fixture.calls.last?.call.target == "/v1/rooms/room_1/events?after=5")
    }

    @Test func `the machine has no state that cannot be reached or left`() {
        #expect(ConnectionMachine.machine(ConnectionSettings()).table.findings.isEmpty)
        #expect(Exchange.machine(ExchangeSettings()).table.findings.isEmpty)
    }
}

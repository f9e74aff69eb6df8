import StateMachines
import Testing

@testable import AuctionClientCore

/// A transport whose responses come when the test gives them.
struct HeldTransport: HTTPTransport {
    let calls = Mailbox<HTTPCall>()
    let responses = Mailbox<HTTPResponse>()

    func send(_ call: HTTPCall) async throws(TransportError) -> HTTPResponse {
        calls.put(call)
        return await responses.next()
    }

    func open(_ call: HTTPCall) async throws(TransportError) -> HTTPStream { throw .notSent("no streams") }
}

struct TokenTests {
    @Test func `a token that was forgotten while the provider was asked is not used`() async throws {
        let (questions, tokens) = (Mailbox<Credential?>(), Mailbox<String>())
        var configuration = ClientConfiguration()
        configuration.tokens = ClosureTokenProvider { rejected in
            questions.put(rejected)
            return Credential(token: await tokens.next())
        }
        let transport = FakeTransport { _ throws(TransportError) in Responses.room(Responses.auctioning) }
        let client = AuctionClient(transport: transport, configuration: configuration, clock: TestClock())
        async let read = client.room("room_1").read()
        _ = await questions.next()
        await client.forgetToken()
        tokens.put("of the user who signed out")
        tokens.put("new")
        _ = try await read
        #expect(transport.calls.map { $0.header("Authorization") } == ["Bearer new"])
    }

    @Test func `a user who signs out while the nickname changes stays signed out`() async throws {
        let transport = HeldTransport()
        var configuration = ClientConfiguration()
        configuration.tokens = ClosureTokenProvider { _ in Credential(token: "provided") }
        let client = AuctionClient(transport: transport, configuration: configuration, clock: TestClock())
        async let change = client.setNickname("Eddie")
        _ = await transport.calls.next()
        await client.forgetToken()
        transport.responses.put(SimulatedService.response(200, MeTests.session("Eddie", "late")))
        #expect(try await change.token == "late")
        async let read = client.room("room_1").read()
        #expect(await transport.calls.next().header("Authorization") == "Bearer provided")
        transport.responses.put(Responses.room(Responses.auctioning))
        _ = try await read
    }

    @Test(.timeLimit(.minutes(1))) func `who signs in while a nickname is being changed keeps theirs`() async throws {
        let transport = HeldTransport()
        let users = Counter()
        var configuration = ClientConfiguration()
        configuration.commands = .patient
        configuration.tokens = ClosureTokenProvider { _ in Credential.claiming(#"{"sub":"\#(users.next())"}"#) }
        let client = AuctionClient(transport: transport, configuration: configuration, clock: TestClock())
        let change = Task { try await client.setNickname("Eddie") }
        _ = await transport.calls.next()
        await client.forgetToken()
        transport.responses.put(SimulatedService.problem(503, "service.unavailable", at: 0))
        transport.responses.put(SimulatedService.response(200, MeTests.session("Eddie", "late")))
        await #expect(throws: AuctionError.failed(.differentUser)) { try await change.value }
    }

    @Test func `a bid whose maker was not known when it was made is sent for one user only`() throws {
        let command = PendingCommand(
            key: "k", kind: .placeBid, room: "room_1", createdAt: ServerTime(milliseconds: 0), currency: "CNY", subject: nil,
            method: "POST", target: "/v1/rooms/room_1/bids", body: #"{"amount":"10.00","round":1}"#)
        let start = MachineTimestamp(milliseconds: 0)
        let request = ExchangeRequest(command, language: "en")
        var exchange = Exchange(request, settings: .patient, seed: 1, at: start)
        _ = exchange.handle(.start, at: start)
        let asked = try #require(exchange.call)
        _ = exchange.handle(.token(asked, Credential.claiming(#"{"sub":"a"}"#)), at: start)
        let sent = try #require(exchange.call)
        _ = exchange.handle(.failed(sent, .interrupted("lost")), at: start)
        let retry = try #require(exchange.nextDeadline)
        _ = exchange.handle(.timePassed, at: retry)
        let askedAgain = try #require(exchange.call)
        let last = exchange.handle(.token(askedAgain, Credential.claiming(#"{"sub":"b"}"#)), at: retry).last
        #expect(last == .finish(.failed(.differentUser, mayHaveBeenCarriedOut: true)))
    }

    @Test func `callers that need the guest at the same time get the same one`() async throws {
        let transport = FakeTransport { call throws(TransportError) in
            SimulatedService.response(201, MeTests.session("Ed", "t"))
        }
        let tokens = GuestTokens(transport, "Ed", clock: TestClock()) { _ in }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask { _ = try await tokens.guest() }
                group.addTask { _ = try await tokens.token(rejected: nil) }
            }
            try await group.waitForAll()
        }
        #expect(transport.calls.map(\.target) == ["/v1/guests"])
    }

    @Test func `a nickname that was changed during a renewal stays`() async throws {
        let transport = HeldTransport()
        let soon = "2027-01-15T08:00:01.000Z"
        let session = try Session(JSONParser.parse(MeTests.session("Ed", "old", expiresAt: soon)))
        let renamed = try Session(JSONParser.parse(MeTests.session("Eddie", "renamed")))
        let kept = Locked<[String]>([])
        let tokens = GuestTokens(transport, "Ed", session, clock: TestClock()) { session in
            kept.withLock { $0.append(session.nickname) }
        }
        async let token = tokens.token(rejected: nil)
        #expect(await transport.calls.next().header("Authorization") == "Bearer old")
        await tokens.sessionChanged(to: renamed)
        transport.responses.put(SimulatedService.response(201, MeTests.session("Ed", "renewed")))
        #expect(try await token?.token == "renamed")
        #expect(kept.withLock { $0 } == ["Eddie"])
    }

    @Test func `a guest at what cannot be an address is an error at once`() async {
        let transport = FakeTransport { _ throws(TransportError) in throw .invalidAddress("auctions") }
        let clock = TestClock()
        var configuration = ClientConfiguration()
        configuration.tokens = GuestTokens(transport, "Ed", clock: clock) { _ in }
        let room = AuctionClient(transport: transport, configuration: configuration, clock: clock).room("room_1")
        await #expect(throws: AuctionError.failed(.network(.invalidAddress("auctions")))) { try await room.stage() }
        #expect(transport.calls.count == 1)
    }

    @Test func `a guest that is refused, or whose response cannot be read, is an error with its reason`() async {
        let refused = FakeTransport { _ throws(TransportError) in SimulatedService.problem(403, "guest.off", at: 0) }
        await #expect(throws: AuctionError.self) { try await GuestTokens(refused, "Ed", clock: TestClock()) { _ in }.guest() }
        let other = FakeTransport { _ throws(TransportError) in SimulatedService.response(201, #"{"user":{}}"#) }
        await #expect(throws: AuctionError.failed(.unreadable(member: "user.id"))) {
            try await GuestTokens(other, "Ed", clock: TestClock()) { _ in }.guest()
        }
    }
}

import Testing

@testable import AuctionClientCore

/// Renewals are held until the test answers them; any other request is answered with Bo's session.
private struct HeldRenewals: HTTPTransport {
    static let bo = #"{"user":{"id":"user_2","nickname":"Bo"},"token":"bo's","expiresAt":"2027-02-01T08:00:00.000Z"}"#
    let held = HeldTransport()

    func send(_ call: HTTPCall) async throws(TransportError) -> HTTPResponse {
        guard call.target != "/v1/tokens/renew" else { return try await held.send(call) }
        return SimulatedService.response(200, Self.bo)
    }

    func open(_ call: HTTPCall) async throws(TransportError) -> HTTPStream { throw .notSent("no streams") }
}

/// Users who sign in with a provider, or with a code of another device.
struct AccountTests {
    private static func session(_ nickname: String, _ token: String) throws -> Session {
        try Session(JSONParser.parse(MeTests.session(nickname, token)))
    }

    /// The service issues the token "new"; what an app stores is in `kept`, with "-" for a session that is removed.
    private func fixture(
        _ session: Session? = nil,
        _ response: @escaping @Sendable (HTTPCall) throws(TransportError) -> HTTPResponse = { _ in
            SimulatedService.response(201, MeTests.session("Ed", "new"))
        }
    ) -> (AccountTokens, FakeTransport, Locked<[String]>) {
        let (transport, kept) = (FakeTransport(response), Locked<[String]>([]))
        let tokens = AccountTokens(transport, session, clock: TestClock()) { session in
            kept.withLock { $0.append(session?.token ?? "-") }
        }
        return (tokens, transport, kept)
    }

    @Test func `a user signs in with an ID token, and the app keeps the session`() async throws {
        let (tokens, transport, kept) = fixture()
        await #expect(throws: SignedOut.self) { try await tokens.token(rejected: nil) }
        #expect(try await tokens.signIn(idToken: "i", nonce: "n", nickname: "Ed").token == "new")
        #expect(await tokens.user == Person(id: "user_1", nickname: "Ed"))
        #expect(try await tokens.token(rejected: nil)?.token == "new" && kept.withLock { $0 } == ["new"])
        try await tokens.signIn(pairingCode: "k7qm-2xwa")
        #expect(transport.calls.map(\.target) == ["/v1/sessions", "/v1/tokens/pair"])
        let bodies = transport.calls.map { String(decoding: $0.body ?? [], as: UTF8.self) }
        #expect(bodies == [#"{"idToken":"i","nickname":"Ed","nonce":"n"}"#, #"{"code":"k7qm-2xwa"}"#])
        #expect(transport.calls.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test func `an ID token that is refused is an error with its code, and no user is signed in`() async throws {
        let (tokens, transport, kept) = fixture { _ throws(TransportError) in
            SimulatedService.problem(401, "id_token.used", at: 0)
        }
        do throws(AuctionError) {
            try await tokens.signIn(idToken: "i")
            Issue.record("it is accepted")
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            #expect(refusal.problem.code == "id_token.used")
        }
        #expect(await tokens.user == nil && kept.withLock { $0 }.isEmpty)
        #expect(transport.calls.count == 1, "a token that was refused is refused again")
    }

    @Test func `signing out forgets the session, and a token that the service refuses ends it`() async throws {
        let (tokens, _, kept) = fixture(try Self.session("Ed", "old"))
        #expect(try await tokens.token(rejected: nil)?.token == "old")
        await #expect(throws: SignedOut.self) { try await tokens.token(rejected: Credential(token: "old")) }
        await tokens.signOut()
        await #expect(throws: SignedOut.self) { try await tokens.token(rejected: nil) }
        #expect(kept.withLock { $0 } == ["-"])
    }

    @Test func `a sign-in that fails leaves the user of before signed in`() async throws {
        let (tokens, _, kept) = fixture(try Self.session("Ed", "old")) { _ throws(TransportError) in
            SimulatedService.problem(404, "pairing.invalid", at: 0)
        }
        await #expect(throws: AuctionError.self) { try await tokens.signIn(pairingCode: "AAAAAAAA") }
        #expect(try await tokens.token(rejected: nil)?.token == "old" && kept.withLock { $0 }.isEmpty)
    }

    @Test func `a renewal that ends after another user has signed in returns no token of the first one`() async throws {
        let transport = HeldRenewals()
        let old = try Session(JSONParser.parse(MeTests.session("Ed", "old", expiresAt: "2027-01-15T08:00:01.000Z")))
        let tokens = AccountTokens(transport, old, clock: TestClock()) { _ in }
        let renewals = (0..<2).map { _ in Task { try await tokens.token(rejected: nil) } }
        _ = await transport.held.calls.next()
        try await tokens.signIn(pairingCode: "K7QM2XWA")
        transport.held.responses.put(SimulatedService.response(200, MeTests.session("Ed", "renewed")))
        for renewal in renewals {
            // One that began later has Bo's.
            if case .success(let credential) = await renewal.result { #expect(credential?.token == "bo's") }
        }
        #expect(try await tokens.token(rejected: nil)?.token == "bo's")
    }

    @Test func `a nickname of the user of before does not replace a user who signs in meanwhile`() async throws {
        let transport = HeldTransport()
        let tokens = AccountTokens(transport, try Self.session("Ed", "old"), clock: TestClock()) { _ in }
        let entering = Task { try await tokens.signIn(pairingCode: "K7QM2XWA") }
        _ = await transport.calls.next()
        await tokens.sessionChanged(to: try Self.session("Eddie", "renamed"))
        transport.responses.put(SimulatedService.response(200, HeldRenewals.bo))
        #expect(try await entering.value.token == "bo's")
        #expect(await tokens.user == Person(id: "user_2", nickname: "Bo"))
    }

    @Test func `a renewal that ends after the user has signed out does not bring them back`() async throws {
        let transport = HeldTransport()
        let soon = "2027-01-15T08:00:01.000Z"
        let old = try Session(JSONParser.parse(MeTests.session("Ed", "old", expiresAt: soon)))
        let tokens = AccountTokens(transport, old, clock: TestClock()) { _ in }
        let renewal = Task { try await tokens.token(rejected: nil) }
        #expect(await transport.calls.next().target == "/v1/tokens/renew")
        await tokens.signOut()
        transport.responses.put(SimulatedService.response(200, MeTests.session("Ed", "renewed")))
        await #expect(throws: SignedOut.self) { try await renewal.value }
        #expect(await tokens.user == nil)
        await #expect(throws: SignedOut.self) { try await tokens.token(rejected: nil) }
    }

    @Test func `a code for another device is made by the client`() async throws {
        let transport = FakeTransport { _ throws(TransportError) in
            SimulatedService.response(201, #"{"code":"K7QM2XWA","expiresAt":"2026-11-21T09:01:45.000Z"}"#)
        }
        let client = AuctionClient(transport: transport, configuration: .init(), clock: TestClock())
        #expect(try await client.createPairing().code == "K7QM2XWA")
        #expect(transport.calls.map(\.target) == ["/v1/me/pairing"])
    }

    @Test func `a token for a room's sound says where it is joined`() async throws {
        let transport = FakeTransport { _ throws(TransportError) in
            SimulatedService.response(
                200,
                #"""
                {"provider":"livekit","url":"wss://voice.example","token":"t","expiresAt":"2026-11-21T09:01:45.000Z","canPublish":true,"more":1}
                """#)
        }
        let client = AuctionClient(transport: transport, configuration: .init(), clock: TestClock())
        let token = try await client.room("room_1").voiceToken()
        #expect(token.provider == "livekit" && token.url == "wss://voice.example" && token.token == "t" && token.canPublish)
        #expect(transport.calls.map(\.target) == ["/v1/rooms/room_1/stage/voice"])
    }
}

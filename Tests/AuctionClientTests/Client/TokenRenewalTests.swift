import Testing

@testable import AuctionClientCore

/// Tokens that say when they expire.
struct TokenRenewalTests {
    /// The device's date when a `TestClock` begins, in seconds since 1970.
    private static let start: Int64 = 1_800_000_000
    private static let day: Int64 = 24 * 3600

    private static func credential(expiresAfter seconds: Int64) -> Credential { .claiming(#"{"exp":\#(start + seconds)}"#) }

    private static func session(days: Int64) -> String {
        let expiry = ServerTime(milliseconds: (start + days * day) * 1000).rfc3339
        return MeTests.session("Ed", credential(expiresAfter: days * day).token, expiresAt: expiry)
    }

    @Test(.timeLimit(.minutes(1))) func `a guest's token is renewed before it expires, while the app runs on`() async throws {
        let clock = TestClock()
        let kept = Locked<[String]>([])
        let account = #"{"user":{"id":"user_1","nickname":"Ed"},"tokenExpiresAt":"2027-01-22T08:00:00.000Z","rooms":0}"#
        let transport = FakeTransport { call throws(TransportError) in
            call.target == "/v1/tokens/renew"
                ? SimulatedService.response(201, Self.session(days: 14)) : SimulatedService.response(200, account)
        }
        let stored = try Session(JSONParser.parse(Self.session(days: 7)))
        var configuration = ClientConfiguration()
        configuration.tokens = GuestTokens(transport, "Ed", stored, clock: clock) { session in
            kept.withLock { $0.append(session.token) }
        }
        let client = AuctionClient(transport: transport, configuration: configuration, clock: clock)
        _ = try await client.me()
        #expect(transport.calls.map(\.target) == ["/v1/me"])
        clock.advance(by: .seconds(13 * Self.day / 2))
        _ = try await client.me()
        while kept.withLock({ $0.isEmpty }) { await Task.yield() }
        clock.advance(by: .seconds(Self.day))
        _ = try await client.me()
        let renewed = Self.credential(expiresAfter: 14 * Self.day).token
        #expect(kept.withLock { $0 } == [renewed])
        #expect(transport.calls.map(\.target).filter { $0 == "/v1/tokens/renew" }.count == 1)
        #expect(transport.calls.last?.header("Authorization") == "Bearer \(renewed)")
    }

    @Test(.timeLimit(.minutes(1))) func `a guest's token is renewed in time on a device whose date is days behind`()
        async throws
    {
        let clock = TestClock()
        let transport = FakeTransport { _ throws(TransportError) in SimulatedService.response(200, Self.session(days: 18)) }
        // By the server's clock, which is four days ahead of the device's date, it is accepted for a week.
        let stored = try Session(JSONParser.parse(Self.session(days: 11)))
        let serverClock = SharedServerClock()
        let time = ServerTime(milliseconds: (Self.start + 4 * Self.day) * 1000)
        serverClock.observe(ClockSample(time: time, sentAt: clock.now(), receivedAt: clock.now()))
        let guest = GuestTokens(transport, "Ed", stored, clock: clock) { _ in }
        let cache = TokenCache(guest, clock: clock, serverClock: serverClock)
        for _ in 0..<3 { #expect(try await cache.token(rejected: nil)?.token == stored.token) }
        #expect(transport.calls.isEmpty)
        clock.advance(by: .seconds(85 * 3600))
        #expect(try await cache.token(rejected: nil)?.token == stored.token)
        let renewed = Self.credential(expiresAfter: 18 * Self.day)
        while try await cache.token(rejected: nil) != renewed { await Task.yield() }
        #expect(transport.calls.map(\.target) == ["/v1/tokens/renew"])
    }

    @Test func `while a token is renewed it stays in use, and a rejection is passed to the provider afterwards`() async throws {
        let (questions, tokens) = (Mailbox<Credential?>(), Mailbox<Credential>())
        let clock = TestClock()
        let provider = ClosureTokenProvider { rejected in
            questions.put(rejected)
            return await tokens.next()
        }
        let cache = TokenCache(provider, clock: clock, serverClock: SharedServerClock())
        let old = Self.credential(expiresAfter: 100)
        tokens.put(old)
        #expect(try await cache.token(rejected: nil) == old)
        #expect(await questions.next() == nil)
        clock.advance(by: .seconds(60))
        #expect(try await cache.token(rejected: nil) == old)
        #expect(await questions.next() == nil)
        async let replaced = cache.token(rejected: RejectedCredential(credential: old))
        tokens.put(old)
        #expect(await questions.next() == old)
        let new = Self.credential(expiresAfter: 1000)
        tokens.put(new)
        #expect(try await replaced == new)
    }

    @Test func `an expired token waits for its renewal, and is used if that fails`() async throws {
        let questions = Mailbox<Credential?>()
        let answers = Mailbox<Credential?>()
        let clock = TestClock()
        let provider = ClosureTokenProvider { rejected in
            questions.put(rejected)
            guard let answer = await answers.next() else { throw SignedOut() }
            return answer
        }
        let cache = TokenCache(provider, clock: clock, serverClock: SharedServerClock())
        let (old, new) = (Self.credential(expiresAfter: 100), Self.credential(expiresAfter: 1000))
        answers.put(old)
        #expect(try await cache.token(rejected: nil) == old)
        clock.advance(by: .seconds(100))
        answers.put(nil)
        #expect(try await cache.token(rejected: nil) == old)
        clock.advance(by: .seconds(60))
        answers.put(new)
        #expect(try await cache.token(rejected: nil) == new)
        for _ in 0..<3 { #expect(await questions.next() == nil) }
    }

    @Test(.timeLimit(.minutes(1))) func `a room that is followed for long keeps its token new`() async throws {
        let clock = TestClock()
        let asked = Locked<[Credential?]>([])
        var configuration = ClientConfiguration()
        configuration.tokens = ClosureTokenProvider { rejected in
            asked.withLock { $0.append(rejected) }
            return Credential.claiming(#"{"exp":3700}"#)
        }
        let transport = FakeTransport { _ throws(TransportError) in Responses.room(Responses.auctioning) }
        let live = AuctionClient(transport: transport, configuration: configuration, clock: clock).room("room_1").follow()
        var updates = live.updates.makeAsyncIterator()
        _ = try await updates.next()
        while live.status.state != .live(.serverSentEvents) { await Task.yield() }
        for step in 1...2 as ClosedRange<Int64> {
            clock.advance(by: .seconds(30))
            transport.notice(viewers: Int(step) + 10, serverTime: 3_600_000 + step * 30_000)
            while try await updates.next()?.state.viewers != Int(step) + 10 {}
            if step == 1 { #expect(asked.withLock { $0.count } == 1) }
        }
        while asked.withLock({ $0.count }) < 2 { await Task.yield() }
        #expect(asked.withLock { $0 } == [nil, nil])
    }

    @Test func `a token says when it expires`() {
        #expect(Credential.claiming(#"{"exp":1.9}"#).expiresAt == ServerTime(milliseconds: 1000))
        for claims in ["{}", #"{"exp":"1"}"#, #"{"exp":-1}"#, #"{"exp":1e99}"#, #"{"exp":99999999999999}"#, "[]"] {
            #expect(Credential.claiming(claims).expiresAt == nil, "\(claims)")
        }
    }
}

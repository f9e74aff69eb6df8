@testable import AuctionServer
import AuctionTestKit
import Logging
import Synchronization
import Testing

struct ProviderKeysTests {
    private typealias Completion = @Sendable (Result<FetchedKeys, ServerError>) -> Void

    /// Responds when the test says so.
    private final class HeldFetcher: KeyFetcher {
        private let waiting = Mutex<[Completion]>([])
        private let total = Mutex(0)

        var count: Int { total.withLock { $0 } }

        func fetch(_ source: KeySource, completion: @escaping @Sendable (Result<FetchedKeys, ServerError>) -> Void) {
            total.withLock { $0 += 1 }
            waiting.withLock { $0.append(completion) }
        }

        func respond(_ result: Result<FetchedKeys, ServerError>) {
            let all = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for completion in all { completion(result) }
        }

        func stop() { respond(.failure(ServerError("stops"))) }
    }

    private let source = KeySource.issuer("https://sso.example")
    private let clock = TestClock()
    private let fetcher = HeldFetcher()
    private let keys: ProviderKeys
    private let set: KeySet

    init() throws {
        keys = ProviderKeys(
            [source], fetcher: fetcher, clock: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        set = try TokenIssuer.shared.get().keySet(["ES256"])
    }

    @Test func `keys are fetched at the start and every hour`() {
        keys.fetchDue()
        #expect(fetcher.count == 1 && keys.keys(of: source) == nil)
        keys.fetchDue()
        #expect(fetcher.count == 1, "one attempt at a time")
        fetcher.respond(.success(FetchedKeys(keys: set)))
        #expect(keys.keys(of: source) != nil)
        clock.advance(milliseconds: 3_599_999)
        keys.fetchDue()
        #expect(fetcher.count == 1)
        clock.advance(milliseconds: 1)
        keys.fetchDue()
        #expect(fetcher.count == 2)
    }

    @Test func `the last good set stays in use while the provider is away, which is asked again every minute`() {
        keys.fetchDue()
        fetcher.respond(.success(FetchedKeys(keys: set)))
        clock.advance(milliseconds: 3_600_000)
        for attempt in 2...4 {
            keys.fetchDue()
            #expect(fetcher.count == attempt)
            fetcher.respond(.failure(ServerError("is away")))
            #expect(keys.keys(of: source) != nil)
            clock.advance(milliseconds: 59_999)
            keys.fetchDue()
            #expect(fetcher.count == attempt)
            clock.advance(milliseconds: 1)
        }
    }

    @Test func `an unknown key is fetched at once, and once a minute, for all that wait`() {
        keys.fetchDue()
        fetcher.respond(.success(FetchedKeys(keys: set)))
        let ended = Mutex(0)
        let wait: @Sendable () -> Void = { ended.withLock { $0 += 1 } }
        #expect(keys.refresh(source, then: wait) && keys.refresh(source, then: wait))
        #expect(fetcher.count == 2 && ended.withLock { $0 } == 0)
        fetcher.respond(.failure(ServerError("is away")))
        #expect(ended.withLock { $0 } == 2)
        #expect(!keys.refresh(source, then: wait))
        clock.advance(milliseconds: 60_000)
        #expect(keys.refresh(source, then: wait))
        #expect(!keys.refresh(.issuer("https://other.example"), then: wait), "no such provider")
        #expect(ended.withLock { $0 } == 2)
    }

    @Test func `an attempt that ended after the keys were looked up is not waited for, and not repeated`() {
        let before = keys.attempts(of: source)
        keys.fetchDue()
        fetcher.respond(.success(FetchedKeys(keys: set)))
        let ended = Mutex(false)
        #expect(keys.refresh(source, since: before) { ended.withLock { $0 = true } })
        #expect(ended.withLock { $0 } && fetcher.count == 1)
    }

    @Test func `as many requests wait for keys as the bound says`() {
        keys.fetchDue()
        for _ in 0..<ProviderKeys.limitWaiting { #expect(keys.refresh(source)) }
        #expect(!keys.refresh(source))
        #expect(fetcher.count == 1)
        fetcher.respond(.success(FetchedKeys(keys: set)))
        clock.advance(milliseconds: 60_000)
        #expect(keys.refresh(source))
    }
}

internal import AuctionService
internal import EventLog
internal import Logging
internal import OutboundHTTP
internal import Synchronization

/// Where keys are fetched.
enum KeySource: Hashable, Sendable {
    /// By what the provider says of itself.
    case issuer(String)
    /// At an address that the operator has given.
    case url(String)

    var text: String {
        switch self {
        case .issuer(let text), .url(let text): text
        }
    }
}

/// The keys of providers, fetched at the start, every hour, and when a token names one that is not known.
///
/// The last good set stays in use while a provider is away. Nothing here waits for the network: what is fetched arrives on a thread of
/// the client for requests.
final class ProviderKeys: Sendable {
    /// Requests that wait for keys, for one provider; further ones are refused.
    static let limitWaiting = 256
    /// How often it is looked whether keys are due.
    private static let roundMilliseconds = 1000

    private struct Entry {
        var refresh = KeyRefresh()
        var keys: KeySet?
        /// Those of the last description of the provider.
        var endpoints: SignInEndpoints?
        /// How many attempts are over.
        var attempts = 0
        /// Called when the attempt in progress is over.
        var waiting: [@Sendable () -> Void] = []
        /// Why the last attempt failed, to log each reason once.
        var failure: String?
    }

    private let entries: Mutex<[KeySource: Entry]>
    private let fetcher: any KeyFetcher
    private let clock: any ServiceClock
    private let logger: Logger
    private let changed = Mutex<@Sendable (KeySource, KeySet) -> Void>({ _, _ in })
    private let thread = PeriodicThread(name: "provider keys")

    init(_ sources: [KeySource], fetcher: any KeyFetcher, clock: any ServiceClock, logger: Logger) {
        entries = Mutex(Dictionary(sources.map { ($0, Entry()) }, uniquingKeysWith: { first, _ in first }))
        (self.fetcher, self.clock, self.logger) = (fetcher, clock, logger)
    }

    /// The keys that tokens by this configuration need; nil if they need none.
    convenience init?(of identity: Identity, clock: any ServiceClock, logger: Logger) throws(ServerError) {
        let sources =
            identity.signIn.providers.map { KeySource.issuer($0.issuer) }
            + [identity.keysURL].compactMap { $0.map { .url($0) } }
        guard !sources.isEmpty else { return nil }
        self.init(sources, fetcher: try OutboundKeyFetcher(), clock: clock, logger: logger)
    }

    /// Begins to fetch all keys, and goes on to do so when they are due.
    /// - Parameter changed: Called when keys were fetched, on the fetcher's thread.
    func start(changed: @escaping @Sendable (KeySource, KeySet) -> Void) {
        self.changed.withLock { $0 = changed }
        fetchDue()
        thread.start { [self] in
            while thread.pause(milliseconds: Self.roundMilliseconds) { fetchDue() }
        }
    }

    func stop() {
        _ = thread.stop()
        fetcher.stop()
    }

    /// The keys that were fetched last; nil if none were.
    func keys(of source: KeySource) -> KeySet? { entries.withLock { $0[source]?.keys } }

    /// Where the page signs users of a provider in; nil while that is not known.
    func endpoints(of issuer: String) -> SignInEndpoints? { entries.withLock { $0[.issuer(issuer)]?.endpoints } }

    /// How many attempts to fetch keys are over.
    func attempts(of source: KeySource) -> Int { entries.withLock { $0[source]?.attempts ?? 0 } }

    /// Fetches keys for a token that names one which is not known.
    /// - Parameters:
    ///   - attempts: How many were over before the keys were looked up; if others have ended since, there is nothing to wait for.
    ///   - waiting: Called once the attempt is over, however it ended, on a thread that it must not block.
    /// - Returns: False if the last attempt was a moment ago, or too many requests wait; then `waiting` is not called.
    func refresh(_ source: KeySource, since attempts: Int? = nil, then waiting: @escaping @Sendable () -> Void = {}) -> Bool {
        let now = clock.now().monotonic
        let answer = entries.withLock { entries -> KeyRefresh.Answer? in
            guard var entry = entries[source], entry.waiting.count < Self.limitWaiting else { return .tooSoon }
            if let attempts, attempts != entry.attempts { return nil }
            let answer = entry.refresh.ask(at: now)
            if answer != .tooSoon { entry.waiting.append(waiting) }
            entries[source] = entry
            return answer
        }
        switch answer {
        case nil: waiting()
        case .begin: fetch(source)
        case .join, .tooSoon: break
        }
        return answer != .tooSoon
    }

    /// Begins to fetch the keys that are due.
    func fetchDue() {
        let now = clock.now().monotonic
        let due = entries.withLock { entries in
            entries.keys.filter { entries[$0]?.refresh.isDue(at: now) == true }
        }
        for source in due { fetch(source) }
    }

    private func fetch(_ source: KeySource) {
        fetcher.fetch(source) { [self] result in
            let now = clock.now().monotonic
            let (waiting, isNews, hadKeys) = entries.withLock { entries -> ([@Sendable () -> Void], Bool, Bool) in
                guard var entry = entries[source] else { return ([], false, false) }
                defer { entries[source] = entry }
                let (hadKeys, before) = (entry.keys != nil, entry.failure)
                switch result {
                case .success(let fetched):
                    (entry.keys, entry.endpoints, entry.failure) = (fetched.keys, fetched.endpoints, nil)
                case .failure(let error): entry.failure = error.description
                }
                entry.attempts += 1
                entry.refresh.ended(hasKeys: entry.failure == nil, at: now)
                let waiting = entry.waiting
                entry.waiting = []
                return (waiting, entry.failure != before || !hadKeys && entry.failure == nil, hadKeys)
            }
            if isNews { report(result, of: source, hadKeys: hadKeys) }
            if case .success(let fetched) = result { changed.withLock(\.self)(source, fetched.keys) }
            for proceed in waiting { proceed() }
        }
    }

    private func report(_ result: Result<FetchedKeys, ServerError>, of source: KeySource, hadKeys: Bool) {
        switch result {
        case .success(let fetched):
            let keys = fetched.keys
            logger.notice(
                "the keys of a provider were fetched",
                metadata: ["provider": "\(source.text)", "keys": "\(keys.keys.count)"])
            for reason in keys.unused {
                logger.warning(
                    "a key of a provider is not used", metadata: ["provider": "\(source.text)", "reason": "\(reason)"])
            }
        case .failure(let error):
            logger.error(
                hadKeys
                    ? "the keys of a provider cannot be fetched; the last ones stay in use"
                    : "the keys of a provider cannot be fetched: until they are, none of its users can sign in",
                metadata: ["provider": "\(source.text)", "reason": "it \(error)"])
        }
    }
}

/// What was fetched from a provider.
struct FetchedKeys: Sendable {
    let keys: KeySet
    /// Nil for a source that is no description of a provider, and for one that names none.
    var endpoints: SignInEndpoints?
}

/// Fetches the keys of providers.
protocol KeyFetcher: Sendable {
    /// Calls `completion` once, on any thread.
    func fetch(_ source: KeySource, completion: @escaping @Sendable (Result<FetchedKeys, ServerError>) -> Void)

    /// Ends what is in progress, which then fails.
    func stop()
}

/// Fetches by HTTP.
final class OutboundKeyFetcher: KeyFetcher {
    /// Of a description or a set of keys.
    private static let documentBytes = 256 << 10
    /// For each of the two documents: users wait for them when a provider has a new key.
    private static let timeout = Duration.seconds(5)

    private let client: OutboundClient

    init() throws(ServerError) {
        do throws(OutboundFailure) {
            client = try OutboundClient(name: "providers")
        } catch {
            throw ServerError("requests to providers cannot be made: \(error)")
        }
    }

    func stop() { client.stop() }

    func fetch(_ source: KeySource, completion: @escaping @Sendable (Result<FetchedKeys, ServerError>) -> Void) {
        switch source {
        case .url(let url): fetchKeys(url, nil, completion)
        case .issuer(let issuer):
            guard let provider = try? SignInProvider(issuer: issuer, clients: ["-"]) else {
                return completion(.failure(ServerError("has no valid URL")))
            }
            get(provider.metadataURL) { [self] result in
                do throws(ServerError) {
                    let metadata = try ProviderMetadata(try result.get(), of: issuer)
                    fetchKeys(metadata.keysURL, metadata.endpoints, completion)
                } catch {
                    completion(.failure(error))
                }
            }
        }
    }

    private func fetchKeys(
        _ url: String, _ endpoints: SignInEndpoints?,
        _ completion: @escaping @Sendable (Result<FetchedKeys, ServerError>) -> Void
    ) {
        get(url) { result in
            completion(
                Result { () throws(ServerError) in
                    let bytes = try result.get()
                    do throws(ServerError) { return FetchedKeys(keys: try KeySet(fetched: bytes), endpoints: endpoints) } catch
                    {
                        throw ServerError("has keys that \(error)")
                    }
                })
        }
    }

    private func get(_ url: String, _ completion: @escaping @Sendable (Result<[UInt8], ServerError>) -> Void) {
        var request = OutboundRequest(.get, url, policy: .operatorsSystems)
        request.headers = [.init("Accept", "application/json"), .init("User-Agent", "auction-room/\(ServiceVersion.current)")]
        request.responseLimit = Self.documentBytes
        request.timeout = Self.timeout
        do throws(OutboundFailure) {
            try client.send(request) { result in completion(Self.document(result, of: url)) }
        } catch {
            completion(.failure(ServerError("is not asked at \(url): \(error)")))
        }
    }

    private static func document(
        _ result: Result<OutboundResponse, OutboundFailure>, of url: String
    ) -> Result<[UInt8], ServerError> {
        switch result {
        case .failure(let failure): .failure(ServerError("does not respond at \(url): \(failure)"))
        case .success(let response) where response.status != 200:
            .failure(ServerError("responds with status \(response.status) at \(url)"))
        case .success(let response) where response.wasCut:
            .failure(ServerError("responds with more than \(documentBytes) bytes at \(url)"))
        case .success(let response): .success(response.body)
        }
    }
}

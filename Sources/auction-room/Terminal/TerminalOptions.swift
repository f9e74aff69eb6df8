internal import ArgumentParser
internal import AuctionClientCore
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// Which server a terminal command talks to, and as whom.
struct TerminalOptions: ParsableArguments {
    @Option(help: "The server: http://HOST[:PORT]. Behind TLS use the web page, or a tunnel.")
    var url = ServerAddress(host: "127.0.0.1", port: 8080)

    @Option(help: "The caller's token; by default AUCTION_ROOM_TOKEN.")
    var token: String?

    /// The token that was given, if any.
    var credential: Credential? {
        let given = token ?? ProcessInfo.processInfo.environment["AUCTION_ROOM_TOKEN"]
        return given.flatMap { $0.isEmpty ? nil : Credential(token: $0) }
    }

    /// A client with the given token, or none.
    func client() -> AuctionClient { client(FixedToken(credential)) }

    /// A client with the given token; without one as the guest of that nickname that is kept in this folder, or as a new one, which is kept.
    /// - Throws: `AuctionError` if the guest is refused, or the server is not there.
    func client(asGuest nickname: String) async throws -> AuctionClient {
        guard credential == nil else { return client() }
        let kept = KeptGuest(nickname, at: url)
        func tokens(_ session: Session?) -> GuestTokens {
            GuestTokens(
                transport: transport, nickname: nickname, session: session, settings: Self.reads, didChange: { kept.keep($0) })
        }
        if let session = kept.session {
            let client = client(tokens(session))
            do throws(AuctionError) {
                _ = try await client.me()
                return client
            } catch {
                // The server has lost its secret, such as a demo that was started again.
                guard case .failed(.signedOut) = error else { throw error }
                kept.forget()
            }
        }
        let tokens = tokens(nil)
        _ = try await tokens.guest()
        return client(tokens)
    }

    private func client(_ tokens: any TokenProvider) -> AuctionClient {
        var configuration = ClientConfiguration()
        configuration.tokens = tokens
        configuration.reads = Self.reads
        let language = ProcessInfo.processInfo.environment["LANG"] ?? ""
        configuration.language = language.hasPrefix("zh") ? "zh" : "en"
        return AuctionClient(transport: transport, configuration: configuration)
    }

    private var transport: SocketTransport { SocketTransport(address: url) }

    /// Five seconds instead of an app's timeout: the user waits, perhaps for an address that they mistyped.
    private static var reads: ExchangeSettings {
        var settings = ExchangeSettings()
        settings.timeout = .seconds(5)
        return settings
    }
}

/// Runs asynchronous work and waits for it: the commands of this program are synchronous, since `serve` owns its threads.
func runBlocking(_ work: @escaping @Sendable () async throws -> Void) throws {
    let ended = DispatchSemaphore(value: 0)
    let outcome = Mutex<Result<Void, any Error>>(.success(()))
    Task {
        do { try await work() } catch { outcome.withLock { $0 = .failure(error) } }
        ended.signal()
    }
    ended.wait()
    try outcome.withLock { $0 }.get()
}

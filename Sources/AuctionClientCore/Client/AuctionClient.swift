/// A client of the auction service. One for the app is enough: its rooms and commands share the token, the connections and the estimate
/// of the server's clock.
public final class AuctionClient: Sendable {
    let context: ClientContext
    let configuration: ClientConfiguration
    let runner: ExchangeRunner

    /// A client with a transport of the app, such as one for tests.
    public convenience init(transport: any HTTPTransport, configuration: ClientConfiguration = .init()) {
        self.init(transport: transport, configuration: configuration, clock: SystemClock())
    }

    init(transport: any HTTPTransport, configuration: ClientConfiguration, clock: any ClientClock) {
        self.configuration = configuration
        let serverClock = SharedServerClock()
        let tokens = TokenCache(configuration.tokens, clock: clock, serverClock: serverClock)
        context = ClientContext(
            transport: transport, tokens: tokens, clock: clock, serverClock: serverClock, language: configuration.language,
            logger: configuration.log)
        runner = ExchangeRunner(context: context)
    }

    /// A room by its id. Nothing is sent.
    public func room(_ id: String) -> AuctionRoom { AuctionRoom(id: id, client: self) }

    /// The server's clock as far as the client knows it; nil until a response or a notice has arrived.
    public var serverTime: ServerTimeEstimate? { context.serverClock.estimate(at: context.clock.now()) }

    /// What is left until a deadline of the server, such as `RoomState.endsAt`; zero after it, nil while the server's clock is not known.
    public func remaining(until deadline: ServerTime) -> Duration? { serverTime?.remaining(until: deadline) }

    /// Makes the next request ask the token provider, for example after the user has signed in or out.
    ///
    /// A followed room keeps the token of its connection, also for reads of what the caller may do, until it connects again: release it
    /// when the user signs out, and pause and resume it (`LiveRoom.pause()`, `LiveRoom.resume()`) when they sign in.
    public func forgetToken() async { await context.tokens.forget() }

    // MARK: - Requests

    /// Reads something and decodes it.
    func read<Value: Sendable>(
        _ target: String, _ decode: (JSONValue) throws(MalformedJSON) -> Value
    ) async throws(AuctionError) -> Value {
        try await runner.value(ExchangeRequest(read: target, language: configuration.language), configuration.reads, decode)
    }

    /// Reads a page of a list.
    /// - Parameter target: with a query, to which the cursor is added.
    func page<Element: Sendable>(
        _ target: String, _ cursor: String?, _ list: String, _ decode: (JSONFields) throws(MalformedJSON) -> Element
    ) async throws(AuctionError) -> Page<Element> {
        let next = cursor.map { "&cursor=\($0.pathSegment)" } ?? ""
        return try await read(target + next) { (json) throws(MalformedJSON) in try Page(json, list, decode) }
    }
}

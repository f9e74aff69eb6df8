package import Logging

/// An event loop without a thread, a daemon or sockets: requests are passed in, time is a value, and the owner runs each step.
/// For deterministic tests of a whole server.
///
/// Used only on the thread that created it.
package final class DetachedLoop {
    /// A client that sends its requests on one connection.
    package final class Client {
        fileprivate var connection: Connection?

        package init() {}
    }

    /// A request as a client would send it.
    package struct Request {
        /// The method as in the request line.
        package var method: String
        /// The target as in the request line, percent-encoded, with the query.
        package var target: String
        /// In order; names may repeat.
        package var headers: [(name: String, value: String)]
        /// The complete body; empty if there is none.
        package var body: [UInt8]
        /// The client's address: numeric, without a port.
        package var address: String
        /// Nil for a connection of its own.
        package var client: Client?

        package init(
            method: String, target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
            address: String = "192.0.2.1", client: Client? = nil
        ) {
            self.client = client
            self.method = method
            self.target = target
            self.headers = headers
            self.body = body
            self.address = address
        }
    }

    /// How a request ended; delivered once per request.
    package enum Outcome {
        /// The handler responded.
        case answered(Response)
        /// Refused because of its head or its size, before the handler was called.
        case refused(Response)
        /// The response is a stream or a WebSocket.
        case streaming(DetachedStream, DetachedStream.Opening)
    }

    /// The event loop that is passed to handlers.
    package let loop: EventLoop
    private let core: LoopCore

    /// A loop at time 0 without a handler. Throws if the system has no descriptors left.
    package init(limits: HTTPLimits, logger: Logger) throws(HTTPServerError) {
        core = try LoopCore(
            index: 0, limits: limits, budget: ConnectionBudget(limits: limits, loopCount: 1),
            responses: ResponseBudget(limit: 0),
            logger: logger)
        core.turns.simulate(0)
        loop = EventLoop(index: 0, core: core)
        loop.adoptThread()
    }

    /// Sets the handler of the requests that follow. The handler and the loop retain each other until `finish`.
    package func use(_ handler: any ExchangeHandler) { core.exchanges.use(handler) }

    /// The simulated monotonic clock, in milliseconds.
    package var milliseconds: UInt64 {
        get { core.turns.clockMilliseconds }
        set { core.turns.simulate(newValue) }
    }

    /// When the next timer is due, in milliseconds of the simulated clock; may be early. Nil without timers.
    package var nextDue: UInt64? { core.turns.nextDue }

    /// Passes a request to the loop. Its head is validated like that of a request received by HTTP.
    /// - Parameter onOutcome: called once, now or in a later step, unless the loop ends before.
    /// - Returns: the identifier for `hangUp`.
    @discardableResult
    package func send(_ request: Request, _ onOutcome: @escaping (Outcome) -> Void) -> ExchangeID {
        // SAFETY: the text ends with NUL and lives for the call, which copies what it needs.
        let target = unsafe request.target.withCString { unsafe RequestTarget($0) }
        let detached = DetachedRequest(
            method: HTTPMethod(rawValue: request.method), target: target, headers: request.headers, body: request.body,
            openStream: { [unowned self] opening in
                let stream = DetachedStream(opening, on: self, from: request.address)
                onOutcome(.streaming(stream, opening))
                return stream
            },
            onResponse: { onOutcome(.answered($0)) })
        let exchange = makeExchange(detached, from: request.address, request.client)
        let exchanges = core.exchanges
        let validator = HeadValidator(exchange.head, isScanned: false)
        let refusal = validator.refusal(exchange, limits: exchanges.limits)
        if let response = refusal.map({ exchanges.refuse($0, exchange) }) ?? exchanges.refusalOfSize(exchange) {
            onOutcome(.refused(exchange.withCommonHeaders(response)))
        } else if refusal == nil {
            exchanges.handle(exchange)
        }
        return exchange.id
    }

    /// Handles a request received in a WebSocket message.
    func handle(_ request: DetachedRequest, from address: String) {
        core.exchanges.handle(makeExchange(request, from: address))
    }

    /// Simulates that the client disconnects while its request is pending. False if the request is not pending or not watched.
    @discardableResult
    package func hangUp(_ id: ExchangeID) -> Bool { core.exchanges.hangUpDetached(id) }

    /// Runs posted jobs and due timers; false if there was nothing to do.
    package func step() -> Bool {
        var isBusy = core.turns.runJobs()
        if core.turns.runTimers() { isBusy = true }
        if core.turns.takeHandlerCalls() {
            isBusy = true
            core.exchanges.handler?.turnEnded()
        }
        return isBusy
    }

    /// Ends the loop; pending requests get no response.
    package func finish() { core.finish() }

    private func makeExchange(_ request: DetachedRequest, from address: String, _ client: Client? = nil) -> Exchange {
        let connection = client?.connection ?? Connection(core: core, remoteAddress: address)
        client?.connection = connection
        return Exchange(id: .detached(serial: core.turns.nextSerial()), connection: connection, detached: request)
    }
}

package import Logging

/// An event loop without a thread, a daemon or sockets: requests are handed in, time is a value, and whoever owns the loop takes each
/// of its steps. For tests of a whole server in which nothing depends on timing.
///
/// Used on one thread, the one that made it.
package final class DetachedLoop {
    /// A request as its head says it.
    package struct Request {
        package var method: String
        /// As in the request line.
        package var target: String
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]
        /// The client's.
        package var address: String

        package init(
            method: String, target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
            address: String = "192.0.2.1"
        ) {
            self.method = method
            self.target = target
            self.headers = headers
            self.body = body
            self.address = address
        }
    }

    /// What became of a request, once.
    package enum Outcome {
        case answered(Response)
        /// Refused for its head or its size, before any handler saw it.
        case refused(Response)
        case streaming(DetachedStream, DetachedStream.Opening)
    }

    /// What handlers have of it.
    package let loop: EventLoop
    private let core: LoopCore

    package init(limits: HTTPLimits, logger: Logger) throws(HTTPServerError) {
        core = try LoopCore(
            index: 0, limits: limits, budget: ConnectionBudget(limits: limits, loopCount: 1),
            responses: ResponseBudget(limit: 0),
            logger: logger)
        core.simulatedTime = 0
        loop = EventLoop(index: 0, core: core)
        loop.adoptThread()
    }

    /// What handles the requests from now on. The handler and the loop keep each other until `finish`.
    package func use(_ handler: any ExchangeHandler) { core.handler = handler }

    /// What stands for the monotonic clock.
    package var milliseconds: UInt64 {
        get { core.clockMilliseconds }
        set {
            core.simulatedTime = newValue
            core.now = newValue
        }
    }

    /// When a timer is due next; may be early.
    package var nextDue: UInt64? { core.timers.nextDue }

    /// Hands in a request. Its head is judged as one that came by HTTP.
    /// - Parameter onOutcome: called once, now or in a later step, unless the loop ends before.
    /// - Returns: names it, for `hangUp`.
    @discardableResult
    package func send(_ request: Request, _ onOutcome: @escaping (Outcome) -> Void) -> ExchangeID {
        let text = request.target.utf8.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
        // Safe: the array ends with NUL and lives for the call, which copies what it needs.
        let target = unsafe RequestTarget(text)
        var detached = DetachedRequest(
            method: HTTPMethod(rawValue: request.method), path: target.path, query: target.query, headers: request.headers,
            body: request.body, onAnswer: { onOutcome(.answered($0)) })
        detached.openStream = { [unowned self] opening in
            let stream = DetachedStream(opening, on: self, from: request.address)
            onOutcome(.streaming(stream, opening))
            return stream
        }
        let exchange = makeExchange(detached, from: request.address, target)
        let fields = request.headers.map { (name: Array($0.name.utf8), value: Array($0.value.utf8)) }
        let refusal =
            RequestGate.see(fields).gate.refusal(exchange, isVersion10: false, limits: core.limits)
            ?? (request.body.count > core.limits.bodyBytes ? .bodyTooLarge(limit: core.limits.bodyBytes) : nil)
        if let refusal {
            if let response = core.refuse(refusal, exchange) { onOutcome(.refused(response)) }
        } else {
            handle(exchange)
        }
        return exchange.id
    }

    /// A request that came in a message of a WebSocket.
    func handle(_ request: DetachedRequest, from address: String) { handle(makeExchange(request, from: address)) }

    /// The client of a request that waits for its answer is gone. False where it does not wait.
    @discardableResult
    package func hangUp(_ id: ExchangeID) -> Bool {
        guard let exchange = core.detached[id.rawValue], let onHangUp = exchange.onHangUp else { return false }
        core.detached[id.rawValue] = nil
        exchange.phase = .gone
        core.handler?.finished(exchange, status: nil)
        onHangUp()
        return true
    }

    /// Runs what was posted and the timers that are due; false where there was nothing to do.
    package func step() -> Bool {
        var isBusy = core.runJobs()
        while let job = core.timers.popDue(milliseconds) {
            isBusy = true
            job()
        }
        if core.hasHandled {
            core.hasHandled = false
            isBusy = true
            core.handler?.turnEnded()
        }
        return isBusy
    }

    /// Ends the loop; what has no answer gets none.
    package func finish() { core.finish() }

    private func makeExchange(
        _ request: DetachedRequest, from address: String, _ target: RequestTarget? = nil
    ) -> Exchange {
        core.lastSerial += 1
        return Exchange(
            id: .detached(serial: core.lastSerial), connection: Connection(core: core, remoteAddress: address),
            detached: request,
            target: target)
    }

    private func handle(_ exchange: Exchange) {
        core.detached[exchange.id.rawValue] = exchange
        core.hasHandled = true
        core.handler?.handle(exchange)
    }
}

internal import Glibc
internal import Logging

/// An event loop's turns, and the parts that they go through. Used on the loop's thread only.
///
/// Each part keeps its own state, and knows only parts that are created before it. A connection leads from its callbacks back to all.
final class LoopCore {
    let logger: Logger
    /// Bytes of responses that clients have not read yet, of all loops.
    let responses: ResponseBudget
    // Set while the loop is created; the loop outlives its core.
    private(set) unowned var loop: EventLoop!  // proven: set before the first turn
    let poller: Poller
    let turns = Turns()
    let daemons: Daemons
    let connections: OpenConnections
    let admission: Admission
    let exchanges: Exchanges
    let streams: StreamTurns
    private let slowReaders: SlowReaders
    private var stopping = StopProgress.running

    init(index: Int, limits: HTTPLimits, budget: ConnectionBudget, responses: ResponseBudget, logger: Logger)
        throws(HTTPServerError)
    {
        self.logger = logger
        self.responses = responses
        let times = TimeLimits(limits)
        poller = try Poller()
        daemons = Daemons(limits: limits, logger: logger, poller: poller, turns: turns)
        connections = OpenConnections(times: times, poller: poller, turns: turns)
        admission = Admission(index: index, budget: budget, turns: turns, daemons: daemons, connections: connections)
        exchanges = Exchanges(
            times: times, turns: turns, daemons: daemons, connections: connections, admission: admission)
        streams = StreamTurns(turns: turns)
        slowReaders = SlowReaders(budget: responses, turns: turns, connections: connections)
    }

    func use(_ loop: EventLoop) { self.loop = loop }

    /// Takes ownership of the listening socket and starts a daemon on it; the loop may run after this.
    func startDaemon(listening socket: Int32, tls: TLSIdentity?) throws(HTTPServerError) {
        streams.openPlaceholder()
        try daemons.start(listening: socket, tls: tls, calling: self)
    }

    /// Uses another certificate for new connections. On failure the current one stays in use, and the error is logged.
    func useCertificate(_ tls: TLSIdentity) {
        guard let oldest = daemons.useCertificate(tls, calling: self) else { return }
        for connection in connections.all where connection.daemon === oldest {
            exchanges.abandonExchange(of: connection)
            connection.cut()
        }
    }

    // MARK: - Turns

    func run() {
        while true {
            turns.begin()
            turns.runJobs()
            turns.runTimers()
            streams.proceed()
            for connection in connections.takeExpired() { exchanges.deadlinePassed(connection) }
            slowReaders.cut()
            if turns.takeRunRequest() {
                streams.settle()
                daemons.run(calling: self)
                admission.publishClosable()
                if turns.takeHandlerCalls() { exchanges.handler?.turnEnded() }
            }
            advanceStop()
            if stopping == .finished { break }
            waitForEvents()
        }
        finish()
    }

    private func waitForEvents() {
        if daemons.mustRun { turns.requestRun() }
        let isBusy = turns.needsRun || streams.hasUnread
        let count = poller.wait(milliseconds: isBusy || !turns.jobQueue.goToSleep() ? 0 : sleepMilliseconds())
        for index in 0..<count {
            let event = poller.event(index)
            switch event.token {
            case Daemons.token: turns.requestRun()
            case Poller.wakeToken: break
            default: socketEvent(event.token, event.bits)
            }
        }
    }

    /// When the loop has to run without an event, in milliseconds of the monotonic clock; `.max`: never.
    var nextWake: UInt64 {
        // In pairs: with four values the standard library would make an array.
        min(min(turns.nextDue ?? .max, connections.nextWake), min(slowReaders.nextWake, stopping.deadline ?? .max))
    }

    private func sleepMilliseconds() -> Int32 {
        let wake = nextWake
        guard wake != .max else { return -1 }
        let time = monotonicMilliseconds()
        return wake <= time ? 0 : Int32(min(wake - time, 60_000))
    }

    private func socketEvent(_ token: UInt64, _ bits: UInt32) {
        if connections.readLingering(token) { return }
        let id = ExchangeID(rawValue: token)
        guard let connection = connections[id.slot] else { return }
        if connection.id == id {
            exchanges.hungUp(connection)
        } else if let exchange = connection.exchange, exchange.id == id {
            exchange.stream?.ready(bits)
        }
    }

    /// Ends a connection that a stream has taken over.
    ///
    /// - Parameter isReusable: whether the client may send another request on it, which libmicrohttpd serves.
    func end(_ connection: Connection, isReusable: Bool) {
        guard connection.isTakenOver, connections[connection.slot] === connection else { return }
        let (descriptor, isEvicted) = (connection.descriptor, connection.isReleased)
        poller.unwatch(descriptor)
        if let exchange = connection.exchange { exchanges.completed(exchange) }
        admission.closed(connection)
        guard isReusable, !isEvicted, !exchanges.closesConnections, daemons.add(descriptor) else {
            _ = close(descriptor)
            return
        }
        // As if libmicrohttpd had answered a request on it.
        guard let returned = connections.reading(descriptor) else { return }
        _ = admission.receivedHead(returned)
        connections.beginIdle(returned)
    }

    func logDaemon(_ message: String) {
        logger.debug("libmicrohttpd: \(message.last == "\n" ? String(message.dropLast()) : message)")
    }

    // MARK: - Stop

    /// Accepts no new connections from now on, and closes each connection with its next response.
    func stopAccepting() {
        guard daemons.accepts else { return }
        exchanges.closeConnections()
        daemons.stopAccepting(calling: self)
    }

    func beginStop(within milliseconds: UInt64) {
        guard stopping == .running else { return }
        stopAccepting()
        stopping.begin(until: turns.now + milliseconds)
        exchanges.handler?.drain()
        turns.requestRun()
    }

    /// Called once per turn, after the daemon ran, so that requests received before the stop have an exchange.
    private func advanceStop() {
        guard stopping.deadline != nil else { return }
        let isIdle = exchanges.openCount == 0 && !turns.needsRun && !daemons.mustRun
        switch stopping.advance(now: turns.now, isIdle: isIdle) {
        case .none: break
        case .refusePending: exchanges.refusePending()
        }
    }

    /// Ends the loop: at the end of its thread, or if its thread never ran.
    func finish() {
        // Stopping a daemon with a suspended connection would abort the process.
        exchanges.end()
        streams.dropUnread()
        streams.settle()
        daemons.run(calling: self)
        // A handshake may have been sent only now.
        streams.settle()
        daemons.stop()
        connections.closeLingering()
        exchanges.releaseHandler()
        turns.close()
    }
}

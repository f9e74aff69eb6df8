internal import Glibc
internal import Logging

/// The state of an event loop and its turns. Used on the loop's thread only.
final class LoopCore {
    let limits: HTTPLimits
    let times: TimeLimits
    /// Bytes of responses that clients have not read yet, of all loops.
    let responses: ResponseBudget
    let logger: Logger
    let turns = Turns()
    // Set while the loop is created; the loop outlives its core.
    unowned var loop: EventLoop!  // proven: set before the first turn
    var handler: (any ExchangeHandler)?

    let poller: Poller
    let daemons: Daemons
    let connections: OpenConnections
    let admission: Admission
    /// Pending exchanges of requests that were not received by HTTP, by identifier.
    var detached: [UInt64: Exchange] = [:]
    /// Streams to settle before libmicrohttpd's next run.
    var unsettledStreams: [any LoopStream] = []
    /// WebSockets of which received bytes are still to be processed, those that have waited longest first.
    var unreadSockets: [WebSocketConnection] = []
    /// Takes the place of the descriptors that streams have taken over; -1 before the start.
    var placeholder: Int32 = -1
    /// Buffer for the reads of upgraded sockets, used by one at a time; the most that one read takes.
    var readBuffer = [UInt8](repeating: 0, count: 65536)

    /// Number of exchanges whose connection is suspended until their response.
    var suspendedExchanges = 0
    /// Number of exchanges between their request line and the last byte of their response.
    var openExchanges = 0
    var stopping = StopProgress.running
    /// Whether every response closes its connection.
    var closesAfterResponse = false

    /// When connections with too many unread bytes are cut off next.
    var nextSlowReaderCheck: UInt64 = 0

    /// Most WebSockets of `unreadSockets` that are processed per turn.
    static let unreadSocketsPerTurn = 16

    init(index: Int, limits: HTTPLimits, budget: ConnectionBudget, responses: ResponseBudget, logger: Logger)
        throws(HTTPServerError)
    {
        self.responses = responses
        self.limits = limits
        times = TimeLimits(limits)
        self.logger = logger
        poller = try Poller()
        daemons = Daemons(limits: limits, logger: logger, poller: poller, turns: turns)
        connections = OpenConnections(times: times, poller: poller, turns: turns)
        admission = Admission(index: index, budget: budget, turns: turns, daemons: daemons, connections: connections)
    }

    deinit {
        if placeholder >= 0 { _ = close(placeholder) }
    }

    /// Takes ownership of the listening socket and starts a daemon on it; the loop may run after this.
    func startDaemon(listening socket: Int32, tls: TLSIdentity?) throws(HTTPServerError) {
        if placeholder < 0 { placeholder = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }
        try daemons.start(listening: socket, tls: tls, calling: self)
    }

    /// Uses another certificate for new connections. On failure the current one stays in use, and the error is logged.
    func useCertificate(_ tls: TLSIdentity) {
        guard let oldest = daemons.useCertificate(tls, calling: self) else { return }
        for connection in connections.all where connection.daemon === oldest {
            connection.exchange.map(abandon)
            connection.exchange?.stream?.abort()
            connection.cut()
        }
    }

    func run() {
        while true {
            turns.begin()
            turns.runJobs()
            turns.runTimers()
            proceedSockets()
            for connection in connections.takeExpired() { deadlinePassed(connection) }
            if responses.isExceeded, turns.now >= nextSlowReaderCheck { cutSlowReaders() }
            if turns.takeRunRequest() {
                settleStreams()
                daemons.run(calling: self)
                admission.publishClosable()
                if turns.takeHandlerCalls() { handler?.turnEnded() }
            }
            advanceStop()
            if stopping == .finished { break }
            waitForEvents()
        }
        finish()
    }

    private func waitForEvents() {
        if daemons.mustRun { turns.requestRun() }
        let isBusy = turns.needsRun || !unreadSockets.isEmpty
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
        var wake = min(turns.nextDue ?? .max, connections.nextWake)
        if connections.count > 0, responses.isExceeded { wake = min(wake, nextSlowReaderCheck) }
        if let deadline = stopping.deadline { wake = min(wake, deadline) }
        return wake
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
            hungUp(connection)
        } else if let exchange = connection.exchange, exchange.id == id {
            exchange.stream?.ready(bits)
        }
    }

    /// Takes connections over from libmicrohttpd, and ends those of finished streams.
    func settleStreams() {
        guard !unsettledStreams.isEmpty else { return }
        let streams = unsettledStreams
        unsettledStreams = []
        for stream in streams { stream.settle() }
        turns.requestRun()
    }

    /// Processes more of what WebSockets have received.
    private func proceedSockets() {
        guard !unreadSockets.isEmpty else { return }
        let sockets = Array(unreadSockets.prefix(LoopCore.unreadSocketsPerTurn))
        unreadSockets.removeFirst(sockets.count)
        for socket in sockets { socket.proceed() }
    }

    func logDaemon(_ message: String) {
        logger.debug("libmicrohttpd: \(message.last == "\n" ? String(message.dropLast()) : message)")
    }
}

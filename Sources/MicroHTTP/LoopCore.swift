internal import CMicroHTTPDShims
internal import Glibc
internal import Logging

/// What an event loop owns, and its turn. Used on the loop's thread only, see `EventLoop`.
final class LoopCore {
    /// Which of the server's loops this is, from 0.
    let index: Int
    let limits: HTTPLimits
    let budget: ConnectionBudget
    /// What waits for readers, of all loops.
    let responses: ResponseBudget
    let logger: Logger
    let mailbox = Mailbox()
    // Set while the loop is built, and it outlives its core.
    unowned var loop: EventLoop!  // proven: set before the first turn
    var handler: (any ExchangeHandler)?

    var poller: Poller
    var timers = TimerQueue()
    var table = ConnectionTable()
    /// This loop's connections of each network: see `LoopCore+Admission`.
    var peerRings = Rings()
    var lingering = LingeringSockets()
    /// Whose bytes libmicrohttpd reads from a descriptor.
    var readers = ReaderTable()
    var daemon: Daemon?
    /// Daemons of earlier certificates, which serve the connections that they have to their end.
    var retired: [Daemon] = []
    /// The one that is calling back.
    private(set) var running: Daemon?
    /// What the daemon listens on.
    var listeningSocket: Int32 = -1
    /// Whether connections are encrypted: then nobody but libmicrohttpd may write to their sockets.
    var isEncrypted = false
    /// Requests that came by other ways than HTTP and have no answer yet.
    var detached: [UInt64: Exchange] = [:]
    /// Upgraded sockets that go back to libmicrohttpd before it runs next.
    var doomedSockets: [WebSocketConnection] = []
    /// What upgraded sockets read into, one after the other.
    var readBuffer = [UInt8](repeating: 0, count: 65536)

    /// What stands for the monotonic clock, in milliseconds, on a loop that its owner steps.
    var simulatedTime: UInt64?
    /// The time of this turn, in milliseconds.
    var now = monotonicMilliseconds()
    /// The daemon has work that no descriptor will announce: something was resumed, cut or queued.
    var needsRun = true
    var lastSerial: UInt64 = 0
    /// The handler was called in this turn.
    var hasHandled = false
    /// Suspended, waiting for an answer.
    var heldExchanges = 0
    /// From the request line to the last byte of the answer.
    var openExchanges = 0
    var stopping = StopProgress.running
    var isQuiesced = false
    /// Every answer ends its connection; new ones are taken all the same.
    var endsConnections = false

    private var jobs: [Mailbox.Job] = []
    private var nextScan: UInt64 = 0
    /// When readers that hold too much are cut off next.
    var nextRelief: UInt64 = 0
    private let scanMilliseconds: UInt64

    static let daemonToken: UInt64 = 0
    /// Cutting a connection off takes some 20 us: a thousand that are late together would hold up everybody else's requests.
    static let cutsPerTurn = 8

    init(index: Int, limits: HTTPLimits, budget: ConnectionBudget, responses: ResponseBudget, logger: Logger)
        throws(HTTPServerError)
    {
        self.responses = responses
        self.index = index
        self.limits = limits
        self.budget = budget
        self.logger = logger
        poller = try Poller()
        // A deadline may be a quarter of a second late, and less where it is short.
        scanMilliseconds = max(5, min(250, min(limits.requestMilliseconds, limits.idleMilliseconds) / 8))
    }

    /// Takes the socket; the loop may run after this.
    func startDaemon(listening socket: Int32, tls: TLSIdentity?) throws(HTTPServerError) {
        guard micro_reads_are_observed(tls == nil ? 0 : 1) != 0 else {
            throw HTTPServerError(.resource, "this build does not see what libmicrohttpd reads: link libmicrohttpd dynamically")
        }
        let daemon = try Daemon(listening: socket, core: self, limits: limits, tls: tls)
        guard poller.watch(daemon.epollDescriptor, EPOLLIN.rawValue, token: LoopCore.daemonToken) else {
            daemon.stop()
            throw HTTPServerError(.resource, "cannot watch the daemon's descriptor: \(systemError(errno))")
        }
        self.daemon = daemon
        listeningSocket = socket
        isEncrypted = tls != nil
    }

    /// Lets a daemon do what can be done without waiting.
    func run(_ daemon: Daemon) {
        running = daemon
        DaemonCallbacks.observeReads(of: self)
        daemon.run()
        DaemonCallbacks.ignoreReads()
        running = nil
    }

    func run() {
        while true {
            now = monotonicMilliseconds()
            runJobs()
            while let job = timers.popDue(now) { job() }
            if now >= nextScan { scanDeadlines() }
            if responses.isExceeded, now >= nextRelief { relieveResponses() }
            if needsRun {
                needsRun = false
                giveBackSockets()
                runDaemons()
                if budget.closable.count > 1 { publishClosable() }
                if hasHandled {
                    hasHandled = false
                    handler?.turnEnded()
                }
            }
            advanceStop()
            if stopping == .finished { break }
            waitForEvents()
        }
        finish()
    }

    /// The monotonic clock, or what stands for it.
    var clockMilliseconds: UInt64 { simulatedTime ?? monotonicMilliseconds() }

    /// Runs what was posted; false where that was nothing.
    @discardableResult
    func runJobs() -> Bool {
        mailbox.take(leaving: &jobs)
        let hasJobs = !jobs.isEmpty
        // By index: a job may post, which touches the mailbox but never this array.
        for index in jobs.indices { jobs[index]() }
        jobs.removeAll(keepingCapacity: true)
        return hasJobs
    }

    private func waitForEvents() {
        if daemonMustRun { needsRun = true }
        let count = poller.wait(milliseconds: needsRun || !mailbox.goToSleep() ? 0 : sleepMilliseconds())
        for index in 0..<count {
            let event = poller.event(index)
            switch event.token {
            case LoopCore.daemonToken: needsRun = true
            case Poller.wakeToken: break
            default: socketEvent(event.token, event.bits)
            }
        }
    }

    private func sleepMilliseconds() -> Int32 {
        var wake = UInt64.max
        if let due = timers.nextDue { wake = due }
        if table.count > 0 { wake = min(wake, nextScan) }
        if table.count > 0, responses.isExceeded { wake = min(wake, nextRelief) }
        if let deadline = stopping.deadline { wake = min(wake, deadline) }
        guard wake != .max else { return -1 }
        let time = monotonicMilliseconds()
        return wake <= time ? 0 : Int32(min(wake - time, 60_000))
    }

    private func socketEvent(_ token: UInt64, _ bits: UInt32) {
        if LingeringSockets.isToken(token) {
            lingering.read(token, poller)
            return
        }
        let id = ExchangeID(rawValue: token)
        guard let connection = table[id.slot] else { return }
        if connection.watchToken == token {
            hungUp(connection)
        } else if let exchange = connection.exchange, exchange.id == id {
            exchange.stream?.ready(bits)
        }
    }

    /// Ends upgraded connections: libmicrohttpd closes them in its next run.
    func giveBackSockets() {
        guard !doomedSockets.isEmpty else { return }
        let doomed = doomedSockets
        doomedSockets = []
        for socket in doomed { socket.giveBack() }
        needsRun = true
    }

    private func scanDeadlines() {
        let late = table.takeLate(now, atMost: LoopCore.cutsPerTurn)
        // The others in the next turn, at once.
        nextScan = late.count < LoopCore.cutsPerTurn ? now + scanMilliseconds : now
        for connection in late { deadlinePassed(connection) }
        lingering.closeLate(now, poller)
    }

    func logDaemon(_ message: String) {
        logger.debug("libmicrohttpd: \(message.last == "\n" ? String(message.dropLast()) : message)")
    }
}

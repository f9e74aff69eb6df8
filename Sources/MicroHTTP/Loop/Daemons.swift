internal import CMicroHTTPDShims
internal import Glibc
internal import Logging

/// The daemons of a loop: the one that accepts connections, and those of earlier certificates. Used on the loop's thread only.
///
/// A daemon's certificate cannot be changed. A new certificate gets a new daemon on the same socket. The old daemon keeps its
/// connections and stops after the last one has closed.
///
/// Daemons call back into the core that is passed to `start`, `run` and `add`.
final class Daemons {
    private let limits: HTTPLimits
    private let logger: Logger
    private let poller: Poller
    private let turns: Turns
    private var current: Daemon?
    /// Daemons of earlier certificates, which serve their open connections only.
    private var retired: [Daemon] = []
    /// The current daemon's listening socket; -1 before the start.
    private var listeningSocket: Int32 = -1
    private var hasStoppedAccepting = false
    /// Whether connections are encrypted: then only libmicrohttpd may write to their sockets.
    private(set) var isEncrypted = false
    /// The daemon whose callbacks are running.
    private(set) var running: Daemon?
    /// Whether the connection that is being added comes back from a stream, and is not a new one.
    private(set) var isReturning = false

    /// The token of every daemon's descriptor in the poller.
    static let token: UInt64 = 0
    /// Number of daemons with earlier certificates that are kept; beyond it the connections of the oldest are cut off.
    private static let retiredLimit = 4
    /// Most runs that accept what waits: clients that connect faster than that do not hold up the stop.
    private static let lastAcceptingRuns = 64

    init(limits: HTTPLimits, logger: Logger, poller: Poller, turns: Turns) {
        self.limits = limits
        self.logger = logger
        self.poller = poller
        self.turns = turns
    }

    /// Takes ownership of the listening socket and starts a daemon on it.
    func start(listening socket: Int32, tls: TLSIdentity?, calling core: LoopCore) throws(HTTPServerError) {
        guard micro_reads_are_interposed(tls == nil ? 0 : 1) != 0 else {
            throw HTTPServerError(.resource, "this build does not see what libmicrohttpd reads: link libmicrohttpd dynamically")
        }
        let daemon = try Daemon(listening: socket, core: core, limits: limits, tls: tls)
        guard poller.watch(daemon.epollDescriptor, Poller.readBits, token: Daemons.token) else {
            daemon.stop()
            throw HTTPServerError(.resource, "cannot watch the daemon's descriptor: \(systemError(errno))")
        }
        current = daemon
        listeningSocket = socket
        isEncrypted = tls != nil
    }

    // MARK: - Runs

    /// Runs every daemon once, without blocking, and stops retired daemons that have no connection left.
    func run(calling core: LoopCore) {
        if let current { run(current, calling: core) }
        guard !retired.isEmpty else { return }
        for old in retired { run(old, calling: core) }
        let done = retired.filter { $0.connections == 0 }
        guard !done.isEmpty else { return }
        retired.removeAll { old in done.contains { $0 === old } }
        for old in done {
            poller.unwatch(old.epollDescriptor)
            old.stop()
        }
    }

    /// Runs a daemon once, without blocking, with the scanners reading before it.
    private func run(_ daemon: Daemon, calling core: LoopCore) {
        running = daemon
        DaemonCallbacks.scanReads(of: core)
        daemon.run()
        DaemonCallbacks.stopScanningReads()
        running = nil
    }

    /// Whether a daemon has work that no descriptor will report.
    var mustRun: Bool { current?.mustRunNow == true || retired.contains { $0.mustRunNow } }

    /// Has the current daemon serve an open connection, as if it had accepted it; false without a daemon.
    func add(_ descriptor: Int32) -> Bool {
        guard let current else { return false }
        (running, isReturning) = (current, true)
        current.add(descriptor)
        (running, isReturning) = (nil, false)
        turns.requestRun()
        return true
    }

    /// The connections that the current daemon has.
    var connectionCount: Int { current?.connections ?? 0 }

    // MARK: - Certificates

    /// Uses another certificate for new connections. On failure the current one stays in use, and the error is logged.
    ///
    /// - Returns: The daemon whose connections are to be cut off, if more than `retiredLimit` are left.
    func useCertificate(_ tls: TLSIdentity, calling core: LoopCore) -> Daemon? {
        guard !hasStoppedAccepting, isEncrypted, let old = current else { return nil }
        // A duplicated descriptor: the old daemon closes, or returns, its own.
        let (oldSocket, socket) = (listeningSocket, fcntl(listeningSocket, F_DUPFD_CLOEXEC, 0))
        do throws(HTTPServerError) {
            guard socket >= 0 else { throw HTTPServerError(.resource, systemError(errno)) }
            try start(listening: socket, tls: tls, calling: core)
        } catch {
            logger.error("an event loop keeps the old certificate", metadata: ["reason": "\(error.message)"])
            return nil
        }
        run(old, calling: core)
        if old.quiesce() >= 0 { _ = close(oldSocket) }
        retired.append(old)
        turns.requestRun()
        return retired.count > Daemons.retiredLimit ? retired[0] : nil
    }

    // MARK: - The end

    /// Whether a daemon accepts new connections.
    var accepts: Bool { !hasStoppedAccepting && current != nil }

    /// Accepts the connections that wait, and no new ones from now on.
    func stopAccepting(calling core: LoopCore) {
        guard accepts, let daemon = current else { return }
        hasStoppedAccepting = true
        // Connections in the accept queue are accepted first: closing the socket would reset them. A run accepts a few dozen.
        run(calling: core)
        for _ in 0..<Daemons.lastAcceptingRuns where hasWaitingConnections { run(calling: core) }
        let socket = daemon.quiesce()
        if socket >= 0 { _ = close(socket) }
        turns.requestRun()
    }

    /// Whether connections wait to be accepted.
    private var hasWaitingConnections: Bool {
        var descriptor = pollfd(fd: listeningSocket, events: Int16(POLLIN), revents: 0)
        // SAFETY: one entry, which lives as long as the call.
        return unsafe poll(&descriptor, 1, 0) > 0
    }

    /// Stops all daemons, and with them closes every connection that they have. None may be suspended.
    func stop() {
        current?.stop()
        current = nil
        for old in retired { old.stop() }
        retired = []
    }
}

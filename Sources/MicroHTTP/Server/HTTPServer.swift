internal import CMicroHTTPDShims
internal import Glibc
package import Logging
internal import Synchronization

/// An HTTP server: one listening address, one or more event loops.
///
/// It is bound once created, serves once started, and ends with `stop`; releasing a started server does not end it.
package final class HTTPServer: Sendable {
    private enum State {
        case bound(sockets: [Int32])
        case running(threads: [LoopThread])
        case stopped
    }

    /// The event loops, in order of their index.
    package let loops: [EventLoop]
    /// The port it listens on; the assigned one if port 0 was requested.
    package let port: UInt16

    private let configuration: HTTPServerConfiguration
    private let state: Mutex<State>

    /// Binds the address and creates the loops and their handlers; nothing is served yet. Throws if the configuration is invalid, or
    /// the address or a system resource is not available.
    package init(
        configuration requested: HTTPServerConfiguration, logger: Logger,
        makeHandler: @Sendable (EventLoop) -> any ExchangeHandler
    ) throws(HTTPServerError) {
        try LibraryVersion.check()
        try HTTPServer.check(requested)
        // A write to a disconnected client must return an error instead of ending the process.
        _ = signal(SIGPIPE, SIG_IGN)
        var configuration = requested
        if let descriptors = HTTPServer.raiseDescriptorLimit() {
            configuration.limits = requested.limits.fitting(descriptors: descriptors, threads: requested.threads)
            let (fewer, all) = (configuration.limits.connections, requested.limits.connections)
            if fewer < all {
                logger.warning(
                    "the limit of open files allows fewer connections than limit-connections",
                    metadata: ["connections": "\(fewer)", "limit-connections": "\(all)", "open files": "\(descriptors)"])
            }
        }
        // Memory that a loop allocates is freed on other threads: without slack the heap would grow and shrink with every burst.
        micro_keep_heap()
        let budget = ConnectionBudget(limits: configuration.limits, loopCount: configuration.threads)
        var loops: [EventLoop] = []
        for index in 0..<configuration.threads {
            let core = try LoopCore(
                index: index, limits: configuration.limits, budget: budget, responses: configuration.responses, logger: logger)
            loops.append(EventLoop(index: index, core: core))
        }
        let bound = try ListeningSocket.open(
            host: configuration.host, port: configuration.port, count: configuration.threads,
            sendBuffer: configuration.limits.sendBufferBytes)
        budget.connect(loops)
        for loop in loops { loop.core.exchanges.use(makeHandler(loop)) }
        self.loops = loops
        self.configuration = configuration
        port = bound.port
        state = Mutex(.bound(sockets: bound.descriptors))
    }

    deinit {
        state.withLock { state in
            if case .bound(let sockets) = state { abandon(sockets) }
            state = .stopped
        }
    }

    /// Starts the loops' threads; from then on requests are served. Throws if it was started before, or if a thread or a daemon
    /// cannot be created; then the server has ended.
    package func start() throws(HTTPServerError) {
        try state.withLock { state throws(HTTPServerError) in
            guard case .bound(let sockets) = state else {
                throw HTTPServerError(.alreadyStarted, "the server was started before")
            }
            var threads: [LoopThread] = []
            var taken = 0
            state = .stopped
            do throws(HTTPServerError) {
                for (loop, socket) in zip(loops, sockets) {
                    taken += 1
                    try loop.core.startDaemon(listening: socket, tls: configuration.tls)
                }
                for loop in loops { threads.append(try LoopThread(running: loop)) }
            } catch {
                for socket in sockets[taken...] { _ = close(socket) }
                for loop in loops[threads.count...] { loop.core.finish() }
                end(threads, milliseconds: 0)
                throw error
            }
            state = .running(threads: threads)
        }
    }

    /// Uses another certificate for connections accepted from now on; open connections keep theirs. Does nothing on a server
    /// without TLS.
    package func use(_ tls: TLSIdentity) {
        for loop in loops { loop.post { loop.core.useCertificate(tls) } }
    }

    /// Closes each kept-alive connection with its next response, while new ones are still accepted. A load balancer can then move the
    /// clients to other servers before this one stops.
    package func endConnections() {
        for loop in loops { loop.post { loop.core.exchanges.closeConnections() } }
    }

    /// Stops the server. Accepts no new connections, calls `drain` on each loop's handler, waits at most `seconds` for pending responses,
    /// and refuses the rest with 503. Returns once every thread has ended; may be called repeatedly and from several
    /// threads, but not from a loop's thread.
    package func stop(within seconds: Double) {
        precondition(!loops.contains(where: \.isCurrent), "a loop cannot wait for its own end")  // proven: not a client's
        state.withLock { state in
            switch state {
            case .bound(let sockets): abandon(sockets)
            case .running(let threads): end(threads, milliseconds: UInt64(max(0, min(seconds, 1e6)) * 1000))  // proven: bounded
            case .stopped: break
            }
            state = .stopped
        }
    }

    private func end(_ threads: [LoopThread], milliseconds: UInt64) {
        for thread in threads {
            let loop = thread.loop
            loop.post { loop.core.beginStop(within: milliseconds) }
        }
        for thread in threads { thread.join() }
    }

    // A handler retains its loop, so the cycle has to be broken.
    private func abandon(_ sockets: [Int32]) {
        for socket in sockets { _ = close(socket) }
        for loop in loops { loop.core.finish() }
    }

    private static func check(_ configuration: HTTPServerConfiguration) throws(HTTPServerError) {
        let limits = configuration.limits
        let wrong: String? =
            if !(1...256).contains(configuration.threads) {
                "threads must be 1 to 256, not \(configuration.threads)"
            } else if !(1...900_000).contains(limits.connections) {
                "the limit of connections must be 1 to 900000, not \(limits.connections)"
            } else if min(limits.connectionsPerAddress, limits.displacedPerAddress, limits.silentConnections) < 0 {
                "the limits of connections and displaced ones per address, and of those without a request head, must not be negative"
            } else if !(0...128).contains(limits.addressPrefix6) {
                "the prefix of an address has 0 to 128 bits, not \(limits.addressPrefix6)"
            } else if !(256...1_048_576).contains(limits.headerBytes) {
                "the limit of header bytes must be 256 to 1048576, not \(limits.headerBytes)"
            } else if !(0...1_073_741_824).contains(limits.bodyBytes) {
                "the limit of body bytes must be 0 to 1073741824, not \(limits.bodyBytes)"
            } else if !(0...1_073_741_824).contains(limits.largeBodiesBytes) {
                "the limit of large bodies' bytes must be 0 to 1073741824, not \(limits.largeBodiesBytes)"
            } else if !(limits.requestSeconds > 0 && limits.idleSeconds >= 0) {
                "the time limits must be positive"
            } else {
                nil
            }
        if let wrong { throw HTTPServerError(.invalidConfiguration, wrong) }
    }

    // Every connection needs a descriptor, and the usual soft limit is 1024. Returns how many the process may have.
    private static func raiseDescriptorLimit() -> Int? {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        // SAFETY: the structure lives through all calls.
        guard unsafe getrlimit(resource, &limit) == 0 else { return nil }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            _ = unsafe setrlimit(resource, &limit)
            guard unsafe getrlimit(resource, &limit) == 0 else { return nil }
        }
        return Int(clamping: limit.rlim_cur)
    }
}

internal import CMicroHTTPDShims
internal import Glibc
public import Logging
internal import Synchronization

/// An HTTP server: one listening address, one or more event loops.
///
/// It is bound once made, serves once started, and ends with `stop`; dropping a started server does not end it.
public final class HTTPServer: Sendable {
    private enum Life {
        case bound(sockets: [Int32])
        case running(threads: [LoopThread])
        case stopped
    }

    /// The loops, in order of their index.
    public let loops: [EventLoop]
    /// The port it listens on, also where 0 was asked for.
    public let port: UInt16

    private let configuration: HTTPServerConfiguration
    private let life: Mutex<Life>

    /// Binds the address and makes the loops and their handlers; nothing is served yet.
    public init(
        configuration: HTTPServerConfiguration, logger: Logger, makeHandler: @Sendable (EventLoop) -> any ExchangeHandler
    ) throws(HTTPServerError) {
        try HTTPServer.check(configuration)
        // A client that is gone is an error of the write, not the end of the process.
        _ = signal(SIGPIPE, SIG_IGN)
        HTTPServer.raiseDescriptorLimit()
        // What a loop allocates other threads free: without room on top the heap grows and shrinks with every burst.
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
        for loop in loops { loop.core.handler = makeHandler(loop) }
        self.loops = loops
        self.configuration = configuration
        port = bound.port
        life = Mutex(.bound(sockets: bound.descriptors))
    }

    deinit {
        life.withLock { life in
            if case .bound(let sockets) = life { abandon(sockets) }
            life = .stopped
        }
    }

    /// Starts the loops' threads; from then on requests are served.
    public func start() throws(HTTPServerError) {
        try life.withLock { life throws(HTTPServerError) in
            guard case .bound(let sockets) = life else {
                throw HTTPServerError(.alreadyStarted, "the server was started before")
            }
            var threads: [LoopThread] = []
            var taken = 0
            life = .stopped
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
            life = .running(threads: threads)
        }
    }

    /// Shows another certificate to whoever connects from now on; connections that are there stay as they are. A server without
    /// TLS gets none this way.
    public func use(_ tls: TLSIdentity) {
        for loop in loops { loop.post { loop.core.useCertificate(tls) } }
    }

    /// Connections that are kept alive end with their next answer, and new ones are taken: whoever comes back may be sent
    /// elsewhere by what stands in front, before the server stops.
    public func endConnections() {
        for loop in loops { loop.post { loop.core.endsConnections = true } }
    }

    /// No new connections; those that are kept alive end with their next answer.
    public func stopAccepting() {
        for loop in loops { loop.post { loop.core.stopAccepting() } }
    }

    /// Ends the server: no new connections, `drain` on each loop, at most so many seconds for the answers that are owed, then
    /// 503 to the rest. Returns once every thread has ended; again and from several threads it does the same. Not from a loop.
    public func stop(within seconds: Double) {
        precondition(!loops.contains(where: \.isCurrent), "a loop cannot wait for its own end")  // proven: not a client's
        life.withLock { life in
            switch life {
            case .bound(let sockets): abandon(sockets)
            case .running(let threads): end(threads, milliseconds: UInt64(max(0, min(seconds, 1e6)) * 1000))  // proven: bounded
            case .stopped: break
            }
            life = .stopped
        }
    }

    private func end(_ threads: [LoopThread], milliseconds: UInt64) {
        for thread in threads {
            let loop = thread.loop
            loop.post { loop.core.beginStop(within: milliseconds) }
        }
        for thread in threads { thread.join() }
    }

    // A handler knows its loop: without this the two would keep each other.
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
            } else if limits.connectionsPerAddress < 0 || limits.silentConnections < 0 {
                "the limits of connections per address and of silent connections must not be negative"
            } else if !(0...128).contains(limits.addressPrefix6) {
                "the prefix of an address has 0 to 128 bits, not \(limits.addressPrefix6)"
            } else if !(256...1_048_576).contains(limits.headerBytes) {
                "the limit of header bytes must be 256 to 1048576, not \(limits.headerBytes)"
            } else if !(0...1_073_741_824).contains(limits.bodyBytes) {
                "the limit of body bytes must be 0 to 1073741824, not \(limits.bodyBytes)"
            } else if !(limits.requestSeconds > 0 && limits.idleSeconds >= 0) {
                "the time limits must be positive"
            } else {
                nil
            }
        if let wrong { throw HTTPServerError(.invalidConfiguration, wrong) }
    }

    // Every connection is a descriptor, and the usual soft limit is 1024.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        // Safe: the structure lives through both calls.
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(resource, &limit)
    }
}

internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Logging
internal import MicroHTTP
internal import Synchronization

/// What the server logs of requests: at debug level each one once it has its response, and bounded in number refused logins and failures.
///
/// Headers, query and body may contain tokens, tickets and invite codes and are never logged.
struct RequestLog: ~Copyable, Sendable {
    private let logger: Logger
    private let clock: any ServiceClock
    private let origins: RequestOrigins
    private let refusedLogins = LineLimit(perSecond: 10)
    /// Monotonic time of the last call of `report` that wrote a line.
    private let reportedAt = Atomic<Int64>(-1_000_000_000)

    init(_ logger: Logger, clock: any ServiceClock, origins: RequestOrigins) {
        self.logger = logger
        self.clock = clock
        self.origins = origins
    }

    /// Whether each request is logged.
    var hasRequests: Bool { logger.logLevel <= .debug }

    func starting() { logger.info("starting", metadata: ["version": "\(ServiceVersion.current)"]) }

    /// - Parameters:
    ///   - status: of the response; nil if the request ended without one.
    ///   - now: on the clock of `Exchange.notes`.
    func finished(_ context: RequestContext, status: Int?, at now: Int64) {
        let (exchange, route) = (context.exchange, context.route)
        var metadata: Logger.Metadata = [
            "requestId": "\(context.requestID)", "method": "\(exchange.method.rawValue)", "route": "\(route.pattern)",
            "status": "\(status.map(String.init) ?? "none")", "microseconds": "\((now - exchange.notes.beganAt) / 1000)",
            "address": "\(origins.address(of: exchange))",
        ]
        if let user = context.viewer { metadata["user"] = "\(user)" }
        let room = route.pattern.hasPrefix("/v1/rooms/{") ? context.parameters.first : nil
        // A parameter that is not a room id is arbitrary client text and is not logged.
        if let room, RoomID(room) != nil { metadata["room"] = "\(room)" }
        logger.debug("request", metadata: metadata)
    }

    func refused(_ problem: Problem, _ exchange: Exchange, _ requestID: String) {
        logger.debug(
            "refused",
            metadata: ["requestId": "\(requestID)", "status": "\(problem.status)", "code": "\(problem.code)"])
        guard problem.refusesCredentials, let others = refusedLogins.pass(at: clock.now().monotonic) else { return }
        var metadata: Logger.Metadata = [
            "requestId": "\(requestID)", "code": "\(problem.code)", "address": "\(origins.address(of: exchange))",
        ]
        if others > 0 { metadata["notLogged"] = "\(others)" }
        logger.info("refused login", metadata: metadata)
    }

    /// Logs a failure of the log or the pictures with the request that met it, at most one a second.
    func report(_ error: EventLogError, of requestID: String) {
        let (now, last) = (clock.now().monotonic, reportedAt.load(ordering: .relaxed))
        guard error.code != .busy, now - last >= 1_000_000_000,
            reportedAt.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
        else { return }
        logger.error("a request failed", metadata: ["requestId": "\(requestID)", "error": "\(error)"])
    }
}

extension Problem {
    /// Whether credentials were given, and are not accepted.
    fileprivate var refusesCredentials: Bool { status == 401 && code != "token.missing" || code == "link.token_invalid" }
}

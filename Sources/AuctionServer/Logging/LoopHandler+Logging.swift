internal import AuctionDomain
internal import AuctionService
internal import Logging
internal import MicroHTTP

// Logs requests at debug level, once they have their response, and refused logins at info. Headers, query and body may contain tokens, tickets
// and invite codes and are never logged.
extension LoopHandler {
    var logsRequests: Bool { shared.logger.logLevel <= .debug }

    /// - Parameters:
    ///   - status: of the response; nil if the request ended without one.
    ///   - now: on the clock of `Exchange.notes`.
    func logRequest(_ context: RequestContext, status: Int?, at now: Int64) {
        let (exchange, route) = (context.exchange, context.route)
        var metadata: Logger.Metadata = [
            "requestId": "\(context.requestID)", "method": "\(exchange.method.rawValue)", "route": "\(route.pattern)",
            "status": "\(status.map(String.init) ?? "none")", "microseconds": "\((now - exchange.notes.beganAt) / 1000)",
            "address": "\(exchange.clientAddress(shared.proxies))",
        ]
        if let user = context.viewer { metadata["user"] = "\(user)" }
        let room = route.pattern.hasPrefix("/v1/rooms/{") ? context.parameters.first : nil
        // A parameter that is not a room id is arbitrary client text and is not logged.
        if let room, RoomID(room) != nil { metadata["room"] = "\(room)" }
        shared.logger.debug("request", metadata: metadata)
    }

    func logProblem(_ problem: Problem, _ exchange: Exchange, _ requestID: String) {
        shared.logger.debug(
            "refused",
            metadata: ["requestId": "\(requestID)", "status": "\(problem.status)", "code": "\(problem.code)"])
        guard problem.refusesCredentials, let others = shared.refusedLogins.pass(at: shared.clock.now().monotonic) else {
            return
        }
        var metadata: Logger.Metadata = [
            "requestId": "\(requestID)", "code": "\(problem.code)", "address": "\(exchange.clientAddress(shared.proxies))",
        ]
        if others > 0 { metadata["notLogged"] = "\(others)" }
        shared.logger.info("refused login", metadata: metadata)
    }
}

extension Problem {
    /// Whether credentials were given, and are not accepted.
    fileprivate var refusesCredentials: Bool { status == 401 && code != "token.missing" || code == "link.token_invalid" }
}

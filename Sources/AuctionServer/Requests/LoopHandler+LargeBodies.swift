internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP
internal import Permissions

// Bodies that are larger than those of most routes, such as files.
extension LoopHandler {
    /// Only for callers whose token is valid, and who have not sent too many malformed bodies: others are refused before they send it.
    func bodyAllowance(of exchange: Exchange) -> BodyAllowance {
        guard case .found(let number, let parameters) = router.match(exchange.method, exchange.path),
            let largestBody = router[number].largestBody
        else { return .regular }
        let context = RequestContext(
            exchange: exchange, loop: self, route: router[number], parameters: parameters,
            requestID: requestIDs.id(of: exchange),
            language: Language(acceptLanguage: exchange.header("Accept-Language")), now: shared.clock.now())
        do throws(Problem) {
            let caller = try caller(context)
            try checkMalformed(by: .user(caller.id), at: context.now.monotonic)
            return .upTo(
                bytes: largestBody(shared.options.limits),
                owners: [.user(caller.id.description), .network(exchange.clientNetwork(shared))])
        } catch {
            logProblem(error, context.requestID)
            metrics.refused(status: error.status)
            exchange.commonHeaders = shared.crossOrigin.headers(for: exchange)
            let problem = ProblemContext(language: context.language, instance: exchange.path, requestID: context.requestID)
            var response = error.response(problem)
            response.headers.append(("X-Request-Id", context.requestID))
            return .refused(response)
        }
    }
}

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
            exchange: exchange, loop: self, path: RoutedPath(exchange, router[number], parameters),
            requestID: requestID(of: exchange),
            language: Language(acceptLanguage: exchange.header("Accept-Language")), now: shared.clock.now())
        do throws(Problem) {
            let caller = try caller(context)
            try checkMalformed(by: .user(caller.id), at: context.now.monotonic)
            return .upTo(
                bytes: largestBody(shared.options.limits),
                owners: [.user(caller.id.description), .network(shared.origins.network(of: exchange))])
        } catch {
            shared.log.refused(error, exchange, context.requestID)
            metrics.refused(status: error.status)
            exchange.notes.commonHeaders = shared.origins.pages.headers(for: exchange)
            var response = error.response(context.problemContext)
            response.headers.append(("X-Request-Id", context.requestID))
            return .refused(response)
        }
    }

    private static let bytesPerCommand = 16 << 10
    /// Bodies of one caller that are read at once: a client that has lost its connection repeats a request while the first is being handled.
    private static let bodiesPerCaller = 4

    /// Reads a command from a large body on a reader thread, then calls `proceed` with it on this loop. It counts as a command for each
    /// `bytesPerCommand`, whether it is refused later or not. 503 beyond `bodiesPerCaller`.
    func readCommand(
        _ context: RequestContext, of caller: Caller, _ read: @escaping @Sendable () throws(Problem) -> Command,
        then proceed: @escaping (Command) throws(Problem) -> Void
    ) throws(Problem) {
        try takeCommand(of: caller.person, in: context, tokens: 1 + context.exchange.body.count / Self.bytesPerCommand)
        try wait(context) { (finish) throws(Problem) in
            let isTaken = shared.service.read(for: "\(caller.id) body", atMost: Self.bodiesPerCaller) { _ in
                Result { () throws(Problem) in try read() }
            } then: { result in
                finish(result)
            }
            guard isTaken else { throw .tooManyReads }
        } then: { [unowned self] (result: Result<Command, Problem>) in
            self.proceed(context) { () throws(Problem) in
                do throws(Problem) {
                    try proceed(try result.get())
                } catch {
                    if error.status == 400 {
                        countMalformed(
                            by: .user(caller.id), bytes: context.exchange.body.count, at: shared.clock.now().monotonic)
                    }
                    throw error
                }
            }
        }
    }
}

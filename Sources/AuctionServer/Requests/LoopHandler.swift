internal import AuctionDomain
internal import AuctionService
internal import CTrapReport
internal import EventLog
internal import MicroHTTP
internal import Permissions

/// Handles the requests of one event loop; used on that loop's thread only.
final class LoopHandler: ExchangeHandler {
    let shared: SharedParts
    let loop: EventLoop
    let metrics: LoopMetrics
    private var tokens: TokenCache
    private var seeds: SeedSource
    private var requestIDs: RequestIDs
    private(set) var commands: CommandGateway!  // proven: set by the initializer
    private(set) var subscribers: LoopSubscribers!  // proven: set by the initializer
    let held = HeldRequests()
    private(set) var phase = Phase.serving
    /// Requests in progress, if they are logged.
    private var loggedRequests: [ExchangeID: RequestContext] = [:]
    let router = Routes.router()

    enum Phase {
        case serving
        /// The server will stop soon: /readyz reports it, and requests are still served.
        case stopAnnounced
        case draining
    }

    init(shared: SharedParts, loop: EventLoop, seeds: SeedSource = SeedSource()) {
        self.shared = shared
        self.loop = loop
        self.seeds = seeds
        metrics = shared.metrics.loops[loop.index]
        tokens = TokenCache(verifier: shared.verifier)
        requestIDs = RequestIDs(seed: self.seeds.next())
        commands = CommandGateway(of: self)
        subscribers = LoopSubscribers(of: self)
    }

    var isDraining: Bool { phase == .draining }

    /// Reports by /readyz that the server will stop.
    func announceStop() {
        if phase == .serving { phase = .stopAnnounced }
    }

    func drain() {
        phase = .draining
        subscribers.drain()
    }

    /// Applies changed keys, revocations or guest settings.
    func identityChanged() {
        tokens.use(shared.verifier)
        subscribers.identityChanged()
    }

    /// Refuses the tokens of users who have left for good.
    func usersLeft(_ users: Set<UserID>) {
        tokens.use(shared.verifier, without: users)
        subscribers.identityChanged()
    }

    /// The caller that a token names.
    func principal(of token: Substring, at now: Now) throws(Problem) -> Principal {
        do throws(Problem) {
            return try tokens.principal(of: token, at: now)
        } catch {
            shared.access.fetchKeys(for: token)
            throw error
        }
    }

    /// Remembers the caller of a connection until another verifier is used; not by a long token, since every connection has a copy.
    func remember(_ caller: Caller, by authorization: String, _ exchange: Exchange) {
        guard authorization.utf8.count <= KnownCaller.longestAuthorization else { return }
        client(of: exchange).keep(
            KnownCaller(authorization: authorization, caller: caller, generation: tokens.generation))
    }

    /// What is remembered of the client of a connection.
    func client(of exchange: Exchange) -> KnownClient {
        if let known = exchange.memo as? KnownClient { return known }
        let client = KnownClient()
        exchange.memo = client
        return client
    }

    /// Whether the token of a remembered caller is still accepted.
    func isStillKnown(_ known: KnownCaller, at now: Now) -> Bool {
        known.generation == tokens.generation && !known.caller.principal.hasExpired(at: now)
    }

    /// Whether guests are served, as far as this loop knows.
    var acceptsGuests: Bool { tokens.verifier.identity.acceptsGuests }

    /// Why a token that was valid is not any more; nil if it is.
    func tokenError(of principal: Principal, at now: Now) -> TokenError? { tokens.tokenError(of: principal, at: now) }

    /// Whether an operator has banned the user from all rooms.
    func isBanned(_ user: UserID) -> Bool { tokens.verifier.isBanned(user) }

    /// Why a stream or a held long-poll ends: its token is not valid any more, or its user is banned.
    func streamError(of principal: Principal, at now: Now) -> TokenError? {
        tokenError(of: principal, at: now) ?? (isBanned(principal.person.id) ? .banned : nil)
    }

    /// Random bits for an id, or for a command.
    func nextSeed() -> UInt64 { seeds.next() }
    /// 128 random bits.
    func nextWideSeed() -> UInt128 { seeds.nextWide() }

    /// The id of a request.
    func requestID(of exchange: Exchange) -> String { requestIDs.id(of: exchange) }

    func turnEnded() { commands.turnEnded() }

    func handle(_ exchange: Exchange) {
        let now = shared.clock.now()
        metrics.began(exchange, at: now.monotonic)
        trap_report_begin(0, exchange.receivedCount)
        defer { trap_report_end() }
        let requestID = self.requestID(of: exchange)
        let language = Language(acceptLanguage: exchange.header("Accept-Language"))
        exchange.notes.commonHeaders = shared.origins.pages.headers(for: exchange)
        do throws(Problem) {
            if var response = try shared.origins.pages.preflight(exchange) {
                response.headers.append(("X-Request-Id", requestID))
                return exchange.respond(response)
            }
            let path = try path(of: exchange)
            exchange.notes.routeIndex = path.route.index
            let context = RequestContext(
                exchange: exchange, loop: self, path: path, requestID: requestID, language: language, now: now)
            if shared.log.hasRequests { loggedRequests[exchange.id] = context }
            handle(context)
        } catch {
            respond(error, to: exchange, requestID, language)
        }
    }

    func finished(_ exchange: Exchange, status: Int?) {
        let now = shared.clock.now().monotonic
        metrics.finished(exchange, status: status, at: now)
        if let context = loggedRequests.removeValue(forKey: exchange.id) {
            shared.log.finished(context, status: status, at: now)
        }
    }

    /// Continues a suspended request. Its checks run again, since the wait may have changed their results: a token may have expired.
    func resume(_ context: RequestContext) {
        context.now = shared.clock.now()
        handle(context)
    }

    private func handle(_ context: RequestContext) {
        let exchange = context.exchange
        trap_report_begin(Int32(truncatingIfNeeded: context.route.index), exchange.receivedCount)
        defer { trap_report_end() }
        do throws(Problem) {
            guard case .now(var response) = try dispatch(context) else { return }
            response.headers.append(("X-Request-Id", context.requestID))
            exchange.respond(response)
        } catch {
            respond(error, to: exchange, context.requestID, context.language)
        }
    }

    /// Paths that load balancers ask with OPTIONS, and which are answered as GET of another: without a path of the operator's choice HAProxy
    /// asks `/`, and others `*`.
    private static let probes = ["/healthz": "/healthz", "/readyz": "/readyz", "/": "/readyz", "*": "/readyz"]

    /// The path of a request as that of a route: mostly the one of the request before on the connection.
    private func path(of exchange: Exchange) throws(Problem) -> RoutedPath {
        let client = client(of: exchange)
        if let known = client.path, known.isPath(of: exchange), !isHidden(known.route, from: exchange) { return known }
        let probe = exchange.method == .options ? Self.probes[exchange.path] : nil
        switch router.match(probe == nil ? exchange.method : .get, probe ?? exchange.path) {
        case .notFound: throw .routeNotFound
        case .methodNotAllowed(let allow):
            for method in allow {
                guard case .found(let other, _) = router.match(method, exchange.path) else { continue }
                if isHidden(router[other], from: exchange) { throw .routeNotFound }
            }
            throw .methodNotAllowed(allow)
        case .found(let number, let parameters):
            let route = router[number]
            guard !isHidden(route, from: exchange) else { throw .routeNotFound }
            let path = RoutedPath(exchange, route, parameters)
            if probe == nil, exchange.path.utf8.count <= RoutedPath.longestKept { client.keep(path) }
            return path
        }
    }

    func respond(_ problem: Problem, to exchange: Exchange, _ requestID: String, _ language: Language) {
        shared.log.refused(problem, exchange, requestID)
        let context = ProblemContext(
            language: language, instance: exchange.path, requestID: requestID, receipt: problem.receipt)
        var response = problem.response(context)
        response.headers.append(("X-Request-Id", requestID))
        exchange.respond(response)
    }

    func refuse(_ refusal: RequestRefusal, _ exchange: Exchange?) -> Response {
        let requestID = exchange.map { self.requestID(of: $0) }
        if let exchange, exchange.notes.commonHeaders == nil {
            exchange.notes.commonHeaders = shared.origins.pages.headers(for: exchange)
        }
        // Requests that reached the handler are counted when their response is queued.
        if exchange?.notes.beganAt ?? 0 == 0 { metrics.refused(status: refusal.status) }
        let problem = exchange.flatMap { commands.outcomeUnknown($0) } ?? Problem(refusal)
        var response = problem.response(ProblemContext(instance: exchange?.path, requestID: requestID))
        if let requestID { response.headers.append(("X-Request-Id", requestID)) }
        return response
    }
}

extension Problem {
    /// Adds the receipt that every response of the route has: the time of receipt, and the state of the room if the caller may see it.
    func addingReceipt(_ route: Route, _ room: Room?, at now: Timestamp) -> Problem {
        guard route.givesReceipt else { return self }
        var problem = self
        problem.receipt = Receipt(receivedAt: now, serverTime: now, endsAt: room?.endsAt, seq: room?.seq)
        return problem
    }

    func response(_ context: ProblemContext) -> Response { Response(commandResponse(context)) }
}

extension Response {
    /// Converts the service's response to a command into an HTTP response.
    init(_ response: CommandResponse, requestID: String? = nil, extraHeaders: [(name: String, value: String)] = []) {
        var headers: [(name: String, value: String)] = []
        headers.reserveCapacity(response.headers.count + extraHeaders.count + 2)
        headers.append(("Cache-Control", "no-store"))
        for header in response.headers { headers.append((header.name, header.value)) }
        headers.append(contentsOf: extraHeaders)
        if let requestID { headers.append(("X-Request-Id", requestID)) }
        self.init(status: response.status, headers: headers, body: response.body)
    }

    /// A JSON response that must not be cached.
    static func json(_ bytes: [UInt8], status: Int = 200) -> Response {
        var headers: [(name: String, value: String)] = []
        // The request's id follows, and an entity tag or an age.
        headers.reserveCapacity(4)
        headers.append(("Content-Type", "application/json"))
        headers.append(("Cache-Control", "no-store"))
        return Response(status: status, headers: headers, body: bytes)
    }
}

extension Language {
    /// Chinese if the header prefers it to English; English otherwise.
    init(acceptLanguage header: String?) {
        guard let header else {
            self = .english
            return
        }
        var best = (weight: 0.0, language: Language.english)
        for (tag, weight) in header.weightedList where weight > best.weight {
            if let language = Language(rawValue: String(tag.prefix { $0 != "-" })) { best = (weight, language) }
        }
        self = best.language
    }
}

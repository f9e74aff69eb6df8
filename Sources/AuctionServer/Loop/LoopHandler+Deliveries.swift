internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

// What comes back from the service: answers first, then rooms that were looked for, then events.
extension LoopHandler {
    func receive(_ delivery: Delivery) {
        for (exchange, answer) in delivery.answers { answered(exchange, answer) }
        for (exchange, error) in delivery.touched { touched(exchange, error) }
        // A command that waited for its room comes from here, and the loop ends only turns in which requests came.
        turnEnded()
        guard !delivery.events.isEmpty else { return }
        let now = shared.clock.now()
        for (room, events) in delivery.events {
            release(feed.handle(.published(room.id, events), now: now))
            publish(events, of: room)
        }
    }

    /// Hands a command to the service; the exchange is held until its answer is delivered.
    func submit(
        _ command: Command, of room: RoomID, in context: RequestContext, by caller: Person,
        idempotency: IdempotencyKey?, headers: [(name: String, value: String)] = []
    ) throws(Problem) {
        try checkRate(of: command, in: context, by: caller)
        try shared.pending.enter()
        context.exchange.userInfo = RequestState(requestID: context.requestID, headers: headers)
        submitted.append(
            CommandRequest(
                room: room, command: command, caller: caller,
                info: RequestInfo(
                    language: context.language, path: context.exchange.path, requestID: context.requestID,
                    receivedAt: context.now.wall),
                idempotency: idempotency,
                reply: ReplyAddress(loop: loop.index, exchange: context.exchange.id.rawValue), seed: seeds.next(),
                drawSeed: command.mayDrawLot ? seeds.nextWide() : nil))
        // A few at a time: each hand-over may cost a wake-up, but a whole turn's worth would keep the sequencer idle
        // while this loop works and this loop idle while the sequencer does.
        if submitted.count >= Self.commandsPerHandOver { turnEnded() }
    }

    /// Bids and messages have bounds of their own, per room. Everything else counts together: each may write an event and take
    /// up one of the keys that a room remembers, whichever room it is.
    private func checkRate(of command: Command, in context: RequestContext, by caller: Person) throws(Problem) {
        switch command {
        case .placeBid, .sendMessage: return
        default: break
        }
        guard !shared.commandLimiter.isOff else { return }
        let verdict = shared.commandLimiter.take(caller.id, at: context.now.monotonic)
        guard !verdict.isAllowed else { return }
        context.exchange.userInfo = RequestState(
            requestID: context.requestID, headers: shared.commandLimiter.headers(verdict))
        throw .tooManyRequests(
            "command.rate", retryAfterSeconds: verdict.retryAfterSeconds)
    }

    /// What the turn still holds goes to the service.
    func turnEnded() {
        guard !submitted.isEmpty else { return }
        shared.service.submit(submitted)
        submitted.removeAll(keepingCapacity: true)
    }

    private func answered(_ exchange: UInt64, _ answer: Answer) {
        shared.pending.leave()
        // The client may have hung up; what it asked for stands all the same.
        guard let exchange = loop.exchange(ExchangeID(rawValue: exchange)) else { return }
        let state = exchange.userInfo as? RequestState
        exchange.respond(Response(answer, requestID: state?.requestID, also: state?.headers ?? []))
    }

    private func touched(_ exchange: UInt64, _ error: EventLogError?) {
        shared.pending.leave()
        guard let exchange = loop.exchange(ExchangeID(rawValue: exchange)) else { return }
        guard let error else { return handle(exchange, afterTouch: true) }
        let requestID = (exchange.userInfo as? RequestState)?.requestID ?? ""
        var problem = Problem(reading: error)
        if case .found(let route, _) = router.match(exchange.method, exchange.path) {
            problem = problem.answering(route, nil, at: shared.clock.now().wall)
        }
        respond(problem, to: exchange, requestID, .init(acceptLanguage: exchange.header("Accept-Language")))
    }

    /// Reads the log or a large room off the loop and answers with what `read` makes of it; 503 where too many such reads wait.
    func offload(
        _ context: RequestContext, _ read: @escaping @Sendable (any EventLog) throws(EventLogError) -> Response
    ) {
        let (id, requestID, language) = (context.exchange.id, context.requestID, context.language)
        let (path, registry, index) = (context.exchange.path, shared.registry, loop.index)
        let caller = context.caller?.id.description ?? context.exchange.clientNetwork(shared).description
        // What is read from the log alone is as old as the reading.
        let confirmedAt = context.confirmedAt ?? (shared.service.isShared ? shared.clock.uptime() : nil)
        let isTaken = shared.service.read(for: caller) { log in
            let response: Response
            do throws(EventLogError) {
                response = try read(log)
            } catch {
                response = Problem(reading: error).response(
                    ProblemSurroundings(language: language, instance: path, requestID: requestID))
            }
            registry.post(to: index) { $0.finish(id, response, requestID, confirmedAt: confirmedAt) }
        }
        if !isTaken { respond(.tooManyReads, to: context.exchange, requestID, language) }
    }

    /// Reads a number from the log off the loop, then goes on here with it.
    func count(
        _ context: RequestContext, _ count: @escaping @Sendable (any EventLog) throws(EventLogError) -> Int,
        then goOn: @escaping (Int) throws(Problem) -> Void
    ) {
        let (id, registry, index) = (context.exchange.id, shared.registry, loop.index)
        counting[id] = { [unowned self] result in
            guard let exchange = loop.exchange(id) else { return }
            do throws(Problem) {
                guard case .success(let number) = result else { throw .unavailable }
                try goOn(number)
            } catch {
                respond(error, to: exchange, context.requestID, context.language)
            }
        }
        shared.service.readForCommand { log in
            let result = Result { () throws(EventLogError) in try count(log) }
            registry.post(to: index) { handler in
                handler.counting.removeValue(forKey: id)?(result)
                handler.turnEnded()
            }
        }
    }

    /// - Parameter confirmedAt: From when what it says is; nil where that does not matter.
    func finish(_ id: ExchangeID, _ response: Response, _ requestID: String, confirmedAt: Int64? = nil) {
        guard let exchange = loop.exchange(id) else { return }
        var response = response
        do throws(Problem) {
            if response.status < 400, let age = try ageHeader(confirmedAt: confirmedAt) { response.headers.append(age) }
        } catch {
            return respond(error, to: exchange, requestID, .init(acceptLanguage: exchange.header("Accept-Language")))
        }
        response.headers.append(("X-Request-Id", requestID))
        exchange.respond(response)
    }
}

extension Problem {
    /// Why something could not be read. What is damaged stays so, however often it is asked for.
    fileprivate init(reading error: EventLogError) {
        switch error.code {
        case .corrupt: self = .internalError
        case .busy: self = .tooManyReads
        default: self = .unavailable
        }
    }
}

/// Carries the service's deliveries to the loops: one posted job per loop and batch.
final class LoopPort: DeliveryPort {
    private let handlers: LoopRegistry
    let loopCount: Int

    init(handlers: LoopRegistry, loopCount: Int) {
        self.handlers = handlers
        self.loopCount = loopCount
    }

    func deliver(_ delivery: Delivery, to loop: Int) { handlers.post(to: loop) { $0.receive(delivery) } }
}

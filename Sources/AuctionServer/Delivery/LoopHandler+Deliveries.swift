internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

// Deliveries from the service: responses first, then finished loads of rooms, then events.
extension LoopHandler {
    func receive(_ delivery: Delivery) {
        for (exchange, response) in delivery.responses { respond(to: exchange, with: response) }
        isRespondingToCommands = !delivery.responses.isEmpty
        defer { isRespondingToCommands = false }
        for (exchange, error) in delivery.loadFinished { loadFinished(exchange, error) }
        // Requests that waited for a room may submit commands here, and the loop calls `turnEnded` only in turns with new requests.
        turnEnded()
        // The room's subscribers may all be on other loops.
        for (room, events) in delivery.events { perform(subscriptions.published(room, events)) }
    }

    /// Submits a command to the service; the exchange is held until the response is delivered.
    func submit(
        _ command: Command, of room: RoomID, in context: RequestContext, by caller: Person,
        idempotency: IdempotencyKey?, headers: [(name: String, value: String)] = []
    ) throws(Problem) {
        switch command {
        case .placeBid, .sendMessage:
            // They have limits of their own, and no pictures.
            try shared.pending.enter()
            pendingCommands[context.exchange.id] = PendingCommand(requestID: context.requestID, headers: headers)
            return enqueue(command, of: room, in: context, by: caller, idempotency: idempotency)
        // Counted before its body was read.
        case _ where command.isLarge: break
        default: try takeCommand(of: caller, in: context)
        }
        let command = try command.checkingMedia(shared.options.media.problem)
        let pictures = Set(command.media.compactMap { PictureID(path: $0) })
        // Pictures of what is refused anyway are not kept.
        if !pictures.isEmpty { try checkItems(of: command, in: room, by: caller, at: context.now.wall) }
        try shared.pending.enter()
        pendingCommands[context.exchange.id] = PendingCommand(requestID: context.requestID, headers: headers)
        guard !pictures.isEmpty, !command.isRefused else {
            return enqueue(command, of: room, in: context, by: caller, idempotency: idempotency)
        }
        // Before the event that names them is committed, so that no crash in between can lose them.
        keep(Array(pictures), for: context) { [unowned self] unknown throws(Problem) in
            let known = try command.checkingMedia { address in
                PictureID(path: address).map(unknown.contains) == true ? .pictureUnknown : nil
            }
            enqueue(known, of: room, in: context, by: caller, idempotency: idempotency)
        }
    }

    /// Refuses who may add no items, if this node alone decides that: another one may have changed the caller's role a moment ago.
    private func checkItems(of command: Command, in room: RoomID, by caller: Person, at now: Timestamp) throws(Problem) {
        guard !shared.service.isShared, let state = shared.service.rooms[room]?.view.room else { return }
        let action: RoomAction
        switch command {
        case .uploadItem: action = .uploadItem
        case .queueLot, .importLots: action = .queueLot
        default: return
        }
        let question = RuleContext(room: state, rulebook: shared.rulebook, caller: caller.id, at: now)
        guard let denial = shared.rulebook.denial(of: action, in: question) else { return }
        throw Problem(Refusal(denial), allowed: shared.rulebook.allowedActions(of: caller.id, in: state, at: now))
    }

    /// Submits a command of a link, which has been counted; `answered` takes its response.
    func submit(_ command: Command, of room: RoomID, as link: PendingLink) throws(Problem) {
        try shared.pending.enter()
        pendingCommands[link.context.exchange.id] = PendingCommand(
            requestID: link.context.requestID, headers: [], link: link)
        enqueue(command, of: room, in: link.context, by: link.user, idempotency: nil)
    }

    private func enqueue(
        _ command: Command, of room: RoomID, in context: RequestContext, by caller: Person, idempotency: IdempotencyKey?
    ) {
        submitted.append(
            CommandRequest(
                room: room, command: command, caller: caller,
                info: RequestInfo(
                    language: context.language, path: context.exchange.path, requestID: context.requestID,
                    receivedAt: context.now.wall),
                idempotency: idempotency,
                reply: ReplyAddress(loop: loop.index, exchange: context.exchange.id.rawValue), seed: seeds.next(),
                drawSeed: command.mayDrawLot ? DrawSeed(bits: seeds.nextWide()) : nil))
        // Small batches: each may cost a wake-up of the sequencer, but one batch per turn would leave the sequencer idle while this loop
        // works, and this loop idle while the sequencer works.
        if submitted.count >= Self.commandBatchLimit { turnEnded() }
    }

    /// Bids and messages have their own limits, per room. All other commands of a user share one limit across rooms: each may write an
    /// event and occupy one of the room's stored idempotency keys.
    /// - Parameter tokens: More for one that costs as much as so many others.
    func takeCommand(of caller: Person, in context: RequestContext, tokens: Int = 1) throws(Problem) {
        guard !shared.commandLimiter.isOff else { return }
        let verdict = shared.commandLimiter.take(caller.id, tokens: tokens, at: context.now.monotonic)
        guard verdict.isAllowed else { throw shared.commandLimiter.problem("command.rate", verdict) }
    }

    /// Submits the commands collected in this turn.
    func turnEnded() {
        guard !submitted.isEmpty else { return }
        let isAlone = submitted.count == 1 && pendingCommands.count == 1 && !submitted[0].command.isLarge
        shared.service.submit(submitted, decidesNow: isAlone)
        submitted.removeAll(keepingCapacity: true)
    }

    private func respond(to exchange: UInt64, with response: CommandResponse) {
        shared.pending.leave()
        let id = ExchangeID(rawValue: exchange)
        let pending = pendingCommands.removeValue(forKey: id)
        if let link = pending?.link { return answered(response, for: link) }
        // The client may have disconnected; the command took effect all the same.
        guard let exchange = loop.exchange(id) else { return }
        exchange.respond(Response(response, requestID: pending?.requestID, extraHeaders: pending?.headers ?? []))
    }

    private func loadFinished(_ exchange: UInt64, _ error: EventLogError?) {
        shared.pending.leave()
        let id = ExchangeID(rawValue: exchange)
        guard let context = suspended.removeValue(forKey: id), loop.exchange(id) != nil else { return }
        guard let error else {
            context.isFresh = true
            return resume(context)
        }
        let problem = Problem(reading: error).addingReceipt(context.route, nil, at: shared.clock.now().wall)
        respond(problem, to: context.exchange, context.requestID, context.language)
    }

    /// Reads the log or a large room on a reader thread and sends the response that `read` returns; 503 if too many reads are pending.
    /// - Parameters:
    ///   - confirmedAt: when the room was last known to match the log; nil for data that comes only from the log.
    ///   - kind: names reads of which a caller may have one at a time; nil for other reads.
    ///   - storesPicture: whether it is no read, but stores a picture, which another thread does.
    func offload(
        _ context: RequestContext, for viewer: Caller?, confirmedAt: Int64? = nil, oneAtATime kind: String? = nil,
        storesPicture: Bool = false,
        _ read: @escaping @Sendable (any EventLog) throws(EventLogError) -> Response
    ) -> Reply {
        let (id, requestID, language) = (context.exchange.id, context.requestID, context.language)
        let (path, registry, index) = (context.exchange.path, shared.registry, loop.index)
        let caller = viewer?.id.description ?? context.exchange.clientNetwork(shared).description
        // Data that comes only from the log is as recent as this read.
        let confirmedAt = confirmedAt ?? (shared.service.isShared ? shared.clock.uptime() : nil)
        let counted = kind.map { "\(caller) \($0)" } ?? caller
        let isTaken = shared.service.read(
            for: counted, atMost: kind == nil ? .max : 1, storesPicture: storesPicture
        ) { log -> Response in
            do throws(EventLogError) {
                return try read(log)
            } catch {
                return Problem(reading: error).response(
                    ProblemContext(language: language, instance: path, requestID: requestID))
            }
        } then: { response in
            registry.post(to: index) { $0.finish(id, response, requestID, confirmedAt: confirmedAt) }
        }
        if !isTaken { respond(.tooManyReads, to: context.exchange, requestID, language) }
        return .later
    }

    /// Reads a number from the log on a reader thread, then calls `proceed` with it on this loop.
    func count(
        _ context: RequestContext, _ count: @escaping @Sendable (any EventLog) throws(EventLogError) -> Int,
        then proceed: @escaping (Int) throws(Problem) -> Void
    ) {
        let (id, registry, index) = (context.exchange.id, shared.registry, loop.index)
        pendingCounts[id] = { [unowned self] result in
            guard let exchange = loop.exchange(id) else { return }
            do throws(Problem) {
                guard case .success(let number) = result else { throw .unavailable }
                try proceed(number)
            } catch {
                respond(error, to: exchange, context.requestID, context.language)
            }
        }
        shared.service.readForCommand { log in
            let result = Result { () throws(EventLogError) in try count(log) }
            registry.post(to: index) { handler in
                handler.pendingCounts.removeValue(forKey: id)?(result)
                handler.turnEnded()
            }
        }
    }

    /// Reads a command from a large body on a reader thread, then calls `proceed` with it on this loop. It counts as a command for each
    /// 16 KiB, whether it is refused later or not. A caller may have one such body read at a time; 503 for a second one.
    func readCommand(
        _ context: RequestContext, of caller: Caller, _ read: @escaping @Sendable () throws(Problem) -> Command,
        then proceed: @escaping (Command) throws(Problem) -> Void
    ) throws(Problem) {
        try takeCommand(of: caller.person, in: context, tokens: 1 + context.exchange.body.count / 16_384)
        let (id, registry, index) = (context.exchange.id, shared.registry, loop.index)
        let isTaken = shared.service.read(for: "\(caller.id) body", atMost: 1) { _ in
            Result { () throws(Problem) in try read() }
        } then: { result in
            registry.post(to: index) { handler in
                handler.pendingBodies.removeValue(forKey: id)?(result)
                handler.turnEnded()
            }
        }
        guard isTaken else { throw .tooManyReads }
        pendingBodies[id] = { [unowned self] result in
            guard let exchange = loop.exchange(id) else { return }
            do throws(Problem) {
                try proceed(try result.get())
            } catch {
                if error.status == 400 {
                    countMalformed(by: .user(caller.id), bytes: exchange.body.count, at: shared.clock.now().monotonic)
                }
                respond(error, to: exchange, context.requestID, context.language)
            }
        }
    }

    /// - Parameter confirmedAt: when the content was last known to match the log, for the `Age` header; nil: no header.
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
    /// Converts a failed read of the log. Corruption is a 500 without `Retry-After`, since a retry cannot succeed.
    init(reading error: EventLogError) {
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

    func deliver(_ delivery: Delivery, to loop: Int) { handlers.deliver(delivery, to: loop) }
}

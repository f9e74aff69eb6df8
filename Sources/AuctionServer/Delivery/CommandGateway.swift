internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

/// The commands of one event loop on their way to the service and back. Used on that loop's thread only.
final class CommandGateway {
    private unowned let handler: LoopHandler
    /// Commands of this turn of the loop, not yet submitted.
    private var submitted: [CommandRequest] = []
    /// Commands whose response is pending.
    private var pending: [ExchangeID: PendingCommand] = [:]
    /// Responses to commands were handed to libmicrohttpd in this delivery, which writes them behind polls that are answered in it.
    private var isResponding = false
    /// Users of whom it is being decided whether they may leave the service.
    private var stopped = StoppedCommands()

    private static let batchLimit = 8

    init(of handler: LoopHandler) { self.handler = handler }

    /// Whether a command waits for its response, or has just got it.
    var isBusy: Bool { !pending.isEmpty || isResponding }

    /// Submits a command to the service; the exchange is held until the response is delivered.
    /// - Parameter isCounted: Whether it has been counted against the caller's limit of commands, before something was read for it.
    func submit(
        _ command: Command, of room: RoomID, in context: RequestContext, by caller: Person,
        idempotency: IdempotencyKey?, headers: [(name: String, value: String)] = [], isCounted: Bool = false
    ) throws(Problem) {
        // Once: each use of an unowned reference counts it.
        let handler = handler
        guard !stopped.contain(caller.id) else { throw .isLeaving }
        var (command, pictures) = (command, [PictureID]())
        switch command {
        // They have limits of their own, and name no pictures.
        case .placeBid, .placeFloorBid, .sendMessage: break
        default:
            // A large one was counted before its body was read.
            if !command.isLarge, !isCounted { try handler.takeCommand(of: caller, in: context) }
            guard let checked = try handler.checkPictures(of: command, in: room, by: caller, context) else { return }
            (command, pictures) = checked
        }
        do throws(Problem) {
            try handler.checkLogTakes(command, in: room)
            try handler.takeTextBytes(of: command, in: room, by: caller.id, context)
        } catch {
            // Submitted as refused, since a repeat with its key gets the stored response.
            guard idempotency != nil else { throw error }
            (command, pictures) = (.refused(Refusal(texts: error)), [])
        }
        try handler.shared.limits.pending.enter()
        pending[context.exchange.id] = PendingCommand(requestID: context.requestID, headers: headers)
        guard !pictures.isEmpty else {
            return enqueue(command, of: room, in: context, by: caller, idempotency: idempotency, handler)
        }
        // Before the event that names them is committed, so that no crash in between can lose them.
        handler.keep(pictures, of: command, for: context) { [unowned self] command in
            enqueue(command, of: room, in: context, by: caller, idempotency: idempotency, self.handler)
        }
    }

    /// Submits a command of a link, which has been counted; `LoopHandler.answered` takes its response.
    func submit(_ command: Command, of room: RoomID, as link: PendingLink) throws(Problem) {
        let handler = handler
        guard !stopped.contain(link.user.id) else { throw .isLeaving }
        try handler.shared.limits.pending.enter()
        pending[link.context.exchange.id] = PendingCommand(requestID: link.context.requestID, headers: [], part: .link(link))
        enqueue(command, of: room, in: link.context, by: link.user, idempotency: nil, handler)
    }

    /// Submits a command of an erasure; `LoopHandler.answered` takes its response.
    func submit(_ command: Command, of room: RoomID, as erasure: PendingErasure) throws(Problem) {
        let handler = handler
        try handler.shared.limits.pending.enter()
        pending[erasure.id] = PendingCommand(requestID: "", headers: [], part: .erasure(erasure))
        submitted.append(
            CommandRequest(
                room: room, command: command, caller: erasure.caller,
                info: RequestInfo(
                    language: .english, path: "/v1/me", requestID: erasure.request?.requestID ?? "",
                    receivedAt: handler.shared.clock.now().wall),
                idempotency: nil, reply: ReplyAddress(loop: handler.loop.index, exchange: erasure.id.rawValue),
                seed: handler.nextSeed()))
    }

    private func enqueue(
        _ command: Command, of room: RoomID, in context: RequestContext, by caller: Person, idempotency: IdempotencyKey?,
        _ handler: LoopHandler
    ) {
        var decided = command
        if let act = context.act { decided = .byOperator(command, reason: act.reason) }
        submitted.append(
            CommandRequest(
                room: room, command: decided, caller: caller,
                info: RequestInfo(
                    language: context.language, path: context.exchange.path, requestID: context.requestID,
                    receivedAt: context.now.wall),
                idempotency: idempotency,
                reply: ReplyAddress(loop: handler.loop.index, exchange: context.exchange.id.rawValue),
                seed: handler.nextSeed(),
                drawSeed: command.mayNeedTieDraw ? DrawSeed(bits: handler.nextWideSeed()) : nil))
        // Small batches: each may cost a wake-up of the sequencer, but one batch per turn would leave the sequencer idle while this loop
        // works, and this loop idle while the sequencer works.
        if submitted.count >= Self.batchLimit { turnEnded() }
    }

    /// Submits the commands collected in this turn.
    func turnEnded() {
        guard !submitted.isEmpty else { return }
        let isAlone = submitted.count == 1 && pending.count == 1 && !submitted[0].command.isLarge
        handler.shared.service.submit(submitted, decidesNow: isAlone)
        submitted.removeAll(keepingCapacity: true)
    }

    /// Sends the responses of a delivery, then has `proceed` carry out the rest of it.
    func respond(_ responses: [(exchange: UInt64, response: CommandResponse)], then proceed: () -> Void) {
        for (exchange, response) in responses { respond(to: exchange, with: response) }
        isResponding = !responses.isEmpty
        proceed()
        isResponding = false
    }

    /// Sends the service's response to a command.
    private func respond(to exchange: UInt64, with response: CommandResponse) {
        let handler = handler
        handler.shared.limits.pending.leave()
        let id = ExchangeID(rawValue: exchange)
        let command = pending.removeValue(forKey: id)
        defer { stopped.responded(to: id) }
        switch command?.part {
        case .link(let link): return handler.answered(response, for: link)
        case .erasure(let erasure):
            handler.answered(response, for: erasure)
            // The loop calls it only in turns with new requests.
            return handler.turnEnded()
        case nil: break
        }
        // The client may have disconnected; the command took effect all the same.
        guard let exchange = handler.loop.exchange(id) else { return }
        exchange.respond(Response(response, requestID: command?.requestID, extraHeaders: command?.headers ?? []))
    }

    /// Refuses the user's commands until `allow`.
    /// - Parameter proceed: Is called once all commands that were taken before have their responses.
    func stop(of user: UserID, then proceed: @escaping () -> Void = {}) {
        stopped.insert(user, after: pending.keys, then: proceed)
    }

    func allow(_ user: UserID) { stopped.remove(user) }

    /// What to respond instead of a refusal to an exchange whose command was submitted: it may be committed yet. Nil for others.
    func outcomeUnknown(_ exchange: Exchange) -> Problem? {
        pending[exchange.id].map { $0.part == nil ? Problem(ServiceFailure.outcomeUnknown) : .linkOutcomeUnknown }
    }
}

extension Problem {
    fileprivate static let isLeaving = Problem(
        .unavailable, code: "service.unavailable",
        LocalizedText(
            "Another request of yours asks to leave the service, and it is being decided whether you may; try again in a moment.",
            "您的另一个请求要求注销,正在判断是否可以注销,请稍后重试。"))
}

/// What the response to a command has in addition to the service's.
private struct PendingCommand {
    let requestID: String
    /// Such as the caller's rate limit.
    let headers: [(name: String, value: String)]
    /// What the command is part of; nil for a command of its own.
    var part: Part?

    enum Part {
        case link(PendingLink)
        case erasure(PendingErasure)
    }
}

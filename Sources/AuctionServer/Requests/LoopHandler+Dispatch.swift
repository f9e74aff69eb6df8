internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

/// The room that a request names, in a state that its caller may see.
struct VisibleRoom {
    let committed: CommittedRoom
    let view: CommittedView
    /// Nil without a token.
    let viewer: Caller?
    /// When the room was last known to match the log, in monotonic time; nil if the log is not shared, and for commands.
    let confirmedAt: Int64?

    var id: RoomID { committed.id }
    var state: Room { view.room }
}

/// What was found so far, for the response.
private struct Progress {
    var room: CommittedView?
    var age: (name: String, value: String)?
    /// The caller whose malformed bodies are counted; nil before the body is read, and without one.
    var sender: Requester?
}

// Finds what the handler of a route needs, in the order that the contract prescribes.
extension LoopHandler {
    func dispatch(_ context: inout RequestContext) throws(Problem) -> Reply {
        let route = context.route
        var progress = Progress()
        do throws(Problem) {
            guard MediaRange.takes(context.exchange.header("Accept"), oneOf: route.mediaTypes) else {
                throw .notAcceptable(route.mediaTypes)
            }
            try checkRecovered(for: route)
            if route.isRead, shared.responses.isExceeded { throw .tooManyResponseBytes(shared.responses.limit) }
            let reply = try call(&context, &progress)
            guard let age = progress.age, case .now(var response) = reply else { return reply }
            response.headers.append(age)
            return .now(response)
        } catch {
            if let sender = progress.sender, error.status == 400 || error.status == 415 {
                countMalformed(by: sender, bytes: context.exchange.body.count, at: context.now.monotonic)
            }
            throw error.addingReceipt(route, progress.room?.room, at: context.now.wall)
        }
    }

    /// Calls the handler with the caller, then the room that the caller may see, then the body: whatever a check refuses, the later ones
    /// must not reveal.
    private func call(_ context: inout RequestContext, _ progress: inout Progress) throws(Problem) -> Reply {
        switch context.route.handler {
        case .anybody(let handle), .operator(let handle): return try handle(context)
        case .viewer(let handle): return try handle(context, try viewer(context))
        case .caller(let handle):
            let caller = try caller(context)
            try admitBody(of: caller, context, &progress)
            return try handle(context, caller)
        case .room(let handle):
            guard try redeemTicket(&context) else { return .later }
            guard let room = try room(of: try viewer(context), context, &progress) else { return .later }
            return try handle(context, room)
        case .callerInRoom(let handle):
            let caller = try caller(context)
            guard let room = try room(of: caller, context, &progress) else { return .later }
            try admitBody(of: caller, context, &progress)
            return try handle(context, caller, room)
        case .body(let handle):
            let caller = try caller(context)
            guard let room = try room(of: caller, context, &progress) else { return .later }
            try admitBody(of: caller, context, &progress)
            var fields = try context.bodyFields()
            return try handle(context, caller, room, &fields)
        }
    }

    /// Refuses a body of a caller that has sent too many malformed ones. The body of a DELETE is ignored.
    private func admitBody(of caller: Caller, _ context: RequestContext, _ progress: inout Progress) throws(Problem) {
        let method = context.route.method
        guard !context.exchange.body.isEmpty, method == .post || method == .patch else { return }
        let sender = Requester.user(caller.id)
        try checkMalformed(by: sender, at: context.now.monotonic)
        progress.sender = sender
    }

    /// The room that the path names; nil while it is being loaded.
    private func room(
        of viewer: Caller?, _ context: RequestContext, _ progress: inout Progress
    ) throws(Problem) -> VisibleRoom? {
        guard let committed = try committedRoom(context) else { return nil }
        // Read before the view, which may be replaced by a newer one in between: the reported age is never too low.
        let confirmedAt = context.route.method == .get ? confirmation(of: committed) : nil
        let view = committed.view
        guard isOpen(view.room, to: viewer?.id, context) else {
            guard shared.service.isShared, !context.isFresh else {
                if context.route.opensHidden, let viewer { countWrongCode(by: viewer.id, at: context.now.monotonic) }
                throw .roomNotFound
            }
            // Another node may have admitted the caller a moment ago.
            try refresh(committed.id, context)
            return nil
        }
        progress.room = view
        progress.age = try ageHeader(confirmedAt: confirmedAt)
        return VisibleRoom(committed: committed, view: view, viewer: viewer, confirmedAt: confirmedAt)
    }

    private func committedRoom(_ context: RequestContext) throws(Problem) -> CommittedRoom? {
        guard let id = RoomID(context.parameters[0]) else { throw .roomNotFound }
        if let room = shared.service.rooms[id] { return room }
        guard !context.isFresh else { throw .roomNotFound }
        try loadRoom(id, context)
        return nil
    }

    /// Loads a room into memory, then resumes the request.
    func loadRoom(_ id: RoomID, _ context: RequestContext) throws(Problem) {
        shared.service.ensureLoaded(id, for: try waitForRoom(context))
    }

    /// Refreshes the room from the log, then resumes the request.
    func refresh(_ id: RoomID, _ context: RequestContext) throws(Problem) {
        shared.service.refresh(id, for: try waitForRoom(context))
    }

    private func waitForRoom(_ context: RequestContext) throws(Problem) -> ReplyAddress {
        try shared.pending.enter()
        suspended[context.exchange.id] = context
        return ReplyAddress(loop: loop.index, exchange: context.exchange.id.rawValue)
    }
}

internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions
internal import Synchronization

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
    func dispatch(_ context: RequestContext) throws(Problem) -> Reply {
        let route = context.route
        var progress = Progress()
        do throws(Problem) {
            guard MediaRange.takes(context.exchange.list("Accept"), oneOf: route.mediaTypes) else {
                throw .notAcceptable(route.mediaTypes)
            }
            try checkRecovered(for: route)
            if route.isRead, shared.responses.budget.isExceeded { throw .tooManyResponseBytes(shared.responses.budget.limit) }
            let reply = try call(context, &progress)
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
    private func call(_ context: RequestContext, _ progress: inout Progress) throws(Problem) -> Reply {
        switch context.route.handler {
        case .anonymous(let handle), .operator(let handle): return try handle(context)
        case .service(let handle):
            let token = try serviceToken(context)
            return try handle(context, token)
        case .serviceInRoom(let handle):
            let token = try serviceToken(context)
            guard let room = try anyRoom(context, &progress) else { return .later }
            return try handle(context, token, room)
        case .viewer(let handle):
            let viewer = try viewer(context)
            return try handle(context, viewer?.service == nil ? viewer : nil)
        case .caller(let handle):
            let caller = try caller(context)
            try admitBody(of: caller, context, &progress)
            return try handle(context, caller)
        case .room(let handle):
            guard try redeemTicket(context) else { return .later }
            guard let room = try room(of: try viewer(context), context, &progress) else { return .later }
            return try handle(context, room)
        case .callerInRoom(let handle):
            let caller = try caller(context)
            guard let room = try room(of: caller, context, &progress) else { return .later }
            try admitBody(of: caller, context, &progress)
            if let service = caller.service, context.route.takesOperators { try context.act(by: service) }
            return try handle(context, caller, room)
        case .body(let handle):
            let caller = try caller(context)
            guard let room = try room(of: caller, context, &progress) else { return .later }
            try admitBody(of: caller, context, &progress)
            if let service = caller.service { try context.act(by: service) }
            var fields = try context.bodyFields()
            return try handle(context, caller, room, &fields)
        }
    }

    /// Refuses a body of a caller that has sent too many malformed ones.
    private func admitBody(of caller: Caller, _ context: RequestContext, _ progress: inout Progress) throws(Problem) {
        guard context.exchange.hasBody, context.route.method != .get else { return }
        let sender = Requester.user(caller.id)
        try checkMalformed(by: sender, at: context.now.monotonic)
        progress.sender = sender
    }

    /// The room that the path names; nil while it is being loaded.
    private func room(
        of viewer: Caller?, _ context: RequestContext, _ progress: inout Progress
    ) throws(Problem) -> VisibleRoom? {
        guard let committed = try committedRoom(of: viewer, context) else { return nil }
        // Read before the view, which may be replaced by a newer one in between: the reported age is never too low.
        let confirmedAt = context.route.method == .get ? confirmation(of: committed) : nil
        let view = committed.view
        guard isOpen(view.room, to: viewer?.id, context) else {
            guard shared.service.isShared, !context.isFresh else {
                throw notFound(for: viewer, context)
            }
            // Another node may have admitted the caller a moment ago.
            try refresh(committed.id, context)
            return nil
        }
        // An archived room is found for the sake of stored responses only, and shown in nothing else.
        if !view.room.isArchived { progress.room = view }
        progress.age = try ageHeader(confirmedAt: confirmedAt)
        // A program of the operator sees what is shown without a token, in any room; events are shown by who may see the room.
        let isUnnamed = context.route.isReadByOperators && !context.route.takesTicket
        let reader = isUnnamed && viewer?.service != nil ? nil : viewer
        return VisibleRoom(committed: committed, view: view, viewer: reader, confirmedAt: confirmedAt)
    }

    /// The room that the path names, for the operator; nil while it is being loaded.
    private func anyRoom(_ context: RequestContext, _ progress: inout Progress) throws(Problem) -> VisibleRoom? {
        guard let committed = try committedRoom(of: nil, context) else { return nil }
        let confirmedAt = context.route.method == .get ? confirmation(of: committed) : nil
        let view = committed.view
        guard !view.room.isArchived else { throw .roomNotFound }
        progress.age = try ageHeader(confirmedAt: confirmedAt)
        return VisibleRoom(committed: committed, view: view, viewer: nil, confirmedAt: confirmedAt)
    }

    private func committedRoom(of viewer: Caller?, _ context: RequestContext) throws(Problem) -> CommittedRoom? {
        guard let id = context.path.room else { throw notFound(for: viewer, context) }
        if let room = shared.service.rooms[id] { return room }
        guard !context.isFresh else { throw notFound(for: viewer, context) }
        try loadRoom(id, context)
        return nil
    }

    /// The refusal for a room that is hidden from the caller, or does not exist. Joining counts as a wrong invite code in both cases: its limit
    /// would tell them apart otherwise.
    private func notFound(for viewer: Caller?, _ context: RequestContext) -> Problem {
        if context.route.opensHidden, let viewer { countWrongCode(by: viewer.id, at: context.now.monotonic) }
        return .roomNotFound
    }

    /// Loads a room into memory, then resumes the request.
    func loadRoom(_ id: RoomID, _ context: RequestContext) throws(Problem) {
        shared.service.ensureLoaded(id, of: loadCaller(context), for: try waitForRoom(context))
    }

    /// Refreshes the room from the log, then resumes the request.
    func refresh(_ id: RoomID, _ context: RequestContext) throws(Problem) {
        shared.service.refresh(id, of: loadCaller(context), for: try waitForRoom(context))
    }

    /// The caller whose quota of concurrent loads the request uses.
    private func loadCaller(_ context: RequestContext) -> LoadCaller {
        LoadCaller(
            context.viewer?.description ?? shared.origins.network(of: context.exchange).description,
            isForCommand: context.route.keepsResponse)
    }

    private func waitForRoom(_ context: RequestContext) throws(Problem) -> ReplyAddress {
        try shared.limits.pending.enter()
        held.hold(context)
        return ReplyAddress(loop: loop.index, exchange: context.exchange.id.rawValue)
    }
}

/// The authenticated caller and its token. A class, as most steps of a request pass it on.
final class Caller: Sendable {
    let principal: Principal
    /// A part of the header that it came in, which is not copied.
    let token: Substring
    /// Whether an operator has banned the user from all rooms, by the verifier that has accepted the token.
    let isBanned: Bool
    /// The service token of a program of the operator; nil for a user.
    let service: ServiceToken?

    init(principal: Principal, token: Substring, isBanned: Bool, service: ServiceToken? = nil) {
        (self.principal, self.token, self.isBanned, self.service) = (principal, token, isBanned, service)
    }

    var person: Person { principal.person }
    var id: UserID { principal.person.id }
}

// Authentication by the Authorization header, or by a ticket in the query.
extension LoopHandler {
    /// The caller of a route that requires a token.
    func caller(_ context: RequestContext) throws(Problem) -> Caller {
        guard let caller = try sender(context) else { throw .tokenMissing }
        return caller
    }

    /// The caller that the Authorization header names; nil without one.
    private func sender(_ context: RequestContext) throws(Problem) -> Caller? {
        let exchange = context.exchange
        if let known = client(of: exchange).caller, exchange.header("Authorization", is: known.authorization),
            isStillKnown(known, at: context.now)
        {
            if known.caller.isBanned, context.route.refusesBanned { throw .userBanned }
            context.viewer = known.caller.id
            return known.caller
        }
        guard let header = exchange.header("Authorization") else { return nil }
        let caller = try caller(with: try Self.bearer(header), context)
        // A service token may be revoked without another verifier of tokens.
        if caller.service == nil { remember(caller, by: header, exchange) }
        return caller
    }

    /// The caller of a route that requires no token; nil without one.
    func viewer(_ context: RequestContext) throws(Problem) -> Caller? {
        if let token = context.ticketToken { return try caller(with: token[...], context) }
        return try sender(context)
    }

    private func caller(with token: Substring, _ context: RequestContext) throws(Problem) -> Caller {
        // The other tokens are JSON Web Tokens, which begin so; the token of the operator's file may too.
        if !token.hasPrefix("ey") || context.route.takesOperators || context.route.isReadByOperators,
            let service = shared.operators.tokens.token(token, at: context.now.wall)
        {
            return try program(service, token, context)
        }
        let principal = try principal(of: token, at: context.now)
        let caller = Caller(principal: principal, token: token, isBanned: isBanned(principal.person.id))
        if caller.isBanned, context.route.refusesBanned { throw .userBanned }
        context.viewer = caller.id
        return caller
    }

    /// A program of the operator that acts in a room, or reads it.
    private func program(
        _ service: ServiceToken, _ token: Substring, _ context: RequestContext
    ) throws(Problem) -> Caller {
        let route = context.route
        guard route.takesOperators || route.isReadByOperators, let id = UserID.ofServiceToken(service.id) else {
            throw .notAPerson
        }
        let scope: ServiceScope = route.takesOperators ? .writeRooms : .readRooms
        guard service.scopes.contains(scope) else { throw .scopeMissing(scope) }
        // What it waits for would outlive its token.
        guard route.operation?.takesTicket != true || !isWaiting(context) else { throw .waitsByFeed }
        // Its end is that of the service token, which has been looked up.
        let principal = Principal(
            person: Person(id: id, nickname: service.name), expiresAt: context.now.wall, issuedAt: nil, source: .backend,
            tokenID: nil)
        context.viewer = id
        return Caller(principal: principal, token: token, isBanned: false, service: service)
    }

    /// Whether the request waits for events.
    private func isWaiting(_ context: RequestContext) -> Bool {
        EventStream.isPreferred(context.exchange.list("Accept")) || !["0", nil].contains(context.queryItems["wait"])
    }

    /// The service token of a request that is not hidden from it.
    private func serviceToken(_ context: RequestContext) throws(Problem) -> ServiceToken {
        guard let token = serviceToken(of: context.exchange, at: context.now.wall) else { throw .routeNotFound }
        guard case .service(let scope) = context.route.access else { throw .routeNotFound }
        guard token.scopes.contains(scope) else { throw .scopeMissing(scope) }
        return token
    }

    /// The service token in the Authorization header; nil without one.
    func serviceToken(of exchange: Exchange, at now: Timestamp) -> ServiceToken? {
        guard shared.operators.tokens.isOn, let header = exchange.header("Authorization"), let text = try? Self.bearer(header)
        else { return nil }
        return shared.operators.tokens.token(text, at: now)
    }

    /// Redeems the ticket in the query, if the route takes one, for the token that it was issued for. False while the shared log redeems
    /// it: the request resumes afterwards.
    func redeemTicket(_ context: RequestContext) throws(Problem) -> Bool {
        guard context.route.takesTicket, context.ticketToken == nil, let text = context.queryItems["ticket"]
        else { return true }
        // RFC 6750 section 2: a request must not transmit a token in more than one way.
        guard context.exchange.header("Authorization") == nil else {
            throw .malformed(
                "Send a ticket or an Authorization header, not both.", "票据与 Authorization 请求头只能二选一。", field: "ticket")
        }
        guard let room = context.path.room, let ticket = TicketStore.ticket(text) else { throw .ticketInvalid }
        if let sharedTickets = shared.tickets.inLog {
            try redeem(ticket, in: room, from: sharedTickets, context)
            return false
        }
        guard let token = shared.tickets.redeem(ticket, in: room, at: context.now) else { throw .ticketInvalid }
        context.ticketToken = token
        return true
    }

    private static func bearer(_ header: String) throws(Problem) -> Substring {
        let (scheme, bytes) = ("bearer ".utf8Span.span, header.utf8Span.span)
        // Setting one bit makes ASCII capitals small; the space has it already.
        guard bytes.count > scheme.count, scheme.indices.allSatisfy({ bytes[$0] | 0x20 == scheme[$0] }) else {
            throw .unauthorized(
                "token.invalid", "Authorization must be \"Bearer <token>\".", "Authorization 须为 \"Bearer <token>\"。")
        }
        return Substring(header.utf8.dropFirst(scheme.count))
    }
}

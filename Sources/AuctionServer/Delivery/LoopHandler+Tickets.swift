internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// Tickets on a shared log: log calls run on other threads, and the exchange is held until they complete.
extension LoopHandler {
    func issueTicket(to caller: Caller, for room: RoomID, _ context: RequestContext) throws(Problem) -> Reply {
        let ticket = seeds.nextWide()
        guard let sharedTickets = shared.sharedTickets else {
            let expiresAt = shared.tickets.give(ticket, for: String(caller.token), caller.principal, in: room, at: context.now)
            return .now(Self.response(ticket, until: expiresAt))
        }
        let expiresAt = TicketStore.expiry(at: context.now.wall, until: caller.principal.end(at: context.now))
        let (id, requestID, registry, index) = (context.exchange.id, context.requestID, shared.registry, loop.index)
        let language = context.language
        try sharedTickets.give(ticket, for: String(caller.token), of: caller.id, until: expiresAt, in: room) {
            problem in
            registry.post(to: index) { handler in
                guard let problem else { return handler.finish(id, Self.response(ticket, until: expiresAt), requestID) }
                guard let exchange = handler.loop.exchange(id) else { return }
                handler.respond(problem, to: exchange, requestID, language)
            }
        }
        return .later
    }

    /// Redeems a ticket in the shared log, then resumes the request.
    func redeem(
        _ ticket: TicketStore.Key, in room: RoomID, from sharedTickets: SharedTickets, _ context: RequestContext
    ) throws(Problem) {
        let (id, registry, index) = (context.exchange.id, shared.registry, loop.index)
        try sharedTickets.redeem(ticket, in: room) { found in registry.post(to: index) { $0.redeemed(id, found) } }
        suspended[id] = context
    }

    private func redeemed(_ id: ExchangeID, _ found: Result<String, Problem>) {
        // If the client disconnected meanwhile, its ticket is spent.
        guard let context = suspended.removeValue(forKey: id), loop.exchange(id) != nil else { return }
        switch found {
        case .success(let token):
            context.ticketToken = token
            resume(context)
            turnEnded()
        case .failure(let problem): respond(problem, to: context.exchange, context.requestID, context.language)
        }
    }

    private static func response(_ ticket: TicketStore.Key, until expiresAt: Timestamp) -> Response {
        var json = JSONWriter(reserving: 128)
        json.object { json in
            json.member("ticket", TicketStore.text(of: ticket))
            json.member("expiresAt", expiresAt)
        }
        return .json(json.bytes, status: 201)
    }
}

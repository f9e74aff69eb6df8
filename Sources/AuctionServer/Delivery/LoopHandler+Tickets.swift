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
            let expiresAt = shared.tickets.give(ticket, for: caller.token, caller.principal, in: room, at: context.now)
            return .now(Self.answer(ticket, until: expiresAt))
        }
        let expiresAt = TicketStore.expiry(at: context.now.wall, until: caller.principal.end(at: context.now))
        let (id, requestID, registry, index) = (context.exchange.id, context.requestID, shared.registry, loop.index)
        context.exchange.userInfo = RequestState(requestID: requestID)
        try sharedTickets.give(ticket, for: caller.token, of: caller.id, until: expiresAt, in: room) {
            problem in
            registry.post(to: index) { handler in
                guard let problem else { return handler.finish(id, Self.answer(ticket, until: expiresAt), requestID) }
                handler.refuseHeld(id, problem)
            }
        }
        return .later
    }

    /// Redeems a ticket in the shared log; the exchange is handled again afterwards.
    func redeem(
        _ ticket: TicketStore.Key, in room: RoomID, from sharedTickets: SharedTickets, _ exchange: Exchange, _ requestID: String
    ) throws(Problem) {
        let (id, registry, index) = (exchange.id, shared.registry, loop.index)
        exchange.userInfo = RequestState(requestID: requestID)
        try sharedTickets.redeem(ticket, in: room) { found in registry.post(to: index) { $0.redeemed(id, found) } }
    }

    private func redeemed(_ id: ExchangeID, _ found: Result<String, Problem>) {
        // If the client disconnected meanwhile, its ticket is spent.
        guard let exchange = loop.exchange(id), let state = exchange.userInfo as? RequestState else { return }
        switch found {
        case .success(let token):
            exchange.userInfo = RequestState(requestID: state.requestID, token: token)
            handle(exchange, afterLoad: false)
            turnEnded()
        case .failure(let problem): refuseHeld(id, problem)
        }
    }

    private func refuseHeld(_ id: ExchangeID, _ problem: Problem) {
        guard let exchange = loop.exchange(id), let state = exchange.userInfo as? RequestState else { return }
        let language = Language(acceptLanguage: exchange.header("Accept-Language"))
        respond(problem, to: exchange, state.requestID, language)
    }

    private static func answer(_ ticket: TicketStore.Key, until expiresAt: Timestamp) -> Response {
        var json = JSONWriter(reserving: 128)
        json.object { json in
            json.member("ticket", TicketStore.text(of: ticket))
            json.member("expiresAt", expiresAt)
        }
        return .json(json.bytes, status: 201)
    }
}

internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// Tickets where several nodes share a log: the log is asked off the loop, and the exchange is held until it has answered.
extension LoopHandler {
    /// Gives whoever calls a ticket for the room.
    func giveTicket(_ context: RequestContext) throws(Problem) -> Reply {
        guard let shown = context.shown else { throw .tokenMissing }
        let ticket = seeds.nextWide()
        let room = try context.requiredRoom().id
        guard let others = shared.sharedTickets else {
            let expiresAt = shared.tickets.give(ticket, for: shown.token, shown.principal, in: room, at: context.now)
            return .now(Self.answer(ticket, until: expiresAt))
        }
        let expiresAt = TicketBook.expiry(at: context.now.wall, until: shown.principal.end(at: context.now))
        let (id, requestID, registry, index) = (context.exchange.id, context.requestID, shared.registry, loop.index)
        context.exchange.userInfo = RequestState(requestID: requestID)
        try others.give(ticket, for: shown.token, of: shown.principal.person.id, until: expiresAt, in: room) { problem in
            registry.post(to: index) { handler in
                guard let problem else { return handler.finish(id, Self.answer(ticket, until: expiresAt), requestID) }
                handler.refuseHeld(id, problem)
            }
        }
        return .later
    }

    /// Looks for what a ticket stands for; the exchange is handled again once that is known.
    func redeem(
        _ ticket: TicketBook.Key, in room: RoomID, from others: SharedTickets, _ exchange: Exchange, _ requestID: String
    ) throws(Problem) {
        let (id, registry, index) = (exchange.id, shared.registry, loop.index)
        exchange.userInfo = RequestState(requestID: requestID)
        try others.redeem(ticket, in: room) { found in registry.post(to: index) { $0.redeemed(id, found) } }
    }

    private func redeemed(_ id: ExchangeID, _ found: Result<String, Problem>) {
        // The client may have hung up; then its ticket is spent.
        guard let exchange = loop.exchange(id), let state = exchange.userInfo as? RequestState else { return }
        switch found {
        case .success(let token):
            exchange.userInfo = RequestState(requestID: state.requestID, token: token)
            handle(exchange, afterTouch: false)
            turnEnded()
        case .failure(let problem): refuseHeld(id, problem)
        }
    }

    private func refuseHeld(_ id: ExchangeID, _ problem: Problem) {
        guard let exchange = loop.exchange(id), let state = exchange.userInfo as? RequestState else { return }
        let language = Language(acceptLanguage: exchange.header("Accept-Language"))
        respond(problem, to: exchange, state.requestID, language)
    }

    private static func answer(_ ticket: TicketBook.Key, until expiresAt: Timestamp) -> Response {
        var json = JSONWriter(reserving: 128)
        json.object { json in
            json.member("ticket", TicketBook.text(of: ticket))
            json.member("expiresAt", expiresAt)
        }
        return .json(json.bytes, status: 201)
    }
}

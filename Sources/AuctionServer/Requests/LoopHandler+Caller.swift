internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP
internal import Permissions

/// The authenticated caller and its token.
struct Caller {
    let principal: Principal
    let token: String

    var person: Person { principal.person }
    var id: UserID { principal.person.id }
}

/// Result of authenticating a request.
enum CallerLookup {
    /// Nil without a token.
    case known(Caller?)
    /// The ticket is being redeemed in the shared log; the exchange is handled again afterwards.
    case later
}

// Authentication by the Authorization header, or by a ticket in the query.
extension LoopHandler {
    /// The caller of a route that requires a token.
    func caller(_ context: RequestContext) throws(Problem) -> Caller {
        guard let header = context.exchange.header("Authorization") else { throw .tokenMissing }
        let token = try Self.bearer(header)
        return Caller(principal: try tokens.principal(of: token, at: context.now), token: token)
    }

    /// The caller of a route that requires no token.
    func viewer(_ context: RequestContext) throws(Problem) -> CallerLookup {
        let exchange = context.exchange
        if context.route.takesTicket, let ticket = QueryItems(exchange.query)["ticket"] {
            guard let token = try token(of: ticket, context) else { return .later }
            return .known(Caller(principal: try tokens.principal(of: token, at: context.now), token: token))
        }
        return .known(exchange.header("Authorization") == nil ? nil : try caller(context))
    }

    /// The token that a ticket was issued for; nil while the ticket is being redeemed in the shared log.
    private func token(of ticket: String, _ context: RequestContext) throws(Problem) -> String? {
        let exchange = context.exchange
        // RFC 6750 section 2: a request must not transmit a token in more than one way.
        guard exchange.header("Authorization") == nil else {
            throw .malformed(
                "Send a ticket or an Authorization header, not both.", "票据与 Authorization 请求头只能二选一。", field: "ticket")
        }
        // A request that is handled again after its room was loaded has already redeemed its ticket.
        if let token = (exchange.userInfo as? RequestState)?.token { return token }
        guard let room = RoomID(context.parameters[0]), let ticket = TicketStore.ticket(ticket) else { throw .ticketInvalid }
        guard let sharedTickets = shared.sharedTickets else {
            let token = try shared.tickets.redeem(ticket, in: room, at: context.now)
            exchange.userInfo = RequestState(requestID: context.requestID, token: token)
            return token
        }
        try redeem(ticket, in: room, from: sharedTickets, exchange, context.requestID)
        return nil
    }

    private static func bearer(_ header: String) throws(Problem) -> String {
        guard header.utf8.count > 7, header.prefix(7).lowercased() == "bearer " else {
            throw .unauthorized(
                "token.invalid", "Authorization must be \"Bearer <token>\".", "Authorization 须为 \"Bearer <token>\"。")
        }
        return String(header.dropFirst(7))
    }
}

internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP
internal import Permissions

/// The authenticated caller and its token.
struct Caller {
    let principal: Principal
    let token: String
}

/// Result of authenticating a request.
enum CallerLookup {
    /// Nil if the route does not require a token and the request has none.
    case known(Caller?)
    /// The ticket is being redeemed in the shared log; the exchange is handled again afterwards.
    case later
}

// Authentication by the Authorization header, or by a ticket in the query.
extension LoopHandler {
    func caller(
        of exchange: Exchange, _ route: Route, _ parameters: [String], _ requestID: String, _ now: Now
    ) throws(Problem) -> CallerLookup {
        switch route.access {
        case .anybody, .operator: return .known(nil)
        case .optional, .required: break
        }
        if route.takesTicket, let ticket = QueryItems(exchange.query)["ticket"] {
            guard let token = try token(of: ticket, exchange, parameters, requestID, now) else { return .later }
            return .known(Caller(principal: try tokens.principal(of: token, at: now), token: token))
        }
        guard let header = exchange.header("Authorization") else {
            guard case .required = route.access else { return .known(nil) }
            throw .tokenMissing
        }
        let token = try Self.bearer(header)
        return .known(Caller(principal: try tokens.principal(of: token, at: now), token: token))
    }

    /// The token that a ticket was issued for; nil while the ticket is being redeemed in the shared log.
    private func token(
        of ticket: String, _ exchange: Exchange, _ parameters: [String], _ requestID: String, _ now: Now
    ) throws(Problem) -> String? {
        // RFC 6750 section 2: a request must not transmit a token in more than one way.
        guard exchange.header("Authorization") == nil else {
            throw .malformed(
                "Send a ticket or an Authorization header, not both.", "票据与 Authorization 请求头只能二选一。", field: "ticket")
        }
        // A request that is handled again after its room was loaded has already redeemed its ticket.
        if let token = (exchange.userInfo as? RequestState)?.token { return token }
        guard let room = RoomID(parameters[0]), let ticket = TicketStore.ticket(ticket) else { throw .ticketInvalid }
        guard let sharedTickets = shared.sharedTickets else {
            let token = try shared.tickets.redeem(ticket, in: room, at: now)
            exchange.userInfo = RequestState(requestID: requestID, token: token)
            return token
        }
        try redeem(ticket, in: room, from: sharedTickets, exchange, requestID)
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

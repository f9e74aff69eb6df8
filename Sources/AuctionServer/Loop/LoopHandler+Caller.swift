internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP
internal import Permissions

/// Who calls, and the token that shows it.
struct Caller {
    let principal: Principal
    let token: String
}

/// What is known of who calls.
enum CallerFinding {
    /// Nil where the route does without and the request shows nothing.
    case known(Caller?)
    /// Another node's ticket is being looked for, and the exchange is handled again afterwards.
    case later
}

// Which token a request shows: in its header, or through a ticket in its address.
extension LoopHandler {
    func caller(
        of exchange: Exchange, _ route: Route, _ parameters: [String], _ requestID: String, _ now: Now
    ) throws(Problem) -> CallerFinding {
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

    /// What a ticket stands for; nil if that is being looked for.
    private func token(
        of ticket: String, _ exchange: Exchange, _ parameters: [String], _ requestID: String, _ now: Now
    ) throws(Problem) -> String? {
        // As RFC 6750 has it: which of the two were to count would be anybody's guess.
        guard exchange.header("Authorization") == nil else {
            throw .malformed(
                "Send a ticket or an Authorization header, not both.", "票据与 Authorization 请求头只能二选一。", field: "ticket")
        }
        // Handled again after its room was looked for, the request has used its ticket already.
        if let token = (exchange.userInfo as? RequestState)?.token { return token }
        guard let room = RoomID(parameters[0]), let ticket = TicketBook.ticket(ticket) else { throw .ticketInvalid }
        guard let others = shared.sharedTickets else {
            let token = try shared.tickets.redeem(ticket, in: room, at: now)
            exchange.userInfo = RequestState(requestID: requestID, token: token)
            return token
        }
        try redeem(ticket, in: room, from: others, exchange, requestID)
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

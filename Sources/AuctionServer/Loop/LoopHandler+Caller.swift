internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP
internal import Permissions

/// Who calls, and the token that shows it.
struct Caller {
    let principal: Principal
    let token: String
}

// Which token a request shows: in its header, or through a ticket in its address.
extension LoopHandler {
    /// Nil where the route does without and the request shows nothing.
    func caller(
        of exchange: Exchange, _ route: Route, _ parameters: [String], _ requestID: String, _ now: Now
    ) throws(Problem) -> Caller? {
        switch route.access {
        case .anybody, .operator: return nil
        case .optional, .required: break
        }
        guard let token = try token(of: exchange, route, parameters, requestID, now) else {
            guard case .required = route.access else { return nil }
            throw .tokenMissing
        }
        return Caller(principal: try tokens.principal(of: token, at: now.wall), token: token)
    }

    private func token(
        of exchange: Exchange, _ route: Route, _ parameters: [String], _ requestID: String, _ now: Now
    ) throws(Problem) -> String? {
        let header = exchange.header("Authorization")
        if route.takesTicket, let ticket = QueryItems(exchange.query)["ticket"] {
            // As RFC 6750 has it: which of the two were to count would be anybody's guess.
            guard header == nil else {
                throw .malformed(
                    "Send a ticket or an Authorization header, not both.", "票据与 Authorization 请求头只能二选一。", field: "ticket")
            }
            // Handled again after its room was looked for, the request has used its ticket already.
            if let token = (exchange.userInfo as? RequestState)?.token { return token }
            let token = try shared.tickets.redeem(ticket, in: RoomID(parameters[0]), at: now.wall)
            exchange.userInfo = RequestState(requestID: requestID, token: token)
            return token
        }
        return try header.map(Self.bearer)
    }

    private static func bearer(_ header: String) throws(Problem) -> String {
        guard header.utf8.count > 7, header.prefix(7).lowercased() == "bearer " else {
            throw .unauthorized(
                "token.invalid", "Authorization must be \"Bearer <token>\".", "Authorization 须为 \"Bearer <token>\"。")
        }
        return String(header.dropFirst(7))
    }
}

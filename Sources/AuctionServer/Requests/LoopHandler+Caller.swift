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

// Authentication by the Authorization header, or by a ticket in the query.
extension LoopHandler {
    /// The caller of a route that requires a token.
    func caller(_ context: RequestContext) throws(Problem) -> Caller {
        guard let header = context.exchange.header("Authorization") else { throw .tokenMissing }
        let token = try Self.bearer(header)
        return Caller(principal: try tokens.principal(of: token, at: context.now), token: token)
    }

    /// The caller of a route that requires no token; nil without one.
    func viewer(_ context: RequestContext) throws(Problem) -> Caller? {
        if let token = context.ticketToken {
            return Caller(principal: try tokens.principal(of: token, at: context.now), token: token)
        }
        return context.exchange.header("Authorization") == nil ? nil : try caller(context)
    }

    /// Redeems the ticket in the query, if the route takes one, for the token that it was issued for. False while the shared log redeems
    /// it: the request resumes afterwards.
    func redeemTicket(_ context: inout RequestContext) throws(Problem) -> Bool {
        guard context.route.takesTicket, context.ticketToken == nil, let text = QueryItems(context.exchange.query)["ticket"]
        else { return true }
        // RFC 6750 section 2: a request must not transmit a token in more than one way.
        guard context.exchange.header("Authorization") == nil else {
            throw .malformed(
                "Send a ticket or an Authorization header, not both.", "票据与 Authorization 请求头只能二选一。", field: "ticket")
        }
        guard let room = RoomID(context.parameters[0]), let ticket = TicketStore.ticket(text) else { throw .ticketInvalid }
        if let sharedTickets = shared.sharedTickets {
            try redeem(ticket, in: room, from: sharedTickets, context)
            return false
        }
        context.ticketToken = try shared.tickets.redeem(ticket, in: room, at: context.now)
        return true
    }

    private static func bearer(_ header: String) throws(Problem) -> String {
        guard header.utf8.count > 7, header.prefix(7).lowercased() == "bearer " else {
            throw .unauthorized(
                "token.invalid", "Authorization must be \"Bearer <token>\".", "Authorization 须为 \"Bearer <token>\"。")
        }
        return String(header.dropFirst(7))
    }
}

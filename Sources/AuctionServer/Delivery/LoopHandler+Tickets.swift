internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions
internal import Synchronization

// Tickets on a shared log: log calls run on other threads, and the exchange is held until they complete.
extension LoopHandler {
    func issueTicket(to caller: Caller, for room: RoomID, _ context: RequestContext) throws(Problem) -> Reply {
        let (ticket, token, user, now) = (nextWideSeed(), String(caller.token), caller.id, context.now)
        let end = caller.principal.end(at: now)
        guard let sharedTickets = shared.tickets.inLog else {
            let expiresAt = shared.tickets.give(ticket, for: token, of: user, until: end, in: room, at: now)
            return .now(Self.response(ticket, until: expiresAt))
        }
        let expiresAt = TicketStore.expiry(at: now.wall, until: end)
        try wait(context) { (finish) throws(Problem) in
            try sharedTickets.give(ticket, for: token, of: user, until: expiresAt, in: room, completion: finish)
        } then: { [unowned self] (problem: Problem?) in
            proceed(context) { () throws(Problem) in
                if let problem { throw problem }
                finish(context.exchange.id, Self.response(ticket, until: expiresAt), context.requestID)
            }
        }
        return .later
    }

    /// Redeems a ticket in the shared log, then resumes the request. If the client disconnects meanwhile, its ticket is spent.
    func redeem(
        _ ticket: TicketStore.Key, in room: RoomID, from sharedTickets: SharedTickets, _ context: RequestContext
    ) throws(Problem) {
        try wait(context) { (finish) throws(Problem) in
            try sharedTickets.redeem(
                ticket, in: room, from: shared.origins.network(of: context.exchange), completion: finish)
        } then: { [unowned self] (found: Result<String, Problem>) in
            proceed(context) { () throws(Problem) in
                context.ticketToken = try found.get()
                resume(context)
            }
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

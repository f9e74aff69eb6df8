internal import AuctionDomain
internal import AuctionService
internal import Synchronization

/// Tickets that are issued on one loop and redeemed on any: of this node, or on a shared log of all nodes.
struct NodeTickets: ~Copyable, Sendable {
    /// Stores the tickets of a shared log; nil if this node stores its own.
    let inLog: SharedTickets?
    private let own: Mutex<TicketStore>

    init(_ options: StreamOptions, _ service: RoomService) {
        inLog = service.shared.map { log in
            SharedTickets(log: log, clock: service.clock, perUser: options.ticketsPerUser, pendingLimit: options.pendingTickets)
        }
        own = Mutex(TicketStore(limits: .init(total: options.tickets, perUser: options.ticketsPerUser)))
    }

    /// Issues a ticket of this node; see `TicketStore.give`.
    func give(
        _ ticket: TicketStore.Key, for token: String, of user: UserID, until end: Timestamp, in room: RoomID, at now: Now
    ) -> Timestamp {
        own.withLock { $0.give(ticket, for: token, of: user, until: end, in: room, at: now) }
    }

    /// Redeems a ticket of this node for its token; see `TicketStore.redeem`.
    func redeem(_ ticket: TicketStore.Key, in room: RoomID, at now: Now) -> String? {
        own.withLock { $0.redeem(ticket, in: room, at: now) }
    }
}

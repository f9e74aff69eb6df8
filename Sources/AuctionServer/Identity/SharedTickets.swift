internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Permissions
internal import Synchronization

/// The tickets of all nodes, where several share a log: given at one and shown at any, once.
///
/// The log may take its time, and an event loop may not: it is asked on threads of their own. Only so many questions wait, and
/// none for longer than `patienceNanoseconds`; whoever is turned away is told to try again.
final class SharedTickets: Sendable {
    /// Beyond it the log is in trouble; what it said would come too late.
    private static let patienceNanoseconds: Int64 = 2_000_000_000
    /// One that waits for the log leaves the other to go on.
    private static let threadCount = 2

    private let log: any SharedEventLog
    private let clock: any ServiceClock
    private let perUser: Int
    private let pendingLimit: Int
    private let pending = Atomic<Int>(0)
    private let threads = Readers(count: threadCount, name: "tickets")

    /// - Parameter pendingLimit: Tickets on their way to or from the log.
    init(log: any SharedEventLog, clock: any ServiceClock, perUser: Int, pendingLimit: Int) {
        self.log = log
        self.clock = clock
        self.perUser = perUser
        self.pendingLimit = pendingLimit
    }

    /// Keeps a ticket.
    /// - Parameter tell: Called on a thread of this; with nil once the ticket may be handed out.
    func give(
        _ ticket: TicketBook.Key, for token: String, of user: UserID, until expiresAt: Timestamp, in room: RoomID,
        tell: @escaping @Sendable (Problem?) -> Void
    ) throws(Problem) {
        let content = try TicketSeal.seal(token, in: room, with: ticket)
        let perUser = perUser
        try ask({ log throws(EventLogError) in
            try log.putTicket(
                TicketSeal.place(of: ticket), of: user, content, expiresAt: expiresAt, perOwner: perUser)
        }) { found in
            switch found {
            case .success: tell(nil)
            case .failure(let problem): tell(problem)
            }
        }
    }

    /// Looks for the token that a ticket stands for, which it does once.
    /// - Parameter tell: Called on a thread of this.
    func redeem(
        _ ticket: TicketBook.Key, in room: RoomID, tell: @escaping @Sendable (Result<String, Problem>) -> Void
    ) throws(Problem) {
        try ask({ log throws(EventLogError) in try log.takeTicket(TicketSeal.place(of: ticket)) }) { found in
            tell(
                found.flatMap { content in
                    guard let content, let token = TicketSeal.open(content, in: room, with: ticket) else {
                        return .failure(.ticketInvalid)
                    }
                    return .success(token)
                })
        }
    }

    /// Returns once nothing is asked any more.
    func finish() { threads.finish() }

    private func ask<Found: Sendable>(
        _ question: @escaping @Sendable (any SharedEventLog) throws(EventLogError) -> Found,
        tell: @escaping @Sendable (Result<Found, Problem>) -> Void
    ) throws(Problem) {
        guard pending.wrappingAdd(1, ordering: .relaxed).newValue <= pendingLimit else {
            pending.wrappingSubtract(1, ordering: .relaxed)
            throw Problem(.overloaded)
        }
        let latest = clock.now().monotonic + Self.patienceNanoseconds
        threads.run { [self] in
            defer { pending.wrappingSubtract(1, ordering: .relaxed) }
            guard clock.now().monotonic <= latest else { return tell(.failure(.unavailable)) }
            let found = Result { () throws(EventLogError) in try question(log) }
            tell(found.mapError { _ in .unavailable })
        }
    }
}

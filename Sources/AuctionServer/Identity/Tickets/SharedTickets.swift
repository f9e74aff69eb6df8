internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

/// Tickets on a shared log: issued on one node and redeemed once on any.
///
/// Log calls block, which an event loop must not, so they run on dedicated threads. The number of pending operations is limited, one
/// caller may have an eighth of them, and none waits longer than `timeoutNanoseconds`; a refused caller gets 503 and retries.
final class SharedTickets: Sendable {
    /// Operations that wait longer fail with 503: the client would not wait for the result.
    private static let timeoutNanoseconds: Int64 = 2_000_000_000
    /// Two, so that one blocked log call does not stop the other.
    private static let threadCount = 2

    private let log: any SharedEventLog
    private let clock: any ServiceClock
    private let perUser: Int
    private let pool: FairPool

    /// - Parameter pendingLimit: operations in flight; further ones fail with 503.
    init(log: any SharedEventLog, clock: any ServiceClock, perUser: Int, pendingLimit: Int) {
        self.log = log
        self.clock = clock
        self.perUser = perUser
        pool = FairPool(threads: Self.threadCount, limit: pendingLimit, name: "tickets")
    }

    /// Stores a ticket.
    /// - Parameter completion: called on a thread of this object; with nil once the ticket may be handed out.
    func give(
        _ ticket: TicketStore.Key, for token: String, of user: UserID, until expiresAt: Timestamp, in room: RoomID,
        completion: @escaping @Sendable (Problem?) -> Void
    ) throws(Problem) {
        let content = try TicketSeal.seal(token, in: room, with: ticket)
        let perUser = perUser
        try enqueue(
            for: user.description,
            { log throws(EventLogError) in
                try log.putTicket(
                    TicketSeal.place(of: ticket), of: user, content, expiresAt: expiresAt, perOwner: perUser)
            }
        ) { result in
            switch result {
            case .success: completion(nil)
            case .failure(let problem): completion(problem)
            }
        }
    }

    /// Redeems a ticket, which works once, for the token it was issued for.
    /// - Parameters:
    ///   - network: Where the request is from: whose ticket it is, if it is one, is known only afterwards.
    ///   - completion: called on a thread of this object.
    func redeem(
        _ ticket: TicketStore.Key, in room: RoomID, from network: ClientNetwork,
        completion: @escaping @Sendable (Result<String, Problem>) -> Void
    ) throws(Problem) {
        try enqueue(for: network.description, { log throws(EventLogError) in try log.takeTicket(TicketSeal.place(of: ticket)) })
        { result in
            completion(
                result.flatMap { content in
                    guard let content, let token = TicketSeal.open(content, in: room, with: ticket) else {
                        return .failure(.ticketInvalid)
                    }
                    return .success(token)
                })
        }
    }

    /// Returns once no operation is in flight.
    func finish() { pool.finish() }

    private func enqueue<Value: Sendable>(
        for caller: String, _ query: @escaping @Sendable (any SharedEventLog) throws(EventLogError) -> Value,
        completion: @escaping @Sendable (Result<Value, Problem>) -> Void
    ) throws(Problem) {
        let deadline = clock.now().monotonic + Self.timeoutNanoseconds
        let isTaken = pool.run(for: caller) { [self] () -> Result<Value, Problem> in
            guard clock.now().monotonic <= deadline else { return .failure(.unavailable) }
            return Result { () throws(EventLogError) in try query(log) }.mapError { _ in .unavailable }
        } then: {
            completion($0)
        }
        guard isTaken else { throw Problem(.overloaded) }
    }
}

internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Permissions
internal import Synchronization

/// Tickets on a shared log: issued on one node and redeemed once on any.
///
/// Log calls block, which an event loop must not, so they run on dedicated threads. The number of pending operations is limited and
/// none waits longer than `timeoutNanoseconds`; a refused caller gets 503 and retries.
final class SharedTickets: Sendable {
    /// Operations that wait longer fail with 503: the client would not wait for the result.
    private static let timeoutNanoseconds: Int64 = 2_000_000_000
    /// Two, so that one blocked log call does not stop the other.
    private static let threadCount = 2

    private let log: any SharedEventLog
    private let clock: any ServiceClock
    private let perUser: Int
    private let pendingLimit: Int
    private let pending = Atomic<Int>(0)
    private let threads = ReaderPool(count: threadCount, name: "tickets")

    /// - Parameter pendingLimit: operations in flight; further ones fail with 503.
    init(log: any SharedEventLog, clock: any ServiceClock, perUser: Int, pendingLimit: Int) {
        self.log = log
        self.clock = clock
        self.perUser = perUser
        self.pendingLimit = pendingLimit
    }

    /// Stores a ticket.
    /// - Parameter completion: called on a thread of this object; with nil once the ticket may be handed out.
    func give(
        _ ticket: TicketStore.Key, for token: String, of user: UserID, until expiresAt: Timestamp, in room: RoomID,
        completion: @escaping @Sendable (Problem?) -> Void
    ) throws(Problem) {
        let content = try TicketSeal.seal(token, in: room, with: ticket)
        let perUser = perUser
        try enqueue({ log throws(EventLogError) in
            try log.putTicket(
                TicketSeal.place(of: ticket), of: user, content, expiresAt: expiresAt, perOwner: perUser)
        }) { result in
            switch result {
            case .success: completion(nil)
            case .failure(let problem): completion(problem)
            }
        }
    }

    /// Redeems a ticket, which works once, for the token it was issued for.
    /// - Parameter completion: called on a thread of this object.
    func redeem(
        _ ticket: TicketStore.Key, in room: RoomID, completion: @escaping @Sendable (Result<String, Problem>) -> Void
    ) throws(Problem) {
        try enqueue({ log throws(EventLogError) in try log.takeTicket(TicketSeal.place(of: ticket)) }) { result in
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
    func finish() { threads.finish() }

    private func enqueue<Value: Sendable>(
        _ query: @escaping @Sendable (any SharedEventLog) throws(EventLogError) -> Value,
        completion: @escaping @Sendable (Result<Value, Problem>) -> Void
    ) throws(Problem) {
        guard pending.wrappingAdd(1, ordering: .relaxed).newValue <= pendingLimit else {
            pending.wrappingSubtract(1, ordering: .relaxed)
            throw Problem(.overloaded)
        }
        let deadline = clock.now().monotonic + Self.timeoutNanoseconds
        threads.run { [self] in
            defer { pending.wrappingSubtract(1, ordering: .relaxed) }
            guard clock.now().monotonic <= deadline else { return completion(.failure(.unavailable)) }
            let result = Result { () throws(EventLogError) in try query(log) }
            completion(result.mapError { _ in .unavailable })
        }
    }
}

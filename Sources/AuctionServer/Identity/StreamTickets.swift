internal import AuctionDomain
internal import Synchronization

/// The tickets of all event loops: one that was given on one loop is shown on whichever gets the stream.
final class StreamTickets: Sendable {
    /// How a ticket is written, always at this length.
    private static let digits = 32

    private let book: Mutex<TicketBook>

    init(limits: TicketBook.Limits) { book = Mutex(TicketBook(limits: limits)) }

    /// - Parameter random: 128 fresh random bits.
    /// - Returns: the ticket, and until when it is good.
    func give(
        _ random: UInt128, for token: String, _ principal: Principal, in room: RoomID, at now: Timestamp
    ) -> (ticket: String, expiresAt: Timestamp) {
        let expiresAt = book.withLock {
            $0.give(random, for: token, of: principal.person.id, until: principal.expiresAt, in: room, at: now)
        }
        let text = String(random, radix: 16)
        return (String(repeating: "0", count: Self.digits - text.count) + text, expiresAt)
    }

    /// The token that a ticket stands for, which it does once.
    /// - Throws: the same 401 whatever is wrong with it: whoever guesses learns nothing.
    func redeem(_ ticket: String, in room: RoomID?, at now: Timestamp) throws(Problem) -> String {
        guard let room, ticket.utf8.count == Self.digits, let key = TicketBook.Key(ticket, radix: 16),
            let token = book.withLock({ $0.redeem(key, in: room, at: now) })
        else {
            throw .unauthorized(
                "ticket.invalid", "The ticket is used, expired, or not for this room; take a new one.",
                "票据已使用、已过期或不属于该房间,请重新获取。")
        }
        return token
    }
}

internal import AuctionDomain
internal import AuctionService
internal import Synchronization

/// The tickets of all event loops of one node: one that was given on one loop is shown on whichever gets the stream.
final class StreamTickets: Sendable {
    private let book: Mutex<TicketBook>

    init(limits: TicketBook.Limits) { book = Mutex(TicketBook(limits: limits)) }

    /// - Parameter ticket: 128 fresh random bits.
    /// - Returns: until when it is good.
    func give(
        _ ticket: TicketBook.Key, for token: String, _ principal: Principal, in room: RoomID, at now: Now
    ) -> Timestamp {
        book.withLock {
            $0.give(ticket, for: token, of: principal.person.id, until: principal.end(at: now), in: room, at: now)
        }
    }

    /// The token that a ticket stands for, which it does once.
    func redeem(_ ticket: TicketBook.Key, in room: RoomID, at now: Now) throws(Problem) -> String {
        guard let token = book.withLock({ $0.redeem(ticket, in: room, at: now) }) else { throw .ticketInvalid }
        return token
    }
}

extension TicketBook {
    /// How a ticket is written, always at this length.
    private static let digits = 32

    static func text(of ticket: Key) -> String {
        let text = String(ticket, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// Nil for what is no ticket.
    static func ticket(_ text: String) -> Key? { text.utf8.count == digits ? Key(text, radix: 16) : nil }
}

extension Problem {
    /// The same 401 whatever is wrong with it: whoever guesses learns nothing.
    static let ticketInvalid = Problem.unauthorized(
        "ticket.invalid", "The ticket is used, expired, or not for this room; take a new one.", "票据已使用、已过期或不属于该房间,请重新获取。")
}

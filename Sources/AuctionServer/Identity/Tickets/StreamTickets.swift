internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Synchronization

/// Tickets of one node, shared by its event loops: a ticket may be issued on one loop and redeemed on another.
final class StreamTickets: Sendable {
    private let store: Mutex<TicketStore>

    init(limits: TicketStore.Limits) { store = Mutex(TicketStore(limits: limits)) }

    /// - Parameter ticket: 128 fresh random bits.
    /// - Returns: when the ticket expires.
    func give(
        _ ticket: TicketStore.Key, for token: String, _ principal: Principal, in room: RoomID, at now: Now
    ) -> Timestamp {
        store.withLock {
            $0.give(ticket, for: token, of: principal.person.id, until: principal.end(at: now), in: room, at: now)
        }
    }

    /// Redeems a ticket, which works once, for the token it was issued for.
    func redeem(_ ticket: TicketStore.Key, in room: RoomID, at now: Now) throws(Problem) -> String {
        guard let token = store.withLock({ $0.redeem(ticket, in: room, at: now) }) else { throw .ticketInvalid }
        return token
    }
}

extension TicketStore {
    static func text(of ticket: Key) -> String { ticket.hexadecimal }

    /// Parses a ticket's text; nil if it is malformed.
    static func ticket(_ text: String) -> Key? { text.utf8.count == Key.bitWidth / 4 ? Key(text, radix: 16) : nil }
}

extension Problem {
    /// One 401 for all causes, so that guessing reveals nothing.
    static let ticketInvalid = Problem.unauthorized(
        "ticket.invalid", "The ticket is used, expired, or not for this room; take a new one.", "票据已使用、已过期或不属于该房间,请重新获取。")
}

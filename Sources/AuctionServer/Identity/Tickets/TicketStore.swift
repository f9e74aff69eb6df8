internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// Unused tickets. A ticket replaces the token of the caller who requested it, once, in one room and for a short time: clients that
/// cannot send headers, such as a browser's EventSource and WebSocket, put it in the URL.
///
/// A value type: randomness and time are passed in.
struct TicketStore {
    /// Maximum numbers of tickets. Beyond them the oldest ticket is evicted, which would expire first.
    struct Limits: Sendable {
        /// Bound for all users together: as many as connections that reconnect at the same time.
        var total: Int
        var perUser: Int
    }

    /// 128 random bits; the only secret of a ticket.
    typealias Key = UInt128

    private struct Entry {
        let token: String
        let user: UserID
        let room: RoomID
        /// On the monotonic clock in nanoseconds, so that setting the wall clock does not expire tickets.
        let expiresAt: Int64
    }

    static let lifetimeMilliseconds: Int64 = 30000

    private let limits: Limits
    private var entries: [Key: Entry] = [:]
    /// Keys in the order of issue; may still contain redeemed ones.
    private var issued: ArraySlice<Key> = []
    private var ofUser: [UserID: [Key]] = [:]

    init(limits: Limits) { self.limits = limits }

    var count: Int { entries.count }
    /// Length of the queue of issued keys, including redeemed ones.
    var queueLength: Int { issued.count }

    /// Issues a ticket; evicts the oldest one if a limit is reached.
    /// - Parameters:
    ///   - key: fresh random bits.
    ///   - tokenExpiry: upper bound of the expiry, as a ticket must not outlive its token.
    /// - Returns: when the ticket expires.
    mutating func give(
        _ key: Key, for token: String, of user: UserID, until tokenExpiry: Timestamp, in room: RoomID, at now: Now
    ) -> Timestamp {
        evictExpired(at: now)
        if let own = ofUser[user], own.count >= limits.perUser { remove(own[0]) }
        while entries.count >= limits.total, let oldest = issued.popFirst() { remove(oldest) }
        let expiresAt = Self.expiry(at: now.wall, until: tokenExpiry)
        let left = max(0, expiresAt.milliseconds(since: now.wall)) * 1_000_000
        entries[key] = Entry(token: token, user: user, room: room, expiresAt: now.monotonic + left)
        issued.append(key)
        ofUser[user, default: []].append(key)
        return expiresAt
    }

    /// When a ticket issued now expires.
    static func expiry(at now: Timestamp, until tokenExpiry: Timestamp) -> Timestamp {
        min(Timestamp(milliseconds: now.milliseconds + lifetimeMilliseconds), tokenExpiry)
    }

    /// Redeems a ticket for its token; nil if it was used, expired, is for another room, or does not exist. The ticket is invalid
    /// afterwards in all cases.
    mutating func redeem(_ key: Key, in room: RoomID, at now: Now) -> String? {
        guard let entry = remove(key), entry.room == room, entry.expiresAt > now.monotonic else { return nil }
        return entry.token
    }

    private mutating func evictExpired(at now: Now) {
        while let oldest = issued.first {
            if let entry = entries[oldest], entry.expiresAt > now.monotonic { break }
            issued.removeFirst()
            remove(oldest)
        }
        // Keys redeemed early would otherwise make the queue longer than the table.
        if issued.count > 2 * entries.count + 64 {
            issued = issued.filter { entries[$0] != nil }[...]
        } else if issued.startIndex > issued.count + 64 {
            issued = Array(issued)[...]
        }
    }

    @discardableResult
    private mutating func remove(_ key: Key) -> Entry? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        ofUser[entry.user]?.removeAll { $0 == key }
        if ofUser[entry.user]?.isEmpty == true { ofUser[entry.user] = nil }
        return entry
    }

    static func text(of ticket: Key) -> String { ticket.hexadecimal }

    /// Parses a ticket's text; nil if it is malformed.
    static func ticket(_ text: String) -> Key? { text.utf8.count == Key.bitWidth / 4 ? Key(text, radix: 16) : nil }
}

extension Problem {
    /// One 401 for all causes, so that guessing reveals nothing.
    static let ticketInvalid = Problem.unauthorized(
        "ticket.invalid", "The ticket is used, expired, or not for this room; take a new one.", "票据已使用、已过期或不属于该房间,请重新获取。")
}

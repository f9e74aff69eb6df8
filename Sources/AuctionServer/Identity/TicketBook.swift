internal import AuctionDomain
internal import AuctionService

/// The tickets that were given and not yet used. A ticket stands for the token of whoever asked for it, once, in one room and
/// for a short time: what cannot send a header, as a browser's EventSource and WebSocket, shows it in the address.
///
/// A value: randomness and time come in from outside.
struct TicketBook {
    /// What may be kept. Beyond it the oldest ticket goes, whose time would be over first.
    struct Limits: Sendable {
        /// Of everybody together: as many as connections that come back at the same moment.
        var total: Int
        var perUser: Int
    }

    /// Random, and the whole secret.
    typealias Key = UInt128

    private struct Entry {
        let token: String
        let user: UserID
        let room: RoomID
        /// By the monotonic clock, in nanoseconds: no setting of the wall clock ages a ticket.
        let expiresAt: Int64
    }

    static let lifetimeMilliseconds: Int64 = 30000

    private let limits: Limits
    private var entries: [Key: Entry] = [:]
    /// In the order in which they were given; the used ones stand here a little longer.
    private var given: ArraySlice<Key> = []
    private var ofUser: [UserID: [Key]] = [:]

    init(limits: Limits) { self.limits = limits }

    var count: Int { entries.count }
    /// What is remembered of the order, with tickets that were used since.
    var lineLength: Int { given.count }

    /// - Parameters:
    ///   - key: fresh random bits.
    ///   - tokenExpiry: the ticket is good for no longer than what it stands for.
    /// - Returns: until when it is good.
    mutating func give(
        _ key: Key, for token: String, of user: UserID, until tokenExpiry: Timestamp, in room: RoomID, at now: Now
    ) -> Timestamp {
        forgetExpired(at: now)
        if let own = ofUser[user], own.count >= limits.perUser { remove(own[0]) }
        while entries.count >= limits.total, let oldest = given.popFirst() { remove(oldest) }
        let expiresAt = Self.expiry(at: now.wall, until: tokenExpiry)
        let left = max(0, expiresAt.milliseconds(since: now.wall)) * 1_000_000
        entries[key] = Entry(token: token, user: user, room: room, expiresAt: now.monotonic + left)
        given.append(key)
        ofUser[user, default: []].append(key)
        return expiresAt
    }

    /// Until when a ticket is good that is given now.
    static func expiry(at now: Timestamp, until tokenExpiry: Timestamp) -> Timestamp {
        min(Timestamp(milliseconds: now.milliseconds + lifetimeMilliseconds), tokenExpiry)
    }

    /// The token that the ticket stands for; nil for one that is used, expired, for another room, or none. Whatever it is, it
    /// is over with this.
    mutating func redeem(_ key: Key, in room: RoomID, at now: Now) -> String? {
        guard let entry = remove(key), entry.room == room, entry.expiresAt > now.monotonic else { return nil }
        return entry.token
    }

    private mutating func forgetExpired(at now: Now) {
        while let oldest = given.first {
            if let entry = entries[oldest], entry.expiresAt > now.monotonic { break }
            given.removeFirst()
            remove(oldest)
        }
        // Tickets used soon after they were given would make the line longer than the book.
        if given.count > 2 * entries.count + 64 {
            given = given.filter { entries[$0] != nil }[...]
        } else if given.startIndex > given.count + 64 {
            given = Array(given)[...]
        }
    }

    @discardableResult
    private mutating func remove(_ key: Key) -> Entry? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        ofUser[entry.user]?.removeAll { $0 == key }
        if ofUser[entry.user]?.isEmpty == true { ofUser[entry.user] = nil }
        return entry
    }
}

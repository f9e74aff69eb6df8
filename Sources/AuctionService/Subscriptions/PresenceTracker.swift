internal import AuctionDomain
internal import DequeModule

/// The users who are subscribed on one event loop, and when each counts as absent. A value without I/O; its time is monotonic
/// nanoseconds.
///
/// A long-poll ends with every response, so a user counts as absent only `lingerMilliseconds` after their last subscription ended: a
/// room whose members poll steadily causes no presence changes at all.
struct PresenceTracker: Sendable {
    private struct Key: Hashable {
        let room: RoomID
        let user: UserID
    }

    private struct Entry {
        var subscriptions: Int
        /// When the last subscription ended, in monotonic nanoseconds; meaningless while there is one.
        var ended: Int64
    }

    /// How long a user without a subscription is still present.
    static let lingerMilliseconds: Int64 = 2000
    /// Absences are determined at most this often, however many subscriptions end.
    static let checkMilliseconds: Int64 = 250

    private var entries: [Key: Entry] = [:]
    /// Ends of last subscriptions, oldest first, with their instants in monotonic nanoseconds.
    private var endings: Deque<(key: Key, at: Int64)> = []

    /// When `takeAbsences` is due next, in monotonic nanoseconds; nil if no user lingers.
    var nextTick: Int64? {
        guard let first = endings.first else { return nil }
        let interval = Self.checkMilliseconds * 1_000_000
        return ((first.at + Self.lingerMilliseconds * 1_000_000) / interval + 1) * interval
    }

    /// A subscription has begun.
    /// - Returns: The change to report; nil if the user was present already.
    mutating func begin(_ user: UserID, _ room: RoomID, at now: Int64) -> PresenceChange? {
        let key = Key(room: room, user: user)
        guard entries[key] == nil else {
            entries[key]?.subscriptions += 1
            return nil
        }
        entries[key] = Entry(subscriptions: 1, ended: now)
        return PresenceChange(room: room, user: user, isPresent: true, at: now)
    }

    /// A subscription has ended.
    mutating func end(_ user: UserID, _ room: RoomID, at now: Int64) {
        let key = Key(room: room, user: user)
        guard var entry = entries[key], entry.subscriptions > 0 else { return }
        entry.subscriptions -= 1
        entry.ended = now
        entries[key] = entry
        if entry.subscriptions == 0 { endings.append((key, now)) }
    }

    /// Removes the users who have been without a subscription for the linger time; returns the changes to report.
    mutating func takeAbsences(at now: Int64) -> [PresenceChange] {
        var changes: [PresenceChange] = []
        while let first = endings.first, now - first.at >= Self.lingerMilliseconds * 1_000_000 {
            endings.removeFirst()
            // Otherwise the user has returned since, and perhaps left again later.
            guard let entry = entries[first.key], entry.subscriptions == 0, entry.ended == first.at else { continue }
            entries[first.key] = nil
            changes.append(PresenceChange(room: first.key.room, user: first.key.user, isPresent: false, at: entry.ended))
        }
        return changes
    }
}

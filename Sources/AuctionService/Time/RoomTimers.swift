import AuctionDomain

/// When the rooms of a sequencer need it next.
struct RoomTimers {
    /// Deadlines of rooms in memory, and of unreadable rooms the next attempt to read them.
    var countdowns = CountdownQueue()
    /// Open rooms that are not in memory, by their deadline, before which nothing happens in them unless a request needs them.
    var dormant = CountdownQueue()
    /// Rooms whose append the log deferred; each is read again at the given time.
    var retries = CountdownQueue()

    /// How long before its deadline a dormant room is read, in milliseconds, so that it closes in time.
    static var wakeLead: Int64 { 10_000 }

    /// The earliest timer; nil if none is armed.
    var next: Timestamp? {
        let wake = dormant.next?.advanced(byMilliseconds: -Self.wakeLead)
        return earliest(earliest(countdowns.next, wake), retries.next)
    }
}

/// The earlier of two instants, of which either may be missing.
func earliest(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
}

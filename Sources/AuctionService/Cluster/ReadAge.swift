/// The last instant at which a room in memory is known to have had everything in the log.
///
/// All instants are readings of `ServiceClock.uptime` in nanoseconds, taken *before* the log was queried, so that neither a slow
/// reply nor a pause of this process makes a confirmation look younger than it is.
struct RoomConfirmation: Sendable {
    /// The last instant at which memory had everything in the log.
    private(set) var instant: Int64
    /// What the log had at an instant and memory does not have yet.
    private var missing: (instant: Int64, seq: Int)?

    init(at instant: Int64) { self.instant = instant }

    /// Records a query of the log, begun at an instant, that found the room at `seq`; memory has it at `known`.
    mutating func compared(at instant: Int64, seq: Int, known: Int) {
        caughtUp(to: known)
        if seq <= known {
            self.instant = max(self.instant, instant)
        } else if missing == nil {
            missing = (instant, seq)
        }
    }

    /// Records that memory now has the room at `known`.
    mutating func caughtUp(to known: Int) {
        guard let missing, missing.seq <= known else { return }
        instant = max(instant, missing.instant)
        self.missing = nil
    }
}

/// The age of a response that is made from memory.
package enum ReadAge: Hashable, Sendable {
    case fresh
    /// The response states this age: whole seconds, rounded up.
    case aged(seconds: Int)
    /// Older than the limit: it must not be sent.
    case stale

    /// Up to this age a response does not state it.
    package static let freshNanoseconds: Int64 = 1_000_000_000

    /// - Parameter instant: When the room was last known to be current, in nanoseconds of the clock that `now` was read from later.
    package init(confirmedAt instant: Int64, now: Int64, limitSeconds: Int) {
        let age = max(0, now - instant)
        if age <= Self.freshNanoseconds {
            self = .fresh
        } else if age > Int64(limitSeconds) * 1_000_000_000 {
            self = .stale
        } else {
            self = .aged(seconds: Int((age + 999_999_999) / 1_000_000_000))
        }
    }
}

/// Until when a room in memory is known to be what the log has.
///
/// All instants are readings of `ServiceClock.uptime`, in nanoseconds, taken *before* the log was asked: however long the reply took,
/// and however long this process was paused meanwhile, what it says is no older than that.
struct RoomConfirmation: Sendable {
    /// At this instant memory had all that the log had.
    private(set) var instant: Int64
    /// What the log had at an instant, and memory does not have yet.
    private var missing: (instant: Int64, seq: Int)?

    init(at instant: Int64) { self.instant = instant }

    /// The log was asked at an instant and had the room at `seq`; memory has it at `known`.
    mutating func compared(at instant: Int64, seq: Int, known: Int) {
        advanced(to: known)
        if seq <= known {
            self.instant = max(self.instant, instant)
        } else if missing == nil {
            missing = (instant, seq)
        }
    }

    /// Memory has the room at `known` by now.
    mutating func advanced(to known: Int) {
        guard let missing, missing.seq <= known else { return }
        instant = max(instant, missing.instant)
        self.missing = nil
    }
}

/// How old an answer may be that is made from memory, and what the client is to know of it.
public enum ReadAge: Hashable, Sendable {
    case fresh
    /// In whole seconds, rounded up.
    case aged(seconds: Int)
    /// Too old to be an answer.
    case stale

    /// Up to this age an answer says nothing of it.
    public static let freshNanoseconds: Int64 = 1_000_000_000

    /// - Parameters:
    ///   - instant: When it was last known to be what the log has.
    ///   - now: A later reading of the same clock, in nanoseconds.
    ///   - limitSeconds: What is older is stale.
    public init(confirmedAt instant: Int64, now: Int64, limitSeconds: Int) {
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

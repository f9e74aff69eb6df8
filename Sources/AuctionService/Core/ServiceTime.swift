public import AuctionDomain
internal import EventLog

/// The service's time: it runs by the monotonic clock and stays with the wall clock (product.md, section 6).
///
/// A wall clock that is set back neither stops nor stretches a countdown: time runs on from where it was, a tenth slower, until
/// both agree; behind a wall clock by a second or less it runs a tenth faster. One that is ahead by more has jumped, or the
/// machine was suspended: time jumps along, says so in `Now.jumps`, and nothing ages by what was jumped over. Clocks that NTP
/// slews are no case of this: it slews both.
///
/// A value: readings of both clocks come in, at least once a second while a countdown runs.
public struct ServiceTime: Sendable {
    /// What is done about a wall clock that is behind the service's time.
    public enum SetBack: Sendable {
        case slow
        /// Time is set back as well: it is that of a log which takes no other stamps.
        case follow
    }

    /// Ahead by more than this the wall clock has jumped.
    public static let toleratedJumpMilliseconds: Int64 = 1000
    /// Time is faster or slower than the monotonic clock by one part in so many, at most.
    static let slewParts: Int64 = 10
    /// Closer than this the clocks agree: readings of the wall clock are whole milliseconds.
    static let agreementNanoseconds: Int64 = 2_000_000

    private let setBack: SetBack
    /// The service's time at monotonic 0, in nanoseconds.
    private var offset: Int64
    private var lastReading: Int64
    private var jumps: ClockJumps
    private var isAgreed = false

    /// - Parameters:
    ///   - newest: When the newest event happened: time begins no earlier.
    ///   - jumps: Of earlier lives of the service.
    public init(
        wall: Timestamp, monotonic: Int64, newest: Timestamp? = nil, jumps: ClockJumps = .none, setBack: SetBack = .slow
    ) {
        self.setBack = setBack
        self.jumps = jumps
        offset = Self.nanoseconds(max(wall, newest ?? wall)) - monotonic
        lastReading = monotonic
        _ = read(wall: wall, monotonic: monotonic)
    }

    /// The service's time in nanoseconds at monotonic 0 while a reading that agrees with it changes nothing: then it need not
    /// be asked. Nil otherwise.
    public var steadyOffset: Int64? { isAgreed && jumps.isEmpty ? offset : nil }

    /// Takes in what both clocks show at the same moment.
    public mutating func read(wall: Timestamp, monotonic: Int64) -> Now {
        let elapsed = max(0, monotonic - lastReading)
        lastReading = max(lastReading, monotonic)
        let ahead = Self.nanoseconds(wall) - monotonic - offset
        isAgreed = abs(ahead) <= Self.agreementNanoseconds
        if !isAgreed { approach(ahead, elapsed, at: monotonic) }
        return Now(wall: Self.instant(monotonic, offset: offset), monotonic: monotonic, actual: wall, jumps: jumps)
    }

    private mutating func approach(_ ahead: Int64, _ elapsed: Int64, at monotonic: Int64) {
        if ahead > Self.toleratedJumpMilliseconds * 1_000_000 {
            let before = Self.instant(monotonic, offset: offset)
            offset += ahead
            jumps.add(ClockJump(from: before, to: Self.instant(monotonic, offset: offset)))
        } else if setBack == .follow {
            offset += ahead
        } else {
            let most = elapsed / Self.slewParts
            offset += min(max(ahead, -most), most)
        }
    }

    /// The reading that agrees with a steady offset; nil: `read` has to judge it.
    public static func steady(_ reading: Now, offset: Int64) -> Now? {
        guard abs(nanoseconds(reading.wall) - reading.monotonic - offset) <= agreementNanoseconds else { return nil }
        return Now(wall: instant(reading.monotonic, offset: offset), monotonic: reading.monotonic, actual: reading.wall)
    }

    private static func instant(_ monotonic: Int64, offset: Int64) -> Timestamp {
        Timestamp(milliseconds: (monotonic + offset) / 1_000_000)
    }

    /// Within the 285 years after 1970, so that differences of any two fit: a kernel takes no other wall clock, a broken log may.
    private static func nanoseconds(_ instant: Timestamp) -> Int64 {
        min(max(instant.milliseconds, 0), 9_000_000_000_000) * 1_000_000
    }
}

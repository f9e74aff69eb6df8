package import AuctionDomain
internal import EventLog

/// The service's time: it advances with the monotonic clock and stays close to the wall clock.
///
/// A wall clock that is set back neither stops nor stretches a countdown: service time keeps advancing, a tenth slower, until both
/// agree. If the wall clock is ahead by a second or less, service time runs a tenth faster. If it is ahead by more, it has jumped
/// or the machine was suspended: service time jumps too, records that in `Now.jumps`, and the time jumped over does not count
/// towards any age. NTP slewing is none of these: it slews both clocks.
///
/// A value: readings of both clocks are passed in, at least once a second while a countdown runs.
package struct ServiceTime: Sendable {
    /// How to follow a wall clock that is behind the service's time.
    package enum SetBack: Sendable {
        case slow
        /// Set service time back too: required by a shared log that accepts only timestamps of its own clock.
        case follow
    }

    /// A wall clock that is ahead by more than this has jumped.
    package static let toleratedJumpMilliseconds: Int64 = 1000
    /// Maximum slew: one part in this many.
    static let slewParts: Int64 = 10
    /// Within this difference the clocks agree: wall clock readings are whole milliseconds.
    static let agreementNanoseconds: Int64 = 2_000_000

    private let setBack: SetBack
    /// The service's time at monotonic 0, in nanoseconds.
    private var offset: Int64
    private var lastReading: Int64
    private var jumps: ClockJumps
    private var isAgreed = false

    /// - Parameters:
    ///   - newest: Timestamp of the newest event: service time begins no earlier.
    ///   - jumps: Jumps before this start of the service.
    package init(
        wall: Timestamp, monotonic: Int64, newest: Timestamp? = nil, jumps: ClockJumps = .none, setBack: SetBack = .slow
    ) {
        self.setBack = setBack
        self.jumps = jumps
        offset = Self.nanoseconds(max(wall, newest ?? wall)) - monotonic
        lastReading = monotonic
        _ = read(wall: wall, monotonic: monotonic)
    }

    /// The service's time in nanoseconds at monotonic 0, while the clocks agree and there was no jump: then a reading needs no
    /// locked `read`. Nil otherwise.
    package var steadyOffset: Int64? { isAgreed && jumps.isEmpty ? offset : nil }

    /// Takes a reading of both clocks, made at the same moment, and returns the service's time.
    package mutating func read(wall: Timestamp, monotonic: Int64) -> Now {
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

    /// The service's time for a reading that agrees with a steady offset; nil: the caller has to use `read`.
    package static func steady(_ reading: Now, offset: Int64) -> Now? {
        guard abs(nanoseconds(reading.wall) - reading.monotonic - offset) <= agreementNanoseconds else { return nil }
        return Now(wall: instant(reading.monotonic, offset: offset), monotonic: reading.monotonic, actual: reading.wall)
    }

    private static func instant(_ monotonic: Int64, offset: Int64) -> Timestamp {
        Timestamp(milliseconds: (monotonic + offset) / 1_000_000)
    }

    /// Limited to the 285 years after 1970, so that differences never overflow: a kernel accepts no other wall clock, but a corrupt
    /// log may contain other values.
    private static func nanoseconds(_ instant: Timestamp) -> Int64 {
        min(max(instant.milliseconds, 0), 9_000_000_000_000) * 1_000_000
    }
}

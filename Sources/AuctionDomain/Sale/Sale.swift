/// How a room's lots are sold one after the other.
package struct Sale: Hashable, Sendable, Codable {
    /// Who begins the next round.
    package enum Mode: String, Hashable, Sendable, Codable, CaseIterable {
        /// The host.
        case manual
        /// The clock, while the sale runs.
        case automatic
    }

    /// Who begins the next round.
    package var mode: Mode
    /// Time from the end of a round to the beginning of the next one, in an automatic sale.
    package var pause: Seconds
    /// When an automatic sale begins by itself; nil: when the host begins it.
    package var startsAt: Timestamp?
    /// What buyers pay beside the hammer price; nil: nothing.
    package var premium: Premium?
    /// Whether an automatic sale needs its host: without one its rounds pause, and it neither begins nor goes on by itself.
    package var isAttended: Bool
    /// Whether the next lot follows by itself.
    package internal(set) var isRunning = false
    /// Whether its start was due while its host was absent.
    package internal(set) var isPostponed = false

    /// Allowed seconds of `pause`.
    package static let pauseRange = 0...3600
    /// The longest time between the configuration of a sale and its start by the clock.
    package static let longestWait = Seconds(366 * 86400)
    /// `pause` if the request has none.
    package static let defaultPause = Seconds(10)
    /// What a room has until its host configures a sale.
    package static let manual = Sale(mode: .manual, pause: defaultPause)

    package init(
        mode: Mode, pause: Seconds, startsAt: Timestamp? = nil, premium: Premium? = nil, isAttended: Bool = false
    ) {
        self.mode = mode
        self.pause = pause
        self.startsAt = startsAt
        self.premium = premium
        self.isAttended = isAttended
    }

    /// Whether rounds go on while the host is absent.
    var runsUnattended: Bool { isRunning && !isAttended }

    /// Whether configuring it only ends what was planned: a scheduled start, or lots that follow by themselves. It can be repeated only after a
    /// configuration that plans something.
    func callsOff(_ old: Sale) -> Bool {
        guard startsAt == nil, premium == nil || premium == old.premium else { return false }
        return old.startsAt != nil || old.mode == .automatic && mode == .manual
    }

    /// Whether the two are configured alike; one may run and the other not.
    func isConfigured(as other: Sale) -> Bool {
        mode == other.mode && pause == other.pause && startsAt == other.startsAt && premium == other.premium
            && isAttended == other.isAttended
    }
}

/// What a buyer pays beside the hammer price: a percentage of it. It never changes what may be bid.
package struct Premium: RawRepresentable, Hashable, Sendable, Codable {
    /// Hundredths of a percent.
    package let rawValue: Int

    /// Nil outside `basisPointsRange`.
    package init?(rawValue: Int) {
        guard Self.basisPointsRange.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Allowed hundredths of a percent: 0.00 % to 100.00 %.
    package static let basisPointsRange = 0...10_000

    /// The premium on a price, rounded half up to the minor unit.
    package func amount(on price: Money) -> Money {
        // At most 2^53 times 10^4, which is inside 128 bits; the result is at most the price.
        let product = Int128(price.minorUnits) * Int128(rawValue)
        return Money(minorUnits: Int64((product + 5000) / 10_000))
    }

    /// The price with the premium. Not clamped to `Money.maximum`: it may be twice as much. Saturates only for a damaged stored price.
    package func total(of price: Money) -> Money {
        let (total, overflows) = price.minorUnits.addingReportingOverflow(amount(on: price).minorUnits)
        return Money(minorUnits: overflows ? .max : total)
    }
}

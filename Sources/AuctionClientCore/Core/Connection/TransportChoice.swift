import StateMachines

/// Which transport the next attempt uses: the preferred one, unless it delivers nothing on this network.
struct TransportChoice: Sendable {
    /// After so many attempts in a row that delivered nothing in time, the next transport is tried.
    private static let fruitlessBeforeFallback = 2

    private let transports: [RoomTransport]
    private let preferredRetryInterval: Duration
    private var index = 0
    /// Attempts in a row in which the current transport delivered nothing in time.
    private var fruitless = 0
    /// When the preferred transport was left; nil while it is the current one.
    private var leftPreferredAt: MachineTimestamp?

    init(_ settings: ConnectionSettings) {
        transports = settings.transports
        preferredRetryInterval = settings.preferredRetryInterval
    }

    var current: RoomTransport { transports.isEmpty ? .longPoll : transports[index % transports.count] }

    /// The attempt delivered nothing in time. A proxy that buffers responses looks like this: it accepts the stream and keeps its bytes.
    mutating func noteFruitless(at now: MachineTimestamp) {
        fruitless += 1
        fallBackIfFruitless(at: now)
    }

    /// An intermediary does not let streams through.
    mutating func noteRefused(at now: MachineTimestamp) {
        fruitless = Self.fruitlessBeforeFallback
        fallBackIfFruitless(at: now)
    }

    /// Bytes of a stream arrived as the service sent them.
    mutating func noteDelivered() { fruitless = 0 }

    private mutating func fallBackIfFruitless(at now: MachineTimestamp) {
        guard fruitless >= Self.fruitlessBeforeFallback, transports.count > 1 else { return }
        fruitless = 0
        index = (index + 1) % transports.count
        leftPreferredAt = index == 0 ? nil : now
    }

    /// Between two polls: makes the preferred transport the current one if it is time to try it again.
    /// - Returns: whether it did.
    mutating func returnToPreferredIfDue(at now: MachineTimestamp) -> Bool {
        guard index != 0, let leftPreferredAt, now.duration(since: leftPreferredAt) >= preferredRetryInterval
        else { return false }
        index = 0
        // One more fruitless attempt is enough to leave it again.
        fruitless = Self.fruitlessBeforeFallback - 1
        return true
    }
}

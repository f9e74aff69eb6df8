import StateMachines

extension RoomConnection {
    /// Attempts in a row in which a transport delivered nothing in time, before the next one is tried.
    static let fruitlessStreamsBeforeFallback = 2

    /// A proxy that buffers responses looks like this: the stream is accepted, but its bytes do not come.
    mutating func noteFruitlessStream() {
        fruitlessStreams += 1
        fallBackIfFruitless()
    }

    mutating func fallBackIfFruitless() {
        guard fruitlessStreams >= Self.fruitlessStreamsBeforeFallback, settings.transports.count > 1 else { return }
        fruitlessStreams = 0
        transportIndex = (transportIndex + 1) % settings.transports.count
        leftPreferredAt = transportIndex == 0 ? nil : now
    }

    /// Between two polls: whether it is time to try the preferred transport again, which then is the current one.
    mutating func returnToPreferredIfDue() -> Bool {
        guard transportIndex != 0, let leftPreferredAt,
            now.duration(since: leftPreferredAt) >= settings.preferredRetryInterval
        else { return false }
        transportIndex = 0
        // One more fruitless attempt is enough to leave it again.
        fruitlessStreams = Self.fruitlessStreamsBeforeFallback - 1
        return true
    }
}

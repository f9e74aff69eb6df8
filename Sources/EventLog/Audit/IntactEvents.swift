internal import ExactJSON

/// Tells the events of one room that are as they were written from those that are not, one after another.
public struct IntactEvents: Sendable {
    private var last: (seq: Int, hash: EventHash) = (0, .zero)
    private var hasGap = false

    public init() {}

    /// Whether the next event that could be read is what its hash says. Behind a gap there is nothing to check the hash
    /// against: there it must at least be whole JSON.
    public mutating func take(_ event: StoredEvent) -> Bool {
        defer { last = (event.seq, event.hash) }
        guard event.seq == last.seq + 1 else {
            hasGap = true
            return isJSON(event.publicBytes)
        }
        return EventCodec.chain(last.hash, publicBytes: event.publicBytes, privateBytes: event.privateBytes) == event.hash
    }

    /// Whether every event from the first to the one of this seq was there, intact or not.
    public func isComplete(through seq: Int) -> Bool { !hasGap && last.seq >= seq }

    private func isJSON(_ bytes: [UInt8]) -> Bool {
        do {
            _ = try JSONReader.read(bytes, maximumDepth: 64)
            return true
        } catch {
            return false
        }
    }
}

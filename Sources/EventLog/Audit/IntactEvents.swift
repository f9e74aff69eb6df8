internal import ExactJSON

/// Tells the events of one room that are as they were written from those that are not, one after another.
public struct IntactEvents: Sendable {
    private var last: (seq: Int, hash: EventHash) = (0, .zero)

    public init() {}

    /// Whether the next event that could be read is what its hash says. Behind a gap there is nothing to check the hash
    /// against: there it must at least be whole JSON.
    public mutating func take(_ event: StoredEvent) -> Bool {
        defer { last = (event.seq, event.hash) }
        guard event.seq == last.seq + 1 else { return isJSON(event.publicBytes) }
        return EventCodec.chain(last.hash, publicBytes: event.publicBytes, privateBytes: event.privateBytes) == event.hash
    }

    private func isJSON(_ bytes: [UInt8]) -> Bool {
        do {
            _ = try JSONReader.read(bytes, maximumDepth: 64)
            return true
        } catch {
            return false
        }
    }
}

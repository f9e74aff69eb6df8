import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

extension Scenario {
    /// Encodes the history, and expects decoding to produce the same events and the same room; returns the encoded events.
    func expectDecoded(at location: SourceLocation = #_sourceLocation) throws -> [StoredEvent] {
        let stored = EventCodec.encode(history, currency: .cny, after: .zero)
        var replayed: Room?
        for (event, bytes) in zip(history, stored) {
            let decoded = try EventCodec.decode(bytes, after: replayed)
            #expect(decoded == event, sourceLocation: location)
            if replayed == nil { replayed = Room(id: room.id, opening: decoded) } else { try replayed?.apply(decoded) }
        }
        #expect(replayed == room, sourceLocation: location)
        return stored
    }
}

import AuctionDomain
import AuctionTestKit
import EventLog

/// A stored event: the public part, and behind a newline, if there is one, the private part.
enum EventTarget {
    private static let room: Room? = {
        var scenario = try? Scenario.auctioning()
        return scenario?.room
    }()

    static func run(_ input: [UInt8]) throws(Broken) {
        let parts = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let stored = StoredEvent(
            seq: 1, at: Timestamp(milliseconds: 0), type: "", publicBytes: Array(parts[0]),
            privateBytes: parts.count > 1 ? Array(parts[1]) : nil, hash: .zero)
        for room in [nil, room] {
            guard let event = try? EventCodec.decode(stored, after: room) else { continue }
            try roundTrip(event, after: room)
            // A history that says this must not end the process either.
            var changed = room
            do { try changed?.apply(event) } catch { continue }
        }
    }

    private static func roundTrip(_ event: Event, after room: Room?) throws(Broken) {
        var currency = room?.currency
        if case .roomOpened(let opened) = event.body { currency = opened.currency }
        guard let currency else { return }
        let again = EventCodec.encode(event, currency: currency, after: .zero)
        let decoded = try? EventCodec.decode(again, after: room)
        try require(decoded == event, "encoded again it is \(String(decoding: again.publicBytes, as: UTF8.self))")
    }
}

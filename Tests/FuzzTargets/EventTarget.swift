import AuctionDomain
import AuctionTestKit
import EventLog

/// The input is a stored event: the public bytes and, after the first newline if there is one, the private bytes.
enum EventTarget {
    private static let room: Room? = {
        var scenario = try? Scenario.auctioning()
        return scenario?.room
    }()

    static func run(_ input: [UInt8]) throws(PropertyViolation) {
        let parts = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let stored = StoredEvent(
            seq: 1, at: Timestamp(milliseconds: 0), type: "", publicBytes: Array(parts[0]),
            privateBytes: parts.count > 1 ? Array(parts[1]) : nil, hash: .zero)
        for room in [nil, room] {
            guard let event = try? EventCodec.decode(stored, after: room) else { continue }
            try roundTrip(event, after: room)
            // A decoded event may contradict the room's state: applying it must throw instead of trapping.
            var changed = room
            do { try changed?.apply(event) } catch { continue }
        }
    }

    private static func roundTrip(_ event: Event, after room: Room?) throws(PropertyViolation) {
        var currency = room?.currency
        if case .roomOpened(let opened) = event.body { currency = opened.currency }
        guard let currency else { return }
        let reencoded = EventCodec.encode(event, currency: currency, after: .zero)
        let decoded = try? EventCodec.decode(reencoded, after: room)
        try require(decoded == event, "encoded again it is \(String(decoding: reencoded.publicBytes, as: UTF8.self))")
    }
}

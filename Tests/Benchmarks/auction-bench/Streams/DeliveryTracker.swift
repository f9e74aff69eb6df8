/// Tracks which subscriber has received which message, and the latencies.
struct DeliveryTracker {
    private struct Sent {
        let at: Int64
        /// Number of subscribers that have not received it.
        var waiting: Int
    }

    private let words: Int
    /// A bit per subscriber and message: whether it was received.
    private var seen: [UInt64]
    private var sent: [Sent] = []
    /// Number of messages that not all subscribers have received.
    private(set) var outstanding = 0
    private(set) var doubled = 0
    private(set) var deliveries = 0
    private(set) var latencies = LatencyHistogram()
    /// How long each message took to the last of its subscribers.
    private(set) var lastLatencies = LatencyHistogram()
    var isMeasuring = false

    /// Maximum number of messages.
    var capacity: Int { words * 64 }
    var count: Int { sent.count }

    init(subscribers: Int) {
        // At most 64 MB.
        words = max(16, min(16384, (1 << 23) / max(1, subscribers)))
        seen = [UInt64](repeating: 0, count: words * subscribers)
    }

    /// Registers a message and returns its number.
    mutating func publish(at time: Int64, to subscribers: Int) -> Int {
        sent.append(Sent(at: time, waiting: subscribers))
        outstanding += 1
        return sent.count - 1
    }

    mutating func delivered(_ number: Int, to subscriber: Int, at time: Int64) {
        guard sent.indices.contains(number) else { return }
        let word = subscriber * words + number / 64
        let bit = UInt64(1) << UInt64(number % 64)
        guard seen[word] & bit == 0 else {
            doubled += 1
            return
        }
        seen[word] |= bit
        settle(number)
        guard isMeasuring else { return }
        deliveries += 1
        latencies.record(time - sent[number].at)
        if sent[number].waiting == 0 { lastLatencies.record(time - sent[number].at) }
    }

    /// Stops expecting deliveries to a disconnected subscriber.
    mutating func left(_ subscriber: Int) {
        for number in sent.indices where seen[subscriber * words + number / 64] & (1 << UInt64(number % 64)) == 0 {
            settle(number)
        }
    }

    /// Number of expected deliveries that have not arrived.
    var lost: Int { sent.reduce(0) { $0 + $1.waiting } }

    private mutating func settle(_ number: Int) {
        sent[number].waiting -= 1
        if sent[number].waiting == 0 { outstanding -= 1 }
    }
}

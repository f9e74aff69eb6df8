/// Who has had which message, and how long it took.
struct DeliveryLedger {
    private struct Sent {
        let at: Int64
        /// Subscribers who have not had it.
        var waiting: Int
    }

    private let words: Int
    /// A bit for every subscriber and message.
    private var seen: [UInt64]
    private var sent: [Sent] = []
    /// Messages that not everybody has had.
    private(set) var outstanding = 0
    private(set) var doubled = 0
    private(set) var deliveries = 0
    private(set) var latencies = LatencyHistogram()
    var isMeasuring = false

    /// How many messages there is room for.
    var capacity: Int { words * 64 }
    var count: Int { sent.count }

    init(subscribers: Int) {
        // At most 64 MB.
        words = max(16, min(16384, (1 << 23) / max(1, subscribers)))
        seen = [UInt64](repeating: 0, count: words * subscribers)
    }

    /// The number of a message that is about to be published.
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
    }

    /// Nobody waits for this subscriber any more.
    mutating func left(_ subscriber: Int) {
        for number in sent.indices where seen[subscriber * words + number / 64] & (1 << UInt64(number % 64)) == 0 {
            settle(number)
        }
    }

    /// Deliveries that did not come, of those that are still waited for.
    var lost: Int { sent.reduce(0) { $0 + $1.waiting } }

    private mutating func settle(_ number: Int) {
        sent[number].waiting -= 1
        if sent[number].waiting == 0 { outstanding -= 1 }
    }
}

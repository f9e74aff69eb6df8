/// The currencies of rooms, which never change.
final class KnownCurrencies: Sendable {
    /// The most rooms that are remembered. With one more, all are forgotten and read again.
    static let maximumCount = 1000

    private let currencies = Locked<[String: Currency]>([:])

    subscript(room: String) -> Currency? {
        get { currencies.withLock { $0[room] } }
        set {
            currencies.withLock { known in
                if known.count >= Self.maximumCount { known = [:] }
                known[room] = newValue
            }
        }
    }
}

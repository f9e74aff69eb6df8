/// The currencies of rooms, which never change.
final class KnownCurrencies: Sendable {
    /// With more rooms than this all are forgotten; they are read again.
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

/// The rounds of rooms as the readers of their updates have seen them last; of rooms that are followed only.
final class ShownRounds: Sendable {
    private let rounds = Locked<[String: Int]>([:])

    /// Nil for a room that is not followed, or whose updates nothing has read. Bounded by the number of rooms that are followed.
    subscript(room: String) -> Int? {
        get { rounds.withLock { $0[room] } }
        set { rounds.withLock { $0[room] = newValue } }
    }
}

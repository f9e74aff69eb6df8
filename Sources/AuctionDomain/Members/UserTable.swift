/// A dictionary by user that is cheap to change while older copies of it exist: every bid changes two of them while the room's state before
/// it is kept.
struct UserTable<Value: Hashable & Sendable>: Hashable, Sendable {
    private var tree = BTree<UserID, Value>()

    init() {}

    init(_ values: [UserID: Value]) {
        // Nodes are filled by keys in order.
        for (user, value) in values.sorted(by: { $0.key < $1.key }) { tree[user] = value }
    }

    /// Number of users with a value.
    var count: Int { tree.count }

    /// The value of a user; nil removes it.
    subscript(user: UserID) -> Value? {
        get { tree[user] }
        set { tree[user] = newValue }
    }

    /// Changes the value of a user, or `initial` if there is none.
    mutating func change(_ user: UserID, from initial: Value, _ change: (inout Value) -> Void) {
        var value = tree[user] ?? initial
        change(&value)
        tree[user] = value
    }

    /// Changes the value of a user, if there is one.
    mutating func change(_ user: UserID, _ change: (inout Value) -> Void) {
        guard var value = tree[user] else { return }
        change(&value)
        tree[user] = value
    }

    /// All users with their values, ordered by user.
    var sorted: [(user: UserID, value: Value)] { tree.entries.map { ($0.key, $0.value) } }

    /// Whether a value matches; none is copied.
    func contains(where matches: (Value) -> Bool) -> Bool { tree.contains(where: matches) }

    /// All values, ordered by user.
    var values: [Value] { tree.entries.map(\.value) }
}

internal import HashTreeCollections

/// A dictionary by user that is cheap to change while older copies of it exist.
///
/// Every bid changes two of them while the room's state before it is kept. Few users are stored in an array, which is copied as a whole:
/// copying the nodes of even a small tree costs several times as much. Many are stored in a tree, of which only a path is copied.
struct UserTable<Value: Hashable & Sendable>: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let user: UserID
        var value: Value
    }

    /// The largest array. Equal tables have equal forms, because the number of users alone decides which it is.
    private static var mostInArray: Int { 16 }

    /// Ordered by user; empty if there are more than `mostInArray`.
    private var few: [Entry] = []
    private var many: TreeDictionary<UserID, Value> = [:]

    init() {}

    init(_ values: [UserID: Value]) {
        if values.count > Self.mostInArray {
            many = TreeDictionary(uniqueKeysWithValues: values.lazy.map { ($0.key, $0.value) })
        } else {
            few = values.sorted { $0.key < $1.key }.map { Entry(user: $0.key, value: $0.value) }
        }
    }

    /// Number of users with a value.
    var count: Int { many.isEmpty ? few.count : many.count }

    /// The value of a user; nil removes it.
    subscript(user: UserID) -> Value? {
        get {
            guard many.isEmpty else { return many[user] }
            // By index: a search by element copies each value that it compares.
            for index in few.indices where few[index].user == user { return few[index].value }
            return nil
        }
        set { if many.isEmpty { setInArray(user, newValue) } else { setInTree(user, newValue) } }
    }

    /// Changes the value of a user, or `initial` if there is none; in a tree with one search.
    mutating func change(_ user: UserID, from initial: Value, _ change: (inout Value) -> Void) {
        guard many.isEmpty else { return change(&many[user, default: initial]) }
        var value = self[user] ?? initial
        change(&value)
        setInArray(user, value)
    }

    /// Changes the value of a user, if there is one.
    mutating func change(_ user: UserID, _ change: (inout Value) -> Void) {
        guard var value = self[user] else { return }
        change(&value)
        self[user] = value
    }

    /// All users with their values, ordered by user.
    var sorted: [(user: UserID, value: Value)] {
        many.isEmpty ? few.map { ($0.user, $0.value) } : many.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Whether a value matches; none is copied.
    func contains(where matches: (Value) -> Bool) -> Bool {
        many.isEmpty ? few.contains { matches($0.value) } : many.contains { matches($0.value) }
    }

    /// All values, in no particular order.
    var values: [Value] { many.isEmpty ? few.map(\.value) : Array(many.values) }

    private mutating func setInArray(_ user: UserID, _ value: Value?) {
        let place = few.firstIndex { $0.user >= user } ?? few.count
        let isKnown = place < few.count && few[place].user == user
        guard let value else {
            if isKnown { few.remove(at: place) }
            return
        }
        guard !isKnown else { return few[place].value = value }
        few.insert(Entry(user: user, value: value), at: place)
        guard few.count > Self.mostInArray else { return }
        many = TreeDictionary(uniqueKeysWithValues: few.map { ($0.user, $0.value) })
        few = []
    }

    private mutating func setInTree(_ user: UserID, _ value: Value?) {
        many[user] = value
        guard many.count <= Self.mostInArray else { return }
        few = sorted.map { Entry(user: $0.user, value: $0.value) }
        many = [:]
    }
}

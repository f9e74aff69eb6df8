/// The connections of one loop by slot, with what is asked of all of them at once: whose deadline passed, and which has
/// been idle longest.
///
/// Deadlines are a plain array that is scanned a few times a second (16,000 in some microseconds): setting one, which
/// happens several times a request, is a single store.
struct ConnectionTable {
    static let never = UInt64.max

    private(set) var count = 0
    private var connections: [Connection?] = []
    private var deadlines: [UInt64] = []
    private var freeSlots: [Int] = []
    // The idle ones as a doubly linked list through two arrays, oldest first; slot 0 is its head and holds no connection.
    private var nextIdle: [Int32] = [0]
    private var previousIdle: [Int32] = [0]

    init() {
        connections.append(nil)
        deadlines.append(ConnectionTable.never)
    }

    /// The slot for a connection that `make` creates.
    mutating func insert(deadline: UInt64, _ make: (Int) -> Connection) -> Connection {
        count += 1
        let slot = freeSlots.popLast() ?? connections.count
        let connection = make(slot)
        if slot == connections.count {
            connections.append(connection)
            deadlines.append(deadline)
            nextIdle.append(Int32(slot))
            previousIdle.append(Int32(slot))
        } else {
            connections[slot] = connection
            deadlines[slot] = deadline
        }
        return connection
    }

    mutating func remove(slot: Int) {
        guard connections[slot] != nil else { return }
        count -= 1
        endIdle(slot)
        connections[slot] = nil
        deadlines[slot] = ConnectionTable.never
        freeSlots.append(slot)
    }

    subscript(slot: Int) -> Connection? {
        slot < connections.count ? connections[slot] : nil
    }

    mutating func setDeadline(_ deadline: UInt64, slot: Int) {
        deadlines[slot] = deadline
    }

    func deadline(slot: Int) -> UInt64 { deadlines[slot] }

    /// Connections whose deadline has passed, so many at most; their deadlines are forgotten.
    mutating func takeLate(_ now: UInt64, atMost limit: Int) -> [Connection] {
        var late: [Connection] = []
        for slot in deadlines.indices where deadlines[slot] <= now {
            guard late.count < limit else { break }
            deadlines[slot] = ConnectionTable.never
            if let connection = connections[slot] { late.append(connection) }
        }
        return late
    }

    /// Puts a connection last among the idle.
    mutating func beginIdle(_ slot: Int) {
        endIdle(slot)
        let last = previousIdle[0]
        nextIdle[Int(last)] = Int32(slot)
        previousIdle[slot] = last
        nextIdle[slot] = 0
        previousIdle[0] = Int32(slot)
    }

    mutating func endIdle(_ slot: Int) {
        let before = previousIdle[slot]
        let after = nextIdle[slot]
        nextIdle[Int(before)] = after
        previousIdle[Int(after)] = before
        nextIdle[slot] = Int32(slot)
        previousIdle[slot] = Int32(slot)
    }

    /// The connection that has been idle longest.
    var longestIdle: Connection? { connections[Int(nextIdle[0])] }

    /// Every connection, by slot.
    var all: [Connection] { connections.compactMap { $0 } }
}

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
    // The idle ones, and those of which no whole head came yet, oldest first; slot 0 is the anchor of both and holds no connection.
    private var idle = Rings()
    private var silent = Rings()

    init() {
        connections.append(nil)
        deadlines.append(ConnectionTable.never)
        idle.reserve(0)
        silent.reserve(0)
    }

    /// The slot for a connection that `make` creates.
    mutating func insert(deadline: UInt64, _ make: (Int) -> Connection) -> Connection {
        count += 1
        let slot = freeSlots.popLast() ?? connections.count
        let connection = make(slot)
        if slot == connections.count {
            connections.append(connection)
            deadlines.append(deadline)
            idle.reserve(slot)
            silent.reserve(slot)
        } else {
            connections[slot] = connection
            deadlines[slot] = deadline
        }
        silent.append(slot, to: 0)
        return connection
    }

    mutating func remove(slot: Int) {
        guard connections[slot] != nil else { return }
        count -= 1
        endIdle(slot)
        endSilence(slot)
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
    mutating func beginIdle(_ slot: Int) { idle.append(slot, to: 0) }

    mutating func endIdle(_ slot: Int) { idle.remove(slot) }

    /// A connection's first whole head came, or it is to close.
    mutating func endSilence(_ slot: Int) { silent.remove(slot) }

    /// The connection that has been idle longest.
    var longestIdle: Connection? { connections[idle.successor(of: 0)] }

    /// The connection that has been open longest without a whole head.
    var longestSilent: Connection? { connections[silent.successor(of: 0)] }

    var hasIdle: Bool { !idle.isAlone(0) }

    var hasSilent: Bool { !silent.isAlone(0) }

    /// Every connection, by slot.
    var all: [Connection] { connections.compactMap { $0 } }
}

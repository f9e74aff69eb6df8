import AuctionDomain
import EventLog
import Synchronization

/// A log whose appends block while the gate is shut, to test states before a commit is durable.
final class GatedEventLog: ForwardingEventLog {
    let forwarded: any EventLog
    private let gate = Gate()
    private let listGate = Gate()
    private let eventsGate = Gate()
    private let loadGate = Gate()
    private let eventReadCount = Atomic<Int>(0)
    private let isAfterCommit = Atomic<Bool>(false)

    /// Number of reads of the room list that are blocked.
    var blockedLists: Int { listGate.blockedCalls }

    /// Whether a read of the room list is blocked.
    var isListBlocked: Bool { blockedLists > 0 }

    /// Number of rooms whose read is blocked.
    var blockedLoads: Int { loadGate.blockedCalls }

    /// Number of reads of events that have begun, blocked ones included.
    var eventReads: Int { eventReadCount.load(ordering: .sequentiallyConsistent) }

    /// Whether an append is blocked at the gate.
    var isCommitBlocked: Bool { gate.blockedCalls > 0 }

    /// Called in `pendingRooms`, that is while the service starts.
    let onOpenRooms = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ log: any EventLog) { forwarded = log }

    /// Blocks appends until `open`.
    /// - Parameter afterCommit: whether appends block after writing, so that the events are in the log but not acknowledged.
    func shut(afterCommit: Bool = false) {
        isAfterCommit.store(afterCommit, ordering: .sequentiallyConsistent)
        gate.shut()
    }

    func open() { gate.open() }

    func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict] {
        if isAfterCommit.load(ordering: .sequentiallyConsistent) {
            let verdicts = try forwarded.append(batch)
            gate.pass()
            return verdicts
        }
        gate.pass()
        return try forwarded.append(batch)
    }

    func pendingRooms() throws(EventLogError) -> [PendingRoom] {
        if let hook = onOpenRooms.withLock({ $0 }) { hook() }
        return try forwarded.pendingRooms()
    }

    func rooms(_ query: RoomQuery) throws(EventLogError) -> [RoomRow] {
        listGate.pass()
        return try forwarded.rooms(query)
    }

    /// Blocks reads of the room list until `openList`.
    func shutList() { listGate.shut() }

    func openList() { listGate.open() }

    func events(of room: RoomID, after: Int, limit: Int, bytes: Int) throws(EventLogError) -> [StoredEvent] {
        eventReadCount.add(1, ordering: .sequentiallyConsistent)
        eventsGate.pass()
        return try forwarded.events(of: room, after: after, limit: limit, bytes: bytes)
    }

    /// Blocks reads of events until `openEvents`.
    func shutEvents() { eventsGate.shut() }

    func openEvents() { eventsGate.open() }

    func load(_ room: RoomID, keys: WantedKeys) throws(EventLogError) -> LoadedHistory? {
        loadGate.pass()
        return try forwarded.load(room, keys: keys)
    }

    /// Blocks reads of rooms until `openLoads`.
    func shutLoads() { loadGate.shut() }

    func openLoads() { loadGate.open() }
}

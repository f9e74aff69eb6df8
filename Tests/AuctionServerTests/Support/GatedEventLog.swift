import AuctionDomain
import EventLog
import Synchronization

/// A log whose calls block while a gate is shut, to test states before a commit is durable or a read returns.
final class GatedEventLog: ForwardingEventLog {
    let forwarded: any EventLog
    let (commits, lists, events, loads) = (Gate(), Gate(), Gate(), Gate())
    private let eventReadCount = Atomic<Int>(0)
    private let isAfterCommit = Atomic<Bool>(false)

    /// Number of reads of events that have begun, blocked ones included.
    var eventReads: Int { eventReadCount.load(ordering: .sequentiallyConsistent) }

    /// Called in `pendingRooms`, that is while the service starts.
    let onOpenRooms = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ log: any EventLog) { forwarded = log }

    /// Blocks appends after writing, so that the events are in the log but not acknowledged, until `commits` is opened.
    func shutAfterCommit() {
        isAfterCommit.store(true, ordering: .sequentiallyConsistent)
        commits.shut()
    }

    func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict] {
        if isAfterCommit.load(ordering: .sequentiallyConsistent) {
            let verdicts = try forwarded.append(batch)
            commits.pass()
            return verdicts
        }
        commits.pass()
        return try forwarded.append(batch)
    }

    func pendingRooms() throws(EventLogError) -> [PendingRoom] {
        if let hook = onOpenRooms.withLock({ $0 }) { hook() }
        return try forwarded.pendingRooms()
    }

    func rooms(_ query: RoomQuery) throws(EventLogError) -> [RoomRow] {
        lists.pass()
        return try forwarded.rooms(query)
    }

    func events(of room: RoomID, after: Int, limit: Int, bytes: Int) throws(EventLogError) -> [StoredEvent] {
        eventReadCount.add(1, ordering: .sequentiallyConsistent)
        events.pass()
        return try forwarded.events(of: room, after: after, limit: limit, bytes: bytes)
    }

    func load(_ room: RoomID, keys: WantedKeys) throws(EventLogError) -> LoadedHistory? {
        loads.pass()
        return try forwarded.load(room, keys: keys)
    }
}

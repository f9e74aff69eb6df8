import AuctionDomain
import Dispatch
import EventLog
import Synchronization

/// A log whose appends block while the gate is shut, to test states before a commit is durable.
final class GatedEventLog: EventLog {
    private let log: any EventLog
    private let gate = Mutex<DispatchSemaphore?>(nil)
    private let isAfterCommit = Atomic<Bool>(false)
    private let commitIsWaiting = Atomic<Bool>(false)

    private let listGate = Mutex<DispatchSemaphore?>(nil)
    private let listIsWaiting = Atomic<Bool>(false)

    /// Whether a read of the room list is blocked.
    var isListBlocked: Bool { listIsWaiting.load(ordering: .sequentiallyConsistent) }

    /// Whether an append is blocked at the gate.
    var isCommitBlocked: Bool { commitIsWaiting.load(ordering: .sequentiallyConsistent) }

    /// Called in `pendingRooms`, that is while the service starts.
    let onOpenRooms = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ log: any EventLog) { self.log = log }

    var pictures: any PictureStore { log.pictures }

    /// Blocks appends until `open`.
    /// - Parameter afterCommit: whether appends block after writing, so that the events are in the log but not acknowledged.
    func shut(afterCommit: Bool = false) {
        isAfterCommit.store(afterCommit, ordering: .sequentiallyConsistent)
        gate.withLock { $0 = DispatchSemaphore(value: 0) }
    }

    func open() {
        let waiting = gate.withLock { gate in
            defer { gate = nil }
            return gate
        }
        waiting?.signal()
    }

    func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict] {
        if isAfterCommit.load(ordering: .sequentiallyConsistent) {
            let verdicts = try log.append(batch)
            waitAtGate()
            return verdicts
        }
        waitAtGate()
        return try log.append(batch)
    }

    private func waitAtGate() {
        if let gate = gate.withLock({ $0 }) {
            commitIsWaiting.store(true, ordering: .sequentiallyConsistent)
            defer { commitIsWaiting.store(false, ordering: .sequentiallyConsistent) }
            // The timeout makes a test that forgets to open the gate fail instead of hang.
            _ = gate.wait(timeout: .now() + 10)
            gate.signal()
        }
    }

    func save(_ snapshots: [RoomSnapshot]) throws(EventLogError) { try log.save(snapshots) }

    func load(
        _ room: RoomID, responsesSince: Timestamp, responsesPerOwner: Int
    ) throws(EventLogError) -> LoadedHistory? {
        try log.load(room, responsesSince: responsesSince, responsesPerOwner: responsesPerOwner)
    }

    func events(of room: RoomID, after: Int, limit: Int, bytes: Int) throws(EventLogError) -> [StoredEvent] {
        try log.events(of: room, after: after, limit: limit, bytes: bytes)
    }

    func storedResponse(at position: Int64) throws(EventLogError) -> StoredResponse? { try log.storedResponse(at: position) }
    func pendingRooms() throws(EventLogError) -> [PendingRoom] {
        if let hook = onOpenRooms.withLock({ $0 }) { hook() }
        return try log.pendingRooms()
    }

    func rooms(_ query: RoomQuery) throws(EventLogError) -> [RoomRow] {
        if let gate = listGate.withLock({ $0 }) {
            listIsWaiting.store(true, ordering: .sequentiallyConsistent)
            _ = gate.wait(timeout: .now() + 10)
        }
        return try log.rooms(query)
    }

    /// Blocks reads of the room list until `openList`.
    func shutList() { listGate.withLock { $0 = DispatchSemaphore(value: 0) } }

    func openList() {
        listGate.withLock { gate in
            gate?.signal()
            gate = nil
        }
    }

    func rooms(_ query: UserRoomQuery) throws(EventLogError) -> UserRoomPage { try log.rooms(query) }
    func roomCount(of user: UserID) throws(EventLogError) -> Int { try log.roomCount(of: user) }
    func wins(_ query: WinQuery) throws(EventLogError) -> [WinRow] { try log.wins(query) }
    func openRoomCount(of host: UserID) throws(EventLogError) -> Int { try log.openRoomCount(of: host) }

    func deleteResponses(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        try log.deleteResponses(before: cutoff, limit: limit)
    }

    func maintain() throws(EventLogError) { try log.maintain() }
    func probe() throws(EventLogError) { try log.probe() }
    func close() { log.close() }
}

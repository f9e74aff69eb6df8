import AuctionDomain
import Dispatch
import EventLog
import Synchronization

/// A log whose commits wait while the gate is shut: for looking at what is not durable yet.
final class GatedEventLog: EventLog {
    private let log: any EventLog
    private let gate = Mutex<DispatchSemaphore?>(nil)
    private let isAfterCommit = Atomic<Bool>(false)
    private let commitIsWaiting = Atomic<Bool>(false)

    private let listGate = Mutex<DispatchSemaphore?>(nil)
    private let listIsWaiting = Atomic<Bool>(false)

    /// Whether the list of rooms is being waited for.
    var isHoldingList: Bool { listIsWaiting.load(ordering: .sequentiallyConsistent) }

    /// Whether a commit stands at the gate.
    var isHolding: Bool { commitIsWaiting.load(ordering: .sequentiallyConsistent) }

    /// Called while the service starts, before the log says which rooms are open.
    let duringStart = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ log: any EventLog) { self.log = log }

    /// From here on commits wait until `open`.
    /// - Parameter afterCommit: what they wrote is in the log while they wait, and only the service does not know it yet.
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
            // A test that forgets to open it fails on its answers, not by hanging.
            _ = gate.wait(timeout: .now() + 10)
            gate.signal()
        }
    }

    func save(_ snapshots: [RoomSnapshot]) throws(EventLogError) { try log.save(snapshots) }

    func load(
        _ room: RoomID, answersSince: Timestamp, answersPerOwner: Int
    ) throws(EventLogError) -> LoadedHistory? {
        try log.load(room, answersSince: answersSince, answersPerOwner: answersPerOwner)
    }

    func events(of room: RoomID, after: Int, limit: Int, bytes: Int) throws(EventLogError) -> [StoredEvent] {
        try log.events(of: room, after: after, limit: limit, bytes: bytes)
    }

    func answer(at position: Int64) throws(EventLogError) -> AnswerRecord? { try log.answer(at: position) }
    func openRooms() throws(EventLogError) -> [RoomID] {
        if let look = duringStart.withLock({ $0 }) { look() }
        return try log.openRooms()
    }

    func rooms(_ query: RoomQuery) throws(EventLogError) -> [RoomRow] {
        if let gate = listGate.withLock({ $0 }) {
            listIsWaiting.store(true, ordering: .sequentiallyConsistent)
            _ = gate.wait(timeout: .now() + 10)
        }
        return try log.rooms(query)
    }

    /// From here on the list of rooms waits until `openList`.
    func shutList() { listGate.withLock { $0 = DispatchSemaphore(value: 0) } }

    func openList() {
        listGate.withLock { gate in
            gate?.signal()
            gate = nil
        }
    }

    func openRoomCount(of host: UserID) throws(EventLogError) -> Int { try log.openRoomCount(of: host) }

    func deleteAnswers(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        try log.deleteAnswers(before: cutoff, limit: limit)
    }

    func maintain() throws(EventLogError) { try log.maintain() }
    func probe() throws(EventLogError) { try log.probe() }
    func close() { log.close() }
}

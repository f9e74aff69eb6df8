import AuctionDomain
import Dispatch
import EventLog
import Synchronization

/// A shared log as one node has it: closing it closes nobody else's, and what nodes share beside rooms can be out of reach or late.
final class NodeLog: SharedEventLog {
    private let log: InMemoryEventLog
    private let isAway = Atomic<Bool>(false)
    private let isBlind = Atomic<Bool>(false)
    private let gate = Mutex<DispatchSemaphore?>(nil)
    private let held = Atomic<Int>(0)
    private let failed = Atomic<Int>(0)

    init(_ log: InMemoryEventLog) { self.log = log }

    /// Questions that found nobody.
    var failures: Int { failed.load(ordering: .sequentiallyConsistent) }
    /// Questions about tickets that stand at the gate.
    var holding: Int { held.load(ordering: .sequentiallyConsistent) }

    func goAway(_ isAway: Bool) { self.isAway.store(isAway, ordering: .sequentiallyConsistent) }

    /// Whether it cannot see what other nodes appended.
    func goBlind(_ isBlind: Bool) { self.isBlind.store(isBlind, ordering: .sequentiallyConsistent) }

    func heads(of rooms: [RoomID]) throws(EventLogError) -> [RoomHead] {
        if isBlind.load(ordering: .sequentiallyConsistent) { throw EventLogError(.unavailable, "out of reach") }
        return try log.heads(of: rooms)
    }

    /// From here on questions about tickets wait until `open`.
    func shut() { gate.withLock { $0 = DispatchSemaphore(value: 0) } }

    func open() {
        let waiting = gate.withLock { gate in
            defer { gate = nil }
            return gate
        }
        waiting?.signal()
    }

    private func waitAtGate() {
        if let gate = gate.withLock({ $0 }) {
            held.add(1, ordering: .sequentiallyConsistent)
            defer { held.subtract(1, ordering: .sequentiallyConsistent) }
            // A test that forgets to open it fails on its answers, not by hanging.
            _ = gate.wait(timeout: .now() + 10)
            gate.signal()
        }
    }

    private func pass() throws(EventLogError) {
        if isAway.load(ordering: .sequentiallyConsistent) {
            failed.add(1, ordering: .sequentiallyConsistent)
            throw EventLogError(.unavailable, "out of reach")
        }
    }

    func putTicket(
        _ key: UInt128, of owner: UserID, _ content: [UInt8], expiresAt: Timestamp, perOwner: Int
    ) throws(EventLogError) {
        waitAtGate()
        try pass()
        try log.putTicket(key, of: owner, content, expiresAt: expiresAt, perOwner: perOwner)
    }

    func takeTicket(_ key: UInt128) throws(EventLogError) -> [UInt8]? {
        waitAtGate()
        try pass()
        return try log.takeTicket(key)
    }

    func setPresence(_ presence: [RoomPresenceReport], of node: NodeID) throws(EventLogError) {
        try pass()
        try log.setPresence(presence, of: node)
    }

    func presence(in rooms: [RoomID], except node: NodeID) throws(EventLogError) -> [RoomPresenceReport] {
        try pass()
        return try log.presence(in: rooms, except: node)
    }

    func revoke(_ revocations: [Revocation]) throws(EventLogError) {
        try pass()
        try log.revoke(revocations)
    }

    func restore(_ keys: [UInt128]) throws(EventLogError) {
        try pass()
        try log.restore(keys)
    }

    func revocations(since: Timestamp) throws(EventLogError) -> [Revocation] {
        try pass()
        return try log.revocations(since: since)
    }

    func secret(named name: String, orCreate candidate: [UInt8]) throws(EventLogError) -> [UInt8] {
        try log.secret(named: name, orCreate: candidate)
    }

    func close() {}
}

// Everything else is as the log has it.
extension NodeLog {
    var outlivesFailures: Bool { log.outlivesFailures }

    func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict] { try log.append(batch) }
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
    func openRooms() throws(EventLogError) -> [RoomID] { try log.openRooms() }
    func rooms(_ query: RoomQuery) throws(EventLogError) -> [RoomRow] { try log.rooms(query) }
    func openRoomCount(of host: UserID) throws(EventLogError) -> Int { try log.openRoomCount(of: host) }

    func deleteAnswers(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        try log.deleteAnswers(before: cutoff, limit: limit)
    }

    func maintain() throws(EventLogError) { try log.maintain() }
    func probe() throws(EventLogError) { try log.probe() }

    func advance(
        of room: RoomID, since head: RoomHead, answersAfter: Int64, limit: Int
    ) throws(EventLogError) -> RoomAdvance? {
        try log.advance(of: room, since: head, answersAfter: answersAfter, limit: limit)
    }

    func awaitNotice(for node: NodeID, milliseconds: Int) throws(EventLogError) -> LogNotice? {
        try log.awaitNotice(for: node, milliseconds: milliseconds)
    }

    func time(at monotonic: Int64) -> Timestamp? { log.time(at: monotonic) }

    func overdueRooms(by milliseconds: Int64, limit: Int) throws(EventLogError) -> [RoomID] {
        try log.overdueRooms(by: milliseconds, limit: limit)
    }

    func heartbeat(of node: NodeID) throws(EventLogError) -> Heartbeat { try log.heartbeat(of: node) }
    func retire(_ node: NodeID) throws(EventLogError) { try log.retire(node) }
    func claimOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool { try log.claimOutage(id, by: node) }
    func settleOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool { try log.settleOutage(id, by: node) }
}

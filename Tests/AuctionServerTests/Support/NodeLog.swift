import AuctionDomain
import AuctionTestKit
import EventLog
import Synchronization

/// A fault that a test switches on; counts the calls that it makes fail.
final class Fault: Sendable {
    private let isOn = Atomic<Bool>(false)
    private let failed = Atomic<Int>(0)

    var failures: Int { failed.load(ordering: .sequentiallyConsistent) }

    func set(_ isOn: Bool) { self.isOn.store(isOn, ordering: .sequentiallyConsistent) }

    func pass() throws(EventLogError) {
        guard isOn.load(ordering: .sequentiallyConsistent) else { return }
        failed.add(1, ordering: .sequentiallyConsistent)
        throw EventLogError(.unavailable, "out of reach")
    }
}

/// One node's access to a shared log: closing it leaves the log open, and its calls for tickets, presence and revocations can be
/// made to fail or block.
final class NodeLog: ForwardingEventLog, SharedEventLog {
    private let log: InMemoryEventLog
    let isUnreachable = Fault()
    /// The node cannot detect other nodes' appends.
    let areHeadsUnavailable = Fault()
    /// The node can only poll.
    let isListeningUnavailable = Fault()
    /// Blocks ticket calls, and storing and reading pictures.
    let (tickets, pictureGate) = (Gate(), Gate())
    /// Called once a change of records is made.
    let onWrite = Mutex<(@Sendable ([RecordChange]) -> Void)?>(nil)
    private let reads = Atomic<Int>(0)

    init(_ log: InMemoryEventLog) { self.log = log }

    var forwarded: any EventLog { log }

    func write(_ changes: [RecordChange]) throws(EventLogError) -> Bool {
        let isMade = try log.write(changes)
        onWrite.withLock { $0 }?(changes)
        return isMade
    }

    func heads(of rooms: [RoomID]) throws(EventLogError) -> [RoomHead] {
        try areHeadsUnavailable.pass()
        return try log.heads(of: rooms)
    }

    var pictures: any PictureStore { GatedPictures(forwarded: log.pictures, gate: pictureGate) }

    func putTicket(
        _ key: UInt128, of owner: UserID, _ content: [UInt8], expiresAt: Timestamp, perOwner: Int
    ) throws(EventLogError) {
        tickets.pass()
        try isUnreachable.pass()
        try log.putTicket(key, of: owner, content, expiresAt: expiresAt, perOwner: perOwner)
    }

    func takeTicket(_ key: UInt128) throws(EventLogError) -> [UInt8]? {
        tickets.pass()
        try isUnreachable.pass()
        return try log.takeTicket(key)
    }

    func setPresence(_ presence: [RoomPresenceReport], of node: NodeID) throws(EventLogError) {
        try isUnreachable.pass()
        try log.setPresence(presence, of: node)
    }

    func presence(in rooms: [RoomID], except node: NodeID) throws(EventLogError) -> [RoomPresenceReport] {
        try isUnreachable.pass()
        return try log.presence(in: rooms, except: node)
    }

    func revoke(_ revocations: [Revocation]) throws(EventLogError) {
        try isUnreachable.pass()
        try log.revoke(revocations)
    }

    func restore(_ keys: [UInt128]) throws(EventLogError) {
        try isUnreachable.pass()
        try log.restore(keys)
    }

    func revocations(since: Timestamp) throws(EventLogError) -> [Revocation] {
        try isUnreachable.pass()
        return try log.revocations(since: since)
    }

    func secret(named name: String, orCreate candidate: [UInt8]) throws(EventLogError) -> [UInt8] {
        try log.secret(named: name, orCreate: candidate)
    }

    func close() {}
}

// What only a shared log has is forwarded unchanged, like the rest.
extension NodeLog {
    var recoversFromFailures: Bool { log.recoversFromFailures }

    func changes(
        of room: RoomID, since head: RoomHead, responsesAfter: Int64, limit: Int
    ) throws(EventLogError) -> RoomChanges? {
        try log.changes(of: room, since: head, responsesAfter: responsesAfter, limit: limit)
    }

    func awaitNotification(for node: NodeID, milliseconds: Int) throws(EventLogError) -> ChangeNotification? {
        try isListeningUnavailable.pass()
        return try log.awaitNotification(for: node, milliseconds: milliseconds)
    }

    func time(at monotonic: Int64) -> Timestamp? { log.time(at: monotonic) }

    func roomsPastDeadline(by milliseconds: Int64, limit: Int) throws(EventLogError) -> [RoomID] {
        try log.roomsPastDeadline(by: milliseconds, limit: limit)
    }

    /// Nodes send no heartbeats by a test's clock, which stands still: a node that starts sees the others send some.
    func liveness() throws(EventLogError) -> Liveness {
        let found = try log.liveness()
        let reads = Int64(reads.add(1, ordering: .sequentiallyConsistent).newValue)
        return Liveness(
            lastHeartbeat: found.lastHeartbeat, nodes: found.nodes.mapValues { $0.advanced(byMilliseconds: reads) })
    }

    func heartbeat(of node: NodeID, silentSince: Timestamp?) throws(EventLogError) -> Heartbeat {
        try log.heartbeat(of: node, silentSince: silentSince)
    }
    func retire(_ node: NodeID) throws(EventLogError) { try log.retire(node) }
    func claimOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool { try log.claimOutage(id, by: node) }
    func settleOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool { try log.settleOutage(id, by: node) }
}

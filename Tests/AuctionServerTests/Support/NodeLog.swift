import AuctionDomain
import AuctionTestKit
import EventLog
import Synchronization

/// One node's access to a shared log: closing it leaves the log open, and its calls for tickets, presence and revocations can be
/// made to fail or block.
final class NodeLog: ForwardingEventLog, SharedEventLog {
    private let log: InMemoryEventLog
    private let isUnreachable = Atomic<Bool>(false)
    private let areHeadsUnavailable = Atomic<Bool>(false)
    private let isListeningUnavailable = Atomic<Bool>(false)
    private let failedListens = Atomic<Int>(0)
    private let gate = Gate()
    private let pictureGate = Gate()
    private let failed = Atomic<Int>(0)
    private let reads = Atomic<Int>(0)

    init(_ log: InMemoryEventLog) { self.log = log }

    var forwarded: any EventLog { log }

    /// Number of calls that failed as unreachable.
    var failures: Int { failed.load(ordering: .sequentiallyConsistent) }
    /// Number of ticket calls that are blocked at the gate.
    var blockedCalls: Int { gate.blockedCalls }

    func setUnreachable(_ isUnreachable: Bool) { self.isUnreachable.store(isUnreachable, ordering: .sequentiallyConsistent) }

    /// Makes `heads(of:)` fail, so that the node cannot detect other nodes' appends.
    func setHeadsUnavailable(_ areHeadsUnavailable: Bool) {
        self.areHeadsUnavailable.store(areHeadsUnavailable, ordering: .sequentiallyConsistent)
    }

    /// Makes `awaitNotification` fail, so that the node can only poll.
    func setListeningUnavailable(_ isUnavailable: Bool) {
        isListeningUnavailable.store(isUnavailable, ordering: .sequentiallyConsistent)
    }

    /// Number of calls of `awaitNotification` that failed.
    var listeningFailures: Int { failedListens.load(ordering: .sequentiallyConsistent) }

    func heads(of rooms: [RoomID]) throws(EventLogError) -> [RoomHead] {
        if areHeadsUnavailable.load(ordering: .sequentiallyConsistent) { throw EventLogError(.unavailable, "out of reach") }
        return try log.heads(of: rooms)
    }

    /// Number of calls of the store of pictures that are blocked.
    var blockedPictureCalls: Int { pictureGate.blockedCalls }

    var pictures: any PictureStore { GatedPictures(forwarded: log.pictures, gate: pictureGate) }

    /// Blocks storing and reading pictures until `openPictures`.
    func shutPictures() { pictureGate.shut() }

    func openPictures() { pictureGate.open() }

    /// Blocks ticket calls until `open`.
    func shut() { gate.shut() }

    func open() { gate.open() }

    private func pass() throws(EventLogError) {
        if isUnreachable.load(ordering: .sequentiallyConsistent) {
            failed.add(1, ordering: .sequentiallyConsistent)
            throw EventLogError(.unavailable, "out of reach")
        }
    }

    func putTicket(
        _ key: UInt128, of owner: UserID, _ content: [UInt8], expiresAt: Timestamp, perOwner: Int
    ) throws(EventLogError) {
        gate.pass()
        try pass()
        try log.putTicket(key, of: owner, content, expiresAt: expiresAt, perOwner: perOwner)
    }

    func takeTicket(_ key: UInt128) throws(EventLogError) -> [UInt8]? {
        gate.pass()
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

// What only a shared log has is forwarded unchanged, like the rest.
extension NodeLog {
    var recoversFromFailures: Bool { log.recoversFromFailures }

    func changes(
        of room: RoomID, since head: RoomHead, responsesAfter: Int64, limit: Int
    ) throws(EventLogError) -> RoomChanges? {
        try log.changes(of: room, since: head, responsesAfter: responsesAfter, limit: limit)
    }

    func awaitNotification(for node: NodeID, milliseconds: Int) throws(EventLogError) -> ChangeNotification? {
        if isListeningUnavailable.load(ordering: .sequentiallyConsistent) {
            failedListens.add(1, ordering: .sequentiallyConsistent)
            throw EventLogError(.unavailable, "too many clients already")
        }
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

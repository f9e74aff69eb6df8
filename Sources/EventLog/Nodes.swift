package import AuctionDomain

/// Identifier of a node: one running process that uses a shared log.
package struct NodeID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Random bits, chosen at each start of the process.
    package let bits: UInt64

    /// - Parameter bits: New random bits; a restarted process is a different node.
    package init(bits: UInt64) { self.bits = bits }

    /// 16 hexadecimal digits.
    package var description: String { bits.hexadecimal }

    package static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }
}

/// The log's response to a node's heartbeat.
package struct Heartbeat: Hashable, Sendable {
    /// A node is considered dead when its last heartbeat is older than this.
    package static let timeoutMilliseconds: Int64 = 2000

    /// The log's time.
    package let at: Timestamp
    /// Number of live nodes, including the sender.
    package let liveNodes: Int
    /// The oldest unsettled outage; nil if there is none.
    package let outage: Outage?

    package init(at: Timestamp, liveNodes: Int, outage: Outage?) {
        (self.at, self.liveNodes, self.outage) = (at, liveNodes, outage)
    }
}

/// The nodes that count as alive, as a node that starts finds them.
package struct Liveness: Hashable, Sendable {
    /// Last heartbeat of any node; nil if there never was one.
    package let lastHeartbeat: Timestamp?
    /// Last heartbeat of each node of which it is at most `Heartbeat.timeoutMilliseconds` old.
    package let nodes: [NodeID: Timestamp]

    package init(lastHeartbeat: Timestamp?, nodes: [NodeID: Timestamp]) {
        (self.lastHeartbeat, self.nodes) = (lastHeartbeat, nodes)
    }
}

/// A period without any live node. Deadlines that expired since its start are not acted on until they have been extended and the
/// outage is settled.
package struct Outage: Hashable, Sendable {
    /// Shortest period without any heartbeat that counts as an outage; before the start of a node that finds no other alive, any does.
    package static let minimumMilliseconds: Int64 = 2000

    /// Identifier assigned by the log.
    package let id: Int64
    /// Last heartbeat before the outage.
    package let from: Timestamp
    /// First heartbeat after the outage.
    package let until: Timestamp
    /// The live node that is extending deadlines for this outage; nil if no node has claimed it or the claimer died.
    package let claimedBy: NodeID?

    package init(id: Int64, from: Timestamp, until: Timestamp, claimedBy: NodeID?) {
        (self.id, self.from, self.until, self.claimedBy) = (id, from, until, claimedBy)
    }
}

/// The subscribers of a room, on one node or summed over several.
package struct RoomPresenceReport: Hashable, Sendable {
    /// Identifier of the room.
    package let room: RoomID
    /// Number of subscribers, including anonymous ones.
    package let count: Int
    /// Present users whose presence affects the room, sorted: host, auctioneers and those involved in a stage request.
    package let people: [UserID]

    package init(room: RoomID, count: Int, people: [UserID]) { (self.room, self.count, self.people) = (room, count, people) }

    /// Whether there are no subscribers.
    package var isEmpty: Bool { count == 0 && people.isEmpty }
}

/// The revocation of a token before its expiry.
package struct Revocation: Hashable, Sendable {
    /// Digest identifying what is revoked.
    package let key: UInt128
    /// When it was revoked, set by the log's clock.
    package let at: Timestamp
    /// When the revoked token would have expired anyway; the revocation may be deleted afterwards.
    package let until: Timestamp
    /// Revokes only tokens issued before this; nil revokes them regardless of when they were issued.
    package let before: Timestamp?

    package init(key: UInt128, at: Timestamp, until: Timestamp, before: Timestamp? = nil) {
        (self.key, self.at, self.until, self.before) = (key, at, until, before)
    }

    /// Merges two revocations of the same key: the result covers everything that either covers, until the later of both expiries.
    package func joined(with other: Revocation) -> Revocation {
        let both = before.flatMap { own in other.before.map { max(own, $0) } }
        return Revocation(key: key, at: max(at, other.at), until: max(until, other.until), before: both)
    }
}

/// How a shared log validates time by its own clock, independently of the nodes' clocks.
package enum LogTime {
    /// Events with a timestamp further ahead of the log's clock are deferred, unless it is not later than the room's last event: then the
    /// clock has gone back, and a room's events are never earlier than those before …
    package static let maximumAheadMilliseconds: Int64 = 50
    /// … and so are events with an older timestamp than this.
    package static let maximumAgeMilliseconds: Int64 = 2000
}

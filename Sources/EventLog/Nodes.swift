public import AuctionDomain

/// A node: one run of the program over a log that others share.
public struct NodeID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let bits: UInt64

    /// - Parameter bits: Fresh random bits: a program that starts again is another node.
    public init(bits: UInt64) { self.bits = bits }

    /// 16 hexadecimal digits.
    public var description: String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    public static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }
}

/// What a node hears when it says that it lives.
public struct Heartbeat: Hashable, Sendable {
    /// A node that was silent for longer is taken for dead.
    public static let lifeMilliseconds: Int64 = 2000

    /// The log's clock.
    public let at: Timestamp
    /// This one included.
    public let liveNodes: Int
    /// The oldest outage that is not settled; nil when all is well.
    public let outage: Outage?

    public init(at: Timestamp, liveNodes: Int, outage: Outage?) {
        self.at = at
        self.liveNodes = liveNodes
        self.outage = outage
    }
}

/// A time in which no node lived. What fell due since its begin waits until the ends that it ate have been moved.
public struct Outage: Hashable, Sendable {
    /// Without any node for longer than this is an outage.
    public static let leastMilliseconds: Int64 = 2000

    public let id: Int64
    /// When a node was last heard of.
    public let from: Timestamp
    /// When the first one was back.
    public let until: Timestamp
    /// Who moves the ends; nil while nobody does, or no longer.
    public let claimedBy: NodeID?

    public init(id: Int64, from: Timestamp, until: Timestamp, claimedBy: NodeID?) {
        self.id = id
        self.from = from
        self.until = until
        self.claimedBy = claimedBy
    }
}

/// Who follows a room, through one node or through several.
public struct RoomPresenceReport: Hashable, Sendable {
    public let room: RoomID
    /// Everybody, those without a name too.
    public let count: Int
    /// Those whose presence the room depends on, in order: who leads it, who is being called on stage.
    public let people: [UserID]

    public init(room: RoomID, count: Int, people: [UserID]) {
        self.room = room
        self.count = count
        self.people = people
    }

    /// Whether there is nobody to speak of.
    public var isEmpty: Bool { count == 0 && people.isEmpty }
}

/// Something that is no longer good although its time is not over.
public struct Revocation: Hashable, Sendable {
    /// A digest of what is revoked.
    public let key: UInt128
    /// When it was revoked; the log's clock says.
    public let at: Timestamp
    /// When it would have ended by itself: then it may be forgotten.
    public let until: Timestamp
    /// Only what was made before is revoked; nil: everything, whenever it is made.
    public let before: Timestamp?

    public init(key: UInt128, at: Timestamp, until: Timestamp, before: Timestamp? = nil) {
        self.key = key
        self.at = at
        self.until = until
        self.before = before
    }

    /// Two of the same thing: the one that takes back more, and for longer.
    public func joined(with other: Revocation) -> Revocation {
        let both = before.flatMap { own in other.before.map { max(own, $0) } }
        return Revocation(key: key, at: max(at, other.at), until: max(until, other.until), before: both)
    }
}

/// What a shared log makes of time: the rules that no clock of a node can bend.
public enum LogTime {
    /// A batch stamped further ahead of the log's clock is refused …
    public static let aheadMilliseconds: Int64 = 50
    /// … and one that is older.
    public static let behindMilliseconds: Int64 = 2000

    /// Why this may not be appended now; nil if it may.
    /// - Parameters:
    ///   - outages: The begins of those that are not settled.
    ///   - lastSeen: When any node was last heard of; nil if none ever was. Nobody ends anything before an outage that is over
    ///     has been noticed.
    public static func deferral(
        _ append: RoomAppend, at now: Timestamp, outages: [Timestamp], lastSeen: Timestamp?
    ) -> AppendVerdict.Deferral? {
        if let first = append.events.first, let last = append.events.last {
            if last.at.milliseconds(since: now) > aheadMilliseconds || now.milliseconds(since: first.at) > behindMilliseconds {
                return .stamp
            }
        }
        guard let due = append.notBefore else { return nil }
        if due > now { return .early }
        if let lastSeen, now.milliseconds(since: lastSeen) > Outage.leastMilliseconds { return .outage }
        return outages.contains { due >= $0 } ? .outage : nil
    }
}

import AuctionDomain
import DequeModule
import EventLog

/// The keyed commands of one room: answered ones for 24 hours, running ones until their answer is durable.
///
/// Each user has a share; beyond it the user's own oldest answered key is forgotten. When the room has as many as it may, the
/// oldest key of a user who holds most goes. What is forgotten is decided anew when it is repeated; its stored answer stays in the
/// log until it expires there, and is not looked at. The same answers in the same order leave the same keys, so what nodes keep,
/// and what is kept after a restart, is the same as long as the room's own bound is not reached.
struct IdempotencyKeys: Sendable {
    enum Finding {
        case fresh
        /// The answer stands in the log.
        case answered(position: Int64)
        /// The first one is still on its way; wait for its outcome.
        case running
        /// The key came with another body before.
        case reused
        /// As many keyed commands of this user are on their way as the user may have.
        case full
    }

    static let lifetimeMilliseconds: Int64 = 24 * 3600 * 1000

    private struct Running {
        let fingerprint: UInt64
        var waiters: [CommandRequest] = []
    }

    /// An answer, named: the key may have another one by now.
    private struct Place {
        let key: UInt128
        let position: Int64
    }

    private let (perRoom, perUser): (Int, Int)
    private var answered: [UInt128: StoredKey] = [:]
    private var shares = KeyShares()
    /// In order of position; some may be gone.
    private var byAge: Deque<Place> = []
    private var running: [UInt128: Running] = [:]
    private var runningPerUser: [UserID: Int] = [:]

    /// How many are remembered.
    var count: Int { answered.count }

    init(_ limits: ServiceLimits, stored: [StoredKey] = []) {
        (perRoom, perUser) = (limits.keysPerRoom, limits.keysPerUser)
        for key in stored { remember(key) }
    }

    mutating func find(_ key: IdempotencyKey, of user: UserID, at now: Now) -> Finding {
        expire(at: now)
        if let first = running[key.key] { return first.fingerprint == key.fingerprint ? .running : .reused }
        if let stored = answered[key.key] {
            return stored.fingerprint == key.fingerprint ? .answered(position: stored.position) : .reused
        }
        return runningPerUser[user, default: 0] < perUser ? .fresh : .full
    }

    mutating func begin(_ key: IdempotencyKey, of user: UserID) {
        running[key.key] = Running(fingerprint: key.fingerprint)
        runningPerUser[user, default: 0] += 1
    }

    /// Takes in answers that other nodes gave, in order of position.
    mutating func learn(_ stored: [StoredKey]) { for key in stored { remember(key) } }

    /// Lets a repeat wait for the first one's outcome.
    mutating func wait(_ request: CommandRequest, for key: IdempotencyKey) {
        running[key.key]?.waiters.append(request)
    }

    /// The answer is durable; returns the repeats that waited for it.
    mutating func finish(
        _ key: IdempotencyKey, of user: UserID, at instant: Timestamp, position: Int64
    ) -> [CommandRequest] {
        remember(
            StoredKey(key: key.key, fingerprint: key.fingerprint, owner: KeyOwner(user), at: instant, position: position))
        guard let first = running.removeValue(forKey: key.key) else { return [] }
        let left = runningPerUser[user, default: 1] - 1
        runningPerUser[user] = left > 0 ? left : nil
        return first.waiters
    }

    /// Nothing that runs will be written; returns all repeats that waited, in the order of their keys.
    mutating func abandonAll() -> [CommandRequest] {
        defer { (running, runningPerUser) = ([:], [:]) }
        return running.keys.sorted().flatMap { running[$0]?.waiters ?? [] }
    }

    private mutating func remember(_ key: StoredKey) {
        if let known = answered[key.key] { shares.remove(known.key, of: known.owner) }
        answered[key.key] = key
        byAge.append(Place(key: key.key, position: key.position))
        shares.add(key.key, of: key.owner)
        if shares.count(of: key.owner) > perUser, let oldest = shares.removeOldest(of: key.owner) { answered[oldest] = nil }
        if answered.count > perRoom { forgetOne() }
        if byAge.count > 2 * answered.count + 16 { byAge.removeAll { answered[$0.key]?.position != $0.position } }
    }

    /// The oldest key of a user who holds most; if no user has more than one, the oldest of all.
    private mutating func forgetOne() {
        if shares.largest > 1 {
            if let oldest = shares.removeOldestOfLargest() { answered[oldest] = nil }
            return
        }
        while let oldest = byAge.popFirst() {
            if forget(oldest) { return }
        }
    }

    private mutating func expire(at now: Now) {
        while let oldest = byAge.first {
            if let stored = stored(oldest), now.age(of: stored.at) <= Self.lifetimeMilliseconds { return }
            byAge.removeFirst()
            _ = forget(oldest)
        }
    }

    /// The answer at a place, if it has not gone.
    private func stored(_ place: Place) -> StoredKey? {
        answered[place.key].flatMap { $0.position == place.position ? $0 : nil }
    }

    private mutating func forget(_ place: Place) -> Bool {
        guard let stored = stored(place) else { return false }
        answered[stored.key] = nil
        shares.remove(stored.key, of: stored.owner)
        return true
    }
}

internal import AuctionDomain
internal import EventLog

/// The revocations that one node knows on a shared log: those its own operator lists, and those of all nodes.
///
/// Each listed entry is published once, and again if it is found missing, because another node that had listed it too may have
/// withdrawn it. An entry removed from the list is withdrawn. A value type: time is passed in.
struct RevocationRegistry {
    /// Lifetime of a revocation that is no longer listed: longer than any token lives. Listed ones are renewed.
    static let keepMilliseconds: Int64 = 30 * 24 * 3_600_000
    /// Revocations with less remaining lifetime are published again.
    static let renewMilliseconds: Int64 = 29 * 24 * 3_600_000
    /// Maximum number of revocations published per call.
    static let perCall = 5000

    /// Revocations this node's operator lists, by digest: tokens issued before the timestamp are revoked; nil: all tokens.
    private var own: [UInt128: Timestamp?] = [:]
    /// Revocations this node has published to the log.
    private var publishedCutoffs: [UInt128: Timestamp?] = [:]
    private var known: [UInt128: Revocation] = [:]
    /// Whether the log matches the list: polling then costs nothing, however long the list is.
    private var isPublished = true
    /// Whether the effective revocations have changed since `takeChange`.
    private var hasChanged = false
    /// Timestamp of the newest revocation that was read.
    private(set) var latest: Timestamp?

    /// The effective revocations of all nodes if they have changed since the last call; nil otherwise.
    mutating func takeChange() -> SharedRevocations? {
        guard hasChanged else { return nil }
        hasChanged = false
        return SharedRevocations(known.values)
    }

    /// Replaces the list of this node's operator.
    mutating func list(_ ends: [UInt128: Timestamp?]) {
        own = ends
        isPublished = false
    }

    /// Keys to withdraw from the log; call `restored` once that is done.
    var keysToRestore: [UInt128] { isPublished ? [] : publishedCutoffs.filter { own[$0.key] != .some($0.value) }.keys.sorted() }

    mutating func restored(_ keys: [UInt128]) {
        for key in keys {
            publishedCutoffs[key] = nil
            known[key] = nil
        }
        if !keys.isEmpty { hasChanged = true }
    }

    /// Revocations to publish next, at most `perCall`; empty if the log matches the list.
    mutating func nextToPublish(at now: Timestamp) -> [Revocation] {
        if isPublished { return [] }
        let until = now.advanced(byMilliseconds: Self.keepMilliseconds)
        var next: [Revocation] = []
        for key in own.keys.sorted() where publishedCutoffs[key] == nil {
            guard let end = own[key], next.count < Self.perCall else { continue }
            let revocation = Revocation(key: key, at: now, until: until, before: end)
            if let standing = known[key], covers(standing, revocation, at: now) {
                publishedCutoffs.updateValue(end, forKey: key)
            } else {
                next.append(revocation)
            }
        }
        isPublished = next.isEmpty && keysToRestore.isEmpty
        return next
    }

    /// Notes that the log has these revocations now.
    mutating func published(_ revocations: [Revocation]) {
        for revocation in revocations {
            publishedCutoffs.updateValue(revocation.before, forKey: revocation.key)
            known[revocation.key] = known[revocation.key]?.joined(with: revocation) ?? revocation
        }
        if !revocations.isEmpty { hasChanged = true }
    }

    /// Merges revocations read from the log.
    /// - Parameter isWhole: true if `found` is everything in the log, false if only what is new.
    mutating func merge(_ found: [Revocation], isWhole: Bool, at now: Timestamp) {
        if let last = found.map(\.at).max() { latest = max(latest ?? last, last) }
        guard isWhole else {
            if found.contains(where: { known[$0.key].map(\.before) != .some($0.before) }) { hasChanged = true }
            for revocation in found { known[revocation.key] = revocation }
            return
        }
        let before = SharedRevocations(known.values)
        known = Dictionary(found.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
        for (key, end) in publishedCutoffs {
            let wanted = Revocation(key: key, at: now, until: now, before: end)
            if known[key].map({ covers($0, wanted, at: now) }) != true {
                publishedCutoffs[key] = nil
                isPublished = false
            }
        }
        if SharedRevocations(known.values) != before { hasChanged = true }
    }

    /// Whether an existing revocation covers the wanted one and need not be renewed yet.
    private func covers(_ standing: Revocation, _ wanted: Revocation, at now: Timestamp) -> Bool {
        standing.until.milliseconds(since: now) >= Self.renewMilliseconds
            && standing.joined(with: wanted).before == standing.before
    }
}

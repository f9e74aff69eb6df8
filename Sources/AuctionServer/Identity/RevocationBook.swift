internal import AuctionDomain
internal import EventLog

/// What one node knows of revocations in a log that nodes share: what its own operator lists, and what all of them do.
///
/// A line of the operator's is told once, and told again when it is found missing: another node whose list had it too may have
/// taken it off. A line that goes is taken back. A value: time comes in from outside.
struct RevocationBook {
    /// How long a revocation stands of which nobody speaks any more: longer than tokens live. What is listed is renewed.
    static let keepMilliseconds: Int64 = 30 * 24 * 3_600_000
    /// What stands for less is told again.
    static let renewMilliseconds: Int64 = 29 * 24 * 3_600_000
    /// How much is told at once.
    static let perCall = 5000

    /// Everything that was made before; nil: everything.
    private var own: [UInt128: Timestamp?] = [:]
    /// What the log has from this node.
    private var said: [UInt128: Timestamp?] = [:]
    private var known: [UInt128: Revocation] = [:]
    /// Whether all that is listed is said, and nothing else: a look costs nothing, however long the list is.
    private var isSaid = true
    /// When the last one that was read was revoked.
    private(set) var latest: Timestamp?

    /// Of all nodes.
    var everything: SharedRevocations { SharedRevocations(known.values) }

    /// From here on the operator of this node lists these.
    mutating func list(_ ends: [UInt128: Timestamp?]) {
        own = ends
        isSaid = false
    }

    /// What is to be taken back; it has been with the next call of `restored`.
    var restoring: [UInt128] { isSaid ? [] : said.filter { own[$0.key] != .some($0.value) }.keys.sorted() }

    mutating func restored(_ keys: [UInt128]) {
        for key in keys {
            said[key] = nil
            known[key] = nil
        }
    }

    /// What is to be told next, at most `perCall`; nothing when all has been.
    mutating func telling(at now: Timestamp) -> [Revocation] {
        if isSaid { return [] }
        let until = now.advanced(byMilliseconds: Self.keepMilliseconds)
        var next: [Revocation] = []
        for key in own.keys.sorted() where said[key] == nil {
            guard let end = own[key], next.count < Self.perCall else { continue }
            let revocation = Revocation(key: key, at: now, until: until, before: end)
            if let standing = known[key], covers(standing, revocation, at: now) {
                said.updateValue(end, forKey: key)
            } else {
                next.append(revocation)
            }
        }
        isSaid = next.isEmpty && restoring.isEmpty
        return next
    }

    mutating func told(_ revocations: [Revocation]) {
        for revocation in revocations {
            said.updateValue(revocation.before, forKey: revocation.key)
            known[revocation.key] = known[revocation.key]?.joined(with: revocation) ?? revocation
        }
    }

    /// Takes in what the log has.
    /// - Parameter isWhole: Everything, and not only what is new.
    /// - Returns: Whether that changes what counts.
    mutating func learn(_ found: [Revocation], isWhole: Bool, at now: Timestamp) -> Bool {
        if let last = found.map(\.at).max() { latest = max(latest ?? last, last) }
        guard isWhole else {
            let fresh = found.filter { known[$0.key].map(\.before) != .some($0.before) }
            for revocation in found { known[revocation.key] = revocation }
            return !fresh.isEmpty
        }
        let before = everything
        known = Dictionary(found.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
        for (key, end) in said {
            let wanted = Revocation(key: key, at: now, until: now, before: end)
            if known[key].map({ covers($0, wanted, at: now) }) != true {
                said[key] = nil
                isSaid = false
            }
        }
        return everything != before
    }

    /// Whether what stands takes back as much, and goes on doing so.
    private func covers(_ standing: Revocation, _ wanted: Revocation, at now: Timestamp) -> Bool {
        standing.until.milliseconds(since: now) >= Self.renewMilliseconds
            && standing.joined(with: wanted).before == standing.before
    }
}

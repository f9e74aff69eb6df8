internal import AuctionDomain
internal import Crypto
internal import EventLog

/// Revocations by the operators of all nodes on a shared log. The log stores digests instead of user and token ids.
struct SharedRevocations: Sendable, Equatable {
    /// Tokens issued before the timestamp are revoked, by digest; nil: all tokens.
    private let ends: [UInt128: Timestamp?]

    init() { ends = [:] }

    init(_ revocations: some Sequence<Revocation>) {
        ends = Dictionary(revocations.map { ($0.key, $0.before) }, uniquingKeysWith: { _, last in last })
    }

    func contain(_ principal: Principal) -> Bool {
        if ends.isEmpty { return false }
        if let id = principal.tokenID, ends[Self.key(ofToken: id)] != nil { return true }
        guard let end = ends[Self.key(of: principal.person.id)] else { return false }
        guard let end, let issued = principal.issuedAt else { return true }
        return issued < end
    }

    static func key(of user: UserID) -> UInt128 { digest("user \(user)") }
    static func key(ofToken id: String) -> UInt128 { digest("jti \(id)") }

    private static func digest(_ text: String) -> UInt128 {
        SHA256.hash(data: Array(text.utf8)).prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
    }
}

extension Revocations {
    /// The same revocations keyed by digest, as the shared log stores them.
    var ends: [UInt128: Timestamp?] {
        var ends: [UInt128: Timestamp?] = [:]
        for (user, end) in users { ends.updateValue(end, forKey: SharedRevocations.key(of: user)) }
        for id in tokens { ends.updateValue(nil, forKey: SharedRevocations.key(ofToken: id)) }
        return ends
    }
}

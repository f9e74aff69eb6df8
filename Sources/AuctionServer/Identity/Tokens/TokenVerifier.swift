internal import AuctionDomain
internal import AuctionService

/// Verifies tokens: accepts the server's own and the operator's provider's, except revoked ones. Replaced as a whole when the
/// operator's files change.
struct TokenVerifier: Sendable {
    let signer: TokenSigner
    let identity: Identity
    /// Revocations by the operators of all nodes on a shared log.
    var revoked = SharedRevocations()
    /// Users who have left the service for good.
    var left = LeftUsers()
    /// Users whose tokens operators have ended, or whom they have banned.
    var restricted = RestrictedUsers()

    /// - Throws: why the token is rejected.
    func principal(of token: String, at now: Now) throws(TokenError) -> Principal {
        let principal: Principal
        if let own = signer.verify(token) {
            principal = own
        } else {
            guard let provider = identity.provider else { throw .unknown }
            principal = left.current(try provider.principal(of: token, at: now.actual))
        }
        if let tokenError = tokenError(of: principal, at: now) { throw tokenError }
        return principal
    }

    /// Whether an operator has banned the user from all rooms, perhaps as whom they were before they left for good.
    func isBanned(_ user: UserID) -> Bool {
        guard restricted.count > 0 else { return false }
        var next: UserID? = user
        while let user = next {
            if restricted.isBanned(user) { return true }
            next = left.predecessor(of: user)
        }
        return false
    }

    /// Why an accepted token is no longer valid; nil while it is.
    func tokenError(of principal: Principal, at now: Now) -> TokenError? {
        switch principal.source {
        case .guests: guard identity.acceptsGuests else { return .unknown }
        case .backend: break
        case .session(let session): guard identity.signIn.provider(session.issuer) != nil else { return .unknown }
        case .provider(let key): guard identity.provider?.keys.contains(key) == true else { return .unknown }
        }
        if let error = revoked.tokenError(of: principal, at: now) { return error }
        let isRevoked =
            identity.revocations.contain(principal) || left.contain(principal) || restricted.hasEnded(principal)
        return isRevoked ? .revoked : nil
    }
}

/// Cache of verified tokens of one event loop: verifying a signature costs more than the rest of a request.
struct TokenCache {
    static let limit = 16384
    private(set) var verifier: TokenVerifier
    /// Number of verifiers so far.
    private(set) var generation = 0
    private var verified: [Key: Principal] = [:]

    /// Hashes only the end of the token, which is a part of its signature: hashing all of some two hundred bytes would not distinguish
    /// accepted tokens better.
    private struct Key: Hashable {
        let token: Substring

        /// Whether the bytes are the same. Swift's strings may be equal with different bytes, but a string that equals an ASCII text and has
        /// other bytes is longer, and accepted tokens are ASCII: so equal length and equality suffice.
        static func == (left: Self, right: Self) -> Bool {
            left.token.utf8.count == right.token.utf8.count && left.token == right.token
        }

        func hash(into hasher: inout Hasher) {
            let bytes = token.utf8Span.span
            var end: UInt64 = 0
            for index in max(0, bytes.count - 8)..<bytes.count { end = end << 8 | UInt64(bytes[index]) }
            hasher.combine(end)
        }
    }

    init(verifier: TokenVerifier) { self.verifier = verifier }

    var count: Int { verified.count }
    /// Bytes of the texts that are kept, of which the cached tokens are parts.
    var textBytes: Int { verified.keys.reduce(0) { $0 + $1.token.base.utf8.count } }

    /// Replaces the verifier and drops all cached tokens.
    mutating func use(_ verifier: TokenVerifier) {
        self.verifier = verifier
        generation += 1
        verified.removeAll()
    }

    /// Replaces the verifier by one that differs in these users, and drops their cached tokens. Those of others stay: any guest may leave at
    /// any time, which should cost other users nothing.
    mutating func use(_ verifier: TokenVerifier, without users: Set<UserID>) {
        self.verifier = verifier
        generation += 1
        for key in verified.filter({ users.contains($0.value.person.id) }).keys { verified[key] = nil }
    }

    /// - Throws: a 401 that describes what is wrong with the token.
    mutating func principal(of token: Substring, at now: Now) throws(Problem) -> Principal {
        let key = Key(token: token)
        if let principal = verified[key] {
            if !principal.hasExpired(at: now) { return principal }
            verified[key] = nil
        }
        let principal: Principal
        // The copy is kept, not the header that the token is a part of.
        let text = String(token)
        do throws(TokenError) { principal = try verifier.principal(of: text, at: now) } catch { throw Problem(error) }
        if verified.count >= Self.limit { verified.removeAll(keepingCapacity: true) }
        verified[Key(token: text[...])] = principal
        return principal
    }

    /// Why an accepted token is no longer valid; nil while it is.
    func tokenError(of principal: Principal, at now: Now) -> TokenError? { verifier.tokenError(of: principal, at: now) }
}

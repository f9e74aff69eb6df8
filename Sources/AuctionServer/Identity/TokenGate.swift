internal import AuctionDomain
internal import AuctionService

/// Which tokens count: this server's own, the operator's, and none that was revoked. Replaced as a whole when the operator's
/// files change.
struct TokenGate: Sendable {
    let signer: TokenSigner
    let identity: Identity
    /// By the operators of other nodes, and of this one.
    var revoked = SharedRevocations()

    /// - Throws: why the token does not count.
    func principal(of token: String, at now: Now) throws(TokenDefect) -> Principal {
        let principal: Principal
        if let own = signer.verify(token) {
            principal = own
        } else {
            guard let provider = identity.provider else { throw .unknown }
            principal = try provider.principal(of: token, at: now.actual)
        }
        if let defect = defect(of: principal, at: now) { throw defect }
        return principal
    }

    /// Why somebody's token counts no more; nil while it does.
    func defect(of principal: Principal, at now: Now) -> TokenDefect? {
        switch principal.source {
        case .guests: guard identity.acceptsGuests else { return .unknown }
        case .provider(let key): guard identity.provider?.keys.contains(key) == true else { return .unknown }
        }
        if principal.hasExpired(at: now) { return .expired(principal.expiresAt) }
        return identity.revocations.contain(principal) || revoked.contain(principal) ? .revoked : nil
    }
}

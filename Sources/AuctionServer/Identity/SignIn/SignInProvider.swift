internal import AuctionDomain
internal import AuctionService
internal import ExactJSON
internal import OutboundHTTP

/// A provider whose users sign in with its ID tokens (OpenID Connect Core 1.0).
package struct SignInProvider: Hashable, Sendable {
    /// Bounds of what an operator may give.
    static let limitProviders = 16
    static let limitClients = 64

    /// Its name, which is a URL, compared byte for byte.
    package let issuer: String
    /// The names under which the provider knows the operator's programs; each audience of a token has to be one.
    package let clients: [String]

    /// - Throws: `ServerError` that completes the sentence "the provider …".
    package init(issuer: String, clients: [String]) throws(ServerError) {
        do throws(DestinationRefusal) {
            try AddressPolicy.operatorsSystems.check(issuer)
        } catch {
            throw ServerError("\(issuer) \(error)")
        }
        // OpenID Connect Discovery 1.0, section 3: neither query nor fragment.
        guard !issuer.contains("?") else { throw ServerError("\(issuer) must not have a query") }
        guard issuer != TokenSigner.issuer, (1...Self.limitClients).contains(clients.count), !clients.contains(""),
            Set(clients).count == clients.count
        else { throw ServerError("\(issuer) needs 1 to \(Self.limitClients) client ids, each once") }
        (self.issuer, self.clients) = (issuer, clients)
    }

    /// Reads `ISSUER=CLIENT_ID[,CLIENT_ID…]`; nil if it is no such text.
    package init?(option text: String) {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        let clients = text[equals...].dropFirst().split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let provider = try? SignInProvider(issuer: String(text[..<equals]), clients: clients) else { return nil }
        self = provider
    }

    /// Where the provider describes itself (Discovery, section 4).
    var metadataURL: String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }
}

/// Signing in with the ID tokens of providers.
package struct SignInOptions: Sendable {
    /// How long after its expiry a token that was exchanged is remembered: clocks of nodes may differ.
    static let usedTokenMargin: Int64 = 3_600_000

    /// None: no user can sign in.
    package var providers: [SignInProvider] = []
    /// For how long a user who has signed in can renew the token, in days.
    package var sessionDays = 30
    /// The provider of `providers` that the page signs users in with; empty: the page does not.
    package var pageIssuer = ""

    package init() {}

    /// The provider that the page signs users in with.
    var pageProvider: SignInProvider? { provider(pageIssuer) }

    func provider(_ issuer: String) -> SignInProvider? { providers.first { $0.issuer.hasSameBytes(as: issuer) } }

    /// Until when the tokens of a session are valid at most.
    func end(of session: SignInSession) -> Timestamp {
        session.begunAt.advanced(byMilliseconds: Int64(sessionDays) * 86_400_000)
    }

    /// - Throws: `ServerError` for too many providers, and for two of one name.
    func check() throws(ServerError) {
        guard providers.count <= SignInProvider.limitProviders else {
            throw ServerError(
                "there are \(providers.count) providers to sign in with, more than \(SignInProvider.limitProviders)")
        }
        guard Set(providers.map(\.issuer)).count == providers.count else {
            throw ServerError("a provider to sign in with is given twice: name all its client ids at once")
        }
        if !pageIssuer.isEmpty, pageProvider == nil {
            throw ServerError("--page-sign-in: \(pageIssuer) is not among the providers of --oidc")
        }
    }
}

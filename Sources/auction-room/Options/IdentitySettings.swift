internal import AuctionServer

/// The accepted tokens: an identity provider's keys, its claims, and whether there are guests. Paths and texts are empty if not set.
struct IdentitySettings: Sendable {
    enum Guests: String, CaseIterable { case on, off }

    var guests = Guests.on
    var jwksFile = ""
    var jwksURL = ""
    var secretFile = ""
    var issuer = ""
    var audience = ""
    var signIn = SignInOptions()
    var revocationsFile = ""

    /// Whether there are files, which SIGHUP then reloads.
    var hasFiles: Bool { !(jwksFile + secretFile + revocationsFile).isEmpty }

    /// Reads all files.
    /// - Throws: `ConfigurationError` that names the option and variable, or the file, and contains none of the file's content.
    func load() throws(ConfigurationError) -> Identity {
        var identity = Identity()
        identity.acceptsGuests = guests == .on
        identity.provider = try provider()
        identity.keysURL = jwksURL.isEmpty ? nil : jwksURL
        identity.signIn = signIn
        guard !revocationsFile.isEmpty else { return identity }
        let text = String(decoding: try contents(of: revocationsFile, "the revocations"), as: UTF8.self)
        identity.revocations = try Self.naming("the revocations \(revocationsFile)") { () throws(ServerError) in
            try Revocations(text, issuers: [identity.provider?.issuer].compactMap(\.self) + signIn.providers.map(\.issuer))
        }
        return identity
    }

    private func provider() throws(ConfigurationError) -> IdentityProvider? {
        guard hasKeys else {
            let missing = "needs keys: --jwks-file, --jwks-url or --jwt-secret-file"
            try ServeOption.jwtIssuer.check(issuer.isEmpty, missing)
            try ServeOption.jwtAudience.check(audience.isEmpty, missing)
            return nil
        }
        guard [jwksFile, jwksURL, secretFile].filter({ !$0.isEmpty }).count == 1 else {
            throw ConfigurationError(
                "--jwks-file, --jwks-url and --jwt-secret-file exclude each other: a provider has one way to sign")
        }
        let keys = try keys()
        guard !issuer.isEmpty, !audience.isEmpty else {
            throw ConfigurationError("keys need --jwt-issuer and --jwt-audience: the same key may sign for others too")
        }
        return try Self.naming("--jwt-issuer:") { () throws(ServerError) in
            try IdentityProvider(keys: keys, issuer: issuer, audience: audience)
        }
    }

    private var hasKeys: Bool { !(jwksFile + jwksURL + secretFile).isEmpty }

    /// Nil if they are fetched.
    private func keys() throws(ConfigurationError) -> KeySet? {
        if !jwksURL.isEmpty { return nil }
        if secretFile.isEmpty {
            let bytes = try contents(of: jwksFile, "the keys")
            return try Self.naming("the keys \(jwksFile)") { () throws(ServerError) in try KeySet(jwks: bytes) }
        }
        let secret = try contents(of: secretFile, "the secret").trimmingNewline
        return try Self.naming("the secret \(secretFile)") { () throws(ServerError) in try KeySet(secret: secret) }
    }

    /// Calls `make`, and prefixes its errors with `what`.
    private static func naming<Value>(
        _ what: String, _ make: () throws(ServerError) -> Value
    ) throws(ConfigurationError) -> Value {
        do throws(ServerError) { return try make() } catch { throw ConfigurationError("\(what) \(error.description)") }
    }
}

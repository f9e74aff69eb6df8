internal import ArgumentParser
internal import AuctionServer
internal import Foundation

/// Options for the accepted tokens. Secrets are read from files only, since a program's arguments are visible to all local users.
struct IdentityOptions: ParsableArguments {
    /// Maximum file size, larger than any key set or revocation list; protects against a wrong path.
    private static let limitBytes = 16 << 20

    @Option(
        name: .customLong("jwks-file"),
        help: .setting("jwks-file", "The public keys of an identity provider, as a JSON Web Key Set.", default: "none"))
    var jwksFile: String?

    @Option(
        name: .customLong("jwt-secret-file"),
        help: .setting(
            "jwt-secret-file", "Or the secret that an identity provider signs with (HS256), at least 32 bytes.",
            default: "none"))
    var secretFile: String?

    @Option(
        name: .customLong("jwt-issuer"),
        help: .setting("jwt-issuer", "What \"iss\" of the provider's tokens must be.", default: "required with keys"))
    var issuer: String?

    @Option(
        name: .customLong("jwt-audience"),
        help: .setting(
            "jwt-audience", "What \"aud\" of the provider's tokens must be or contain.", default: "required with keys"))
    var audience: String?

    @Option(
        name: .customLong("jwt-skew-seconds"),
        help: .setting(
            "jwt-skew-seconds", "How far \"nbf\" and \"iat\" may be ahead of this machine's clock.", default: "5"))
    var skewSeconds: String?

    @Option(
        name: .customLong("guests"), help: .setting("guests", "on: anybody may become a guest; or off.", default: "on"))
    var guests: String?

    @Option(
        name: .customLong("revocations-file"),
        help: .setting(
            "revocations-file",
            "Tokens that count no more, one a line: \"user ID [TIME]\", \"sub SUBJECT [TIME]\" or \"jti ID\".",
            default: "none"))
    var revocationsFile: String?

    private enum Guests: String { case on, off }

    /// Whether any option names a file, which SIGHUP then reloads.
    var hasFiles: Bool {
        get throws(ConfigurationError) {
            let keys = try path("jwks-file", jwksFile) + path("jwt-secret-file", secretFile)
            return try !(keys + path("revocations-file", revocationsFile)).isEmpty
        }
    }

    /// Reads all files.
    /// - Throws: `ConfigurationError` that names the option, variable or file, and contains none of the file's content.
    func load() throws(ConfigurationError) -> Identity {
        var identity = Identity()
        let guests = try Setting(
            option: "guests", variable: Setting<String>.variable(for: "guests"), fallback: Guests.on,
            parse: Guests.init(rawValue:), expected: "on or off"
        ).value(guests)
        identity.acceptsGuests = guests == .on
        identity.provider = try provider()
        let path = try path("revocations-file", revocationsFile)
        if !path.isEmpty {
            let text = String(decoding: try Self.read(path, "the revocations"), as: UTF8.self)
            identity.revocations = try Self.naming("the revocations \(path)") { () throws(ServerError) in
                try Revocations(text, issuer: identity.provider?.issuer)
            }
        }
        return identity
    }

    private func provider() throws(ConfigurationError) -> IdentityProvider? {
        let (set, secret) = (try path("jwks-file", jwksFile), try path("jwt-secret-file", secretFile))
        let (issuerSetting, audienceSetting) = (
            Setting.text("jwt-issuer", default: ""), Setting.text("jwt-audience", default: "")
        )
        let (issuer, audience) = (try issuerSetting.value(issuer), try audienceSetting.value(audience))
        let skew = try Setting.int("jwt-skew-seconds", 0...300, default: 5).value(skewSeconds)
        guard !set.isEmpty || !secret.isEmpty else {
            for (setting, value, given) in [(issuerSetting, issuer, self.issuer), (audienceSetting, audience, self.audience)]
            where !value.isEmpty {
                throw ConfigurationError("\(setting.source(given)) needs keys: --jwks-file or --jwt-secret-file")
            }
            return nil
        }
        guard set.isEmpty || secret.isEmpty else {
            throw ConfigurationError("--jwks-file and --jwt-secret-file exclude each other: a provider has one way to sign")
        }
        let keys = set.isEmpty ? try Self.secret(secret) : try Self.keySet(set)
        guard !issuer.isEmpty, !audience.isEmpty else {
            throw ConfigurationError("keys need --jwt-issuer and --jwt-audience: the same key may sign for others too")
        }
        return try Self.naming("--jwt-issuer:") { () throws(ServerError) in
            try IdentityProvider(keys: keys, issuer: issuer, audience: audience, skewSeconds: skew)
        }
    }

    private static func keySet(_ path: String) throws(ConfigurationError) -> KeySet {
        let bytes = try read(path, "the keys")
        return try naming("the keys \(path)") { () throws(ServerError) in try KeySet(jwks: bytes) }
    }

    private static func secret(_ path: String) throws(ConfigurationError) -> KeySet {
        var bytes = try read(path, "the secret")
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        let secret = bytes
        return try naming("the secret \(path)") { () throws(ServerError) in try KeySet(secret: secret) }
    }

    private func path(_ option: String, _ given: String?) throws(ConfigurationError) -> String {
        try Setting.text(option, default: "").value(given)
    }

    private static func read(_ path: String, _ what: String) throws(ConfigurationError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError("\(what) \(path) cannot be read")
        }
        guard data.count <= limitBytes else { throw ConfigurationError("\(what) \(path) has more than \(limitBytes) bytes") }
        return [UInt8](data)
    }

    /// Calls `make`, and prefixes its errors with `what`.
    private static func naming<Value>(
        _ what: String, _ make: () throws(ServerError) -> Value
    ) throws(ConfigurationError) -> Value {
        do throws(ServerError) { return try make() } catch { throw ConfigurationError("\(what) \(error.description)") }
    }
}

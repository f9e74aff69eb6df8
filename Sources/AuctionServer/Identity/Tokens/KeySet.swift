internal import Cryptography
internal import ExactJSON

/// The keys that the operator's identity provider signs with.
package struct KeySet: Sendable {
    static let limitKeys = 100
    /// As for the server's own secret: HMAC keys shorter than the hash are weaker than the hash (RFC 7518 section 3.2).
    static let minimumSecretBytes = 32

    let keys: [VerificationKey]
    /// Keys of the file that are not used, each with the reason, for the operator's log: a provider may publish some for other purposes or
    /// other programs, and one that is no good must not shut out the users of the others.
    package let unused: [String]
    /// True for a single secret, which has no key id: a token's `kid` is then ignored.
    private let isUnnamed: Bool

    /// Parses a JSON Web Key Set (RFC 7517).
    /// - Throws: `ServerError` that completes the sentence "the keys …" and contains no key material.
    package init(jwks bytes: [UInt8]) throws(ServerError) {
        var elements: [JSONValue]
        do throws(JSONError) {
            // A name that stands twice in a key costs that key only.
            var limits = JSONLimits.trusted(depth: 16)
            limits.allowsRepeatedNames = true
            let set = try JSONReader.read(bytes, limits: limits)
            var fields = try JSONFields(set)
            elements = try fields.array("keys")
            guard !set.hasRepeatedName else { throw JSONError(.duplicateName, "") }
        } catch {
            throw ServerError("are no JSON Web Key Set: an object with an array \"keys\" is needed")
        }
        guard elements.count <= Self.limitKeys else {
            throw ServerError("are \(elements.count), more than \(Self.limitKeys)")
        }
        var keys: [(place: String, key: VerificationKey)] = []
        var unused: [String] = []
        for (index, element) in elements.enumerated() {
            let place = "key \(index + 1)"
            do throws(JSONWebKeyError) {
                let key = try JSONWebKey.read(element)
                if let id = key.id, keys.contains(where: { $0.key.id == id }) {
                    throw JSONWebKeyError(reason: "has the \"kid\" of an earlier one")
                }
                keys.append((place, key))
            } catch {
                guard error.isHarmless else { throw ServerError("cannot be used: \(place) \(error.reason)") }
                unused.append("\(place) \(error.reason)")
            }
        }
        if keys.count > 1 {
            for (place, key) in keys where key.id == nil {
                unused.append("\(place) has no \"kid\", which each of several needs")
            }
            keys.removeAll { $0.key.id == nil }
        }
        guard !keys.isEmpty else {
            throw ServerError((["hold none that can verify a signature"] + unused).joined(separator: "; "))
        }
        self.keys = keys.map(\.key)
        self.unused = unused
        isUnnamed = false
    }

    /// No keys: those of a provider that has not responded yet.
    static let none = KeySet()

    private init() { (keys, unused, isUnnamed) = ([], [], false) }

    /// Parses a JSON Web Key Set that was fetched from an address that anyone may read.
    /// - Throws: As `init(jwks:)`, and for a secret.
    init(fetched bytes: [UInt8]) throws(ServerError) {
        self = try KeySet(jwks: bytes)
        guard !keys.contains(where: { $0.algorithm == .hs256 }) else { throw ServerError("hold a secret, for anyone to read") }
    }

    /// A single secret shared by provider and server, for HS256.
    /// - Throws: `ServerError` that completes the sentence "the secret …".
    package init(secret: [UInt8]) throws(ServerError) {
        guard secret.count >= Self.minimumSecretBytes else {
            throw ServerError("has \(secret.count) bytes; at least \(Self.minimumSecretBytes) are needed")
        }
        keys = [VerificationKey(id: nil, .hs256, .secret(HMACSHA256(key: secret)), bytes: secret)]
        unused = []
        isUnnamed = true
    }

    /// The key that a token's `kid` names; without a `kid` the only key of the set, or nil if there are several.
    func key(named name: String?) -> VerificationKey? {
        guard let name, !isUnnamed else { return keys.count == 1 ? keys[0] : nil }
        return keys.first { $0.id?.hasSameBytes(as: name) == true }
    }

    func contains(_ fingerprint: UInt128) -> Bool { keys.contains { $0.fingerprint == fingerprint } }
}

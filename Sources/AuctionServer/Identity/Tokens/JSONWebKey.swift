internal import Cryptography
internal import ExactJSON

/// Why a key of a set is not used.
struct JSONWebKeyError: Error {
    /// Completes the sentence "key 1 …".
    let reason: String
    /// Whether the set goes on without the key, and the log names it.
    var isHarmless = true
}

/// One key of a JSON Web Key Set (RFC 7517, 7518 and 8037), parsed into a `VerificationKey`.
struct JSONWebKey {
    private static let minimumRSABits = 2048
    /// Larger keys make verification slow and are not in practical use.
    private static let maximumRSABits = 8192

    private let members: JSONValue

    /// - Throws: what is wrong with the key; the error contains no key material.
    static func read(_ value: JSONValue) throws(JSONWebKeyError) -> VerificationKey {
        let key = JSONWebKey(members: value)
        // Verifying needs no private key, and a leaked private key lets its holder impersonate any user.
        guard value["d"] == nil else {
            throw JSONWebKeyError(reason: "is a private key: the set must hold public keys only", isHarmless: false)
        }
        // Other programs may read the other of the two values (RFC 7517, section 4).
        guard !value.hasRepeatedName else { throw JSONWebKeyError(reason: "has a name twice") }
        guard case .object = value, let type = try key.text("kty") else { throw JSONWebKeyError(reason: "has no \"kty\"") }
        try key.checkUse()
        switch type {
        case "RSA": return try key.rsa()
        case "EC": return try key.elliptic()
        case "OKP": return try key.edwards()
        case "oct": return try key.secret()
        default: throw JSONWebKeyError(reason: "is of a kind that is not known here")
        }
    }

    private func checkUse() throws(JSONWebKeyError) {
        let use = try text("use")
        var verifies = true
        if case .array(let operations) = members["key_ops"] { verifies = operations.contains(.string("verify")) }
        guard use == nil || use == "sig", verifies else {
            throw JSONWebKeyError(reason: "is not for verifying signatures")
        }
    }

    private func rsa() throws(JSONWebKeyError) -> VerificationKey {
        let algorithm = try algorithm(of: [.rs256, .ps256])
        // Zeros before a number add nothing to it (RFC 7518, section 2, forbids them).
        let (modulus, exponent) = (try Array(bytes("n").drop { $0 == 0 }), try bytes("e"))
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard (Self.minimumRSABits...Self.maximumRSABits).contains(bits) else {
            throw JSONWebKeyError(
                reason: "has \(bits) bits; an RSA key needs \(Self.minimumRSABits) to \(Self.maximumRSABits)")
        }
        let key = try Self.key { () throws(CryptographyError) in
            try PublicKey(rsaModulus: modulus, exponent: exponent, padding: algorithm == .ps256 ? .pss : .pkcs1)
        }
        return VerificationKey(id: try text("kid"), algorithm, .publicKey(key), bytes: modulus + exponent)
    }

    private func elliptic() throws(JSONWebKeyError) -> VerificationKey {
        let curve = try text("crv")
        guard curve == "P-256" || curve == "P-384" else {
            throw JSONWebKeyError(reason: "is on a curve that is not known here")
        }
        let point = try bytes("x") + bytes("y")
        let id = try text("kid")
        let algorithm = try algorithm(of: [curve == "P-256" ? .es256 : .es384])
        let key = try Self.key { () throws(CryptographyError) in
            try PublicKey(curve == "P-256" ? .p256 : .p384, point: point)
        }
        return VerificationKey(id: id, algorithm, .publicKey(key), bytes: point)
    }

    private func edwards() throws(JSONWebKeyError) -> VerificationKey {
        guard try text("crv") == "Ed25519" else {
            throw JSONWebKeyError(reason: "is on a curve that is not known here")
        }
        let algorithm = try algorithm(of: [.edDSA])
        let point = try bytes("x")
        let key = try Self.key { () throws(CryptographyError) in try PublicKey(ed25519: point) }
        return VerificationKey(id: try text("kid"), algorithm, .publicKey(key), bytes: point)
    }

    private func secret() throws(JSONWebKeyError) -> VerificationKey {
        let algorithm = try algorithm(of: [.hs256])
        let secret = try bytes("k")
        guard secret.count >= KeySet.minimumSecretBytes else {
            throw JSONWebKeyError(reason: "has \(secret.count) bytes; a secret needs \(KeySet.minimumSecretBytes)")
        }
        return VerificationKey(id: try text("kid"), algorithm, .secret(HMACSHA256(key: secret)), bytes: secret)
    }

    private static func key(_ make: () throws(CryptographyError) -> PublicKey) throws(JSONWebKeyError) -> PublicKey {
        do throws(CryptographyError) { return try make() } catch {
            throw JSONWebKeyError(reason: "has numbers that are no key")
        }
    }

    /// The algorithm the key names, else the default for its type. It is fixed here, so that a token cannot choose it.
    private func algorithm(
        of possible: [VerificationKey.Algorithm]
    ) throws(JSONWebKeyError) -> VerificationKey.Algorithm {
        guard let name = try text("alg") else { return possible[0] }
        guard let algorithm = possible.first(where: { $0.isNamed(name) }) else {
            throw JSONWebKeyError(reason: "is for an algorithm that is not known here")
        }
        return algorithm
    }

    private func text(_ name: String) throws(JSONWebKeyError) -> String? {
        switch members[name] {
        case nil: return nil
        case .string(let text): return text
        default: throw JSONWebKeyError(reason: "has a \"\(name)\" that is no text")
        }
    }

    private func bytes(_ name: String) throws(JSONWebKeyError) -> [UInt8] {
        guard let text = try text(name), let bytes = Base64URL.decode(text.utf8), !bytes.isEmpty else {
            throw JSONWebKeyError(reason: "has no \"\(name)\" in base64url")
        }
        return bytes
    }
}

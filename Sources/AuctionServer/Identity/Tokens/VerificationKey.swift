internal import Cryptography

/// A verification key and the one algorithm it is used with; tokens cannot choose another.
struct VerificationKey: Sendable {
    enum Algorithm: String, CaseIterable {
        case rs256 = "RS256"
        case ps256 = "PS256"
        case es256 = "ES256"
        case es384 = "ES384"
        case edDSA = "EdDSA"
        case hs256 = "HS256"

        /// Whether `name` denotes this algorithm in a token's header; RFC 9864 names EdDSA with Ed25519 "Ed25519".
        func isNamed(_ name: String) -> Bool { name == rawValue || self == .edDSA && name == "Ed25519" }
    }

    enum Material: Sendable {
        case publicKey(PublicKey)
        case secret(HMACSHA256)
    }

    /// The key id (`kid`) that tokens refer to.
    let id: String?
    let algorithm: Algorithm
    /// Identifies the key by its content, whatever its id.
    let fingerprint: UInt128
    private let material: Material

    /// - Parameter bytes: the key material, for the fingerprint.
    init(id: String?, _ algorithm: Algorithm, _ material: Material, bytes: [UInt8]) {
        self.id = id
        self.algorithm = algorithm
        self.material = material
        fingerprint = SHA256.hash(data: Array(algorithm.rawValue.utf8) + bytes).leadingBits
    }

    func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        switch material {
        case .publicKey(let key): key.isValid(signature, for: bytes)
        case .secret(let key): key.isValid(signature, for: bytes)
        }
    }
}

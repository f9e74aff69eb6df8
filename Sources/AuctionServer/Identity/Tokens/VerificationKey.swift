internal import Crypto
internal import CryptoExtras
internal import Foundation

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
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
        case secret(SymmetricKey)
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
        let digest = SHA256.hash(data: Array(algorithm.rawValue.utf8) + bytes)
        fingerprint = digest.prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
    }

    func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        switch material {
        case .rsa(let key):
            key.isValidSignature(
                .init(rawRepresentation: signature), for: SHA256.hash(data: bytes),
                padding: algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5)
        case .p256(let key):
            (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map {
                key.isValidSignature($0, for: SHA256.hash(data: bytes))
            } ?? false
        case .p384(let key):
            (try? P384.Signing.ECDSASignature(rawRepresentation: signature)).map {
                key.isValidSignature($0, for: SHA384.hash(data: bytes))
            } ?? false
        case .ed25519(let key): key.isValidSignature(signature, for: bytes)
        case .secret(let key): HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: bytes, using: key)
        }
    }
}

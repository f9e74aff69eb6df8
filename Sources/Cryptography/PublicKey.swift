internal import CCrypto

/// A public key and the one scheme whose signatures it verifies.
///
/// `@unchecked Sendable`: the handle is never changed after `init`, and verifying only reads the key. libcrypto locks what it caches
/// in it (openssl-threads(7): objects are thread-safe as long as the functions that are called do not modify them).
///
/// `@safe`: the handle is valid as long as the object.
@safe package final class PublicKey: @unchecked Sendable {
    /// How RSA signatures with SHA-256 are padded.
    package enum Padding: Sendable {
        case pkcs1
        /// RSA-PSS with MGF1 of SHA-256 and a salt of 32 bytes (RFC 7518 section 3.5).
        case pss
    }

    /// The curve of ECDSA, which also settles the digest: SHA-256 for P-256, SHA-384 for P-384.
    package enum Curve: Sendable {
        case p256, p384

        var coordinateBytes: Int { self == .p256 ? 32 : 48 }
    }

    private enum Scheme {
        case rsa(Padding, modulusBytes: Int)
        case ecdsa(Curve)
        case ed25519
    }

    private static let rsaBits = 2048...8192
    /// Larger exponents make verification slow and are not in practical use.
    private static let rsaExponentBits = 2...33

    private let handle: OpaquePointer
    private let scheme: Scheme

    /// An RSA key.
    /// - Parameters:
    ///   - modulus: 2,048 to 8,192 bits, most significant byte first; odd.
    ///   - exponent: 2 to 33 bits; odd.
    package convenience init(
        rsaModulus modulus: [UInt8], exponent: [UInt8], padding: Padding
    ) throws(CryptographyError) {
        let bits = Self.bits(of: modulus)
        guard Self.rsaBits.contains(bits), modulus.last.map({ $0 & 1 == 1 }) == true,
            Self.rsaExponentBits.contains(Self.bits(of: exponent)), exponent.last.map({ $0 & 1 == 1 }) == true
        else { throw CryptographyError("the numbers are no RSA key of a size that is used") }
        try self.init(
            DER.sequence(DER.identifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]), DER.null),
            DER.sequence(DER.integer(modulus), DER.integer(exponent)), .rsa(padding, modulusBytes: (bits + 7) / 8))
    }

    /// A key of ECDSA.
    /// - Parameter point: both coordinates, each as long as the curve's order. A point that is not on the curve is refused.
    package convenience init(_ curve: Curve, point: [UInt8]) throws(CryptographyError) {
        guard point.count == 2 * curve.coordinateBytes else { throw CryptographyError("the point has another length") }
        let name: [UInt8] =
            curve == .p256 ? [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07] : [0x2B, 0x81, 0x04, 0x00, 0x22]
        try self.init(
            DER.sequence(DER.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]), DER.identifier(name)), [0x04] + point,
            .ecdsa(curve))
    }

    /// A key of Ed25519, 32 bytes (RFC 8032).
    package convenience init(ed25519 bytes: [UInt8]) throws(CryptographyError) {
        guard bytes.count == 32 else { throw CryptographyError("the key has another length") }
        try self.init(DER.sequence(DER.identifier([0x2B, 0x65, 0x70])), bytes, .ed25519)
    }

    /// Reads a SubjectPublicKeyInfo (RFC 5280 section 4.1), the one form in which libcrypto reads keys of every type.
    private init(_ algorithm: [UInt8], _ key: [UInt8], _ scheme: Scheme) throws(CryptographyError) {
        let information = DER.sequence(algorithm, DER.bits(key))
        let read: OpaquePointer? = unsafe information.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            // SAFETY: the pointer and the count are the array's, valid during the call; only `start` itself is changed.
            return unsafe d2i_PUBKEY(nil, &start, bytes.count)
        }
        guard let read = unsafe read else { throw CryptographyError("the numbers are no key") }
        unsafe handle = read
        self.scheme = scheme
    }

    deinit {
        // SAFETY: nothing else has the handle.
        unsafe EVP_PKEY_free(handle)
    }

    private static func bits(of bytes: [UInt8]) -> Int {
        let digits = bytes.drop { $0 == 0 }
        return 8 * digits.count - (digits.first?.leadingZeroBitCount ?? 0)
    }
}

extension PublicKey {
    /// Whether the signature is this key's for the message.
    /// - Parameter signature: as JSON Web Signatures have it; of ECDSA, both numbers, each as long as the curve's order.
    package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard let signature = encoded(signature), let context = unsafe EVP_MD_CTX_new() else { return false }
        // SAFETY: the context and its parameters, which it owns, are used until then only.
        defer { unsafe EVP_MD_CTX_free(context) }
        // SAFETY: both arrays' pointers and counts are valid during the call.
        let isValid =
            unsafe prepare(context) && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        if !isValid { CryptographyError.clearQueue() }
        return isValid
    }

    /// The signature as libcrypto expects it; nil if it has another length than all signatures of the key have.
    private func encoded(_ signature: [UInt8]) -> [UInt8]? {
        switch scheme {
        case .rsa(_, let modulusBytes): return signature.count == modulusBytes ? signature : nil
        case .ed25519: return signature.count == 64 ? signature : nil
        case .ecdsa(let curve):
            guard signature.count == 2 * curve.coordinateBytes else { return nil }
            return DER.sequence(
                DER.integer(signature.prefix(curve.coordinateBytes)), DER.integer(signature.suffix(curve.coordinateBytes)))
        }
    }

    private func prepare(_ context: OpaquePointer) -> Bool {
        // SAFETY: the digests are constants of libcrypto. `parameters` belongs to the context, which outlives this call.
        let digest: OpaquePointer? =
            switch scheme {
            case .rsa, .ecdsa(.p256): unsafe EVP_sha256()
            case .ecdsa(.p384): unsafe EVP_sha384()
            case .ed25519: nil
            }
        var parameters: OpaquePointer?
        guard unsafe EVP_DigestVerifyInit(context, &parameters, digest, nil, handle) == 1 else { return false }
        guard case .rsa(.pss, _) = scheme else { return true }
        return unsafe EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1
    }
}

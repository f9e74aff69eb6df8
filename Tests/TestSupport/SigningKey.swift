import CCrypto

/// A private key that signs as an identity provider does, by libcrypto.
///
/// `@unchecked Sendable`: the handle is not changed after `init`, and signing only reads the key. `@safe`: the handle is valid as long
/// as the object, and each call passes the pointer and the size of the same array.
@safe package final class SigningKey: @unchecked Sendable {
    package struct Failure: Error {
        package init() {}
    }

    package enum Kind: Sendable {
        case rsa(isPSS: Bool)
        case p256, p384, ed25519
    }

    private let kind: Kind
    private let handle: OpaquePointer

    /// A new random key; RSA with 2,048 bits.
    package init(_ kind: Kind) throws {
        self.kind = kind
        let name =
            switch kind {
            case .rsa: "RSA"
            case .p256, .p384: "EC"
            case .ed25519: "ED25519"
            }
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, name, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_keygen_init(context) == 1 else { throw Failure() }
        let isChosen: Int32 =
            switch kind {
            case .rsa: unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048)
            case .p256: unsafe EVP_PKEY_CTX_set_group_name(context, "P-256")
            case .p384: unsafe EVP_PKEY_CTX_set_group_name(context, "P-384")
            case .ed25519: 1
            }
        var key: OpaquePointer?
        guard isChosen == 1, unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key else { throw Failure() }
        unsafe handle = key
    }

    deinit { unsafe EVP_PKEY_free(handle) }

    /// The signature as JSON Web Signatures have it: of ECDSA, both numbers, each as long as the curve's order.
    package func sign(_ message: [UInt8]) throws -> [UInt8] {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        let digest: OpaquePointer? =
            switch kind {
            case .rsa, .p256: unsafe EVP_sha256()
            case .p384: unsafe EVP_sha384()
            case .ed25519: nil
            }
        var parameters: OpaquePointer?
        guard unsafe EVP_DigestSignInit(context, &parameters, digest, nil, handle) == 1 else { throw Failure() }
        if case .rsa(true) = kind {
            guard unsafe EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1
            else { throw Failure() }
        }
        var signature = [UInt8](repeating: 0, count: 512)
        var count = signature.count
        guard unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else { throw Failure() }
        let bytes = Array(signature.prefix(count))
        return switch kind {
        case .p256: try Self.numbers(in: bytes, each: 32)
        case .p384: try Self.numbers(in: bytes, each: 48)
        default: bytes
        }
    }

    private static func numbers(in signature: [UInt8], each count: Int) throws -> [UInt8] {
        let parsed = unsafe signature.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return unsafe d2i_ECDSA_SIG(nil, &start, bytes.count)
        }
        defer { unsafe ECDSA_SIG_free(parsed) }
        return try unsafe [ECDSA_SIG_get0_r(parsed), ECDSA_SIG_get0_s(parsed)].flatMap { number in
            var bytes = [UInt8](repeating: 0, count: count)
            guard unsafe BN_bn2binpad(number, &bytes, Int32(count)) == Int32(count) else { throw Failure() }
            return bytes
        }
    }

    /// The public key of RSA.
    package func rsaNumbers() throws -> (modulus: [UInt8], exponent: [UInt8]) {
        (try number(OSSL_PKEY_PARAM_RSA_N), try number(OSSL_PKEY_PARAM_RSA_E))
    }

    /// The public key of ECDSA, both coordinates, or of Ed25519.
    package func publicBytes() throws -> [UInt8] {
        if case .ed25519 = kind {
            var (bytes, count) = ([UInt8](repeating: 0, count: 32), 32)
            guard unsafe EVP_PKEY_get_raw_public_key(handle, &bytes, &count) == 1 else { throw Failure() }
            return bytes
        }
        // After the byte that says that both coordinates follow.
        return Array(try publicInformation().suffix(kind.coordinateBytes * 2))
    }

    /// The public key as a SubjectPublicKeyInfo.
    package func publicInformation() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(unsafe i2d_PUBKEY(handle, nil)))
        let written = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            var start = bytes.baseAddress
            return unsafe i2d_PUBKEY(handle, &start)
        }
        guard written == Int32(bytes.count), !bytes.isEmpty else { throw Failure() }
        return bytes
    }

    /// The error that libcrypto would report first in this thread; 0: none.
    package static func oldestError() -> UInt { ERR_peek_error() }

    private func number(_ name: String) throws -> [UInt8] {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(handle, name, &number) == 1 else { throw Failure() }
        defer { unsafe BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: Int(unsafe (BN_num_bits(number) + 7) / 8))
        _ = unsafe BN_bn2bin(number, &bytes)
        return bytes
    }
}

extension SigningKey.Kind {
    fileprivate var coordinateBytes: Int {
        if case .p384 = self { 48 } else { 32 }
    }
}

internal import CCrypto

/// SHA-1, which is broken: only for protocols that require it and do not depend on its strength.
package enum InsecureSHA1 {
    /// The 20 bytes of the digest.
    package static func hash(data: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        // SAFETY: there is room for the digest, and the arrays are valid during the call.
        unsafe CCrypto.SHA1(data, data.count, &digest)
        return digest
    }
}

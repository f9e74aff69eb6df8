internal import CCrypto

/// A SHA-256 digest, a collection of 32 bytes.
package struct SHA256Digest: Sendable, RandomAccessCollection {
    /// The digest as four words, the first bytes in the most significant bits of the first.
    package typealias Words = (UInt64, UInt64, UInt64, UInt64)

    /// Its bytes as four 64-bit words, most significant first.
    package let words: Words

    /// Its first 16 bytes as a number, most significant first.
    package var leadingBits: UInt128 { UInt128(words.0) << 64 | UInt128(words.1) }

    package var startIndex: Int { 0 }
    package var endIndex: Int { 32 }

    /// One of the 32 bytes, from 0.
    package subscript(index: Int) -> UInt8 {
        let word =
            switch index >> 3 {
            case 0: words.0
            case 1: words.1
            case 2: words.2
            default: words.3
            }
        return UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (index & 7)))
    }
}

extension SHA256Digest: Equatable {
    /// Compares in constant time, as one of the two may be a secret.
    package static func == (left: Self, right: Self) -> Bool {
        unsafe withUnsafeBytes(of: left.words) { left in
            // SAFETY: both are four words, valid during the call.
            unsafe withUnsafeBytes(of: right.words) { unsafe CRYPTO_memcmp(left.baseAddress, $0.baseAddress, $0.count) == 0 }
        }
    }
}

package import Crypto

extension SHA256Digest {
    /// Its 32 bytes as four 64-bit words, most significant first.
    package var words: (UInt64, UInt64, UInt64, UInt64) {
        // SAFETY: a SHA-256 digest is 32 bytes, so four unaligned loads stay inside it.
        let words = unsafe self.withUnsafeBytes { digest in
            (
                unsafe digest.loadUnaligned(as: UInt64.self), unsafe digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                unsafe digest.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
                unsafe digest.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
            )
        }
        return (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
    }
}

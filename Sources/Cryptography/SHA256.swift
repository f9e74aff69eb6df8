internal import CCrypto

/// Computes a SHA-256 digest piece by piece. A value without memory of its own: a copy continues from the same state.
package struct SHA256: Sendable {
    static let blockBytes = 64

    private var context = SHA256_CTX()

    /// The state before any byte.
    package init() {
        // SAFETY: the context is valid during the call. It always succeeds.
        unsafe SHA256_Init(&context)
    }

    /// Appends bytes to what is hashed.
    package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        // SAFETY: the pointer and the count are the caller's, valid during the call. It always succeeds.
        unsafe SHA256_Update(&context, bytes.baseAddress, bytes.count)
    }

    /// Appends bytes to what is hashed.
    package mutating func update(data: Span<UInt8>) {
        unsafe data.withUnsafeBytes { unsafe update(bufferPointer: $0) }
    }

    /// Appends bytes to what is hashed.
    package mutating func update(data: [UInt8]) { update(data: data.span) }

    /// The digest of all bytes so far.
    package func finalize() -> SHA256Digest {
        var context = context
        var words: SHA256Digest.Words = (0, 0, 0, 0)
        unsafe withUnsafeMutableBytes(of: &words) { bytes in
            // SAFETY: four words are the 32 bytes that are written. It always succeeds.
            _ = unsafe SHA256_Final(bytes.baseAddress, &context)
        }
        return SHA256Digest(words: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian))
    }

    /// The digest of these bytes.
    package static func hash(data: Span<UInt8>) -> SHA256Digest {
        var hasher = SHA256()
        hasher.update(data: data)
        return hasher.finalize()
    }

    /// The digest of these bytes.
    package static func hash(data: [UInt8]) -> SHA256Digest { hash(data: data.span) }

    /// The digest of a text in UTF-8.
    package static func hash(_ text: String) -> SHA256Digest { hash(data: text.utf8Span.span) }
}

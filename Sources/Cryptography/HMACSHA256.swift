/// HMAC with SHA-256 (RFC 2104) under one key, whose two blocks are hashed once.
package struct HMACSHA256: Sendable {
    private var inner = SHA256()
    private var outer = SHA256()

    /// - Parameter key: of any length.
    package init(key: [UInt8]) {
        var block = key.count > SHA256.blockBytes ? Array(SHA256.hash(data: key)) : key
        block += repeatElement(0, count: SHA256.blockBytes - block.count)
        inner.update(data: block.map { $0 ^ 0x36 })
        outer.update(data: block.map { $0 ^ 0x5C })
    }

    /// The authentication code of a message.
    package func code(for message: [UInt8]) -> SHA256Digest {
        var (inner, outer) = (inner, outer)
        inner.update(data: message)
        outer.update(data: Array(inner.finalize()))
        return outer.finalize()
    }

    /// Whether `code` is the code of the message; compared in constant time.
    package func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
        guard let code = SHA256Digest(code) else { return false }
        return code == self.code(for: message)
    }
}

extension SHA256Digest {
    /// Nil unless there are 32 bytes.
    fileprivate init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        func word(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(words: (word(0), word(8), word(16), word(24)))
    }
}

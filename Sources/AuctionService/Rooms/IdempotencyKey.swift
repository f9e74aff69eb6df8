internal import AuctionDomain

/// Digests of an Idempotency-Key in its scope and of the request body sent with it.
package struct IdempotencyKey: Hashable, Sendable {
    private let digest: WordPair
    /// Digest of the request body and query in the form that a WebSocket frame has, which is stored with the response: a client whose
    /// WebSocket has closed repeats the command by HTTP, with other whitespace and escapes.
    package let fingerprint: UInt64

    package init(key: UInt128, fingerprint: UInt64) {
        digest = WordPair(key)
        self.fingerprint = fingerprint
    }

    /// Whether the body is that of an earlier command with this key.
    func matches(_ stored: UInt64) -> Bool { stored == fingerprint }

    /// Digest of the key and its scope.
    package var key: UInt128 { digest.number }
}

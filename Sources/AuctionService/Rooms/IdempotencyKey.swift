internal import AuctionDomain

/// Digests of an Idempotency-Key in its scope and of the request body sent with it.
package struct IdempotencyKey: Hashable, Sendable {
    private let digest: WordPair
    /// Digest of the request body, which is stored with the response.
    package let fingerprint: UInt64
    /// Digest of the same body without the whitespace between its tokens.
    private let compactFingerprint: UInt64

    /// - Parameter compactFingerprint: If nil, the body has no whitespace between its tokens.
    package init(key: UInt128, fingerprint: UInt64, compactFingerprint: UInt64? = nil) {
        digest = WordPair(key)
        self.fingerprint = fingerprint
        self.compactFingerprint = compactFingerprint ?? fingerprint
    }

    /// Whether the body is that of an earlier command with this key. Its whitespace may differ from that of a frame, which has none: a
    /// client whose WebSocket has closed repeats the command by HTTP.
    func matches(_ stored: UInt64) -> Bool { stored == fingerprint || stored == compactFingerprint }

    /// Digest of the key and its scope.
    package var key: UInt128 { digest.number }
}

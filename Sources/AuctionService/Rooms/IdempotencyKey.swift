internal import AuctionDomain

/// Digests of an Idempotency-Key in its scope and of the request body sent with it.
package struct IdempotencyKey: Hashable, Sendable {
    private let digest: WordPair
    /// Digest of the request body; a reused key must come with the same one.
    package let fingerprint: UInt64

    package init(key: UInt128, fingerprint: UInt64) {
        digest = WordPair(key)
        self.fingerprint = fingerprint
    }

    /// Digest of the key and its scope.
    package var key: UInt128 { digest.number }
}

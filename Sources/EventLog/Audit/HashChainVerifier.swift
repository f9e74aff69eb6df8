internal import ExactJSON

/// Verifies the hash chain of one room's events, which are passed in order of `seq`.
package struct HashChainVerifier: Sendable {
    private var last: (seq: Int, hash: EventHash) = (0, .zero)
    private var hasGap = false

    package init() {}

    /// Whether the event matches its hash, or its digest if it was rewritten. Directly after a missing event the previous hash is unknown; there the public bytes must
    /// at least be well-formed JSON.
    package mutating func take(_ event: StoredEvent) -> Bool {
        defer { last = (event.seq, event.hash) }
        guard event.seq == last.seq &+ 1 else {
            hasGap = true
            return (try? JSONReader.read(event.publicBytes, maximumDepth: 64)) != nil
        }
        return event.isErased
            || EventCodec.chain(last.hash, publicBytes: event.publicBytes, privateBytes: event.privateBytes) == event.hash
    }

    /// Whether every event from 1 through `seq` was passed, valid or not.
    package func isComplete(through seq: Int) -> Bool { !hasGap && last.seq >= seq }
}

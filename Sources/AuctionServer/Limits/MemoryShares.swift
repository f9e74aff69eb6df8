internal import AuctionService
internal import EventLog
internal import MicroHTTP

/// The bounds that follow from `--limit-memory`, in bytes. Of 1 GiB they are the defaults of their types.
package struct MemoryShares: Hashable, Sendable {
    /// `HTTPLimits.largeBodiesBytes`: a sixteenth, or four times the largest body if that is more. Its arrays take up to twice as much.
    package let largeBodies: Int
    /// `ServiceLimits.loadedBytes`: four sevenths of what large bodies leave.
    package let loaded: Int
    /// `RequestLimits.responseBytes`: two sevenths of it.
    package let responses: Int
    /// `ServiceLimits.recentBytes`: one seventh of it.
    package let recent: Int
    /// `StreamOptions.outgoingBytes`, of each stream, as a part of `responses`.
    package let outgoing: Int

    /// The least memory that can be divided: half of it is for large bodies then.
    package static func least(largestBody: Int) -> Int { 16 * largestBody }

    /// - Parameters:
    ///   - memory: at least `least(largestBody:)`.
    ///   - largestBody: the largest body that any call allows, in bytes. A quarter of `largeBodies` is one caller's.
    package init(of memory: Int, largestBody: Int) {
        largeBodies = min(max(memory / 16, 4 * largestBody), 1 << 30)
        let rest = max(0, memory - 2 * largeBodies)
        (loaded, responses, recent) = (rest / 7 * 4, rest / 7 * 2, rest / 7)
        outgoing = min(max(memory / 2048, 65536), 524_288)
    }
}

extension ServerOptions {
    /// The largest body that any call allows, in bytes.
    package var largestBody: Int { max(limits.pictureBytes, limits.importBytes) }

    /// Sets the bounds that follow from others.
    /// - Parameter memory: the bytes of `--limit-memory`, at least `MemoryShares.least(largestBody:)`.
    package mutating func deriveBounds(memory: Int) {
        let shares = MemoryShares(of: memory, largestBody: largestBody)
        http.limits.largeBodiesBytes = shares.largeBodies
        (service.loadedBytes, service.recentBytes) = (shares.loaded, shares.recent)
        (limits.responseBytes, streams.outgoingBytes) = (shares.responses, shares.outgoing)
        streams.messageBytes = http.limits.bodyBytes
        http.limits.silentConnections = http.limits.connections / 4
        http.limits.responseSeconds = 3 * http.limits.requestSeconds
        http.limits.largeBodySeconds = 6 * http.limits.requestSeconds
        media.bytesPerAddress = 2 * media.limits.userBytes
    }
}

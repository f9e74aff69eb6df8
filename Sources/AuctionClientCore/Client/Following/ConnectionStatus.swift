#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What the connection to a room does, and since when.
public struct ConnectionStatus: Hashable, Sendable {
    /// What it does.
    public let state: ConnectionState
    /// Since when, by the device's clock.
    public let since: Date

    /// When the next attempt begins; nil unless it waits for one.
    public var retryDate: Date? {
        guard case .waiting(_, let delay) = state else { return nil }
        let parts = delay.components
        return since + (TimeInterval(parts.seconds) + TimeInterval(parts.attoseconds) / 1e18)
    }

    /// Whether events arrive as they happen.
    public var isLive: Bool { if case .live = state { true } else { false } }
}

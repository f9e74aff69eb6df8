/// Something that the client did, for the app's log. Never contains a token.
public struct LogEntry: Hashable, Sendable {
    /// How much it matters.
    public enum Level: Int, Hashable, Sendable, Comparable {
        /// Every request.
        case debug
        /// Connections that become live, pause, or end as the app asked.
        case info
        /// Attempts that failed and are repeated.
        case warning
        /// What ended for good.
        case error

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// How much it matters.
    public let level: Level
    /// What happened, in English, as one line.
    public let message: String
    /// The room that it is about, if any.
    public let room: String?
}

/// Takes entries; called from any thread, and should return soon.
public typealias ClientLog = @Sendable (LogEntry) -> Void

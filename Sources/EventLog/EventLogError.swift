/// Why the log could not do what was asked.
public struct EventLogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for code to decide on. A struct, so that later kinds break nobody.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// A statement or constraint failed: something in this batch is at fault; the log itself works.
        public static let statement = Code(description: "statement")
        /// The disk or the file failed. What is durable is unknown until the log is opened anew.
        public static let io = Code(description: "io")
        /// There is no room left on the disk.
        public static let full = Code(description: "full")
        /// The commit was sent and no reply came: it may or may not be durable.
        public static let outcomeUnknown = Code(description: "outcomeUnknown")
        /// The stored bytes are not what this program wrote.
        public static let corrupt = Code(description: "corrupt")
        /// Another process has the log open.
        public static let locked = Code(description: "locked")
        /// The log was written by a newer version of this program.
        public static let newerSchema = Code(description: "newerSchema")
        /// The log could not be opened or has been closed.
        public static let unavailable = Code(description: "unavailable")
        /// Too much is asked of it at once; nothing was tried.
        public static let busy = Code(description: "busy")
    }

    public let code: Code
    /// For an operator: what was tried and what the engine said.
    public let message: String

    /// Whether a write that ended so was the log's last until it is opened anew.
    public var isFinal: Bool { code == .io || code == .corrupt }

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(message) (\(code))" }
}

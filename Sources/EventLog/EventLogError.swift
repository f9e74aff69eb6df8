/// An error of the event log.
public struct EventLogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Machine-readable category. A struct instead of an enum, so that adding a code does not break exhaustive switches.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// A statement or constraint failed because of the request's content; the log itself works.
        public static let statement = Code(description: "statement")
        /// The disk or the file failed. What is durable is unknown until the log is opened again.
        public static let io = Code(description: "io")
        /// The disk is full.
        public static let full = Code(description: "full")
        /// The commit was sent but no reply arrived: it may or may not be durable.
        public static let outcomeUnknown = Code(description: "outcomeUnknown")
        /// The stored bytes are not what this program wrote.
        public static let corrupt = Code(description: "corrupt")
        /// Another process has the log open.
        public static let locked = Code(description: "locked")
        /// The log was written by a newer version of this program.
        public static let newerSchema = Code(description: "newerSchema")
        /// The log cannot be reached now: it could not be opened, has been closed, is locked or out of memory, or its server is away.
        public static let unavailable = Code(description: "unavailable")
        /// Too many concurrent requests; nothing was attempted.
        public static let busy = Code(description: "busy")
    }

    /// Category of the error.
    public let code: Code
    /// Text for an operator: the attempted action and the database's error message.
    public let message: String

    /// Whether a write that failed with this error makes the log read-only until it is opened again.
    public var isFinal: Bool { code == .io || code == .corrupt }

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(message) (\(code))" }
}

/// An error of the event log.
package struct EventLogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Machine-readable category. A struct instead of an enum, so that adding a code does not break exhaustive switches.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        package let description: String

        /// A statement or constraint failed because of the request's content; the log itself works.
        package static let statement = Code(description: "statement")
        /// The disk or the file failed. What is durable is unknown until the log is opened again.
        package static let io = Code(description: "io")
        /// The disk is full.
        package static let full = Code(description: "full")
        /// The commit was sent but no reply arrived: it may or may not be durable.
        package static let outcomeUnknown = Code(description: "outcomeUnknown")
        /// The stored bytes are not what this program wrote.
        package static let corrupt = Code(description: "corrupt")
        /// Another process has the log open.
        package static let locked = Code(description: "locked")
        /// The log was written by a newer version of this program.
        package static let newerSchema = Code(description: "newerSchema")
        /// The log cannot be reached now: it could not be opened, has been closed, is locked or out of memory, or its server is away.
        package static let unavailable = Code(description: "unavailable")
        /// Too many concurrent requests; nothing was attempted.
        package static let busy = Code(description: "busy")
    }

    /// Category of the error.
    package let code: Code
    /// Text for an operator: the attempted action and the database's error message.
    package let message: String

    /// Whether a write that failed with this error makes the log read-only until it is opened again.
    package var isFinal: Bool { code == .io || code == .corrupt }

    package init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    package var description: String { "\(message) (\(code))" }
}

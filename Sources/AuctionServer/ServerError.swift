/// An error that prevents the server from starting or from using a new configuration; `description` is one line.
package struct ServerError: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Creates an error with a one-line description.
    package init(_ description: String) { self.description = description }
}

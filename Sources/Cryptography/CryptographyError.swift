internal import CCrypto

/// A call of libcrypto that failed.
package struct CryptographyError: Error, Sendable, CustomStringConvertible {
    /// What could not be done.
    package let description: String

    init(_ description: String) {
        self.description = description
        Self.clearQueue()
    }

    /// Removes what the last failure left in this thread's error queue: libpq and others would report it as theirs.
    static func clearQueue() { ERR_clear_error() }
}

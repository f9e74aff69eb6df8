/// Why a server could not start, for the person who starts it.
package struct HTTPServerError: Error, CustomStringConvertible, Sendable {
    /// The kind of failure; more may be added.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        let name: String

        /// Another socket already listens on the address and port.
        package static let addressInUse = Code(name: "addressInUse")
        /// The host is not an address, or not one of this machine.
        package static let invalidAddress = Code(name: "invalidAddress")
        /// The system denies the bind, as for ports below 1024.
        package static let permissionDenied = Code(name: "permissionDenied")
        /// Descriptors, memory or threads are exhausted.
        package static let resource = Code(name: "resource")
        /// A configuration value is out of range.
        package static let invalidConfiguration = Code(name: "invalidConfiguration")
        /// The certificate or the key cannot be used.
        package static let invalidTLS = Code(name: "invalidTLS")
        /// A version of libmicrohttpd that was not checked.
        package static let unknownLibrary = Code(name: "unknownLibrary")
        /// The server was started before, or stopped.
        package static let alreadyStarted = Code(name: "alreadyStarted")

        package var description: String { name }
    }

    /// The kind of failure.
    package let code: Code
    /// One line for an operator: what failed and what would help.
    package let message: String

    package var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// Why a server could not start, for the person who starts it.
public struct HTTPServerError: Error, CustomStringConvertible, Sendable {
    /// The kind of failure; more may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        let name: String

        /// Another socket already listens on the address and port.
        public static let addressInUse = Code(name: "addressInUse")
        /// The host is not an address, or not one of this machine.
        public static let invalidAddress = Code(name: "invalidAddress")
        /// The system denies the bind, as for ports below 1024.
        public static let permissionDenied = Code(name: "permissionDenied")
        /// Descriptors, memory or threads are exhausted.
        public static let resource = Code(name: "resource")
        /// A configuration value is out of range.
        public static let invalidConfiguration = Code(name: "invalidConfiguration")
        /// The certificate or the key cannot be used.
        public static let invalidTLS = Code(name: "invalidTLS")
        /// The server was started before, or stopped.
        public static let alreadyStarted = Code(name: "alreadyStarted")

        public var description: String { name }
    }

    /// The kind of failure.
    public let code: Code
    /// One line for an operator: what failed and what would help.
    public let message: String

    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

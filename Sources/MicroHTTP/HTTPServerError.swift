/// Why a server could not start, for the person who starts it.
public struct HTTPServerError: Error, CustomStringConvertible, Sendable {
    /// What kind of failure; more may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        let name: String

        /// Another process, or this one, listens there.
        public static let addressInUse = Code(name: "addressInUse")
        /// Not an address of this machine, or not an address.
        public static let invalidAddress = Code(name: "invalidAddress")
        /// The system forbids it, as for ports below 1024.
        public static let permissionDenied = Code(name: "permissionDenied")
        /// Descriptors, memory or threads are missing.
        public static let resource = Code(name: "resource")
        /// A configuration value that makes no sense.
        public static let invalidConfiguration = Code(name: "invalidConfiguration")
        /// A certificate or a key that cannot be used.
        public static let invalidTLS = Code(name: "invalidTLS")
        /// The server was started before, or stopped.
        public static let alreadyStarted = Code(name: "alreadyStarted")

        public var description: String { name }
    }

    /// What kind of failure.
    public let code: Code
    /// One line for an operator: what failed and what would help.
    public let message: String

    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

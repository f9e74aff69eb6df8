/// A request to another server.
package struct OutboundRequest: Sendable {
    /// The request's method.
    package enum Method: Sendable {
        case get, post
    }

    /// A header; the value has no line break.
    package struct Header: Hashable, Sendable {
        let name: String
        let value: String

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

        /// Whether it ends no line and hence adds no header of its own.
        var isOneLine: Bool {
            !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
                && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        }
    }

    /// What is asked for.
    package var method: Method
    /// Absolute; see `OutboundURL`.
    package var url: String
    /// Sent beside those that HTTP needs.
    package var headers: [Header] = []
    /// Sent with `post` only.
    package var body: [UInt8] = []
    /// Where it may go.
    package var policy: AddressPolicy
    /// From the call to the last byte of the response; nil, or more than the client's bound: that bound.
    package var timeout: Duration?
    /// Bytes of the response's body that are kept, at most the client's bound; nil: that bound. A longer body ends the transfer.
    package var responseLimit: Int?

    package init(_ method: Method, _ url: String, policy: AddressPolicy = .publicAddresses()) {
        (self.method, self.url, self.policy) = (method, url, policy)
    }
}

/// The response of another server.
package struct OutboundResponse: Hashable, Sendable {
    /// Redirects are not followed: 3xx as any other.
    package let status: Int
    /// Those of `keptHeaders`, in lower case; of several with a name, the last one.
    package let headers: [String: String]
    /// The first bytes of the body, as many as were allowed; not decompressed.
    package let body: [UInt8]
    /// Whether there was more of the body.
    package let wasCut: Bool
    /// From the call to the end.
    package let duration: Duration

    /// The headers that callers have a use for.
    static let keptHeaders: Set<String> = ["date", "retry-after"]
}

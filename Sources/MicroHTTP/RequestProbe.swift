/// The first looks at a request, without a connection: what fuzzing feeds.
package struct RequestProbe {
    package let path: String
    package let query: QueryItems
    /// What is wrong with a single field of the head.
    package let fault: String?
    package let headerBytes: Int
    package let contentLength: Int?

    /// - Parameters:
    ///   - target: as in the request line; it ends at a NUL, as C's strings do.
    ///   - fields: names and values, as libmicrohttpd tells them.
    package init(target bytes: [UInt8], fields: [(name: [UInt8], value: [UInt8])]) {
        let text = bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
        // Safe: the array ends with NUL and lives for the call, which copies what it needs.
        let target = unsafe RequestTarget(text)
        let seen = RequestGate.see(fields)
        path = target.path
        query = QueryItems(target.query)
        fault = seen.fault
        headerBytes = seen.gate.headerBytes
        contentLength = seen.gate.contentLength
    }

    /// A path's segment or a query's part, decoded; nil where it cannot be.
    package static func decode(_ bytes: [UInt8], plusIsSpace: Bool) -> String? {
        PercentEncoding.decode(bytes.span, plusIsSpace: plusIsSpace)
    }
}

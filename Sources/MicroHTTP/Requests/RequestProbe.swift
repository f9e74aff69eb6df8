/// Runs the first checks of a request without a connection, for fuzzing.
package struct RequestProbe {
    /// The path as sent, percent-encoded.
    package let path: String
    /// The decoded query.
    package let query: QueryItems
    /// The first fault of a single header field; nil if there is none.
    package let fault: String?
    /// The size of all header lines with their line breaks.
    package let headerBytes: Int
    /// The last Content-Length, saturated below `Int.max`; nil if it is absent or malformed.
    package let contentLength: Int?

    /// - Parameters:
    ///   - target: as in the request line; cut at a NUL, as C strings are.
    ///   - fields: names and values, as libmicrohttpd passes them.
    package init(target bytes: [UInt8], fields: [(name: [UInt8], value: [UInt8])]) {
        let text = bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
        // SAFETY: the array ends with NUL and lives for the call, which copies what it needs.
        let target = unsafe RequestTarget(text)
        let validator = HeadValidator(RequestHead(fields), isScanned: false)
        path = target.path
        query = QueryItems(target.query)
        fault = validator.fault
        headerBytes = validator.headerBytes
        contentLength = validator.contentLength
    }

    /// Decodes a path segment or a part of a query; nil if it is malformed.
    package static func decode(_ bytes: [UInt8], plusIsSpace: Bool) -> String? {
        PercentEncoding.decode(bytes.span, plusIsSpace: plusIsSpace)
    }
}

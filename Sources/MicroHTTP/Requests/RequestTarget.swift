internal import Glibc

/// The target of a request line, split at the first `?`, still percent-encoded. A class, because a client that repeats a target is given the
/// same one.
final class RequestTarget: Sendable {
    let path: String
    let query: String?
    /// The authority of an absolute-form target; nil for an origin-form target, which begins with its path.
    let authority: String?
    /// Size of the whole target, counted towards the head's size.
    let byteCount: Int
    /// Whether the target has no control character and no space.
    let isPrintable: Bool
    /// Number of the query's parts, counted by their separators; 0 without a query.
    let parameterCount: Int
    let form: Form

    /// The form of a target (RFC 9112, section 3.2).
    enum Form {
        /// Begins with a slash.
        case origin
        /// Begins with any scheme and `://`.
        case absolute
        /// Only `*`.
        case asterisk
        /// Anything else: an authority, as for CONNECT, or an empty target.
        case other
    }

    /// The target of a request that was not received by HTTP: a path and a query, which are not checked.
    init(path: String, query: String?) {
        (self.path, self.query, authority, form) = (path, query, nil, .origin)
        (byteCount, isPrintable, parameterCount) = (0, true, 0)
    }

    /// Parses a NUL-terminated target, and copies what it needs.
    @unsafe
    init(_ target: UnsafePointer<CChar>) {
        // SAFETY: libmicrohttpd ends the target with NUL, and the buffer is used only during this call.
        let bytes = unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(target).assumingMemoryBound(to: UInt8.self), count: strlen(target))
        byteCount = bytes.count
        // Without a branch for each byte, as a target has some sixty.
        var unprintable: UInt8 = 0
        for index in 0..<bytes.count { unprintable |= unsafe bytes[index] <= 0x20 || bytes[index] == 0x7F ? 1 : 0 }
        isPrintable = unprintable == 0
        let question = unsafe bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        parameterCount = unsafe question < bytes.count ? bytes[question...].count { $0 == UInt8(ascii: "&") } + 1 : 0
        form = unsafe RequestTarget.form(bytes)
        let start = unsafe RequestTarget.pathStart(bytes[..<question])
        authority = start > 0 ? unsafe RequestTarget.authority(bytes[..<start]) : nil
        path = start < question ? unsafe String(decoding: bytes[start..<question], as: UTF8.self) : "/"
        query = question < bytes.count ? unsafe String(decoding: bytes[(question + 1)...], as: UTF8.self) : nil
    }

    /// Whether it is kept for the next request on the connection: only a short path without a query, as most queries change each time.
    var isKept: Bool { form == .origin && query == nil && byteCount <= 128 && byteCount == path.utf8.count }

    /// Whether a kept target has the bytes of a NUL-terminated one.
    @unsafe
    func isEqual(to target: UnsafePointer<CChar>) -> Bool {
        unsafe path.utf8Span.span.withUnsafeBytes { bytes in
            guard let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return false }
            // SAFETY: the comparison ends with the path's bytes, or before them at the NUL, which is no byte of a path.
            return unsafe strncmp(target, start, bytes.count) == 0 && target[bytes.count] == 0
        }
    }

    @unsafe
    private static func form(_ target: UnsafeBufferPointer<UInt8>) -> Form {
        guard let first = unsafe target.first else { return .other }
        if first == UInt8(ascii: "/") { return .origin }
        if first == UInt8(ascii: "*"), target.count == 1 { return .asterisk }
        guard let colon = unsafe target.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return .other }
        return unsafe target[(colon + 1)...].starts(with: "//".utf8) ? .absolute : .other
    }

    /// The part between the scheme and the path.
    @unsafe
    private static func authority(_ origin: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        let scheme = unsafe origin.firstIndex(of: UInt8(ascii: ":")) ?? 0
        return unsafe String(decoding: origin[min(scheme + 3, origin.endIndex)...], as: UTF8.self)
    }

    /// Index of the path: 0, or after `http://authority` of an absolute form, which servers must accept (RFC 9112, section 3.2.2).
    @unsafe
    private static func pathStart(_ target: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        guard unsafe target.first != UInt8(ascii: "/") else { return 0 }
        for scheme in ["http://", "https://"] where unsafe target.count >= scheme.utf8.count {
            let length = scheme.utf8.count
            // Schemes are case-insensitive; their bytes are letters, and punctuation that `| 0x20` does not change.
            guard unsafe zip(target, scheme.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { continue }
            return unsafe target[length...].firstIndex(of: UInt8(ascii: "/")) ?? target.endIndex
        }
        return 0
    }

    /// The reason to refuse the target before libmicrohttpd parses its query; nil if it may be parsed. A query that exhausts the
    /// connection's memory leaves none for the response.
    func unparsedRefusal(_ limits: HTTPLimits, isEncrypted: Bool) -> RequestRefusal? {
        if parameterCount > limits.queryParameters { return .tooManyParameters(limit: limits.queryParameters) }
        // Under TLS only libmicrohttpd can write.
        let memory = byteCount + HTTPLimits.recordBytes * parameterCount
        guard !isEncrypted, memory > limits.requestMemoryBytes else { return nil }
        if byteCount > limits.headerBytes { return .targetTooLong(limit: limits.headerBytes) }
        // The shortest head adds a method, the version, two spaces, the line break, and the empty line.
        return byteCount + 15 > limits.headerBytes ? .headTooLarge(limit: limits.headerBytes) : .tooManyFields
    }
}

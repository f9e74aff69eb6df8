/// The check of every request head that `RequestScanner` has passed on: whether all HTTP implementations parse it alike.
///
/// A proxy and this server must agree where a request ends. Heads that they could parse differently (request smuggling; RFC 9112,
/// sections 6.3 and 11.2) are refused, though libmicrohttpd itself would accept them.
struct HeadValidator {
    private(set) var headerBytes = 0
    /// What libmicrohttpd stores of the headers besides their text, in bytes.
    private var recordBytes = 0
    private(set) var contentLength: Int?
    private var contentLengths = 0
    private var transferEncodings = 0
    private var hosts = 0
    private var authorizations = 0
    private var idempotencyKeys = 0
    private var isChunked = false
    /// The first fault of a single field; nil if there is none.
    private(set) var fault: String?

    /// - Parameter isScanned: Whether `RequestScanner` has passed the head on, which refuses other names than tokens.
    init(_ head: borrowing RequestHead, isScanned: Bool) {
        for field in head.fields {
            if !isScanned, unsafe field.name.isEmpty || !field.name.allSatisfy(isTokenByte) {
                fault = fault ?? "A header's name is no token."
            }
            unsafe inspect(name: field.name, value: field.value)
        }
    }

    /// The reason to refuse the request; nil if it may proceed.
    func refusal(_ exchange: Exchange, limits: HTTPLimits) -> RequestRefusal? {
        if let fault { return .malformed(fault) }
        if exchange.target.byteCount > limits.headerBytes { return .targetTooLong(limit: limits.headerBytes) }
        if headBytes(of: exchange) > limits.headerBytes { return .headTooLarge(limit: limits.headerBytes) }
        if !exchange.target.isPrintable { return .malformed("The target has a control character or a space.") }
        if let fault = Self.targetFault(exchange) { return .malformed(fault) }
        if hosts > 1 { return .malformed("There may be only one Host header.") }
        if hosts == 0, !exchange.head.isVersion10 { return .malformed("A request has a Host header.") }
        if hosts > 0, let authority = exchange.target.authority,
            Self.normal(authority) != exchange.header("Host").map(Self.normal)
        {
            return .malformed("The target and the Host header name different hosts.")
        }
        if authorizations > 1 { return .malformed("There may be only one Authorization header.") }
        if idempotencyKeys > 1 { return .malformed("There may be only one Idempotency-Key header.") }
        if contentLengths > 1 { return .malformed("There may be only one Content-Length header.") }
        if transferEncodings > 0 {
            if contentLengths > 0 { return .malformed("A request has Content-Length or Transfer-Encoding, never both.") }
            if transferEncodings > 1 || !isChunked { return .malformed("The only Transfer-Encoding understood is chunked.") }
            if exchange.head.isVersion10 { return .malformed("HTTP/1.0 has no Transfer-Encoding.") }
        }
        return nil
    }

    /// What the request takes of the connection's memory, in bytes, before its response.
    func memoryBytes(of exchange: Exchange) -> Int {
        headBytes(of: exchange) + recordBytes + HTTPLimits.recordBytes * exchange.target.parameterCount
    }

    /// Besides the method and the target, 14 bytes: the version, two spaces, the line break, and the empty line after the head.
    private func headBytes(of exchange: Exchange) -> Int {
        exchange.method.rawValue.utf8.count + exchange.target.byteCount + 14 + headerBytes
    }

    /// A target whose form its method does not allow (RFC 9112, section 3.2).
    private static func targetFault(_ exchange: Exchange) -> String? {
        switch exchange.target.form {
        case .asterisk where exchange.method != .options: "Only OPTIONS may have * as its target."
        case .other where exchange.method.rawValue != "CONNECT": "The target is neither a path nor an address with a scheme."
        default: nil
        }
    }

    /// Normalises a host for comparison: lower case, without a default port.
    private static func normal(_ host: String) -> String {
        let host = host.lowercased()
        let port = [":80", ":443"].first(where: host.hasSuffix)
        return String(host.dropLast(port?.count ?? 0))
    }

    @unsafe
    private mutating func inspect(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        headerBytes += name.count + value.count + 4
        recordBytes += HTTPLimits.recordBytes
        if unsafe hasUnusualByte(value), unsafe value.contains(where: isControlByte) {
            fault = fault ?? "A header's value has a control character."
        }
        switch name.count {
        case 4 where unsafe isSameName(name, "host"):
            hosts += 1
            let host = unsafe withoutBlanksAfter(value)
            if unsafe host.isEmpty { fault = fault ?? "Host is empty." }
            if unsafe !host.allSatisfy(isHostByte) { fault = fault ?? "Host is no host." }
        case 13 where unsafe isSameName(name, "authorization"): authorizations += 1
        case 15 where unsafe isSameName(name, "idempotency-key"): idempotencyKeys += 1
        case 14 where unsafe isSameName(name, "content-length"):
            contentLengths += 1
            unsafe inspectContentLength(value)
        case 17 where unsafe isSameName(name, "transfer-encoding"):
            transferEncodings += 1
            isChunked = unsafe isSameName(value, "chunked")
        default:
            break
        }
    }

    @unsafe
    private mutating func inspectContentLength(_ value: UnsafeRawBufferPointer) {
        var length = 0
        for index in 0..<value.count {
            let byte = unsafe value[index]
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else {
                fault = fault ?? "Content-Length is a decimal number."
                return
            }
            // Saturates: beyond any limit the value need not be exact.
            length = min(length, Int.max / 16) * 10 + Int(byte - UInt8(ascii: "0"))
        }
        if unsafe value.isEmpty { fault = fault ?? "Content-Length is a decimal number." }
        contentLength = length
    }
}

// The token characters of RFC 9110, section 5.6.2, as bits of ASCII: "!#$%&'*+-.^_`|~", digits and letters. Literals, because a value that
// is computed at first use costs each reader a call.
private let tokenBytes: (low: UInt64, high: UInt64) = (0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE)

/// Whether a byte may be in a token, such as a header's name.
func isTokenByte(_ byte: UInt8) -> Bool {
    if byte < 64 { return tokenBytes.low >> UInt64(byte) & 1 == 1 }
    return byte < 128 && tokenBytes.high >> UInt64(byte - 64) & 1 == 1
}

/// Whether a byte may be in a host name, an IP address or a port: excludes list separators and other parts of a URL.
private func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"), UInt8(ascii: ":"),
        UInt8(ascii: "["), UInt8(ascii: "]"):
        true
    default: false
    }
}

/// Whether a value may have a control character, found without a branch for each byte: a token has some two hundred.
@unsafe
private func hasUnusualByte(_ value: UnsafeRawBufferPointer) -> Bool {
    var found: UInt8 = 0
    for index in value.indices { found |= unsafe value[index] &- 0x20 > 0x5E ? 1 : 0 }
    return found != 0
}

/// Whether a byte is an ASCII control character other than a tab.
func isControlByte(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 || byte == 0x7F
}

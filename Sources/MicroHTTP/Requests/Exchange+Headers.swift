internal import CMicroHTTPDShims
internal import Glibc

// What the client sent in headers.
extension Exchange {
    /// Whether the client asked for the connection to be closed after the response (RFC 9112, section 9.6).
    var requestsClose: Bool { elements("Connection").contains { isSameName($0, "close") } }

    /// The first value of a header; the name is case-insensitive. Nil if it is absent, or once the response is sent.
    package func header(_ name: String) -> String? {
        guard hasHeaders else { return nil }
        // Not bound to a name, which would copy it.
        if detached != nil { return detached?.header(name) }
        // SAFETY: the connection keeps its headers until the exchange ends, and the value is copied.
        guard let value = unsafe name.withCString({ unsafe micro_header(connection.handle, $0) }) else { return nil }
        return unsafe text(ofField: UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// Every value of a header, in the order sent; the name is case-insensitive. Empty once the response is sent.
    package func headers(_ name: String) -> [String] {
        guard hasHeaders else { return [] }
        if let detached { return detached.headers(name) }
        return HeaderValues(of: name, from: connection).all
    }

    /// A header whose value is a list: its lines joined by commas, as they mean the same (RFC 9110, section 5.3). Nil if it is absent.
    package func list(_ name: String) -> String? {
        guard hasHeaders else { return nil }
        if detached == nil {
            let values = HeaderValues(of: name, from: connection)
            if values.others.isEmpty { return values.first }
        }
        let values = headers(name)
        return values.isEmpty ? nil : values.joined(separator: ",")
    }

    /// Whether headers can be read: until the response is sent, and not those of a connection that a stream has taken over.
    private var hasHeaders: Bool { phase != .ended && (!connection.isTakenOver || detached != nil) }

    /// The elements of a header whose value is a list of tokens; the empty ones are left out.
    func elements(_ name: String) -> [String] {
        // As one expression it takes the compiler a second.
        var found: [String] = []
        for element in headers(name).flatMap({ $0.split(separator: ",") }) {
            let token = element.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            if !token.isEmpty { found.append(String(token)) }
        }
        return found
    }
}

/// The values of one header. The first is apart, so that the usual single one takes no array: `Accept` is read for every request.
private struct HeaderValues {
    let name: String
    private(set) var first: String?
    private(set) var others: [String] = []

    var all: [String] { (first.map { [$0] } ?? []) + others }

    init(of name: String, from connection: Connection) {
        self.name = name
        // SAFETY: the enumeration ends before the call returns, and the values are copied.
        unsafe withUnsafeMutablePointer(to: &self) { values in
            unsafe micro_each_header(
                connection.handle,
                { context, name, nameSize, value, valueSize in
                    guard let values = unsafe context?.assumingMemoryBound(to: HeaderValues.self), let name = unsafe name
                    else { return 0 }
                    let bytes = unsafe UnsafeRawBufferPointer(start: name, count: nameSize)
                    if unsafe isSameName(bytes, values.pointee.name) {
                        let value = unsafe text(ofField: UnsafeRawBufferPointer(start: value, count: valueSize))
                        if unsafe values.pointee.first == nil {
                            unsafe values.pointee.first = value
                        } else {
                            unsafe values.pointee.others.append(value)
                        }
                    }
                    return 1
                }, values)
        }
    }
}

/// A header's value as text, without the white space after it.
@unsafe
private func text(ofField bytes: UnsafeRawBufferPointer) -> String {
    unsafe String(decoding: withoutBlanksAfter(bytes), as: UTF8.self)
}

/// A header's value without the white space after it, which HTTP allows (RFC 9110, section 5.5) and libmicrohttpd keeps.
@unsafe
func withoutBlanksAfter(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var end = value.count
    while end > 0, unsafe isBlank(value[end - 1]) { end -= 1 }
    return unsafe UnsafeRawBufferPointer(rebasing: value.prefix(end))
}

/// Whether a byte is a space or a tab.
func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

/// Compares a header's name with `name`, ignoring the case of ASCII letters.
@unsafe
func isSameName(_ bytes: UnsafeRawBufferPointer, _ name: String) -> Bool {
    guard bytes.count == name.utf8.count else { return false }
    let other = name.utf8Span.span
    for index in other.indices where unsafe asciiLowercase(bytes[index]) != asciiLowercase(other[index]) { return false }
    return true
}

/// Compares two names of headers, ignoring the case of ASCII letters.
func isSameName(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    let (one, other) = (one.utf8Span.span, other.utf8Span.span)
    for index in one.indices where asciiLowercase(one[index]) != asciiLowercase(other[index]) { return false }
    return true
}

private func asciiLowercase(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
}

// What the client sent in headers.
extension Exchange {
    /// Whether the client asked for the connection to be closed after the response (RFC 9112, section 9.6).
    var requestsClose: Bool { elements("Connection").contains { isSameName($0, "close") } }

    /// The first value of a header; the name is case-insensitive. Nil if it is absent, or once the response is sent.
    package func header(_ name: String) -> String? { hasHeaders ? head.first(name) : nil }

    /// Whether `header` would return a text with the same bytes; copies nothing.
    package func header(_ name: String, is text: String) -> Bool { hasHeaders && head.first(name, is: text) }

    /// Every value of a header, in the order sent; the name is case-insensitive. Empty once the response is sent.
    package func headers(_ name: String) -> [String] { hasHeaders ? head.all(name) : [] }

    /// A header whose value is a list: its lines joined by commas, as they mean the same (RFC 9110, section 5.3). Nil if it is absent.
    package func list(_ name: String) -> String? { hasHeaders ? head.list(name) : nil }

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

/// Whether a byte is a space or a tab.
func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

/// Compares a header's name with `name`, ignoring the case of ASCII letters.
@unsafe
func isSameName(_ bytes: UnsafeRawBufferPointer, _ name: String) -> Bool {
    guard bytes.count == name.utf8.count else { return false }
    let other = name.utf8Span.span
    for index in other.indices where unsafe !isSameLetter(bytes[index], other[index]) { return false }
    return true
}

/// Compares two names of headers, ignoring the case of ASCII letters.
func isSameName(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    let (one, other) = (one.utf8Span.span, other.utf8Span.span)
    for index in one.indices where !isSameLetter(one[index], other[index]) { return false }
    return true
}

private func isSameLetter(_ one: UInt8, _ other: UInt8) -> Bool {
    one == other || one ^ other == 0x20 && UInt8(ascii: "a")...UInt8(ascii: "z") ~= one | 0x20
}

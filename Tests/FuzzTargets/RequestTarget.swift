import MicroHTTP

/// The first line of the input is the request target, every other line a header field `name:value`.
enum RequestTarget {
    static func run(_ input: [UInt8]) throws(PropertyViolation) {
        let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
        let fields = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
            return (name: Array(line[..<colon]), value: Array(line[colon...].dropFirst()))
        }
        let probe = RequestProbe(target: lines[0], fields: fields)
        try query(probe.query)
        try decoding(lines[0])
        try head(probe, fields)
    }

    /// Decoded query items must be decoded unchanged after they are percent-encoded again.
    private static func query(_ query: QueryItems) throws(PropertyViolation) {
        let text = query.items.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
        let again = QueryItems(text)
        try require(again.items == query.items && again.malformed.isEmpty, "the query \(text) is read as \(again.items)")
        for name in query.duplicates { try require(query.items.count { $0.name == name } > 1, "\(name) is no duplicate") }
    }

    private static func decoding(_ bytes: [UInt8]) throws(PropertyViolation) {
        guard let text = RequestProbe.decode(bytes, plusIsSpace: false) else { return }
        let escaped = Array(encode(text).utf8)
        for plusIsSpace in [false, true] {
            try require(RequestProbe.decode(escaped, plusIsSpace: plusIsSpace) == text, "\(text) is not what its escapes say")
        }
    }

    /// Ambiguous header fields must be refused.
    private static func head(_ probe: RequestProbe, _ fields: [(name: [UInt8], value: [UInt8])]) throws(PropertyViolation) {
        guard probe.fault == nil else { return }
        for (name, value) in fields {
            try require(
                !name.isEmpty && name.allSatisfy { (0x21...0x7E).contains($0) && !#"(),/:;<=>?@[\]{}""#.utf8.contains($0) },
                "the name \(name) passes")
            try require(!value.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }, "the value \(value) passes")
            guard String(decoding: name, as: UTF8.self).lowercased() == "content-length" else { continue }
            try require(!value.isEmpty && value.allSatisfy { (0x30...0x39).contains($0) }, "the length \(value) passes")
        }
        let lengths = fields.filter { String(decoding: $0.name, as: UTF8.self).lowercased() == "content-length" }
        guard let last = lengths.last, let length = Int(String(decoding: last.value, as: UTF8.self)), length < 1 << 50 else {
            return
        }
        try require(probe.contentLength == length, "the length \(length) is read as \(probe.contentLength ?? -1)")
    }

    private static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            let digits = String(byte, radix: 16)
            encoded += "%" + (digits.utf8.count == 1 ? "0" + digits : digits)
        }
        return encoded
    }
}

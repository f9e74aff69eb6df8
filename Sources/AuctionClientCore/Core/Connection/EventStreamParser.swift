/// Reads `text/event-stream` from bytes that arrive in any pieces.
/// Source: WHATWG, HTML Living Standard, section 9.2.6.
struct EventStreamParser: Sendable {
    /// What the stream delivered.
    enum Item: Hashable, Sendable {
        /// An event with data; the name is `message` if the stream gave none.
        case event(name: String, data: [UInt8])
        /// A comment, an id alone, or another line that means no event: a sign of life.
        case signOfLife
    }

    /// A line or an event is larger than the parser's bound.
    struct TooLarge: Error, Hashable { let limit: Int }

    /// The most bytes of one event.
    let limit: Int
    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var lastWasReturn = false
    private var isAtStart = true

    init(limit: Int) { self.limit = limit }

    /// The items that these bytes complete.
    /// - Throws: `TooLarge`; the stream cannot be read on then.
    mutating func parse(_ bytes: [UInt8]) throws(TooLarge) -> [Item] {
        var items: [Item] = []
        var start = bytes.startIndex
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte == 0x0A || byte == 0x0D else {
                lastWasReturn = false
                continue
            }
            if byte == 0x0A, lastWasReturn {
                // The second half of a CRLF.
                lastWasReturn = false
                start = index + 1
                continue
            }
            lastWasReturn = byte == 0x0D
            try append(bytes[start..<index])
            start = index + 1
            if let item = try endLine() { items.append(item) }
        }
        try append(bytes[start...])
        return items
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) throws(TooLarge) {
        guard line.count + bytes.count <= limit else { throw TooLarge(limit: limit) }
        line.append(contentsOf: bytes)
    }

    private mutating func endLine() throws(TooLarge) -> Item? {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        if line.isEmpty { return endEvent() }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            try take(field: line[...], value: [])
            return nil
        }
        if colon == 0 { return .signOfLife }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        try take(field: line[..<colon], value: value)
        return nil
    }

    private mutating func take(field: ArraySlice<UInt8>, value: ArraySlice<UInt8>) throws(TooLarge) {
        if field.elementsEqual("data".utf8) {
            guard data.count + value.count + 1 <= limit else { throw TooLarge(limit: limit) }
            if hasData { data.append(0x0A) }
            data.append(contentsOf: value)
            hasData = true
        } else if field.elementsEqual("event".utf8) {
            name = String(decoding: value, as: UTF8.self)
        }
        // `id` is not needed, because every event carries its seq; `retry` is not, because the back-off has its own base.
    }

    private mutating func endEvent() -> Item {
        defer {
            name = ""
            data = []
            hasData = false
        }
        return hasData ? .event(name: name.isEmpty ? "message" : name, data: data) : .signOfLife
    }
}

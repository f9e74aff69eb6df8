import AuctionDomain
import EventLog

/// The parameters of one execution, from left to right, in PostgreSQL's binary formats.
struct Parameters {
    private(set) var bytes: [UInt8] = []
    /// Range of each value in `bytes`; nil for NULL.
    private(set) var values: [Range<Int>?] = []

    mutating func add(_ number: Int64) { value { $0.appendBigEndian(number) } }

    mutating func add(_ number: Int) { add(Int64(number)) }

    mutating func add(_ instant: Timestamp) { add(instant.milliseconds) }

    mutating func add(_ flag: Bool) { value { $0.append(flag ? 1 : 0) } }

    mutating func add(_ text: String) { value { $0.append(contentsOf: StoredText.encode(text).utf8) } }

    mutating func add(_ content: [UInt8]) { value { $0.append(contentsOf: content) } }

    mutating func add(_ array: [Int64]) {
        self.array(of: .bigint, count: array.count, hasNull: false) { bytes in
            for number in array { bytes.appendElement(number) }
        }
    }

    mutating func add(_ array: [Int64?]) {
        self.array(of: .bigint, count: array.count, hasNull: array.contains { $0 == nil }) { bytes in
            for number in array {
                if let number { bytes.appendElement(number) } else { bytes.appendBigEndian(Int32(-1)) }
            }
        }
    }

    mutating func add(_ array: [Bool]) {
        self.array(of: .boolean, count: array.count, hasNull: false) { bytes in
            for flag in array { bytes.appendElement(CollectionOfOne(flag ? 1 : 0)) }
        }
    }

    mutating func add(_ array: [String]) {
        self.array(of: .text, count: array.count, hasNull: false) { bytes in
            for text in array { bytes.appendElement(StoredText.encode(text).utf8) }
        }
    }

    mutating func add(_ array: [String?]) {
        self.array(of: .text, count: array.count, hasNull: array.contains { $0 == nil }) { bytes in
            for text in array {
                if let text { bytes.appendElement(StoredText.encode(text).utf8) } else { bytes.appendBigEndian(Int32(-1)) }
            }
        }
    }

    mutating func add(_ array: [[UInt8]?]) {
        self.array(of: .bytea, count: array.count, hasNull: array.contains { $0 == nil }) { bytes in
            for content in array {
                if let content { bytes.appendElement(content) } else { bytes.appendBigEndian(Int32(-1)) }
            }
        }
    }

    private mutating func value(_ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        values.append(start..<bytes.count)
    }

    /// Adds an array: one dimension with lower bound 1, or no dimension if it is empty.
    private mutating func array(of type: ServerType, count: Int, hasNull: Bool, _ write: (inout [UInt8]) -> Void) {
        value { bytes in
            bytes.appendBigEndian(Int32(count == 0 ? 0 : 1))
            bytes.appendBigEndian(Int32(hasNull ? 1 : 0))
            bytes.appendBigEndian(type.rawValue)
            guard count > 0 else { return }
            bytes.appendBigEndian(Int32(count))
            bytes.appendBigEndian(Int32(1))
            write(&bytes)
        }
    }
}

/// Object identifiers of the types in use; the same in every PostgreSQL (`pg_type.dat`).
enum ServerType: Int32 {
    case boolean = 16
    case bytea = 17
    case bigint = 20
    case text = 25
}

extension [UInt8] {
    fileprivate mutating func appendBigEndian(_ number: some FixedWidthInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    fileprivate mutating func appendElement(_ number: Int64) {
        appendBigEndian(Int32(8))
        appendBigEndian(number)
    }

    fileprivate mutating func appendElement(_ content: some Collection<UInt8>) {
        appendBigEndian(Int32(content.count))
        append(contentsOf: content)
    }
}

/// Escaping of texts, because PostgreSQL's `text` cannot contain U+0000: it is stored as U+E000 (private use area) and "0", and U+E000
/// itself as U+E000 and "1". All other texts are stored unchanged.
enum StoredText {
    private static let escape: Unicode.Scalar = "\u{E000}"

    static func encode(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0 || $0 == 0xEE }),
            text.unicodeScalars.contains(where: { $0 == "\0" || $0 == escape })
        else { return text }
        var encoded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\0": encoded.append(contentsOf: [escape, "0"])
            case escape: encoded.append(contentsOf: [escape, "1"])
            default: encoded.append(scalar)
            }
        }
        return String(encoded)
    }

    static func decode(_ text: String) -> String {
        guard text.utf8.contains(0xEE), text.unicodeScalars.contains(escape) else { return text }
        var decoded = String.UnicodeScalarView()
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            if scalar != escape { decoded.append(scalar) } else { decoded.append(scalars.next() == "0" ? "\0" : escape) }
        }
        return String(decoded)
    }
}

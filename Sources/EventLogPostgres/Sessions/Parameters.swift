import AuctionDomain
import EventLog

/// The parameters of one execution, from left to right, in PostgreSQL's binary formats.
struct Parameters {
    private(set) var bytes: [UInt8] = []
    /// Range of each value in `bytes`; nil for NULL.
    private(set) var values: [Range<Int>?] = []

    mutating func add(_ value: some ParameterValue) { value.add(to: &self) }

    mutating func add(_ array: [Int64]) { add(numbersOf: array) { $0 } }

    mutating func add(_ array: [Int64?]) { add(numbersOf: array) { $0 } }

    mutating func add(_ array: [String]) { add(textsOf: array) { $0 } }

    mutating func add(_ array: [String?]) { add(textsOf: array) { $0 } }

    mutating func add(_ array: [[UInt8]?]) { add(bytesOf: array) { $0 } }

    fileprivate mutating func value(_ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        values.append(start..<bytes.count)
    }
}

/// A value that is a parameter by itself.
protocol ParameterValue {
    func add(to parameters: inout Parameters)
}

extension Int64: ParameterValue {
    func add(to parameters: inout Parameters) { parameters.value { $0.appendBigEndian(self) } }
}

extension Int: ParameterValue {
    func add(to parameters: inout Parameters) { Int64(self).add(to: &parameters) }
}

extension Timestamp: ParameterValue {
    func add(to parameters: inout Parameters) { milliseconds.add(to: &parameters) }
}

extension Bool: ParameterValue {
    func add(to parameters: inout Parameters) { parameters.value { $0.append(self ? 1 : 0) } }
}

extension String: ParameterValue {
    func add(to parameters: inout Parameters) { parameters.value { $0.append(contentsOf: StoredText.encode(self).utf8) } }
}

extension [UInt8]: ParameterValue {
    func add(to parameters: inout Parameters) { parameters.value { $0.append(contentsOf: self) } }
}

/// Arrays with a value for each element of another array, written without one in between. An array of NULLs is sent as an empty one: all
/// are arguments of an `unnest`, which fills the shorter ones with NULLs.
extension Parameters {
    mutating func add<Element>(numbersOf elements: [Element], _ number: (Element) -> Int64?) {
        array(of: .bigint, elements) { element, bytes in
            guard let number = number(element) else { return false }
            bytes.append(addingCapacity: 12) { out in
                out.append(bigEndian: Int32(8))
                out.append(bigEndian: number)
            }
            return true
        }
    }

    mutating func add<Element>(flagsOf elements: [Element], _ flag: (Element) -> Bool) {
        array(of: .boolean, elements) { element, bytes in
            bytes.append(addingCapacity: 5) { out in
                out.append(bigEndian: Int32(1))
                out.append(flag(element) ? 1 : 0)
            }
            return true
        }
    }

    mutating func add<Element>(textsOf elements: [Element], _ text: (Element) -> String?) {
        array(of: .text, elements) { element, bytes in
            guard let text = text(element) else { return false }
            let stored = StoredText.encode(text).utf8
            bytes.appendBigEndian(Int32(stored.count))
            bytes.append(contentsOf: stored)
            return true
        }
    }

    mutating func add<Element>(bytesOf elements: [Element], _ content: (Element) -> [UInt8]?) {
        array(of: .bytea, elements) { element, bytes in
            guard let content = content(element) else { return false }
            bytes.appendBigEndian(Int32(content.count))
            bytes.append(contentsOf: content)
            return true
        }
    }

    mutating func add<Element>(hashesOf elements: [Element], _ hash: (Element) -> EventHash) {
        array(of: .bytea, elements) { element, bytes in
            let words = hash(element).words
            bytes.append(addingCapacity: 36) { out in
                out.append(bigEndian: Int32(32))
                out.append(bigEndian: words.0)
                out.append(bigEndian: words.1)
                out.append(bigEndian: words.2)
                out.append(bigEndian: words.3)
            }
            return true
        }
    }

    mutating func add<Element, Kind: IdentifierKind>(
        identifiersOf elements: [Element], _ identifier: (Element) -> Identifier<Kind>
    ) {
        array(of: .text, elements) { element, bytes in
            let id = identifier(element)
            bytes.append(addingCapacity: 4 + id.textLength) { out in
                out.append(bigEndian: Int32(id.textLength))
                id.write(to: &out)
            }
            return true
        }
    }

    /// Adds an array: one dimension with lower bound 1, or no dimension if it has no values.
    /// - Parameter write: Appends the length and the value of an element; returns false, without having appended any, for NULL.
    private mutating func array<Element>(
        of type: ServerType, _ elements: [Element], _ write: (Element, inout [UInt8]) -> Bool
    ) {
        value { bytes in
            let start = bytes.count
            for number in [1, 0, type.rawValue, Int32(elements.count), 1] { bytes.appendBigEndian(number) }
            var nulls = 0
            // By index, because a loop over the elements copies each.
            for index in elements.indices where !write(elements[index], &bytes) {
                bytes.appendBigEndian(Int32(-1))
                nulls += 1
            }
            if nulls == elements.count {
                bytes.removeLast(bytes.count - start - 12)
                bytes[start + 3] = 0
            } else if nulls > 0 {
                bytes[start + 7] = 1
            }
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
        append(addingCapacity: number.bitWidth / 8) { $0.append(bigEndian: number) }
    }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        var rest = number.bigEndian
        for _ in 0..<number.bitWidth / 8 {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
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

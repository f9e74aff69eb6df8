internal import AuctionDomain

/// Writes numbers and byte strings in as few bytes as they need.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Seven bits a byte, the lowest first; the highest bit of a byte says that another one follows.
    mutating func add(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A number near zero, of either sign: 0, -1, 1, -2 and so on are written as 0, 1, 2, 3.
    mutating func add(signed number: Int64) { add(UInt64(bitPattern: number << 1 ^ number >> 63)) }

    /// The lowest bytes of a number, the highest of them first.
    mutating func add(_ number: UInt128, bytes count: Int) {
        for byte in stride(from: count - 1, through: 0, by: -1) {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt128(8 * byte)))
        }
    }

    /// The bytes behind their number.
    mutating func add(_ string: some Collection<UInt8>) {
        add(UInt64(string.count))
        bytes += string
    }

    /// The bytes alone.
    mutating func add(plain string: some Collection<UInt8>) { bytes += string }

    mutating func add(_ person: Person) {
        add(person.id.bits, bytes: 16)
        add(Array(person.nickname.utf8))
    }
}

/// Reads what `ByteWriter` writes. Every function throws if the bytes end too early or are not of that form.
struct ByteReader {
    struct Damage: Error {
        /// Position of the byte that is missing or wrong.
        let index: Int
    }

    private let bytes: [UInt8]
    private let end: Int
    private(set) var index: Int

    /// - Parameter place: Within the indexes of `bytes`.
    init(_ bytes: [UInt8], in place: Range<Int>) {
        self.bytes = bytes
        (index, end) = (place.lowerBound, place.upperBound)
    }

    /// Number of bytes that were not read.
    var left: Int { end - index }

    mutating func byte() throws(Damage) -> UInt8 {
        guard index < end else { throw Damage(index: index) }
        defer { index += 1 }
        return bytes[index]
    }

    mutating func number() throws(Damage) -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = try byte()
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
            guard shift < 64 else { throw Damage(index: index) }
        }
    }

    mutating func signed() throws(Damage) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// A number that is stored as this many bytes.
    mutating func wide(bytes count: Int) throws(Damage) -> UInt128 {
        guard left >= count else { throw Damage(index: end) }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for place in 0..<count {
            let byte = UInt64(bytes[index + place])
            if place >= count - 8 { low = low << 8 | byte } else { high = high << 8 | byte }
        }
        index += count
        return UInt128(high) << 64 | UInt128(low)
    }

    /// A count of things of which each takes at least this many bytes.
    mutating func count(ofBytes size: Int) throws(Damage) -> Int {
        let count = try number()
        guard count <= UInt64(left / size) else { throw Damage(index: index) }
        return Int(count)
    }

    mutating func string() throws(Damage) -> ArraySlice<UInt8> {
        let count = try count(ofBytes: 1)
        defer { index += count }
        return bytes[index..<index + count]
    }

    mutating func text() throws(Damage) -> String {
        guard let text = String(validating: try string(), as: UTF8.self) else { throw Damage(index: index) }
        return text
    }

    mutating func person() throws(Damage) -> Person {
        Person(id: UserID(bits: try wide(bytes: 16)), nickname: try text())
    }
}

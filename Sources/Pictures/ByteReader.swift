/// Reads numbers and ranges from a part of a file; every read is checked against its end.
struct ByteReader {
    let bytes: [UInt8]
    private(set) var position: Int
    let end: Int

    /// - Parameter part: nil for the whole file; what lies outside of the file is left out.
    init(_ bytes: [UInt8], _ part: Range<Int>? = nil) {
        self.bytes = bytes
        let part = (part ?? bytes.indices).clamped(to: bytes.indices)
        (position, end) = (part.lowerBound, part.upperBound)
    }

    var remaining: Int { end - position }

    /// A number of up to 8 bytes, most significant first; throws if it has more than 62 bits.
    mutating func number(_ count: Int) throws(PictureError) -> Int {
        try take(count).reduceBytes(of: bytes)
    }

    /// The same, least significant first.
    mutating func littleEndian(_ count: Int) throws(PictureError) -> Int {
        try take(count).reversed().reduceBytes(of: bytes)
    }

    /// Four characters that name a part.
    mutating func code() throws(PictureError) -> String {
        let range = try take(4)
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// Skips `count` bytes and returns where they are.
    @discardableResult
    mutating func take(_ count: Int) throws(PictureError) -> Range<Int> {
        guard count >= 0, count <= remaining else { throw .malformed("it ends in the middle of a part") }
        defer { position += count }
        return position..<position + count
    }

    /// Skips all that is left and returns where it is.
    @discardableResult
    mutating func takeRest() throws(PictureError) -> Range<Int> { try take(remaining) }

    /// Whether the next bytes are these.
    func isAt(_ expected: some Collection<UInt8>) -> Bool { bytes[position..<end].starts(with: expected) }
}

extension Sequence<Int> {
    /// The bytes at these positions as one number.
    fileprivate func reduceBytes(of bytes: [UInt8]) throws(PictureError) -> Int {
        var number = 0
        for position in self {
            guard number < 1 << 54 else { throw .malformed("a number is too large") }
            number = number << 8 | Int(bytes[position])
        }
        return number
    }
}

/// The parts of a file that are copied, adjacent ones as one.
struct KeptParts {
    private(set) var ranges: [Range<Int>] = []
    private(set) var count = 0

    mutating func keep(_ range: Range<Int>) {
        count += range.count
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }
}

extension [UInt8] {
    mutating func append(_ parts: KeptParts, of file: [UInt8]) {
        for range in parts.ranges { append(contentsOf: file[range]) }
    }

    /// Appends a number of `count` bytes, most significant first.
    mutating func append(_ number: Int, bytes count: Int) {
        for place in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
    }

    /// Appends a number of `count` bytes, least significant first.
    mutating func append(littleEndian number: Int, bytes count: Int) {
        for place in 0..<count { append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
    }

    /// Overwrites with zeros.
    mutating func clear(_ range: Range<Int>) {
        for position in range.clamped(to: indices) { self[position] = 0 }
    }
}

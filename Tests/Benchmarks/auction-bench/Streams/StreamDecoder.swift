/// Finds the numbers of messages in received bytes, also across reads: digits between a prefix and a suffix.
struct MarkerScanner {
    private let prefix: [UInt8]
    private let suffix: UInt8
    /// How many digits a number has; nil: any.
    private let length: Int?
    /// Bytes of the prefix that matched.
    private var matched = 0
    private var digits = 0
    private var number = 0

    private init(prefix: String, suffix: String, length: Int?) {
        self.prefix = Array(prefix.utf8)
        self.suffix = suffix.utf8.first ?? 0
        self.length = length
    }

    /// Finds `marker(_:)`.
    static let messages = MarkerScanner(prefix: "~", suffix: "~", length: 10)
    /// Finds the amounts of bids, in whole units of the currency.
    static let bids = MarkerScanner(prefix: "\"amount\":\"", suffix: ".", length: nil)

    static func marker(_ number: Int) -> String {
        let digits = String(number)
        return "~" + String(repeating: "0", count: 10 - digits.count) + digits + "~"
    }

    mutating func scan(_ bytes: Span<UInt8>, _ range: Range<Int>, into found: inout [Int]) {
        var at = range.lowerBound
        let (end, first) = (range.upperBound, prefix[0])
        while at < end {
            if matched == 0 {
                while at < end, bytes[at] != first { at += 1 }
                guard at < end else { return }
            }
            let byte = bytes[at]
            at += 1
            if matched < prefix.count {
                matched = byte == prefix[matched] ? matched + 1 : byte == first ? 1 : 0
                (digits, number) = (0, 0)
            } else if byte >= 0x30, byte <= 0x39, digits < length ?? 12 {
                number = number * 10 + Int(byte - 0x30)
                digits += 1
            } else {
                let isWhole = byte == suffix && digits == length ?? digits && digits > 0
                if isWhole { found.append(number) }
                matched = !isWhole && byte == first ? 1 : 0
                (digits, number) = (0, 0)
            }
        }
    }
}

/// Parses the WebSocket frames of a server.
struct FrameDecoder {
    private var header: [UInt8] = []
    private var left = 0
    private var opcode: UInt8 = 0
    private(set) var isClosed = false
    /// Number of pings that have not been answered.
    var pings = 0

    mutating func feed(_ bytes: Span<UInt8>, from start: Int, _ scanner: inout MarkerScanner, into found: inout [Int]) {
        var at = start
        while at < bytes.count {
            if left > 0 {
                let count = min(left, bytes.count - at)
                if opcode < 8 { scanner.scan(bytes, at..<(at + count), into: &found) }
                left -= count
                at += count
                continue
            }
            header.append(bytes[at])
            at += 1
            guard header.count >= 2 else { continue }
            let short = Int(header[1] & 127)
            let extra = short == 126 ? 2 : short == 127 ? 8 : 0
            guard header.count == 2 + extra else { continue }
            left = extra == 0 ? short : header[2...].reduce(0) { $0 << 8 | Int($1) }
            opcode = header[0] & 15
            if opcode == 8 { isClosed = true }
            if opcode == 9 { pings += 1 }
            header.removeAll(keepingCapacity: true)
        }
    }
}

/// Parses a body in chunked transfer coding.
struct ChunkDecoder {
    private enum Place {
        case size
        case data
        /// The line break after the data.
        case end
    }

    private var place = Place.size
    private var size = 0
    private(set) var isClosed = false

    mutating func feed(_ bytes: Span<UInt8>, from start: Int, _ scanner: inout MarkerScanner, into found: inout [Int]) {
        var at = start
        while at < bytes.count {
            switch place {
            case .data:
                let count = min(size, bytes.count - at)
                scanner.scan(bytes, at..<(at + count), into: &found)
                size -= count
                at += count
                if size == 0 { place = .end }
            case .end:
                if bytes[at] == 0x0A { place = .size }
                at += 1
            case .size:
                let byte = bytes[at]
                at += 1
                if byte == 0x0A {
                    if size == 0 { isClosed = true }
                    place = size == 0 ? .end : .data
                } else if let digit = Character(Unicode.Scalar(byte)).hexDigitValue {
                    size = size * 16 + digit
                }
            }
        }
    }
}

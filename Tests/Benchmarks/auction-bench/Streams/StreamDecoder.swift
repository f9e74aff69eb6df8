/// Finds the numbers of messages in received bytes, ten digits between tildes, also across reads.
struct MarkerScanner {
    private var digits = -1
    private var number = 0

    static func marker(_ number: Int) -> String {
        let digits = String(number)
        return "~" + String(repeating: "0", count: 10 - digits.count) + digits + "~"
    }

    mutating func scan(_ bytes: Span<UInt8>, _ range: Range<Int>, into found: inout [Int]) {
        var at = range.lowerBound
        let end = range.upperBound
        while at < end {
            if digits < 0 {
                while at < end, bytes[at] != 0x7E { at += 1 }
                guard at < end else { return }
                (digits, number) = (0, 0)
                at += 1
                continue
            }
            let byte = bytes[at]
            at += 1
            if digits == 10 {
                if byte == 0x7E { found.append(number) }
                digits = -1
            } else if byte >= 0x30, byte <= 0x39 {
                number = number * 10 + Int(byte - 0x30)
                digits += 1
            } else {
                digits = byte == 0x7E ? 0 : -1
                number = 0
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

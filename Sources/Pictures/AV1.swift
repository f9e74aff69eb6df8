/// AV1 (Bitstream and Decoding Process Specification, sections 5.3 to 5.5): the units of a coded image, of which only the sequence header is
/// read. It says how large a frame may be, and so what a decoder makes room for, whatever the file around it declares.
enum AV1 {
    private static let sequenceHeader = 1
    /// An image has a few: its sequence header, its metadata, one frame.
    private static let unitLimit = 64
    /// The longest sequence header has about 400 bytes, of 32 operating points.
    private static let headerLimit = 512

    /// The largest frame that the sequence headers allow; nil if there is none.
    /// - Parameter parts: where the units are, in order.
    static func largestFrame(in parts: [Range<Int>], of file: [UInt8]) throws(PictureError) -> PixelSize? {
        var reader = PartsReader(parts, of: file)
        var largest: PixelSize?
        for _ in 0..<unitLimit {
            guard reader.remaining > 0 else { return largest }
            let header = try reader.byte()
            if header & 4 != 0 { _ = try reader.byte() }
            let count = header & 2 != 0 ? try reader.variableNumber() : reader.remaining
            guard count <= reader.remaining else { throw .malformed("the AVIF's image is truncated") }
            if Int(header) >> 3 & 15 == sequenceHeader {
                var head: [UInt8] = []
                let kept = min(count, headerLimit)
                for _ in 0..<kept { head.append(try reader.byte()) }
                reader.skip(count - kept)
                var bits = BitReader(head)
                let size = try frameSize(&bits)
                largest = try PixelSize(max(size.width, largest?.width ?? 0), max(size.height, largest?.height ?? 0))
            } else {
                reader.skip(count)
            }
        }
        throw .malformed("the AVIF's image has too many parts")
    }

    /// `max_frame_width_minus_1` and `max_frame_height_minus_1` of a sequence header, each with 1 more.
    private static func frameSize(_ bits: inout BitReader) throws(PictureError) -> PixelSize {
        try bits.skip(4)
        if try bits.flag() {
            // A reduced header of a still picture: the level follows.
            try bits.skip(5)
        } else {
            try skipOperatingPoints(&bits)
        }
        let (widthBits, heightBits) = (try bits.number(4) + 1, try bits.number(4) + 1)
        return try PixelSize(try bits.number(widthBits) + 1, try bits.number(heightBits) + 1)
    }

    private static func skipOperatingPoints(_ bits: inout BitReader) throws(PictureError) {
        var delayBits: Int?
        if try bits.flag() {
            // timing_info: num_units_in_display_tick and time_scale; then num_ticks_per_picture_minus_1 if they are equal for all pictures.
            try bits.skip(64)
            if try bits.flag() { try bits.skipExponential() }
            if try bits.flag() {
                delayBits = try bits.number(5) + 1
                try bits.skip(42)
            }
        }
        let hasDisplayDelays = try bits.flag()
        for _ in 0...(try bits.number(5)) {
            try bits.skip(12)
            if try bits.number(5) > 7 { try bits.skip(1) }
            if let delayBits, try bits.flag() { try bits.skip(2 * delayBits + 1) }
            if hasDisplayDelays, try bits.flag() { try bits.skip(4) }
        }
    }
}

/// Reads bits, the highest of each byte first.
private struct BitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func flag() throws(PictureError) -> Bool { try number(1) == 1 }

    mutating func skip(_ count: Int) throws(PictureError) {
        guard count <= 8 * bytes.count - position else { throw .malformed("the header of the AVIF's image is truncated") }
        position += count
    }

    /// A number of up to 32 bits.
    mutating func number(_ count: Int) throws(PictureError) -> Int {
        let start = position
        try skip(count)
        // One step a line: as one expression it takes the compiler five seconds.
        var number = 0
        for place in start..<position {
            let bit = bytes[place / 8] >> (7 - place % 8) & 1
            number = number << 1 | Int(bit)
        }
        return number
    }

    /// Skips a number in the variable-length code uvlc(), an Exp-Golomb code.
    mutating func skipExponential() throws(PictureError) {
        var zeros = 0
        while try !flag() { zeros += 1 }
        if zeros < 32 { try skip(zeros) }
    }
}

/// Reads bytes of parts of a file as if they followed each other.
struct PartsReader {
    private let file: [UInt8]
    private let parts: [Range<Int>]
    private var index = 0
    /// The position in the file.
    private var position: Int
    private(set) var remaining: Int

    /// - Parameter parts: what lies outside of the file is left out.
    init(_ parts: [Range<Int>], of file: [UInt8]) {
        self.file = file
        self.parts = parts.map { $0.clamped(to: file.indices) }.filter { !$0.isEmpty }
        position = self.parts.first?.lowerBound ?? 0
        remaining = self.parts.reduce(0) { $0 + $1.count }
    }

    mutating func byte() throws(PictureError) -> UInt8 {
        guard remaining > 0 else { throw .malformed("it ends in the middle of a part") }
        defer { skip(1) }
        return file[position]
    }

    /// Skips as many bytes, or what is left.
    mutating func skip(_ count: Int) {
        var count = min(count, remaining)
        remaining -= count
        while count > 0 {
            let skipped = min(count, parts[index].upperBound - position)
            (position, count) = (position + skipped, count - skipped)
            guard position == parts[index].upperBound, index + 1 < parts.count else { continue }
            index += 1
            position = parts[index].lowerBound
        }
    }

    /// A number of `count` bytes, at most 4, the highest first.
    mutating func number(_ count: Int) throws(PictureError) -> Int {
        var number = 0
        for _ in 0..<count { number = number << 8 | Int(try byte()) }
        return number
    }

    /// A number with seven bits in each of up to 8 bytes, the lowest first (`leb128`).
    mutating func variableNumber() throws(PictureError) -> Int {
        var number = 0
        for place in 0..<8 {
            let byte = Int(try byte())
            number |= (byte & 0x7F) << (7 * place)
            if byte & 0x80 == 0 { return number }
        }
        throw .malformed("a number is too large")
    }
}

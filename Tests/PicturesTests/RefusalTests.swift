import Pictures
import Testing

struct RefusalTests {
    @Test func `a file of no known format is refused`() {
        for file in ["", "GIF89a...", "<svg/>", "RIFF....WAVE", "....ftypheic........"].map({ Array($0.utf8) }) {
            #expect(throws: PictureError.unknownFormat) { try Picture(cleaning: file) }
        }
    }

    @Test(arguments: Samples.animated)
    func `an animation is refused`(name: String) throws {
        let file = try Samples.bytes(name)
        #expect(throws: PictureError.animated) { try Picture(cleaning: file) }
    }

    @Test(arguments: Samples.still)
    func `a truncated file is refused, wherever it ends; a JPEG, up to its image`(name: String) throws {
        let file = try Samples.bytes(name)
        let end = Self.end(of: file, try Picture(cleaning: file))
        for count in 0..<end {
            #expect(throws: PictureError.self, "\(count) of \(end) bytes") { try Picture(cleaning: Array(file.prefix(count))) }
        }
    }

    /// Up to where a file is refused: what follows may be missing.
    private static func end(of file: [UInt8], _ picture: Picture) -> Int {
        switch picture.format {
        case .jpeg: file.imageStart + 1
        case .png: file.indices.last { file[$0...].starts(with: "IEND".utf8) }.map { $0 + 8 } ?? 0
        case .webp: 8 + file[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
        case .avif: file.count
        }
    }

    @Test func `more than 40 megapixels are refused, and no product of sizes overflows`() throws {
        var file = try Samples.bytes("palette.png")
        for size in [(8000, 5001), (Int(UInt32.max), Int(UInt32.max)), (Int(Int32.max), 1 << 30)] {
            file.replaceSubrange(16..<24, with: bigEndian(size.0) + bigEndian(size.1))
            #expect(throws: PictureError.tooManyPixels) { try Picture(cleaning: file) }
        }
        file.replaceSubrange(16..<24, with: bigEndian(0) + bigEndian(1))
        #expect(throws: PictureError.malformed("width or height is 0")) { try Picture(cleaning: file) }
    }

    private func bigEndian(_ number: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    @Test func `a changed byte in a chunk of a PNG is noticed`() throws {
        var file = try Samples.bytes("palette.png")
        let palette = try #require(file.indices.first { file[$0...].starts(with: "PLTE".utf8) })
        file[palette + 10] ^= 1
        #expect(throws: PictureError.self) { try Picture(cleaning: file) }
    }

    @Test(arguments: Samples.still)
    func `no change of a byte traps`(name: String) throws {
        var file = try Samples.bytes(name).prefix(2000).map(\.self)
        for position in file.indices {
            let byte = file[position]
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                file[position] = value
                _ = try? Picture(cleaning: file)
            }
            file[position] = byte
        }
    }

    @Test func `a WebP whose header declares another size than its image is refused`() throws {
        var file = try Samples.bytes("alpha.webp")
        file[24] = 200
        #expect(throws: PictureError.malformed("the image of the WebP is not as large as its header says")) {
            try Picture(cleaning: file)
        }
    }
}

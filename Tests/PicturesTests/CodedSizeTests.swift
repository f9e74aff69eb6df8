import Pictures
import Testing

/// Sizes that are coded in an AVIF's images, against those that its boxes declare.
struct CodedSizeTests {
    @Test func `an image may be coded for larger frames than it has, within the bound`() throws {
        for isReduced in [true, false] {
            let header = AVIFFile.sequenceHeader(640, 480, isReduced: isReduced)
            for declared in [(640, 480), (636, 478)] {
                let picture = try Picture(cleaning: AVIFFile(width: declared.0, height: declared.1, header).bytes)
                #expect([picture.width, picture.height] == [declared.0, declared.1])
            }
        }
    }

    @Test(arguments: [true, false])
    func `an image that is coded for more than 40 megapixels is refused, whatever it declares`(isReduced: Bool) throws {
        for size in [(8000, 5001), (65536, 65536)] {
            let header = AVIFFile.sequenceHeader(size.0, size.1, isReduced: isReduced)
            #expect(throws: PictureError.tooManyPixels) { try Picture(cleaning: AVIFFile(width: 64, height: 64, header).bytes) }
            var file = AVIFFile(width: 64, height: 64, AVIFFile.sequenceHeader(64, 64))
            file.configuration = header
            #expect(throws: PictureError.tooManyPixels, "beside the item") { try Picture(cleaning: file.bytes) }
            // A second one behind the first.
            file.configuration = []
            file.image += header
            #expect(throws: PictureError.tooManyPixels, "behind another") { try Picture(cleaning: file.bytes) }
        }
    }

    @Test func `an image that is coded smaller than it declares, or says nothing, is refused`() throws {
        let header = AVIFFile.sequenceHeader(64, 48)
        for size in [(65, 48), (64, 49)] {
            #expect(throws: PictureError.malformed("an image of the AVIF is not as large as it says")) {
                try Picture(cleaning: AVIFFile(width: size.0, height: size.1, header).bytes)
            }
        }
        #expect(throws: PictureError.malformed("an image of the AVIF has no sequence header")) {
            try Picture(cleaning: AVIFFile(width: 64, height: 48, []).bytes)
        }
        for count in 1..<header.count {
            var file = AVIFFile(width: 64, height: 48, header)
            file.image = Array(header.prefix(count))
            #expect(throws: PictureError.self, "\(count) bytes") { try Picture(cleaning: file.bytes) }
        }
    }

    @Test func `the size of a grid is that which it declares, and its tiles are no larger than a picture may be`() throws {
        let header = AVIFFile.sequenceHeader(64, 48)
        func file(_ width: Int, _ height: Int, rows: Int = 2, columns: Int = 2, declared: (Int, Int)? = nil) -> AVIFFile {
            var file = AVIFFile(width: declared?.0 ?? width, height: declared?.1 ?? height, header)
            file.grid = AVIFFile.Grid(rows: rows, columns: columns, width: width, height: height, tile: (64, 48))
            return file
        }
        for size in [(128, 96), (100, 70)] {
            let picture = try Picture(cleaning: file(size.0, size.1).bytes)
            #expect([picture.width, picture.height] == [size.0, size.1])
        }
        let wrong = PictureError.malformed("an image of the AVIF is not as large as it says")
        #expect(throws: wrong) { try Picture(cleaning: file(129, 96).bytes) }
        #expect(throws: wrong) { try Picture(cleaning: file(128, 96, declared: (64, 96)).bytes) }
        var lacking = file(128, 96)
        lacking.grid?.tiles = 3
        #expect(throws: wrong) { try Picture(cleaning: lacking.bytes) }
        #expect(throws: PictureError.tooManyPixels) { try Picture(cleaning: file(60_000, 60_000, declared: (64, 48)).bytes) }
        #expect(throws: PictureError.tooManyPixels) { try Picture(cleaning: file(64, 48, rows: 250, columns: 250).bytes) }
    }
}

/// An AVIF of an image, or of a grid of equal ones, with what a test wants to be wrong.
struct AVIFFile {
    struct Grid {
        var rows: Int
        var columns: Int
        var width: Int
        var height: Int
        var tile: (width: Int, height: Int)
        /// Number of references to the tile; nil: as many as there are places.
        var tiles: Int?
    }

    var width: Int
    var height: Int
    var image: [UInt8]
    var configuration: [UInt8] = []
    /// A colour profile; empty: none.
    var profile: [UInt8] = []
    /// Boxes beside those of the items.
    var others: [UInt8] = []
    var grid: Grid?

    /// - Parameter header: the image has this sequence header, and a frame that is not decoded, unless it is empty.
    init(width: Int, height: Int, _ header: [UInt8]) {
        (self.width, self.height) = (width, height)
        image = [0x12, 0] + header + [0x32, 3, 1, 2, 3]
    }

    /// The unit with a sequence header of AV1 for frames of this size.
    static func sequenceHeader(_ width: Int, _ height: Int, isReduced: Bool = true) -> [UInt8] {
        var bits = "000" + (isReduced ? "1100000" : "00")
        if !isReduced {
            // Timing with an exponential number, delays of 10 bits, two operating points, the second of a high level.
            bits += "1" + String(repeating: "0", count: 63) + "1" + "1" + "00101"
            bits += "1" + "01001" + String(repeating: "0", count: 42) + "1" + "00001"
            bits += String(repeating: "0", count: 12) + "00100" + "1" + String(repeating: "1", count: 21) + "11010"
            bits += String(repeating: "0", count: 12) + "01000" + "1" + "0" + "0"
        }
        bits += "1111" + "1111"
        for size in [width, height] {
            let digits = String(size - 1, radix: 2)
            bits += String(repeating: "0", count: 16 - digits.count) + digits
        }
        bits += "1"
        bits += String(repeating: "0", count: (8 - bits.count % 8) % 8)
        let bytes = stride(from: 0, to: bits.count, by: 8).compactMap { start in
            UInt8(bits.dropFirst(start).prefix(8), radix: 2)
        }
        return [0x0A, UInt8(bytes.count)] + bytes
    }

    /// The whole file: item 1 is the image, and item 2 the tile of a grid.
    var bytes: [UInt8] {
        let tile = Self.size(grid?.tile.width ?? width, grid?.tile.height ?? height)
        let colours = profile.isEmpty ? [] : Self.box("colr", "prof".utf8 + profile)
        let properties = Self.box(
            "ipco", Self.size(width, height) + tile + Self.box("av1C", [0x81, 0, 0, 0] + configuration) + colours)
        let association: [UInt8] = grid == nil ? [0, 0, 0, 1, 0, 1, 2, 1, 3] : [0, 0, 0, 2, 0, 1, 1, 1, 0, 2, 2, 2, 3]
        var parts =
            Self.box("hdlr", Self.number(0, 8) + "pict".utf8 + Self.number(0, 13)) + Self.box("pitm", [0, 0, 0, 0, 0, 1])
        let types = grid == nil ? ["av01"] : ["grid", "av01"]
        let infos = types.enumerated().flatMap { index, type -> [UInt8] in
            Self.box("infe", [2, 0, 0, 0, 0, UInt8(index + 1), 0, 0] + Array(type.utf8) + [0])
        }
        parts += Self.box("iinf", Self.number(0, 4) + Self.number(types.count, 2) + infos)
        parts += Self.box("iprp", properties + Self.box("ipma", Self.number(0, 4) + association))
        var inner = image
        if let grid {
            let count = grid.tiles ?? grid.rows * grid.columns
            let references = Self.number(1, 2) + Self.number(count, 2) + [[UInt8]](repeating: [0, 2], count: count).joined()
            parts += Self.box("iref", Self.number(0, 4) + Self.box("dimg", references))
            inner =
                [0, 1, UInt8(grid.rows - 1), UInt8(grid.columns - 1)] + Self.number(grid.width, 4) + Self.number(grid.height, 4)
                + image
        }
        let places = grid == nil ? [(0, image.count)] : [(0, 12), (12, image.count)]
        let locations = places.enumerated().flatMap { index, place -> [UInt8] in
            Self.number(index + 1, 2) + [0, 1, 0, 0, 0, 1] + Self.number(place.0, 4) + Self.number(place.1, 4)
        }
        parts += Self.box("iloc", [1, 0, 0, 0, 0x44, 0] + Self.number(places.count, 2) + locations) + Self.box("idat", inner)
        return Self.box("ftyp", Array("avif".utf8) + Self.number(0, 4) + "avifmif1".utf8)
            + Self.box("meta", Self.number(0, 4) + parts + others)
    }

    private static func size(_ width: Int, _ height: Int) -> [UInt8] {
        box("ispe", number(0, 4) + number(width, 4) + number(height, 4))
    }

    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8, 4) + type.utf8 + content
    }

    static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: $0 < 8 ? value >> (8 * $0) : 0) }
    }
}

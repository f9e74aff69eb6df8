/// How a picture is to be rotated and mirrored when it is displayed: the tag "Orientation" of Exif, 1 (as it is) to 8.
struct Orientation: Hashable {
    static let upright = Orientation(number: 1)
    private let number: Int

    private init(number: Int) { self.number = number }

    /// Whether width and height are exchanged.
    var isTurned: Bool { number >= 5 }

    /// The tag in the TIFF structure of an Exif part; upright if there is none, or if the part is malformed: such a part is removed, and no
    /// reason to refuse the picture.
    init(tiff part: Range<Int>, of file: [UInt8]) {
        self = (try? Self.read(part, of: file)) ?? .upright
    }

    private static func read(_ part: Range<Int>, of file: [UInt8]) throws(PictureError) -> Orientation? {
        var tiff = ByteReader(file, part)
        let start = tiff.position
        let order = try tiff.number(2)
        guard order == 0x4949 || order == 0x4D4D else { return nil }
        let isLittle = order == 0x4949
        func number(_ reader: inout ByteReader, _ count: Int) throws(PictureError) -> Int {
            isLittle ? try reader.littleEndian(count) : try reader.number(count)
        }
        guard try number(&tiff, 2) == 42 else { return nil }
        let offset = try number(&tiff, 4)
        // Relative to the beginning of the structure, 8 bytes of which are read.
        guard offset >= 8 else { return nil }
        try tiff.take(offset - (tiff.position - start))
        // At most 65,535 entries of 12 bytes.
        for _ in 0..<(try number(&tiff, 2)) {
            let (tag, kind, count) = (try number(&tiff, 2), try number(&tiff, 2), try number(&tiff, 4))
            let value = try number(&tiff, 2)
            try tiff.take(2)
            guard tag == 0x0112 else { continue }
            return kind == 3 && count == 1 && (1...8).contains(value) ? Orientation(number: value) : nil
        }
        return nil
    }

    /// A TIFF structure with this tag only; nil if the picture is upright.
    var tiff: [UInt8]? {
        guard self != .upright else { return nil }
        var bytes = Array("MM".utf8)
        bytes.append(42, bytes: 2)
        bytes.append(8, bytes: 4)
        bytes.append(1, bytes: 2)
        bytes.append(0x0112, bytes: 2)
        bytes.append(3, bytes: 2)
        bytes.append(1, bytes: 4)
        bytes.append(number, bytes: 2)
        // The rest of the value, and no further directory.
        bytes.append(0, bytes: 6)
        return bytes
    }
}

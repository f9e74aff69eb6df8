/// PNG (W3C Recommendation): chunks with a length, a name and a checksum each.
///
/// Kept: the image with its palette, and what says how its colours are to be shown. Text, times, Exif and unknown chunks are dropped, as is
/// what follows the end of the image. Animations (APNG) are refused.
enum PNG {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static let colours: Set<String> = [
        "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "tRNS", "sBIT", "bKGD", "pHYs",
    ]

    private struct Content {
        var size: PixelSize?
        /// What comes before the image data, and what comes from it on.
        var head = KeptParts()
        var image = KeptParts()
        var orientation: Orientation?
        var last = ""
    }

    static func clean(_ file: [UInt8]) throws(PictureError) -> Picture {
        var reader = ByteReader(file)
        try reader.take(signature.count)
        var content = Content()
        repeat {
            let start = reader.position
            let length = try reader.number(4)
            let name = try reader.code()
            let data = try reader.take(length)
            let checksum = try reader.number(4)
            let isKept = try take(name, data, file, &content)
            if isKept {
                guard CRC32.of(file[start + 4..<data.upperBound]) == checksum else {
                    throw .malformed("the checksum of a chunk \(name) is wrong")
                }
                let whole = start..<reader.position
                if content.image.count > 0 || name == "IDAT" { content.image.keep(whole) } else { content.head.keep(whole) }
            }
            content.last = name
        } while content.last != "IEND"
        guard let size = content.size, content.image.ranges.count > 0 else { throw .malformed("the PNG has no image") }
        let orientation = content.orientation ?? .upright
        return Picture(.png, size, isTurned: orientation.isTurned, assemble(content, orientation, file))
    }

    private static func assemble(_ content: Content, _ orientation: Orientation, _ file: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.head.count + content.image.count + 64)
        bytes += signature
        bytes.append(content.head, of: file)
        if let tiff = orientation.tiff {
            let chunk = Array("eXIf".utf8) + tiff
            bytes.append(tiff.count, bytes: 4)
            bytes += chunk
            bytes.append(CRC32.of(chunk[...]), bytes: 4)
        }
        bytes.append(content.image, of: file)
        return bytes
    }

    /// Whether the chunk is kept.
    private static func take(
        _ name: String, _ data: Range<Int>, _ file: [UInt8], _ content: inout Content
    ) throws(PictureError) -> Bool {
        guard (name == "IHDR") == (content.size == nil) else { throw .malformed("the PNG does not begin with one IHDR") }
        var reader = ByteReader(file, data)
        switch name {
        case "IHDR": content.size = try header(&reader)
        case "PLTE":
            guard content.image.count == 0, data.count % 3 == 0, (3...768).contains(data.count) else {
                throw .malformed("the palette of the PNG is wrong")
            }
        case "IDAT":
            guard content.image.count == 0 || content.last == "IDAT" else {
                throw .malformed("the PNG has more than one image")
            }
        case "IEND":
            guard data.isEmpty, content.image.count > 0 else { throw .malformed("the PNG ends without an image") }
        case "acTL", "fcTL", "fdAT": throw .animated
        case "eXIf":
            if content.orientation == nil { content.orientation = Orientation(tiff: data, of: file) }
            return false
        default:
            // A critical chunk has a capital first letter: a decoder that does not know it cannot show the image.
            guard name.utf8.first.map({ $0 & 0x20 != 0 }) == true else {
                throw .malformed("the PNG has an unknown critical chunk")
            }
            return colours.contains(name)
        }
        return true
    }

    private static func header(_ reader: inout ByteReader) throws(PictureError) -> PixelSize {
        guard reader.remaining == 13 else { throw .malformed("the header of the PNG is wrong") }
        let size = try PixelSize(try reader.number(4), try reader.number(4))
        let (depth, colour) = (try reader.number(1), try reader.number(1))
        let depths: [Int: [Int]] = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
        let methods = (try reader.number(1), try reader.number(1), try reader.number(1))
        guard depths[colour]?.contains(depth) == true, methods.0 == 0, methods.1 == 0, methods.2 <= 1 else {
            throw .malformed("the header of the PNG is wrong")
        }
        return size
    }
}

/// The CRC-32 of PNG's chunks.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ value >> 1 }
    }

    static func of(_ bytes: ArraySlice<UInt8>) -> Int {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
        return Int(sum ^ 0xFFFF_FFFF)
    }
}

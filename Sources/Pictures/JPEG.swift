/// JPEG (ITU-T T.81): segments with a marker each, and entropy-coded scans between them.
///
/// Kept: what the image needs, the JFIF segment without its thumbnail, the colour profile, and Adobe's segment, which says how colours are
/// coded. All other application segments and comments are dropped, and with them Exif, XMP, thumbnails and further pictures (MPF), as is
/// what follows the end of the image.
enum JPEG {
    /// Maximum number of scans: a progressive JPEG has about ten, and a decoder processes the whole picture in each.
    private static let scanLimit = 100

    private struct Content {
        var parts = KeptParts()
        var jfif: [UInt8] = []
        var adobe: [UInt8] = []
        var size: PixelSize?
        var orientation: Orientation?
        var scans = 0
        /// The parts of the colour profile, with their numbers.
        var profile: [(number: Int, part: Range<Int>)] = []
    }

    static func clean(_ file: [UInt8]) throws(PictureError) -> Picture {
        var reader = ByteReader(file)
        try reader.take(2)
        var content = Content()
        while true {
            let marker = try nextMarker(&reader)
            if marker == Marker.end { break }
            let start = reader.position - 2
            let length = try reader.number(2)
            guard length >= 2 else { throw .malformed("a segment has no length") }
            let segment = try reader.take(length - 2)
            try take(marker, segment, start: start, of: file, &content)
            guard marker == Marker.scan else { continue }
            content.parts.keep(try scan(&reader))
            // Decoders show an image without its end marker, and `assemble` writes one.
            if reader.remaining == 0 { break }
        }
        guard let size = content.size, content.scans > 0 else { throw .malformed("the JPEG has no image") }
        let orientation = content.orientation ?? .upright
        var file = file
        file.cleanProfile(in: content.profile.sorted { $0.number < $1.number }.map(\.part))
        return Picture(.jpeg, size, isTurned: orientation.isTurned, assemble(content, orientation, file))
    }

    private static func assemble(_ content: Content, _ orientation: Orientation, _ file: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.parts.count + 64)
        bytes += [0xFF, 0xD8]
        bytes += content.jfif
        if let tiff = orientation.tiff {
            bytes += [0xFF, 0xE1]
            bytes.append(2 + Self.exif.count + tiff.count, bytes: 2)
            bytes += Self.exif + tiff
        }
        bytes += content.adobe
        bytes.append(content.parts, of: file)
        bytes += [0xFF, Marker.end]
        return bytes
    }

    private enum Marker {
        static let end: UInt8 = 0xD9
        static let scan: UInt8 = 0xDA
    }

    private static let exif = Array("Exif\0\0".utf8)

    /// The next marker that begins a segment, or ends the image.
    ///
    /// Other bytes before it are skipped, as libjpeg does, and browsers with it: some cameras and editors leave some between segments. So are
    /// markers without a segment.
    private static func nextMarker(_ reader: inout ByteReader) throws(PictureError) -> UInt8 {
        while true {
            while try reader.number(1) != 0xFF {}
            var marker = try reader.number(1)
            while marker == 0xFF { marker = try reader.number(1) }
            switch marker {
            case 0, 1, 0xD0...0xD7: continue
            default: return UInt8(truncatingIfNeeded: marker)
            }
        }
    }

    private static func take(
        _ marker: UInt8, _ segment: Range<Int>, start: Int, of file: [UInt8], _ content: inout Content
    ) throws(PictureError) {
        let whole = start..<segment.upperBound
        var reader = ByteReader(file, segment)
        switch marker {
        // Baseline, extended and progressive: what browsers decode.
        case 0xC0...0xC2:
            guard content.size == nil else { throw .malformed("the JPEG has more than one image") }
            content.size = try frame(&reader)
            content.parts.keep(whole)
        // Tables of codes and quantisation, the restart interval.
        case 0xC4, 0xDB, 0xDD: content.parts.keep(whole)
        case Marker.scan:
            content.scans += 1
            guard content.size != nil, content.scans <= scanLimit else {
                throw .malformed("the JPEG has a scan before its frame, or too many scans")
            }
            content.parts.keep(whole)
        case 0xE0 where reader.isAt("JFIF\0".utf8): content.jfif = try jfif(&reader)
        case 0xE1 where reader.isAt(exif):
            try reader.take(exif.count)
            if content.orientation == nil {
                content.orientation = Orientation(tiff: reader.position..<segment.upperBound, of: file)
            }
        case 0xE2 where reader.isAt("ICC_PROFILE\0".utf8):
            try reader.take(12)
            let number = try reader.number(1)
            try reader.take(1)
            content.profile.append((number, reader.position..<segment.upperBound))
            content.parts.keep(whole)
        // Decoders read its first 12 bytes, and none that comes after the first scan.
        case 0xEE where reader.isAt("Adobe".utf8) && segment.count >= 12 && content.scans == 0:
            content.adobe = [0xFF, 0xEE, 0, 14] + file[try reader.take(12)]
        // The number of lines, which the frame has already; applications and comments.
        case 0xDC, 0xE0...0xEF, 0xFE: break
        default: throw .malformed("the JPEG has a segment 0x\(String(marker, radix: 16)), which browsers do not decode")
        }
    }

    private static func frame(_ reader: inout ByteReader) throws(PictureError) -> PixelSize {
        guard try reader.number(1) == 8 else { throw .malformed("the JPEG does not have 8 bits a sample") }
        let (height, width, components) = (try reader.number(2), try reader.number(2), try reader.number(1))
        guard [1, 3, 4].contains(components), reader.remaining == 3 * components else {
            throw .malformed("the components of the JPEG's frame are wrong")
        }
        return try PixelSize(width, height)
    }

    /// The same segment with version and pixel density, without a thumbnail.
    private static func jfif(_ reader: inout ByteReader) throws(PictureError) -> [UInt8] {
        let fields = try reader.take(12)
        return [0xFF, 0xE0, 0, 16] + reader.bytes[fields] + [0, 0]
    }

    /// The entropy-coded bytes up to the next marker, or the end of the file: 0xFF in them is followed by 0, or by the number of a restart.
    private static func scan(_ reader: inout ByteReader) throws(PictureError) -> Range<Int> {
        let start = reader.position
        var (position, end) = (start, reader.end)
        while position + 1 < reader.end {
            if reader.bytes[position] != 0xFF {
                position += 1
                continue
            }
            switch reader.bytes[position + 1] {
            case 0, 0xD0...0xD7: position += 2
            case 0xFF: position += 1
            default:
                return try reader.take(position - start)
            }
        }
        while end > start, reader.bytes[end - 1] == 0xFF { end -= 1 }
        guard end > start else { throw .malformed("the JPEG ends before its image") }
        try reader.takeRest()
        return start..<end
    }
}

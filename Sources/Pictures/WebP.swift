/// WebP (RFC 9649): chunks in a RIFF container.
///
/// Kept: the image, its alpha channel and colour profile. Exif, XMP and unknown chunks are dropped. Animations are refused.
enum WebP {
    private struct Content {
        /// The size that the container names, if it has the extended form.
        var canvas: PixelSize?
        var flags = 0
        /// The colour profile, the alpha channel and the image, which come in this order.
        var parts = KeptParts()
        var image: PixelSize?
        var profiles: [Range<Int>] = []
        var orientation: Orientation?
    }

    private enum Flag {
        static let animation = 0x02
        static let exif = 0x08
        static let alpha = 0x10
        static let profile = 0x20
    }

    static func clean(_ file: [UInt8]) throws(PictureError) -> Picture {
        var riff = ByteReader(file)
        try riff.take(4)
        let size = try riff.littleEndian(4)
        guard size >= 4, size <= riff.remaining else { throw .malformed("the WebP is shorter than it says") }
        var reader = ByteReader(file, 12..<8 + size)
        var content = Content()
        while reader.remaining > 0 {
            let start = reader.position
            let name = try reader.code()
            let length = try reader.littleEndian(4)
            let data = try reader.take(length)
            // The pad byte of the last chunk may be missing.
            if length % 2 == 1, reader.remaining > 0 { try reader.take(1) }
            try take(name, data, isFirst: start == 12, file, &content)
        }
        guard let image = content.image else { throw .malformed("the WebP has no image") }
        guard content.canvas == nil || content.canvas == image else {
            throw .malformed("the image of the WebP is not as large as its header says")
        }
        let orientation = content.orientation ?? .upright
        var file = file
        for profile in content.profiles { file.cleanProfile(in: [profile]) }
        // Most browsers show a WebP as it is stored, whatever its Exif says.
        return Picture(.webp, image, isTurned: false, assemble(content, image, orientation, file))
    }

    private static func assemble(
        _ content: Content, _ size: PixelSize, _ orientation: Orientation, _ file: [UInt8]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.parts.count + 128)
        bytes += Array("RIFF\0\0\0\0WEBP".utf8)
        if content.canvas != nil {
            bytes += Array("VP8X".utf8)
            bytes.append(littleEndian: 10, bytes: 4)
            let kept = content.flags & (Flag.alpha | Flag.profile)
            bytes.append(littleEndian: kept | (orientation == .upright ? 0 : Flag.exif), bytes: 4)
            bytes.append(littleEndian: size.width - 1, bytes: 3)
            bytes.append(littleEndian: size.height - 1, bytes: 3)
        }
        // Each with its header, and with a pad byte of this function's own.
        for range in content.parts.ranges {
            bytes += file[range]
            if range.count % 2 == 1 { bytes.append(0) }
        }
        if content.canvas != nil, let tiff = orientation.tiff {
            bytes += Array("EXIF".utf8)
            bytes.append(littleEndian: tiff.count, bytes: 4)
            bytes += tiff
        }
        var length: [UInt8] = []
        length.append(littleEndian: bytes.count - 8, bytes: 4)
        bytes.replaceSubrange(4..<8, with: length)
        return bytes
    }

    private static func take(
        _ name: String, _ data: Range<Int>, isFirst: Bool, _ file: [UInt8], _ content: inout Content
    ) throws(PictureError) {
        var reader = ByteReader(file, data)
        let whole = data.lowerBound - 8..<data.upperBound
        switch name {
        case "VP8X":
            guard isFirst, data.count == 10 else { throw .malformed("the header of the WebP is wrong") }
            content.flags = try reader.littleEndian(4) & 0xFF
            guard content.flags & Flag.animation == 0 else { throw .animated }
            content.canvas = try PixelSize(try reader.littleEndian(3) + 1, try reader.littleEndian(3) + 1)
        case "ANIM", "ANMF": throw .animated
        case "VP8 ", "VP8L":
            guard content.image == nil else { throw .malformed("the WebP has more than one image") }
            content.image = name == "VP8 " ? try lossy(&reader) : try lossless(&reader)
            content.parts.keep(whole)
        case "ICCP", "ALPH":
            guard content.canvas != nil, content.image == nil else {
                throw .malformed("the chunks of the WebP are out of order")
            }
            if name == "ICCP" { content.profiles.append(data) }
            content.parts.keep(whole)
        case "EXIF":
            if reader.isAt("Exif\0\0".utf8) { try reader.take(6) }
            if content.orientation == nil, content.canvas != nil {
                content.orientation = Orientation(tiff: reader.position..<data.upperBound, of: file)
            }
        default: break
        }
    }

    /// The size in the header of a key frame (RFC 6386, section 9.1).
    private static func lossy(_ reader: inout ByteReader) throws(PictureError) -> PixelSize {
        let tag = try reader.littleEndian(3)
        guard tag & 1 == 0, try reader.number(3) == 0x9D012A else { throw .malformed("the image of the WebP is wrong") }
        return try PixelSize(try reader.littleEndian(2) & 0x3FFF, try reader.littleEndian(2) & 0x3FFF)
    }

    private static func lossless(_ reader: inout ByteReader) throws(PictureError) -> PixelSize {
        guard try reader.number(1) == 0x2F else { throw .malformed("the image of the WebP is wrong") }
        let bits = try reader.littleEndian(4)
        guard bits >> 29 == 0 else { throw .malformed("the image of the WebP is of a later version") }
        return try PixelSize(bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    }
}

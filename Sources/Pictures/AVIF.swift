/// AVIF (AV1 Image File Format over ISO/IEC 14496-12 and 23008-12): boxes, items, and where the bytes of each item are.
///
/// The file keeps its layout, because items are found by their offsets. What no item of the image needs is overwritten with zeros:
/// Exif, XMP, thumbnails, gaps, and boxes and properties that are not known. Rotation is a property of the image itself. Boxes after the
/// last one of the image are dropped. Sequences are refused.
enum AVIF {
    /// Whether the file calls itself AVIF, as image or as sequence.
    static func isNamed(in file: [UInt8]) -> Bool { brands(of: file).contains { $0 == "avif" || $0 == "avis" } }

    private static func brands(of file: [UInt8]) -> [String] {
        var reader = ByteReader(file)
        guard let box = try? ISOBox(&reader, isOutermost: true), box.type == "ftyp" else { return [] }
        var content = ByteReader(file, box.content)
        var brands: [String] = []
        while let brand = try? content.code(), brands.count < 32 { brands.append(brand) }
        return brands
    }

    static func clean(_ file: [UInt8]) throws(PictureError) -> Picture {
        let boxes = try ISOBox.all(in: file, file.indices, areOutermost: true)
        guard brands(of: file).contains("avif"), !boxes.contains(where: { $0.type == "moov" || $0.type == "moof" }) else {
            throw .animated
        }
        let metas = boxes.filter { $0.type == "meta" }
        guard let meta = metas.first, metas.count == 1 else { throw .malformed("the AVIF does not have one box \"meta\"") }
        let items = try AVIFItems(file, meta)
        let kept = try items.keptItems()
        let extents = try items.extents(of: kept, in: boxes)
        let (size, isTurned) = try items.size(among: kept)

        var bytes = file
        for box in boxes where !["ftyp", "meta", "mdat"].contains(box.type) { bytes.empty(box) }
        for box in items.unknown { bytes.empty(box) }
        for profile in items.profiles { bytes.cleanProfile(in: [profile]) }
        let texts = items.texts(except: kept)
        for part in texts.names + items.remains { bytes.clear(part) }
        for type in texts.types { bytes.replaceSubrange(type, with: "free".utf8) }
        for box in boxes where box.type == "mdat" { bytes.clear(box.content, except: extents.data) }
        if let inner = items.innerData { bytes.clear(inner, except: extents.inner) }
        let end = boxes.last { ["meta", "mdat"].contains($0.type) }?.whole.upperBound ?? bytes.count
        bytes.removeLast(bytes.count - end)
        return Picture(.avif, size, isTurned: isTurned, bytes)
    }
}

/// A box: its length, four characters that name its type, and its content.
struct ISOBox {
    /// Each level has a few dozen.
    private static let limit = 1024

    let type: String
    let whole: Range<Int>
    let content: Range<Int>

    /// Reads the next box.
    /// - Parameter isOutermost: whether a length of 0 means that it goes on to the end of the file.
    init(_ reader: inout ByteReader, isOutermost: Bool) throws(PictureError) {
        let start = reader.position
        var size = try reader.number(4)
        type = try reader.code()
        if size == 1 { size = try reader.number(8) }
        let header = reader.position - start
        if size == 0, isOutermost { size = header + reader.remaining }
        content = try reader.take(size - header)
        whole = start..<reader.position
    }

    static func all(in file: [UInt8], _ part: Range<Int>, areOutermost: Bool = false) throws(PictureError) -> [ISOBox] {
        var reader = ByteReader(file, part)
        var boxes: [ISOBox] = []
        while reader.remaining > 0 {
            guard boxes.count < limit else { throw .malformed("the AVIF has too many boxes") }
            boxes.append(try ISOBox(&reader, isOutermost: areOutermost))
        }
        return boxes
    }
}

extension [UInt8] {
    /// Makes it a box of free space, of the same length.
    fileprivate mutating func empty(_ box: ISOBox) {
        replaceSubrange(box.whole.lowerBound + 4..<box.whole.lowerBound + 8, with: "free".utf8)
        clear(box.content)
    }

    /// Overwrites a range with zeros where it is in none of the others, which are ordered.
    fileprivate mutating func clear(_ range: Range<Int>, except kept: [Range<Int>]) {
        var position = range.lowerBound
        for part in kept where part.overlaps(range) {
            if part.lowerBound > position { clear(position..<part.lowerBound) }
            position = Swift.max(position, part.upperBound)
        }
        if position < range.upperBound { clear(position..<range.upperBound) }
    }
}

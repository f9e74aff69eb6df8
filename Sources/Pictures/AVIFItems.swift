/// The items of an AVIF file: the image, its tiles, its alpha channel, Exif, thumbnails.
struct AVIFItems {
    private static let itemLimit = 1024
    /// The most extents of all items together.
    private static let extentLimit = 8192
    private static let associationLimit = 8192

    private struct Location {
        /// Whether the bytes are in the box "idat" instead of the file.
        let isInner: Bool
        let isExternal: Bool
        let extents: [Range<Int>]
    }

    private let file: [UInt8]
    private var primary: Int?
    /// By item.
    private var types: [Int: String] = [:]
    /// Where the type of an item stands, and the names behind it.
    private var entries: [Int: (type: Range<Int>, names: Range<Int>)] = [:]
    /// What follows the content of boxes with a content of their own length, and what is reserved: nothing needs it.
    private(set) var remains: [Range<Int>] = []
    private var locations: [Int: Location] = [:]
    private var propertyNumbers: [Int: [Int]] = [:]
    private var properties: [ISOBox] = []
    private var references: [(type: String, from: Int, to: [Int])] = []
    /// The content of the box "idat".
    private(set) var innerData: Range<Int>?
    /// Boxes and properties of types that are not needed to show the image.
    private(set) var unknown: [ISOBox] = []

    private static let knownProperties: Set<String> = [
        "ispe", "pixi", "av1C", "colr", "pasp", "clap", "irot", "imir", "auxC", "a1op", "a1lx", "lsel", "clli", "mdcv", "cclv",
        "amve", "reve", "ndwt", "iscl",
    ]

    init(_ file: [UInt8], _ meta: ISOBox) throws(PictureError) {
        self.file = file
        var reader = ByteReader(file, meta.content)
        try reader.take(4)
        var seen: Set<String> = []
        for box in try ISOBox.all(in: file, reader.position..<reader.end) {
            guard !Self.single.contains(box.type) || seen.insert(box.type).inserted else {
                throw .malformed("the AVIF has more than one box \"\(box.type)\"")
            }
            try take(box)
        }
    }

    private static let single: Set<String> = ["hdlr", "pitm", "iloc", "iinf", "iref", "iprp", "idat", "grpl"]

    private mutating func take(_ box: ISOBox) throws(PictureError) {
        var reader = ByteReader(file, box.content)
        switch box.type {
        case "hdlr":
            try reader.take(8)
            guard try reader.code() == "pict" else { throw .malformed("the AVIF has no pictures") }
        case "pitm": primary = try reader.number(try reader.isLong(from: 1) ? 4 : 2)
        case "iloc": try readLocations(&reader)
        case "iinf": try readTypes(&reader)
        case "iref": try readReferences(&reader)
        case "iprp": return try readProperties(box)
        case "idat":
            innerData = box.content
            return
        case "grpl": return try readGroups(box)
        default: return unknown.append(box)
        }
        remains.append(reader.position..<reader.end)
    }

    /// Which images are alternatives, as one with a gain map and one without are; other groups say nothing of how the image is shown.
    private mutating func readGroups(_ box: ISOBox) throws(PictureError) {
        for group in try ISOBox.all(in: file, box.content) {
            guard group.type == "altr" else {
                unknown.append(group)
                continue
            }
            var reader = ByteReader(file, group.content)
            try reader.take(8)
            try reader.take(4 * (try reader.number(4)))
            remains.append(reader.position..<reader.end)
        }
    }

    private mutating func readTypes(_ reader: inout ByteReader) throws(PictureError) {
        let count = try reader.number(try reader.isLong(from: 1) ? 4 : 2)
        guard count <= Self.itemLimit else { throw .malformed("the AVIF has too many items") }
        for box in try ISOBox.all(in: file, try reader.takeRest()) {
            guard box.type == "infe" else {
                unknown.append(box)
                continue
            }
            var entry = ByteReader(file, box.content)
            let version = try entry.number(4) >> 24
            guard version >= 2 else { throw .malformed("an item of the AVIF has no type") }
            let item = try entry.number(version == 2 ? 2 : 4)
            guard entries[item] == nil else { throw .malformed("the AVIF describes an item twice") }
            try entry.take(2)
            let type = entry.position..<entry.position + 4
            types[item] = try entry.code()
            entries[item] = (type, entry.position..<entry.end)
        }
    }

    private mutating func readLocations(_ reader: inout ByteReader) throws(PictureError) {
        let version = try reader.number(4) >> 24
        let sizes = try reader.number(2)
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version > 0 ? sizes & 15 : 0
        // A length of 0 bytes would mean the whole file.
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy([0, 4, 8].contains), lengthSize > 0, version <= 2 else {
            throw .malformed("the places of the AVIF's items are wrong")
        }
        let count = try reader.number(version < 2 ? 2 : 4)
        guard count <= Self.itemLimit else { throw .malformed("the AVIF has too many items") }
        var extentCount = 0
        for _ in 0..<count {
            let item = try reader.number(version < 2 ? 2 : 4)
            let method = version > 0 ? try reader.number(2) & 15 : 0
            let reference = try reader.number(2)
            let base = try reader.number(baseSize)
            var extents: [Range<Int>] = []
            for _ in 0..<(try reader.number(2)) {
                try reader.take(indexSize)
                // All are less than 2^62.
                let start = base + (try reader.number(offsetSize))
                let (end, isTooLarge) = start.addingReportingOverflow(try reader.number(lengthSize))
                guard !isTooLarge, end > start else { throw .malformed("an item of the AVIF has no length") }
                extents.append(start..<end)
            }
            extentCount += extents.count
            guard extentCount <= Self.extentLimit else { throw .malformed("the items of the AVIF have too many parts") }
            locations[item] = Location(isInner: method == 1, isExternal: method > 1 || reference != 0, extents: extents)
        }
    }

    private mutating func readReferences(_ reader: inout ByteReader) throws(PictureError) {
        let size = try reader.isLong(from: 1) ? 4 : 2
        for box in try ISOBox.all(in: file, try reader.takeRest()) {
            var entry = ByteReader(file, box.content)
            let from = try entry.number(size)
            var to: [Int] = []
            for _ in 0..<(try entry.number(2)) { to.append(try entry.number(size)) }
            references.append((box.type, from, to))
            remains.append(entry.position..<entry.end)
        }
    }

    private mutating func readProperties(_ box: ISOBox) throws(PictureError) {
        for part in try ISOBox.all(in: file, box.content) {
            var reader = ByteReader(file, part.content)
            switch part.type {
            case "ipco":
                guard properties.isEmpty else { throw .malformed("the AVIF has more than one list of properties") }
                properties = try ISOBox.all(in: file, part.content)
                unknown += properties.filter { !Self.knownProperties.contains($0.type) }
            case "ipma":
                let head = try reader.number(4)
                var count = 0
                for _ in 0..<(try reader.number(4)) {
                    let item = try reader.number(head >> 24 < 1 ? 2 : 4)
                    for _ in 0..<(try reader.number(1)) {
                        let number = head & 1 == 0 ? try reader.number(1) & 0x7F : try reader.number(2) & 0x7FFF
                        count += 1
                        guard count <= Self.associationLimit else {
                            throw .malformed("the AVIF's items have too many properties")
                        }
                        propertyNumbers[item, default: []].append(number)
                    }
                }
                remains.append(reader.position..<reader.end)
            default: unknown.append(part)
            }
        }
    }
}

// Which items are needed to show the image, how large it is, and where its bytes are.
extension AVIFItems {
    /// The image, what it is composed of, and its alpha channel or gain map; neither thumbnails nor metadata.
    func keptItems() throws(PictureError) -> Set<Int> {
        guard let primary, types[primary] == "av01" || types[primary] == "grid" else {
            throw .malformed("the AVIF has no image")
        }
        var kept: Set<Int> = [primary]
        // A gain map and the image that it is applied to.
        for (item, type) in types where type == "tmap" { kept.insert(item) }
        // From an image to its tiles and auxiliary images, and from those to theirs.
        for _ in 0..<4 {
            for (type, from, to) in references {
                switch type {
                case "dimg" where kept.contains(from): kept.formUnion(to)
                case "auxl" where to.contains(where: kept.contains): kept.insert(from)
                default: break
                }
            }
        }
        return kept
    }

    /// The size of the image in pixels, as stored, and whether it is displayed on its side.
    /// - Throws: if what is coded in an item is larger than a picture may be, or not as large as the item says.
    func size(among kept: Set<Int>) throws(PictureError) -> (PixelSize, isTurned: Bool) {
        var sizes: [Int: PixelSize] = [:]
        for item in kept { sizes[item] = try size(of: item) }
        for item in kept {
            switch types[item] {
            case "av01": try checkImage(item, sizes[item])
            case "grid": try checkGrid(item, sizes)
            default: break
            }
        }
        guard let primary, let size = sizes[primary] else { throw Self.sizeMissing }
        let isTurned = properties(of: primary).contains { box in
            var reader = ByteReader(file, box.content)
            return box.type == "irot" && (try? reader.number(1) & 1) == 1
        }
        return (size, isTurned)
    }

    private static let sizeMissing = PictureError.malformed("the AVIF does not say how large it is")
    private static let wrongSize = PictureError.malformed("an image of the AVIF is not as large as it says")

    private func size(of item: Int) throws(PictureError) -> PixelSize? {
        guard let box = properties(of: item).first(where: { $0.type == "ispe" }) else { return nil }
        var reader = ByteReader(file, box.content)
        try reader.take(4)
        return try PixelSize(try reader.number(4), try reader.number(4))
    }

    /// A frame may be smaller than its sequence allows, so the item may say less, but not more.
    private func checkImage(_ item: Int, _ size: PixelSize?) throws(PictureError) {
        guard let size else { throw Self.sizeMissing }
        guard let largest = try AV1.largestFrame(in: parts(of: item), of: file) else {
            throw .malformed("an image of the AVIF has no sequence header")
        }
        guard size.width <= largest.width, size.height <= largest.height else { throw Self.wrongSize }
        // The copy beside the item, which may be empty.
        if let box = properties(of: item).first(where: { $0.type == "av1C" }) {
            _ = try AV1.largestFrame(in: [box.content.dropFirst(4)], of: file)
        }
    }

    /// The image is cut from tiles of one size, in rows (ISO/IEC 23008-12, section 6.6.2.3).
    private func checkGrid(_ item: Int, _ sizes: [Int: PixelSize]) throws(PictureError) {
        var reader = PartsReader(parts(of: item), of: file)
        let isLong = try reader.number(2) & 1 == 1
        let (rows, columns) = (try reader.number(1) + 1, try reader.number(1) + 1)
        let output = try PixelSize(try reader.number(isLong ? 4 : 2), try reader.number(isLong ? 4 : 2))
        let tiles = references.filter { $0.type == "dimg" && $0.from == item }.flatMap(\.to)
        guard output == sizes[item], tiles.count == rows * columns, let tile = tiles.first.flatMap({ sizes[$0] }),
            tiles.allSatisfy({ sizes[$0] == tile })
        else { throw Self.wrongSize }
        let all = try PixelSize(tile.width * columns, tile.height * rows)
        guard output.width <= all.width, output.height <= all.height else { throw Self.wrongSize }
    }

    /// Where the bytes of an item are, in the file.
    private func parts(of item: Int) -> [Range<Int>] {
        guard let location = locations[item] else { return [] }
        guard location.isInner else { return location.extents }
        // Both are less than 2^62.
        guard let start = innerData?.lowerBound else { return [] }
        return location.extents.map { start + $0.lowerBound..<start + $0.upperBound }
    }

    private func properties(of item: Int) -> [ISOBox] {
        // Numbered from 1; 0 stands for none.
        (propertyNumbers[item] ?? []).compactMap { properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil }
    }

    /// Where the bytes of items are: in the boxes "mdat", and in the box "idat", as positions in the file.
    /// - Returns: in order.
    /// - Throws: if an item lies outside of them.
    func extents(
        of items: Set<Int>, in boxes: [ISOBox]
    ) throws(PictureError) -> (data: [Range<Int>], inner: [Range<Int>]) {
        let data = boxes.filter { $0.type == "mdat" }.map(\.content)
        var found: (data: [Range<Int>], inner: [Range<Int>]) = ([], [])
        for item in items {
            guard let location = locations[item], !location.isExternal, !location.extents.isEmpty else {
                throw .malformed("an item of the AVIF has no bytes")
            }
            for extent in location.extents {
                if location.isInner {
                    guard let innerData, extent.upperBound <= innerData.count else { throw .malformed("the AVIF is truncated") }
                    found.inner.append(innerData.lowerBound + extent.lowerBound..<innerData.lowerBound + extent.upperBound)
                } else {
                    let isInside = data.contains { $0.lowerBound <= extent.lowerBound && extent.upperBound <= $0.upperBound }
                    guard isInside else { throw .malformed("the AVIF is truncated") }
                    found.data.append(extent)
                }
            }
        }
        found.data.sort { $0.lowerBound < $1.lowerBound }
        found.inner.sort { $0.lowerBound < $1.lowerBound }
        return found
    }

    /// The ICC profiles in `colr` boxes, as ranges of the file.
    var profiles: [Range<Int>] {
        properties.filter {
            $0.type == "colr" && ["prof", "rICC"].contains(String(decoding: file[$0.content.prefix(4)], as: UTF8.self))
        }
        .map { $0.content.dropFirst(4) }
    }

    /// The ranges of `item_name` of all items, and of `item_type` of those that are not kept: a decoder ignores an item of an unknown type,
    /// while some decoders refuse an Exif item that is filled with zeros.
    func texts(except kept: Set<Int>) -> (names: [Range<Int>], types: [Range<Int>]) {
        (entries.values.map(\.names), entries.filter { !kept.contains($0.key) }.map(\.value.type))
    }
}

extension ByteReader {
    /// Reads the version and flags of a box; true from a version on that has longer numbers.
    fileprivate mutating func isLong(from version: Int) throws(PictureError) -> Bool { try number(4) >> 24 >= version }
}

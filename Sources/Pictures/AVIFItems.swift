/// The items of an AVIF file: the image, its tiles, its alpha channel, Exif, thumbnails.
struct AVIFItems {
    private static let itemLimit = 1024
    /// Of all items together.
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
    /// The name of the handler of pictures.
    private(set) var handlerName: Range<Int>?
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
        for box in try ISOBox.all(in: file, reader.position..<reader.end) { try take(box) }
    }

    private mutating func take(_ box: ISOBox) throws(PictureError) {
        var reader = ByteReader(file, box.content)
        switch box.type {
        case "hdlr":
            try reader.take(8)
            guard try reader.code() == "pict" else { throw .malformed("the AVIF has no pictures") }
            try reader.take(12)
            handlerName = reader.position..<reader.end
        case "pitm": primary = try reader.number(try reader.isLong(from: 1) ? 4 : 2)
        case "iloc": try readLocations(&reader)
        case "iinf": try readTypes(&reader)
        case "iref": try readReferences(&reader)
        case "iprp": try readProperties(box)
        case "idat": innerData = box.content
        case "grpl", "dinf": break
        default: unknown.append(box)
        }
    }

    private mutating func readTypes(_ reader: inout ByteReader) throws(PictureError) {
        let count = try reader.number(try reader.isLong(from: 1) ? 4 : 2)
        guard count <= Self.itemLimit else { throw .malformed("the AVIF has too many items") }
        for box in try ISOBox.all(in: file, reader.position..<reader.end) where box.type == "infe" {
            var entry = ByteReader(file, box.content)
            let version = try entry.number(4) >> 24
            // Older versions name no type.
            guard version >= 2 else { continue }
            let item = try entry.number(version == 2 ? 2 : 4)
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
        for box in try ISOBox.all(in: file, reader.position..<reader.end) {
            var entry = ByteReader(file, box.content)
            let from = try entry.number(size)
            var to: [Int] = []
            for _ in 0..<(try entry.number(2)) { to.append(try entry.number(size)) }
            references.append((box.type, from, to))
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
    func size(among kept: Set<Int>) throws(PictureError) -> (PixelSize, isTurned: Bool) {
        for item in kept { _ = try size(of: item) }
        guard let primary, let size = try size(of: primary) else { throw .malformed("the AVIF does not say how large it is") }
        let isTurned = properties(of: primary).contains { box in
            var reader = ByteReader(file, box.content)
            return box.type == "irot" && (try? reader.number(1) & 1) == 1
        }
        return (size, isTurned)
    }

    private func size(of item: Int) throws(PictureError) -> PixelSize? {
        guard let box = properties(of: item).first(where: { $0.type == "ispe" }) else { return nil }
        var reader = ByteReader(file, box.content)
        try reader.take(4)
        return try PixelSize(try reader.number(4), try reader.number(4))
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

    /// Where the names of items and of the handler are, and the types of all items but the kept ones: what an item of an unknown type has is
    /// ignored, while an Exif item of zeros is a fault to some decoders.
    func texts(except kept: Set<Int>) -> (names: [Range<Int>], types: [Range<Int>]) {
        let names = entries.values.map(\.names) + (handlerName.map { [$0] } ?? [])
        return (names, entries.filter { !kept.contains($0.key) }.map(\.value.type))
    }
}

extension ByteReader {
    /// Reads the version and flags of a box; true from a version on that has longer numbers.
    fileprivate mutating func isLong(from version: Int) throws(PictureError) -> Bool { try number(4) >> 24 >= version }
}

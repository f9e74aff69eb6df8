/// Colour profiles (ICC.1): a header, a table of tags, and their data.
///
/// Kept is what colours are computed from. Profiles of cameras name the maker and the model in texts and in the header, and some
/// applications add where a profile was made; these are overwritten. Description and copyright, which every profile must have, are empty.
enum ColourProfile {
    private static let headerCount = 128
    private static let entryCount = 12
    private static let tagLimit = 256

    /// Curves, matrices and tables of colours, and numbers that say how to use them.
    private static let colours: Set<String> = [
        "A2B0", "A2B1", "A2B2", "A2B3", "B2A0", "B2A1", "B2A2", "B2A3", "D2B0", "D2B1", "D2B2", "D2B3", "B2D0", "B2D1", "B2D2",
        "B2D3", "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "wtpt", "bkpt", "chad", "chrm", "cicp", "gamt", "lumi",
    ]
    private static let texts: Set<String> = ["desc", "cprt"]

    private struct Tag {
        let entry: Range<Int>
        let name: String
        let data: Range<Int>
    }

    /// The profile with its length, without what identifies a device; zeros if it is none.
    static func cleaned(_ profile: [UInt8]) -> [UInt8] {
        guard let tags = try? tags(of: profile) else { return [UInt8](repeating: 0, count: profile.count) }
        var bytes = [UInt8](repeating: 0, count: profile.count)
        bytes.replaceSubrange(0..<headerCount, with: profile[0..<headerCount])
        // The preferred software, maker and model of the device, who made the profile, a digest that is not right any more, and what is reserved.
        for field in [4..<8, 48..<56, 80..<headerCount] { bytes.clear(field) }
        let kept = Set(tags.map(\.name)).intersection(colours.union(texts))
        // Of tags with one name, decoders take the first.
        let firsts = kept.compactMap { name in tags.first { $0.name == name } }.sorted {
            $0.entry.lowerBound < $1.entry.lowerBound
        }
        bytes[headerCount + 3] = UInt8(truncatingIfNeeded: firsts.count)
        var end = headerCount + 4
        for tag in firsts {
            bytes.replaceSubrange(end..<end + entryCount, with: profile[tag.entry])
            end += entryCount
            if texts.contains(tag.name) { bytes.writeEmptyText(tag.data, of: profile) }
        }
        for tag in firsts where colours.contains(tag.name) {
            bytes.replaceSubrange(tag.data, with: profile[tag.data])
        }
        return bytes
    }

    private static func tags(of profile: [UInt8]) throws(PictureError) -> [Tag] {
        var reader = ByteReader(profile)
        try reader.take(36)
        guard try reader.code() == "acsp" else { throw .malformed("the colour profile is none") }
        try reader.take(headerCount - 40)
        let count = try reader.number(4)
        guard count <= tagLimit else { throw .malformed("the colour profile has too many tags") }
        var tags: [Tag] = []
        for _ in 0..<count {
            let start = reader.position
            let (name, first, length) = (try reader.code(), try reader.number(4), try reader.number(4))
            tags.append(Tag(entry: start..<reader.position, name: name, data: first..<first + length))
        }
        let data = reader.position..<profile.count
        guard tags.allSatisfy({ data.lowerBound <= $0.data.lowerBound && $0.data.upperBound <= data.upperBound }) else {
            throw .malformed("the colour profile is truncated")
        }
        return tags
    }
}

extension [UInt8] {
    /// Makes the texts of a profile's tag empty ones of the same type.
    fileprivate mutating func writeEmptyText(_ data: Range<Int>, of profile: [UInt8]) {
        guard data.count >= 16 else { return }
        let start = data.lowerBound
        replaceSubrange(start..<start + 4, with: profile[start..<start + 4])
        // An `mluc` of no records, with a record size of 12 bytes; or a `desc` with an ASCII count of 1, its terminating NUL.
        if profile[data].starts(with: "mluc".utf8) { self[start + 15] = 12 }
        if profile[data].starts(with: "desc".utf8) { self[start + 11] = 1 }
    }

    /// Cleans the colour profile in these parts, in their order.
    mutating func cleanProfile(in parts: [Range<Int>]) {
        var cleaned = ColourProfile.cleaned(parts.flatMap { self[$0] })[...]
        for part in parts {
            replaceSubrange(part, with: cleaned.prefix(part.count))
            cleaned = cleaned.dropFirst(part.count)
        }
    }
}

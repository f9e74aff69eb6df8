internal import Crypto

/// Identifies a picture by its content: the SHA-256 digest of its bytes, as 64 digits in lower case.
package struct PictureID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let description: String

    /// Nil if the text is no such digest.
    package init?(_ text: some StringProtocol) {
        let isDigest =
            text.utf8.count == 64
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
                default: false
                }
            }
        guard isDigest else { return nil }
        description = String(text)
    }

    /// The id of a picture with these bytes.
    package init(of bytes: [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        description = String(
            decoding: SHA256.hash(data: bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The address of the picture on every server of this log.
    package var path: String { Self.pathPrefix + description }

    /// The picture at an address of this server; nil for every other address.
    package init?(path: String) {
        guard path.hasPrefix(Self.pathPrefix) else { return nil }
        self.init(path.dropFirst(Self.pathPrefix.count))
    }

    private static let pathPrefix = "/v1/media/"

    package static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

/// A picture as it is stored and served.
package struct StoredPicture: Hashable, Sendable {
    /// The digest of `bytes`, unless the store is damaged.
    package let id: PictureID
    /// Its media type, such as `image/png`.
    package let type: String
    /// In pixels, as displayed.
    package let width: Int
    /// In pixels, as displayed.
    package let height: Int
    /// The whole file.
    package let bytes: [UInt8]

    /// A picture with the id of its bytes.
    package init(type: String, width: Int, height: Int, bytes: [UInt8]) {
        self.init(id: PictureID(of: bytes), type: type, width: width, height: height, bytes: bytes)
    }

    /// A picture as it was read.
    package init(id: PictureID, type: String, width: Int, height: Int, bytes: [UInt8]) {
        (self.id, self.type, self.width, self.height, self.bytes) = (id, type, width, height, bytes)
    }

    /// What it counts for against limits.
    package var countedBytes: Int { bytes.count + PictureUpload.overheadBytes }
}

/// Checks of all stored pictures.
package enum PictureAudit {
    /// Pictures whose bytes are not those that were stored, a line for an operator each.
    /// - Parameter count: receives the number of pictures.
    package static func findings(in store: any PictureStore, count: inout Int) throws(EventLogError) -> [String] {
        var findings: [String] = []
        try forEachRecord(in: store) { record throws(EventLogError) in
            count += 1
            guard let picture = try store.picture(record.id) else {
                // One that was not kept may have been deleted meanwhile.
                if record.isKept { findings.append("picture \(record.id): is listed, but not there") }
                return
            }
            if PictureID(of: picture.bytes) != record.id {
                findings.append("picture \(record.id): its bytes have another digest")
            }
        }
        return findings
    }

    /// Copies all pictures with their uploads into another store.
    /// - Returns: The number copied.
    package static func copy(from source: any PictureStore, to target: any PictureStore) throws(EventLogError) -> Int {
        var count = 0
        try forEachRecord(in: source) { record throws(EventLogError) in
            guard let picture = try source.picture(record.id), PictureID(of: picture.bytes) == record.id else {
                throw EventLogError(.corrupt, "the picture \(record.id) cannot be copied: its bytes have another digest")
            }
            for upload in record.uploads { _ = try target.store(picture, by: upload, limits: .none) }
            if record.isKept { _ = try target.keep([record.id]) }
            count += 1
        }
        return count
    }

    private static func forEachRecord(
        in store: any PictureStore, _ body: (PictureRecord) throws(EventLogError) -> Void
    ) throws(EventLogError) {
        var last: PictureID?
        while true {
            let records = try store.records(after: last, limit: 100)
            for record in records { try body(record) }
            guard let end = records.last?.id else { return }
            last = end
        }
    }
}

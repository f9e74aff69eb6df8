internal import Cryptography

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
    package init(of bytes: [UInt8]) { description = SHA256.hash(data: bytes).hexadecimal }

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

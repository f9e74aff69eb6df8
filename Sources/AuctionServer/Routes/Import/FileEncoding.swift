/// The character encodings of files that spreadsheets save.
enum FileEncoding {
    case utf8
    /// The byte order is that of a mark, or else where the zeros of the first letter are.
    case utf16
    case utf16LittleEndian
    case utf16BigEndian
    case windows1252

    /// - Parameter charset: The parameter of `Content-Type`, in lower case; nil if there is none.
    init?(charset: String?) {
        switch charset {
        case nil, "utf-8", "utf8", "us-ascii": self = .utf8
        case "utf-16", "utf16", "unicode": self = .utf16
        case "utf-16le": self = .utf16LittleEndian
        case "utf-16be": self = .utf16BigEndian
        case "windows-1252", "cp1252", "iso-8859-1", "latin1": self = .windows1252
        default: return nil
        }
    }

    /// The bytes of a file in UTF-8, in linear time. A byte-order mark of the file precedes this encoding.
    /// - Throws: 400 if it is not valid UTF-16.
    func utf8(_ bytes: [UInt8]) throws(Problem) -> [UInt8] {
        let isUTF16 = self == .utf16
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFF, 0xFE): return try Self.utf8(units: bytes.dropFirst(2), isBigEndian: false)
        case (0xFE, 0xFF): return try Self.utf8(units: bytes.dropFirst(2), isBigEndian: true)
        case (0xEF, 0xBB): return bytes
        // No text of one byte a letter has a zero.
        case (0, .some) where isUTF16 || self == .utf8: return try Self.utf8(units: bytes[...], isBigEndian: true)
        case (.some, 0) where self == .utf8: return try Self.utf8(units: bytes[...], isBigEndian: false)
        default: break
        }
        switch self {
        case .utf8: return bytes
        case .utf16, .utf16LittleEndian: return try Self.utf8(units: bytes[...], isBigEndian: false)
        case .utf16BigEndian: return try Self.utf8(units: bytes[...], isBigEndian: true)
        case .windows1252: return Self.utf8(windows1252: bytes)
        }
    }

    private static func utf8(units bytes: ArraySlice<UInt8>, isBigEndian: Bool) throws(Problem) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var first: UInt8?
        for byte in bytes {
            guard let lower = first else {
                first = byte
                continue
            }
            units.append(isBigEndian ? UInt16(lower) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(lower))
            first = nil
        }
        guard first == nil, let text = String(validating: units, as: UTF16.self) else {
            throw .malformed(
                "The file is not valid UTF-16: save it as \"CSV UTF-8\".", "该文件不是有效的 UTF-16:请将其另存为“CSV UTF-8”。")
        }
        return Array(text.utf8)
    }

    /// The letters of the bytes 0x80 to 0x9F; the others are their own numbers in Unicode.
    private static let upper: [Unicode.Scalar] = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    private static func utf8(windows1252 bytes: [UInt8]) -> [UInt8] {
        var text = String.UnicodeScalarView()
        text.reserveCapacity(bytes.count)
        for byte in bytes { text.append((0x80..<0xA0).contains(byte) ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte)) }
        return Array(String(text).utf8)
    }
}

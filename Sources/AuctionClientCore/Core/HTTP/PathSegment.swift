extension String {
    /// As one segment of a path: everything but letters, digits, `-`, `.`, `_` and `~` is escaped (RFC 3986, section 2.3).
    var pathSegment: String {
        var text = ""
        for byte in utf8 {
            let character = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80
                && (character.properties.isAlphabetic || (0x30...0x39).contains(byte)
                    || "-._~".unicodeScalars.contains(character))
            if isPlain {
                text.unicodeScalars.append(character)
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}

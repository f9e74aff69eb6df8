/// An entry of `--allowed-origins`: an origin as browsers and apps send it, or `*`.
struct WebOrigin {
    /// Scheme and host, and the port unless it is the scheme's default; or `*`. The scheme is in lower case, with `http` and `https` the host too.
    let text: String

    /// The default ports of schemes that have one. Apps and browser extensions have schemes of any name; their origins are taken as given.
    private static let defaultPorts = ["http": ":80", "https": ":443"]

    /// Nil for a text that no browser would send as an origin, such as one with a path. `null` is none: every page without an origin of its
    /// own sends it.
    init?(_ given: String) {
        guard given != "*" else {
            text = given
            return
        }
        let parts = given.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].last == ":", parts[1].isEmpty, Self.isHost(parts[2]) else { return nil }
        let scheme = parts[0].dropLast().lowercased()
        guard Self.isScheme(scheme) else { return nil }
        guard let port = Self.defaultPorts[scheme] else {
            text = "\(scheme)://\(parts[2])"
            return
        }
        let host = parts[2].lowercased()
        text = "\(scheme)://\(host.hasSuffix(port) ? String(host.dropLast(port.count)) : host)"
    }

    /// RFC 3986, section 3.1.
    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    private static func isHost(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "-.:[]_".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

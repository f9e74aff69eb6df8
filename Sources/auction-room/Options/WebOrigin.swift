/// An entry of `--allowed-origins`: an origin as browsers send it, or `*`.
struct WebOrigin {
    /// Scheme and host in lower case, and the port unless it is the scheme's default; or `*`.
    let text: String

    /// Nil for a text that no browser would send as an origin, such as one with a path.
    init?(_ given: String) {
        guard given != "*" else {
            text = given
            return
        }
        let parts = given.lowercased().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, Self.isHost(parts[2]) else { return nil }
        let defaultPort: String
        switch parts[0] {
        case "http:": defaultPort = ":80"
        case "https:": defaultPort = ":443"
        default: return nil
        }
        let host = parts[2].hasSuffix(defaultPort) ? parts[2].dropLast(defaultPort.count) : parts[2]
        text = "\(parts[0])//\(host)"
    }

    private static func isHost(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "-.:[]_".utf8.contains(byte)
                }
            }
    }
}

/// An entry of `--allowed-origins`: an origin as browsers and apps send it, or `*`.
struct WebOrigin {
    /// Scheme and host in lower case, and the port unless it is the scheme's default; or `*`.
    let text: String

    /// The default port of each scheme; nil for those of pages in apps and of browser extensions, which have none.
    private static let defaultPorts = [
        "http:": ":80", "https:": ":443", "capacitor:": nil, "ionic:": nil, "tauri:": nil, "chrome-extension:": nil,
        "moz-extension:": nil, "safari-web-extension:": nil,
    ]

    /// Nil for a text that no browser would send as an origin, such as one with a path.
    init?(_ given: String) {
        guard given != "*" else {
            text = given
            return
        }
        let parts = given.lowercased().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, Self.isHost(parts[2]) else { return nil }
        guard let port = Self.defaultPorts[String(parts[0])] else { return nil }
        let host = port.map { parts[2].hasSuffix($0) ? parts[2].dropLast($0.count) : parts[2] } ?? parts[2]
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

package import IPAddresses

/// An absolute `https` or `http` URL, read strictly: a text that another parser could read as another host is refused (RFC 3986).
package struct OutboundURL: Hashable, Sendable {
    /// As given.
    package let text: String
    /// Whether it is `https`.
    package let isEncrypted: Bool
    /// In lower case, without brackets and without a dot at the end.
    package let host: String
    /// The port that is connected to.
    package let port: UInt16
    /// The host, if it is an address.
    package let address: IPAddress?

    /// Scheme, host and port for a Content-Security-Policy, without the scheme's own port; an address of version 6 as it is given.
    package var origin: String {
        let written = text.drop { $0 != "/" }.dropFirst(2)
        let host = written.hasPrefix("[") ? written.prefix { $0 != "]" } + "]" : host[...]
        let port = port == (isEncrypted ? 443 : 80) ? "" : ":\(port)"
        return "\(isEncrypted ? "https" : "http")://\(host)\(port)"
    }

    /// What proxies and servers commonly accept.
    static let limitBytes = 2048

    /// - Throws: What is wrong with the text.
    package init(_ text: String) throws(DestinationRefusal) {
        guard text.utf8.count <= Self.limitBytes else { throw .tooLong }
        guard text.utf8.allSatisfy({ Self.allows($0) }), Self.hasWholeEscapes(text.utf8) else { throw .malformed }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { throw .malformed }
        switch text[..<colon].lowercased() {
        case "https": isEncrypted = true
        case "http": isEncrypted = false
        default: throw .scheme
        }
        let authority = text[colon...].dropFirst(3).prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw .credentials }
        let (host, port) = try Self.parts(of: authority)
        self.text = text
        if let port {
            guard port.utf8.count <= 5, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port),
                number > 0
            else { throw .port }
            self.port = number
        } else {
            self.port = isEncrypted ? 443 : 80
        }
        if host.hasPrefix("[") {
            guard let address = IPAddress(host.dropFirst().dropLast()) else { throw .host }
            (self.host, self.address) = (address.description, address)
        } else if let address = IPAddress(host) {
            (self.host, self.address) = (address.description, address)
        } else {
            guard let name = Self.name(host) else { throw .host }
            (self.host, address) = (name, nil)
        }
    }

    /// Whether the host's name is that of this machine wherever it is resolved (RFC 6761).
    var namesThisMachine: Bool { host == "localhost" || host.hasSuffix(".localhost") }

    private static func parts(of authority: Substring) throws(DestinationRefusal) -> (host: Substring, port: Substring?) {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]"), authority[..<end].contains(":") else { throw .host }
            let after = authority[end...].dropFirst()
            guard after.isEmpty || after.hasPrefix(":") else { throw .host }
            return (authority[...end], after.isEmpty ? nil : after.dropFirst())
        }
        guard let colon = authority.firstIndex(of: ":") else { return (authority, nil) }
        return (authority[..<colon], authority[colon...].dropFirst())
    }

    /// A host's name in lower case and without a dot at the end; nil if it is none.
    ///
    /// A last label that begins with a digit is refused: systems read `127.1`, `0x7f.1` and `2130706433` as addresses, and no
    /// top-level domain begins so.
    static func name(_ text: some StringProtocol) -> String? {
        var labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        guard text.utf8.count <= 253, let first = labels.last?.first, !(0x30...0x39).contains(first) else { return nil }
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                    default: false
                    }
                }
        }
        return isName ? labels.map { String(decoding: Array($0), as: UTF8.self) }.joined(separator: ".").lowercased() : nil
    }

    /// Printable ASCII without what RFC 3986 leaves out, and without a fragment, which is no part of a request.
    private static func allows(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"#<>\\^`{|}".utf8.contains(byte)
    }

    private static func hasWholeEscapes(_ bytes: String.UTF8View) -> Bool {
        var rest = bytes[...]
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            let digits = rest[percent...].dropFirst().prefix(2)
            guard digits.count == 2, digits.allSatisfy({ isHexadecimal($0) }) else { return false }
            rest = rest[digits.endIndex...]
        }
        return true
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}

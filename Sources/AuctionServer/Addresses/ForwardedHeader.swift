internal import IPAddresses

/// Parses the client addresses in `Forwarded` (RFC 7239) and `X-Forwarded-For`, ordered from the client to the last proxy but one.
enum ForwardedHeader {
    /// The `for` address of every hop of a `Forwarded` header; nil for a hop that has none or an obfuscated one.
    /// - Returns: nil if the header does not follow the grammar of RFC 7239.
    static func forwarded(_ text: String) -> [IPAddress?]? {
        var scanner = Scanner(bytes: Array(text.utf8))
        var hops: [IPAddress?] = []
        repeat {
            guard let hop = scanner.element() else { return nil }
            hops.append(hop.flatMap { address($0) })
        } while scanner.take(UInt8(ascii: ","))
        return scanner.isAtEnd ? hops : nil
    }

    /// The hops of an `X-Forwarded-For` header; nil for an entry that is not an address. The header has no formal grammar.
    static func xForwardedFor(_ text: String) -> [IPAddress?] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { entry in
            let words = entry.split { $0 == " " || $0 == "\t" }
            return words.count == 1 ? address(String(words[0])) : nil
        }
    }

    /// Parses a node identifier: `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]:80`, and bare IPv6 as some proxies write it.
    static func address(_ node: String) -> IPAddress? {
        if node.first == "[" {
            guard let end = node.firstIndex(of: "]") else { return nil }
            let inner = node[node.index(after: node.startIndex)..<end]
            let rest = node[node.index(after: end)...]
            guard inner.contains(":"), rest.isEmpty || isPort(rest) else { return nil }
            return IPAddress(inner)
        }
        if let colon = node.firstIndex(of: ":"), colon == node.lastIndex(of: ":") {
            return isPort(node[colon...]) ? IPAddress(node[..<colon]) : nil
        }
        return IPAddress(node)
    }

    /// Whether the text is `:80`, or an obfuscated port such as `:_x1`.
    private static func isPort(_ text: Substring) -> Bool {
        let port = text.dropFirst()
        guard text.first == ":", let first = port.utf8.first else { return false }
        if first == UInt8(ascii: "_") {
            return port.utf8.count > 1 && port.utf8.allSatisfy { Scanner.isToken($0) }
        }
        return port.utf8.count <= 5 && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Reads a `Forwarded` header.
    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == bytes.count }

        /// Parses the pairs of one hop. The outer nil means malformed; the inner nil means that the hop has no `for`.
        mutating func element() -> String?? {
            var node: String?
            var isNamed = false
            repeat {
                skipSpace()
                guard let name = token(), take(UInt8(ascii: "="), afterSpace: false), let value = value() else { return nil }
                if name.lowercased() == "for" {
                    // RFC 7239 section 4: a parameter must not occur more than once per hop.
                    guard !isNamed else { return nil }
                    (isNamed, node) = (true, value)
                }
            } while take(UInt8(ascii: ";"))
            skipSpace()
            return .some(node)
        }

        mutating func take(_ byte: UInt8, afterSpace: Bool = true) -> Bool {
            if afterSpace { skipSpace() }
            guard position < bytes.count, bytes[position] == byte else { return false }
            position += 1
            return true
        }

        private mutating func skipSpace() {
            while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
        }

        private mutating func token() -> String? {
            let start = position
            while position < bytes.count, Self.isToken(bytes[position]) { position += 1 }
            return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
        }

        private mutating func value() -> String? {
            guard take(UInt8(ascii: "\""), afterSpace: false) else { return token() }
            var text: [UInt8] = []
            while position < bytes.count {
                let byte = bytes[position]
                position += 1
                switch byte {
                case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard position < bytes.count else { return nil }
                    text.append(bytes[position])
                    position += 1
                default: text.append(byte)
                }
            }
            return nil
        }

        static func isToken(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
    }
}

internal import IPAddresses
internal import AuctionDomain
internal import MicroHTTP
internal import Permissions

/// Checks addresses of pictures on other servers, which a page puts into its elements.
enum MediaAddress {
    private static let scheme = "https://"

    /// The address with its scheme in lower case, which is the same address (RFC 3986, 3.1).
    static func normalized(_ address: String) -> String {
        address.prefix(scheme.count).lowercased() == scheme ? scheme + address.dropFirst(scheme.count) : address
    }

    /// The predicate of a sentence about what is wrong with an address, such as "has no host"; nil if it is a valid `https` address
    /// with a host and without user information.
    ///
    /// Hosts and paths may have letters beyond ASCII, as browsers take them.
    /// - Parameter address: As `normalized` returns it.
    static func problem(in address: String) -> LocalizedText? {
        guard address.hasPrefix(scheme) else {
            return LocalizedText(
                "must begin with https://, or be that of a picture that was uploaded here", "须以 https:// 开头,或为已上传到本服务器的图片地址")
        }
        let limit = AuctionItem.mediaAddressLimit
        guard address.utf8.count <= limit else { return LocalizedText("must have at most \(limit) bytes", "最多 \(limit) 字节") }
        if let scalar = address.unicodeScalars.first(where: { !allows($0) }) {
            let number = String(scalar.value, radix: 16, uppercase: true)
            let code =
                "U+" + String(repeating: "0", count: max(0, 4 - number.utf8.count)) + number
                + (scalar.properties.isWhitespace || !scalar.isASCII || scalar.value < 0x20 ? "" : " (\(scalar))")
            return LocalizedText("must not contain \(code)", "不得包含 \(code)")
        }
        let rest = address.dropFirst(scheme.count).unicodeScalars
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if authority.contains("@") { return LocalizedText("must not contain a user name or a password", "不得包含用户名或密码") }
        if let problem = problem(in: Substring(authority)) { return problem }
        guard hasBadEscape(Substring(rest).utf8) else { return nil }
        return LocalizedText("must have two hexadecimal digits after each %", "每个 % 之后须为两位十六进制数字")
    }

    /// Whether an address may contain it as it is (RFC 3986, RFC 3987). Bidirectional marks and invisible characters show an address
    /// that is not the real one; quotation marks and angle brackets end an attribute.
    private static func allows(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar.value > 0x20 && scalar.value < 0x7F && !"\"<>\\^`{|}".unicodeScalars.contains(scalar)
        }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .surrogate, .unassigned,
            .initialPunctuation, .finalPunctuation:
            return false
        default: return !properties.isDefaultIgnorableCodePoint && scalar != "\u{201E}" && scalar != "\u{201A}"
        }
    }

    private static let noValidHost = LocalizedText("has no valid host", "没有有效的主机名")

    private static func problem(in authority: Substring) -> LocalizedText? {
        var (host, port) = (authority, Substring?.none)
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return noValidHost }
            let after = authority[end...].dropFirst()
            guard after.isEmpty || after.hasPrefix(":") else { return noValidHost }
            (host, port) = (authority[..<end].dropFirst(), after.isEmpty ? nil : after.dropFirst())
            guard host.contains(":"), IPAddress(host) != nil else { return noValidHost }
        } else {
            if let colon = authority.firstIndex(of: ":") {
                (host, port) = (authority[..<colon], authority[colon...].dropFirst())
            }
            if host.isEmpty { return LocalizedText("has no host", "没有主机名") }
            guard isName(host) else { return noValidHost }
        }
        guard let port, !port.isEmpty else { return nil }
        let isNumber = port.utf8.count <= 5 && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, let number = UInt16(port), number > 0 else {
            return LocalizedText("must have a port from 1 to 65535, or none", "端口须为 1 至 65535,或省略")
        }
        return nil
    }

    /// Whether a text is a name of a host or an IPv4 address.
    private static func isName(_ host: Substring) -> Bool {
        guard host.utf8.count <= 253 else { return false }
        var labels = host.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        let isValid = labels.allSatisfy { label in
            !label.isEmpty && label.count <= 63
                && label.allSatisfy { !$0.isASCII || $0 == "-" || $0 == "_" || isLetterOrDigit($0) }
        }
        // Browsers read a host that ends in a number as an IPv4 address.
        guard isValid, let last = labels.last, last.allSatisfy({ ("0"..."9").contains($0) }) else { return isValid }
        return labels.count == 4 && labels.allSatisfy { UInt8(String($0)) != nil }
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }

    private static func hasBadEscape(_ text: Substring.UTF8View) -> Bool {
        var rest = text
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[percent...].dropFirst()
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Unicode.Scalar($0).properties.isHexDigit }) else { return true }
        }
        return false
    }
}

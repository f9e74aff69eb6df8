/// The media type of a body, as its `Content-Type` has it.
struct ContentType {
    /// Type and subtype in lower case, such as `application/json`.
    let essence: String
    /// The parameter `charset` in lower case; nil without one.
    let charset: String?
    /// Whether the text is in UTF-8, as it is unless a parameter says otherwise; ASCII is UTF-8.
    var isUTF8: Bool { charset.map { ["utf-8", "utf8", "us-ascii"].contains($0) } ?? true }

    init(_ header: String) {
        let parts = header.lowercased().split(separator: ";", omittingEmptySubsequences: false).map { part in
            String(part.filter { $0 != " " && $0 != "\t" })
        }
        essence = parts[0]
        charset = parts.dropFirst().first { $0.hasPrefix("charset=") }?.dropFirst("charset=".count).filter { $0 != "\"" }
    }
}

/// The media type of a body, as its `Content-Type` has it.
struct ContentType {
    /// Type and subtype in lower case, such as `application/json`.
    let essence: String
    /// Whether the text is in UTF-8, as it is unless a parameter says otherwise; ASCII is UTF-8.
    let isUTF8: Bool

    init(_ header: String) {
        let parts = header.lowercased().split(separator: ";", omittingEmptySubsequences: false).map { part in
            String(part.filter { $0 != " " && $0 != "\t" })
        }
        essence = parts[0]
        let charset = parts.dropFirst().first { $0.hasPrefix("charset=") }?.dropFirst("charset=".count).filter { $0 != "\"" }
        isUTF8 = charset.map { ["utf-8", "utf8", "us-ascii"].contains($0) } ?? true
    }
}

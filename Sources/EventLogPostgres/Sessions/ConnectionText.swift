import CPostgres

/// What libpq reads in the text of a store, found without connecting.
///
/// libpq's own messages about a text quote the part that it cannot read, which may be a password. So a text is read here first, and
/// libpq is asked to connect only if that succeeds.
package struct ConnectionText {
    /// Explains, without quoting it, that a text cannot be read.
    static let unreadable =
        "libpq cannot read the store's text: a port or a parameter is wrong, or a password has characters "
        + "other than letters and digits that are not percent-encoded"

    /// Whether the text has a password; an empty one is none.
    package let hasPassword: Bool

    /// - Returns: nil if libpq could not use the text whatever the servers are.
    package init?(_ url: String) {
        // SAFETY: libpq returns an array whose last element has no keyword. It is freed here, after its texts were copied.
        guard let options = unsafe PQconninfoParse(url, nil) else { return nil }
        defer { unsafe PQconninfoFree(options) }
        var values: [String: String] = [:]
        var index = 0
        while let keyword = unsafe options[index].keyword {
            if let value = unsafe options[index].val {
                let name = unsafe String(cString: keyword)
                values[name] = unsafe String(cString: value)
            }
            index += 1
        }
        // A slash or an at sign in a password ends it: what follows is read as a port or as a host, and quoted as such; what precedes it as the
        // user. A folder of sockets may have an at sign, and the name of an abstract socket begins with one.
        let ports = values["port", default: ""].split(separator: ",")
        let hosts = values["host", default: ""].split(separator: ",")
        let isSplit = hosts.contains { !$0.hasPrefix("/") && $0.dropFirst().contains("@") }
        guard ports.allSatisfy({ UInt16($0) != nil }), !isSplit, !values["user", default: ""].contains("?") else { return nil }
        hasPassword = !values["password", default: ""].isEmpty
    }
}

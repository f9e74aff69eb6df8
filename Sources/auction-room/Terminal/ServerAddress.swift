internal import ArgumentParser

/// Where a server is, from `--url`: `http://HOST[:PORT]`.
struct ServerAddress: ExpressibleByArgument {
    /// A name or a numeric address, without brackets.
    let host: String
    let port: UInt16

    /// Nil for anything but `http`, and for an address with a path.
    init?(argument: String) {
        guard argument.lowercased().hasPrefix("http://") else { return nil }
        var rest = argument.dropFirst("http://".count)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let name: Substring
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            name = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            name = rest.prefix { $0 != ":" }
            rest = rest.dropFirst(name.count)
        }
        guard !name.isEmpty, !name.contains("/"), rest.isEmpty || rest.hasPrefix(":") else { return nil }
        guard let port = rest.isEmpty ? 80 : UInt16(rest.dropFirst()) else { return nil }
        self.init(host: String(name), port: port)
    }

    init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    /// As it is written in a command, for the help.
    var defaultValueDescription: String { "http://\(authority)" }

    /// As in a `Host` header.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

internal import Crypto
internal import MicroHTTP

/// Who may read the metrics: whoever has the operator's token; this machine if there is none.
///
/// A token is asked of this machine too: a proxy on it that adds no header looks just like an operator's own scrape.
struct MetricsAccess: Sendable {
    /// Headers that a proxy adds: with one of them a request came from elsewhere, although a proxy on this machine sent it.
    static let proxyHeaders = ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"]

    private let digest: SHA256.Digest?

    /// - Parameter token: nil: there is none.
    init(token: String?) { digest = token.map { SHA256.hash(data: Array($0.utf8)) } }

    /// - Parameters:
    ///   - peer: the other end of the connection, as a numeric address.
    ///   - isForwarded: whether a proxy says that it only passes the request on.
    ///   - host: the header.
    func allows(peer: String, isForwarded: Bool, host: String?, authorization: String?) -> Bool {
        guard let digest else { return !isForwarded && IPAddress(peer)?.isLoopback == true && Self.isLoopback(host) }
        guard let authorization, authorization.prefix(7).lowercased() == "bearer " else { return false }
        // Digests are compared in constant time, and say nothing of the token's length.
        return SHA256.hash(data: Array(authorization.utf8.dropFirst(7))) == digest
    }

    /// Whether a Host header names this machine as itself. A web page whose own name was made to resolve to this machine reads
    /// what is here as its own (DNS rebinding), but its browser still sends the page's name.
    private static func isLoopback(_ host: String?) -> Bool {
        guard let host else { return false }
        if let address = ForwardedHeader.address(host) { return address.isLoopback }
        return host.prefix { $0 != ":" }.lowercased() == "localhost"
    }
}

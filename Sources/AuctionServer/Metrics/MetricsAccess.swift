internal import IPAddresses
internal import Cryptography
internal import MicroHTTP

/// Access control of the metrics: callers with the operator's token; without a configured token, loopback clients.
///
/// A configured token is required of loopback clients too: a local proxy that adds no header cannot be told from the operator.
struct MetricsAccess: Sendable {
    /// Headers that proxies add: a loopback request with one of them was forwarded for a remote client.
    static let proxyHeaders = ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"]

    private let digest: SHA256Digest?

    /// - Parameter token: the token to require; nil: only loopback clients are allowed.
    init(token: String?) { digest = token.map { SHA256.hash($0) } }

    /// - Parameters:
    ///   - peer: numeric address of the connection's peer.
    ///   - isForwarded: whether the request has one of `proxyHeaders`.
    ///   - host: the Host header.
    func allows(peer: String, isForwarded: Bool, host: String?, authorization: String?) -> Bool {
        guard let digest else { return !isForwarded && IPAddress(peer)?.isLoopback == true && Self.isLoopback(host) }
        guard let authorization, authorization.prefix(7).lowercased() == "bearer " else { return false }
        // Comparing digests takes constant time and does not reveal the token's length.
        return SHA256.hash(data: Array(authorization.utf8.dropFirst(7))) == digest
    }

    /// Whether a Host header denotes loopback. With DNS rebinding a web page's name resolves to this machine, so that the page may read
    /// responses, but its browser still sends the page's name as Host.
    private static func isLoopback(_ host: String?) -> Bool {
        guard let host else { return false }
        if let address = ForwardedHeader.address(host) { return address.isLoopback }
        return host.prefix { $0 != ":" }.lowercased() == "localhost"
    }
}

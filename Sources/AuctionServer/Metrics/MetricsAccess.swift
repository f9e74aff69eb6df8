internal import Crypto

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
    func allows(peer: String, isForwarded: Bool, authorization: String?) -> Bool {
        guard let digest else { return !isForwarded && IPAddress(peer)?.isLoopback == true }
        guard let authorization, authorization.prefix(7).lowercased() == "bearer " else { return false }
        // Digests are compared in constant time, and say nothing of the token's length.
        return SHA256.hash(data: Array(authorization.utf8.dropFirst(7))) == digest
    }
}

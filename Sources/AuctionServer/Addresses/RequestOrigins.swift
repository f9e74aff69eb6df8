internal import IPAddresses
internal import MicroHTTP

/// Where requests come from: which client is behind a connection or a proxy, and which site's page sent a request.
struct RequestOrigins: Sendable {
    /// The origins whose pages may call.
    let pages: CrossOrigin
    private let proxies: TrustedProxies
    /// How many bits of an IPv6 address are one client's.
    private let addressPrefix6: Int

    init(_ options: ServerOptions) {
        pages = CrossOrigin(options.allowedOrigins)
        proxies = TrustedProxies(options.trustedProxies)
        addressPrefix6 = options.http.limits.addressPrefix6
    }

    /// Whether an address is a trusted proxy's, whose connections carry requests of many clients; nil if no proxy is trusted.
    var isShared: (@Sendable (IPAddress) -> Bool)? {
        guard !proxies.isEmpty else { return nil }
        return { [proxies] in proxies.isTrusted($0) }
    }

    /// The client network that per-address limits count this request for: the peer, or the address that trusted proxies report.
    func network(of exchange: Exchange) -> ClientNetwork {
        if proxies.isEmpty, let network = exchange.connectionNetwork { return network }
        return ClientNetwork(address(of: exchange), version6Prefix: addressPrefix6)
    }

    /// The client's address: the peer's, or the one that trusted proxies report.
    func address(of exchange: Exchange) -> String {
        proxies.client(
            peer: exchange.remoteAddress, forwarded: exchange.headers("Forwarded"),
            xForwardedFor: exchange.headers("X-Forwarded-For"))
    }

    /// Whether the request came through a trusted proxy, whose connection carries requests of many clients.
    func isProxied(_ exchange: Exchange) -> Bool {
        !proxies.isEmpty && IPAddress(exchange.remoteAddress).map(proxies.isTrusted) == true
    }
}

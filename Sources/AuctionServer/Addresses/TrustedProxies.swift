internal import MicroHTTP

/// The proxies whose word on where a request came from counts.
struct TrustedProxies: Sendable {
    private let blocks: [AddressBlock]

    init(_ blocks: [AddressBlock]) { self.blocks = blocks }

    /// Whether there are any.
    var isEmpty: Bool { blocks.isEmpty }

    /// The client's address: the last one, seen from here, that no trusted proxy has.
    ///
    /// The peer itself where it is not trusted, where a header is malformed or hides the address, and where the two headers
    /// disagree: a proxy that writes one of them passes the other on as the client made it up.
    func client(peer: String, forwarded: [String], xForwardedFor: [String]) -> String {
        guard !blocks.isEmpty, let address = IPAddress(peer), isTrusted(address) else { return peer }
        var clients: [IPAddress?] = []
        // Several lines of one header are one list.
        if !forwarded.isEmpty {
            clients.append(ForwardedHeader.forwarded(forwarded.joined(separator: ",")).flatMap { client(of: $0) })
        }
        if !xForwardedFor.isEmpty {
            clients.append(client(of: ForwardedHeader.xForwardedFor(xForwardedFor.joined(separator: ","))))
        }
        guard let first = clients.first, let client = first, clients.allSatisfy({ $0 == client }) else { return peer }
        return client.description
    }

    private func client(of hops: [IPAddress?]) -> IPAddress? {
        for hop in hops.reversed() {
            guard let hop else { return nil }
            if !isTrusted(hop) { return hop }
        }
        // Our own machines asked: the first of them.
        return hops.first ?? nil
    }

    func isTrusted(_ address: IPAddress) -> Bool { blocks.contains { $0.contains(address) } }
}

extension Exchange {
    /// Whom limits per address count the request for, as far as it is known: the peer, or what trusted proxies say.
    func clientNetwork(_ shared: SharedParts) -> ClientNetwork {
        let address = shared.proxies.client(
            peer: remoteAddress, forwarded: headers("Forwarded"), xForwardedFor: headers("X-Forwarded-For"))
        return ClientNetwork(address, version6Prefix: shared.options.http.limits.addressPrefix6)
    }

    /// Whether it came through a proxy that is trusted: its connection is then of many clients.
    func isProxied(_ proxies: TrustedProxies) -> Bool {
        !proxies.isEmpty && IPAddress(remoteAddress).map(proxies.isTrusted) == true
    }
}

internal import IPAddresses

/// The proxies whose forwarding headers are trusted to name the client.
struct TrustedProxies: Sendable {
    private let blocks: [AddressBlock]

    init(_ blocks: [AddressBlock]) { self.blocks = blocks }

    /// Whether no proxy is trusted.
    var isEmpty: Bool { blocks.isEmpty }

    /// The client's address: the last hop, counted from the server, that is not a trusted proxy.
    ///
    /// Falls back to the peer if the peer is not trusted, if a header is malformed or hides the address, and if the two headers
    /// disagree: a proxy that writes one of them forwards the other as the client sent it.
    func client(peer: String, forwarded: [String], xForwardedFor: [String]) -> String {
        guard !blocks.isEmpty, let address = IPAddress(peer), isTrusted(address) else { return peer }
        var clients: [IPAddress?] = []
        // RFC 9110 section 5.3: repeated header lines form one list.
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
        // Every hop is trusted, so the request originates from the first of them.
        return hops.first ?? nil
    }

    func isTrusted(_ address: IPAddress) -> Bool { blocks.contains { $0.contains(address) } }
}

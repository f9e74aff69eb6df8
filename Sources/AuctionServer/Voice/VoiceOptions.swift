internal import Cryptography
internal import OutboundHTTP

/// The RTC service that carries the sound of rooms, and how the server signs for it.
package struct VoiceOptions: Sendable {
    /// The least bytes of a secret, as LiveKit demands.
    package static let secretBytes = 32

    /// What is called.
    package let server: VoiceServer
    /// Whether viewers without a token listen too.
    package let admitsAnonymous: Bool
    /// What the web page joins with; nil: it says that other clients do.
    let client: VoiceClient?
    /// The name of the key, which tokens have as `iss`.
    let key: String
    let signer: HMACSHA256

    /// - Parameter secret: At least `secretBytes`, as the RTC service has it.
    package init(
        _ server: VoiceServer, key: String, secret: [UInt8], admitsAnonymous: Bool = false, client: VoiceClient? = nil
    ) {
        (self.server, self.key, self.admitsAnonymous, self.client) = (server, key, admitsAnonymous, client)
        signer = HMACSHA256(key: secret)
    }
}

/// The address of an RTC service: what clients join, and what the server calls.
package struct VoiceServer: Hashable, Sendable {
    /// What the option begins with: the one kind of service that there is.
    private static let kind = "livekit:"

    /// For clients: `wss:`, or `ws:` on this machine.
    package let url: String
    /// For the server, and for the page's client after a refused connection: the same host by `https:`, or by `http:`.
    let callURL: String

    /// Reads `livekit:wss://HOST`; nil for anything else, and for `ws:` to another machine.
    package init?(option text: String) {
        guard text.hasPrefix(Self.kind) else { return nil }
        let url = text.dropFirst(Self.kind.count)
        for (client, call) in [("wss://", "https://"), ("ws://", "http://")] where url.hasPrefix(client) {
            let host = url.dropFirst(client.count)
            guard !host.contains("/"), !host.contains("?"), !host.contains("%"),
                (try? AddressPolicy.operatorsSystems.check(call + host)) != nil
            else { return nil }
            (self.url, callURL) = (String(url), call + host)
            return
        }
        return nil
    }
}

internal import OutboundHTTP

/// What a document of the page may load, and where its scripts may connect to.
///
/// Scripts and styles are loaded from this server only, the page must not parse text as HTML, and it must not be framed: names and
/// messages of other users stay text even if the page has a bug. Images of items may be on other servers.
struct PagePolicy {
    /// Of documents that use this server only.
    static let usual = Self()
    /// The name that the page's one policy of Trusted Types has, by which it makes the address of a script of another server.
    private static let scriptPolicy = "voice-client"

    /// Where scripts may connect to beside this server.
    private var connections: [String] = []
    /// The origin of the one other script; nil for none.
    private var scriptOrigin: String?

    private init() {}

    /// That of the page itself: it exchanges codes with the provider that signs users in, and joins the sound by LiveKit's client. Nil if it
    /// is the usual one, also while the server does not know yet where the provider exchanges codes.
    init?(_ shared: SharedParts) {
        let access = shared.access
        if let provider = access.signIn.pageProvider, let endpoints = access.providerKeys?.endpoints(of: provider.issuer) {
            connections.append(endpoints.token.origin)
        }
        if let voice = shared.options.voice, let client = voice.client {
            // LiveKit's client asks by HTTP why a connection was refused.
            connections += [voice.server.url, voice.server.callURL]
            scriptOrigin = client.origin
        }
        guard !connections.isEmpty else { return nil }
    }

    /// For the header `Content-Security-Policy`.
    var text: String {
        let own = "'self'"
        return [
            "default-src 'none'", "script-src \(([own] + [scriptOrigin].compactMap(\.self)).joined(separator: " "))",
            "style-src \(own)",
            "connect-src \(([own] + connections).joined(separator: " "))", "img-src \(own) https:", "base-uri 'none'",
            "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
            "trusted-types \(scriptOrigin == nil ? "'none'" : Self.scriptPolicy)",
        ].joined(separator: "; ")
    }
}

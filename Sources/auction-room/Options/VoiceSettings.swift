internal import AuctionServer

/// The RTC service that carries the sound of rooms. Paths and texts are empty if not set.
struct VoiceSettings: Sendable {
    enum Anonymous: String, CaseIterable { case on, off }

    var server: VoiceServer?
    var key = ""
    var secretFile = ""
    var anonymous = Anonymous.off
    var client: VoiceClient?

    /// Reads the secret; nil if there is no RTC service.
    /// - Throws: `ConfigurationError` that names the option and variable, or the file, and contains none of the file's content.
    func load() throws(ConfigurationError) -> VoiceOptions? {
        guard let server else {
            try ServeOption.voiceKey.check(key.isEmpty, "needs --voice")
            try ServeOption.voiceSecretFile.check(secretFile.isEmpty, "needs --voice")
            try ServeOption.voiceClientURL.check(client == nil, "needs --voice")
            return nil
        }
        try ServeOption.voice.check(!key.isEmpty && !secretFile.isEmpty, "needs --voice-key and --voice-secret-file")
        let secret = String(decoding: try contents(of: secretFile, "the voice secret"), as: UTF8.self).trimming(\.isWhitespace)
        guard secret.utf8.count >= VoiceOptions.secretBytes, secret.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ConfigurationError(
                "the voice secret \(secretFile) must be one line of at least \(VoiceOptions.secretBytes) visible ASCII characters"
            )
        }
        return VoiceOptions(
            server, key: key, secret: Array(secret.utf8), admitsAnonymous: anonymous == .on, client: client)
    }
}

extension ServeOption {
    static let voice = value(
        "voice", \.voice.server, default: "none", bounds: "`livekit:wss://HOST`, or `livekit:ws://HOST` on this machine",
        expected: "livekit:wss://HOST, or livekit:ws://HOST on this machine",
        """
        The RTC service that carries the sound of rooms: its tokens are then given by `POST /v1/rooms/{id}/stage/voice`.
        """
    ) { VoiceServer(option: $0).map(Optional.some) }
    static let voiceKey = value(
        "voice-key", \.voice.key, default: "required with voice", bounds: "at most 100 visible ASCII characters",
        expected: "at most 100 visible ASCII characters", "The name of the RTC service's key."
    ) { $0.isEmpty || $0.utf8.count > 100 || !$0.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) ? nil : $0 }
    static let voiceSecretFile = text(
        "voice-secret-file", \.voice.secretFile, default: "required with voice", bounds: "at least 32 visible ASCII characters",
        "The key's secret, which signs for the RTC service. Read at start.")
    static let voiceAnonymous = choice(
        "voice-anonymous", \.voice.anonymous, "Whether viewers without a token listen too, where they may see the room.")
    static let voiceClientURL = value(
        "voice-client-url", \.voice.client, default: "none", bounds: "`https://HOST/PATH#sha384-DIGEST`",
        expected: "https://HOST/PATH#sha384-DIGEST, or http: on this machine",
        """
        LiveKit's JavaScript client (`livekit-client.umd.js`) with its hash, as the page loads it to join the sound itself. \
        Without it the page says that other clients play the sound.
        """
    ) { VoiceClient(option: $0).map(Optional.some) }
}

extension AuctionRoom {
    /// A token for the room's sound, to join it at the RTC service: `room.connect(url: token.url, token: token.token)` with LiveKit. Ask for
    /// another one before each join; while one is joined, a seat that is taken, muted or given up needs none.
    /// - Throws: `AuctionError`; refused with `route.not_found` by a service without sound, and with `voice.banned` for a banned caller. Callers without
    ///   a token of the service are refused unless the operator lets anonymous viewers listen.
    public func voiceToken() async throws(AuctionError) -> VoiceToken {
        let request = ExchangeRequest("POST", "\(path)/stage/voice", body: [:], language: client.configuration.language)
        return try await client.runner.value(request, client.configuration.commands, VoiceToken.init)
    }
}

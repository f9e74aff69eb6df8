extension Operation {
    /// The sound of a room.
    static let voice: [Operation] = [takeVoiceToken]

    /// `POST /v1/rooms/{id}/stage/voice`: get a token for the room's sound.
    package static let takeVoiceToken = Operation(
        "takeVoiceToken", .post, "/v1/rooms/{id}/stage/voice", .optional, tag: "stage", "Get a token for the room's sound",
        """
        For who may see the room: the access token of the RTC service (LiveKit) that carries the room's sound. Everyone listens; the host, and the
        occupant of a seat that is not muted, may open a microphone; the mute of a member is that of the chat. When that changes, the RTC service is
        notified: a client needs no other token for it. The token is for joining; ask again for each join, and when `expiresAt` is near.
        Do not log it.

        Without a token of this service, where the operator lets anonymous viewers listen: under a random name, another one for each call.

        There is such a call only on servers with an RTC service, which `GET /v1` then lists; others answer 404 as for an unknown path. Takes no body,
        and no Idempotency-Key.
        """,
        needsVoice: true,
        responses: [
            .success(
                200, "The token, and where to use it.", "VoiceToken",
                #"""
                {
                  "provider": "livekit", "url": "wss://voice.example",
                  "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJBUElrZXkiLCJzdWIiOiJ1c2VyXzAxbTd5bjUwa2VkZTNuNGF0dmYyZ3pmZTJzIn0.7vY0yq0cSxM2m2rHk1dQ2bV3Xo4Hq5Zt8n1m0p9aBcE",
                  "expiresAt": "2026-11-21T09:06:46.000Z", "canPublish": false
                }
                """#),
            .refusal(403, "The caller is banned from the room.", ["voice.banned"]),
            .refusal(429, "The caller, or their address, asks too often.", ["command.rate"]),
        ])
}

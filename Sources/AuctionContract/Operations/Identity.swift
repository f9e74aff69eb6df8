extension Operation {
    /// Guests, users of providers, and tokens.
    static let identity: [Operation] = [createGuest, createSession, renewToken, createPairing, redeemPairing]

    /// `POST /v1/guests`: become a guest.
    package static let createGuest = Operation(
        "createGuest", .post, "/v1/guests", .anonymous, tag: "identity", "Become a guest", saysWhatIsLeft: true,
        body: .init("NewGuest", #"{"nickname": "Ann"}"#),
        responses: [
            .success(
                201, "The guest and a token.", "Session",
                #"""
                {
                  "user": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"},
                  "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhdWN0aW9uLXJvb20iLCJzdWIiOiJ1c2VyXzAxbTd5bjUwa2VkZTNuNGF0dmYyZ3pmZTJzIiwibmFtZSI6IkFubiIsImlhdCI6MTc5NTI1MTQwNSwiZXhwIjoxNzk1ODU2MjA1fQ.hjDDHpMNOTvW2ihAQ4f6ns9DvxJ49YIAqgIcn4XdeOE",
                  "expiresAt": "2026-11-28T08:56:45.000Z"
                }
                """#),
            .refusal(403, "The server accepts no guests.", ["guest.off"]),
            .shared(429, "TooManyGuests"),
        ])

    /// `POST /v1/sessions`: sign in with the ID token of a provider.
    package static let createSession = Operation(
        "createSession", .post, "/v1/sessions", .anonymous, tag: "identity", "Sign in with the ID token of a provider",
        """
        An app or a page gets an ID token of a provider that the operator has named (`--oidc`), by OpenID Connect or by Sign in with Apple, and
        exchanges it here for a token of this service. The provider's access token is not needed. `nonce` is what the client has sent to the
        provider for this ID token, as it stands in the token; it is compared if it is sent.

        A user is the issuer and the subject of the token, and always the same one. The nickname is that of the request, else the claim `name`, else
        `preferred_username`; without any of these, or if it is an e-mail address, the response is 400 for the field `nickname`, and the token can be
        sent again with one.

        An ID token is exchanged once. The token that it is exchanged for is renewed with `POST /v1/tokens/renew`, for as many days as the operator allows
        (`--session-days`); then the user signs in again.
        """,
        body: .init("NewSession", #"{"idToken": "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL3Nzby5leGFtcGxlIn0.c2lnbmF0dXJl"}"#),
        responses: [
            .success(
                201, "The user and a token of this service.", "Session",
                #"""
                {
                  "user": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"},
                  "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhdWN0aW9uLXJvb20iLCJzdWIiOiJ1c2VyXzAxbTd5bjUwa2VkZTNuNGF0dmYyZ3pmZTJzIiwibmFtZSI6IkFubiIsImlhdCI6MTc5NTI1MTQwNiwiZXhwIjoxNzk1ODU2MjA2fQ.dc6s2Py63Yt5FfMRgJBAmULbniaOOuCcupAuUb7c0oM",
                  "expiresAt": "2026-11-28T08:56:46.000Z"
                }
                """#),
            .refusal(
                401, "The ID token is not accepted.",
                ["id_token.invalid", "id_token.expired", "id_token.used", "token.revoked"]),
            .refusal(403, "The server has no provider that users sign in with.", ["session.off"]),
            .refusal(429, "Too many bodies of this address were malformed, or no valid token.", ["command.rate"]),
        ])

    /// `POST /v1/tokens/renew`: get a new token for the same user.
    package static let renewToken = Operation(
        "renewToken", .post, "/v1/tokens/renew", .required, tag: "identity", "Get a new token for the same user",
        """
        Takes no body, or an empty object. A user who has signed in with a provider can renew the token for as many days as the operator allows, and
        while the service knows the provider's keys.
        """,
        responses: [
            .success(
                200, "The same user, a new token.", "Session",
                #"""
                {
                  "user": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"},
                  "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhdWN0aW9uLXJvb20iLCJzdWIiOiJ1c2VyXzAxbTd5bjUwa2VkZTNuNGF0dmYyZ3pmZTJzIiwibmFtZSI6IkFubiIsImlhdCI6MTc5NTI1MTQwNiwiZXhwIjoxNzk1ODU2MjA2fQ.dc6s2Py63Yt5FfMRgJBAmULbniaOOuCcupAuUb7c0oM",
                  "expiresAt": "2026-11-28T08:56:46.000Z"
                }
                """#),
            .refusal(
                403, "The token was issued by the identity provider, or the user signed in too long ago.",
                ["token.not_ours", "session.ended"]),
        ])

    /// `POST /v1/me/pairing`: make a code for another device.
    package static let createPairing = Operation(
        "createPairing", .post, "/v1/me/pairing", .required, tag: "identity", "Make a code for another device",
        """
        Takes no body, or an empty object. The code has eight letters and digits, of which no two look alike, and is valid once, for five minutes, or
        until the caller makes another one. It is shown as it is or as a QR code, and redeemed on the other device with `POST /v1/tokens/pair`.
        """,
        responses: [
            .success(
                201, "The code.", "Pairing", #"{"code": "K7QM2XWA", "expiresAt": "2026-11-21T09:01:45.000Z"}"#),
            .refusal(403, "The token was issued by the identity provider.", ["token.not_ours"]),
            .refusal(429, "Too many commands of this user.", ["command.rate"]),
        ])

    /// `POST /v1/tokens/pair`: get a token of the user who has made a code.
    package static let redeemPairing = Operation(
        "redeemPairing", .post, "/v1/tokens/pair", .anonymous, tag: "identity", "Get a token with a code of another device",
        """
        The token is of the user who has made the code. Upper and lower case, spaces and hyphens make no difference. An address has five wrong
        tries in any minute.
        """,
        body: .init("PairingCode", #"{"code": "K7QM2XWA"}"#),
        responses: [
            .success(
                200, "The user and a token.", "Session",
                #"""
                {
                  "user": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"},
                  "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhdWN0aW9uLXJvb20iLCJzdWIiOiJ1c2VyXzAxbTd5bjUwa2VkZTNuNGF0dmYyZ3pmZTJzIiwibmFtZSI6IkFubiIsImlhdCI6MTc5NTI1MTQwNiwiZXhwIjoxNzk1ODU2MjA2fQ.dc6s2Py63Yt5FfMRgJBAmULbniaOOuCcupAuUb7c0oM",
                  "expiresAt": "2026-11-28T08:56:46.000Z"
                }
                """#),
            .refusal(
                401, "The user's tokens have been revoked or have expired since.",
                ["token.revoked", "token.expired", "token.invalid"]),
            .refusal(404, "There is no such code, or none any more.", ["pairing.invalid"]),
            .refusal(429, "Too many wrong codes from this address.", ["pairing.rate"]),
        ])
}

extension Operation {
    /// Guests and tokens.
    static let identity: [Operation] = [createGuest, renewToken]

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

    /// `POST /v1/tokens/renew`: get a new token for the same user.
    package static let renewToken = Operation(
        "renewToken", .post, "/v1/tokens/renew", .required, tag: "identity", "Get a new token for the same user",
        "Takes no body, or an empty object.",
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
            .refusal(403, "The token was issued by the identity provider.", ["token.not_ours"]),
        ])
}

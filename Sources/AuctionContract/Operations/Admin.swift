extension Operation {
    /// For the operator's programs.
    static let admin: [Operation] = [createServiceToken, listServiceTokens, revokeServiceToken, signInUser, listAudit]

    /// `POST /v1/admin/tokens`: make a service token.
    package static let createServiceToken = Operation(
        "createServiceToken", .post, "/v1/admin/tokens", .service(.admin), tag: "admin", "Make a service token",
        """
        For a program of the operator's, with the scopes that it needs. The token is shown once; the server keeps a digest of it. An
        `Idempotency-Key` has no effect: a token that was not received can be revoked.
        """,
        body: .init("NewServiceToken", #"{"name": "Shop backend", "scopes": ["feed:read", "users:sign-in"]}"#),
        responses: [
            .success(
                201, "The token.", "CreatedServiceToken",
                #"""
                {
                  "id": "token_5bf0d6a7c1e94f0b8a63d2c4e7f19a80", "name": "Shop backend", "scopes": ["users:sign-in", "feed:read"],
                  "createdAt": "2026-11-28T08:56:45.000Z", "expiresAt": null, "lastUsedAt": null,
                  "token": "svc_0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"
                }
                """#),
            .refusal(429, "There are as many service tokens as there may be.", ["token.too_many"]),
        ])

    /// `GET /v1/admin/tokens`: list the service tokens.
    package static let listServiceTokens = Operation(
        "listServiceTokens", .get, "/v1/admin/tokens", .service(.admin), tag: "admin", "List the service tokens",
        responses: [
            .success(
                200, "All tokens but that of `--admin-token-file`, in order of their ids.", "ServiceTokenList",
                #"""
                {
                  "tokens": [
                    {
                      "id": "token_5bf0d6a7c1e94f0b8a63d2c4e7f19a80", "name": "Shop backend", "scopes": ["users:sign-in", "feed:read"],
                      "createdAt": "2026-11-28T08:56:45.000Z", "expiresAt": null, "lastUsedAt": "2026-11-28T09:10:00.000Z"
                    }
                  ]
                }
                """#)
        ])

    /// `DELETE /v1/admin/tokens/{tokenId}`: revoke a service token.
    package static let revokeServiceToken = Operation(
        "revokeServiceToken", .delete, "/v1/admin/tokens/{tokenId}", .service(.admin), tag: "admin", "Revoke a service token",
        "In force on this node at once, on every other one within five seconds.",
        responses: [
            .success(204, "The token is not accepted any more."),
            .refusal(
                404, "There is no service token with this id, or the path does not exist for the caller.",
                ["token.not_found", "route.not_found"], example: "token.not_found"),
        ])

    /// `POST /v1/admin/users/tokens`: a token for a user of the operator's backend.
    package static let signInUser = Operation(
        "signInUser", .post, "/v1/admin/users/tokens", .service(.signInUsers), tag: "admin",
        "Get a token for a user of the operator's own backend",
        """
        As `createGuest`, but for a user whom the backend knows by `subject`. The same subject is always the same user, never a guest and
        never one of an identity provider. The user renews the token with `renewToken`. The audit has the first sign-in of a user by a token, and the
        next one a day later.
        """,
        body: .init("NewUserSession", #"{"subject": "customer-4711", "nickname": "Ann"}"#),
        responses: [
            .success(
                201, "The user and a token.", "Session",
                #"""
                {
                  "user": {"id": "user_5v8q3m2d9x7kfa41r0c6ztbnhe", "nickname": "Ann"},
                  "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhdWN0aW9uLXJvb20iLCJzdWIiOiJ1c2VyXzV2OHEzbTJkOXg3a2ZhNDFyMGM2enRibmhlIiwibmFtZSI6IkFubiIsImlhdCI6MTc5NTI1MTQwNSwiZXhwIjoxNzk1ODU2MjA1fQ.hjDDHpMNOTvW2ihAQ4f6ns9DvxJ49YIAqgIcn4XdeOE",
                  "expiresAt": "2026-11-28T08:56:45.000Z"
                }
                """#)
        ])

    /// `GET /v1/admin/audit`: what operators did.
    package static let listAudit = Operation(
        "listAudit", .get, "/v1/admin/audit", .service(.admin), tag: "admin",
        "List what was done by service tokens, newest first",
        "Entries are kept for 400 days.",
        parameters: [
            .query("limit", "The most rows to return.", "integer 1...1000 = 100", example: 50),
            .query(
                "cursor", "`nextCursor` of the previous page.", #"{"type": "string", "pattern": "^[0-9a-f]{32}$"}"#,
                example: "0000019acb8f5a2100f1e2d3c4b5a697"),
        ],
        responses: [
            .success(
                200, "A page of the entries.", "AuditList",
                #"""
                {
                  "entries": [
                    {
                      "id": "0000019acb8f5a2100f1e2d3c4b5a697", "at": "2026-11-28T08:56:45.000Z",
                      "token": {"id": "file", "name": "admin-token-file"}, "action": "createServiceToken",
                      "target": "token_5bf0d6a7c1e94f0b8a63d2c4e7f19a80", "reason": null
                    }
                  ],
                  "nextCursor": null
                }
                """#)
        ])
}

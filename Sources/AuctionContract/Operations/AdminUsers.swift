extension Operation {
    /// What operators do about users in all rooms.
    static let adminUsers: [Operation] = [revokeUserTokens, banUser, unbanUser]

    private static let user: Parameter = .path(
        "userId", "The user.", "UserId", example: "user_01m7yn50kfqwxpgsbrbcag1j3a")
    private static let tooMany: Response = .refusal(
        429, "As many users are banned, or had their tokens revoked, as may be.", ["user.too_many"])

    /// `POST /v1/admin/users/{userId}/revoke`: end all tokens of a user.
    package static let revokeUserTokens = Operation(
        "revokeUserTokens", .post, "/v1/admin/users/{userId}/revoke", .service(.manageUsers), tag: "admin",
        "Revoke all tokens of a user",
        """
        All tokens issued so far end, and the streams opened with them: on this node at once, on every other one within five seconds.
        The user may sign in again, and gets a new token one second later at the latest.
        """,
        body: .init("RevokeReason", #"{"reason": "The phone was lost."}"#, isRequired: false),
        responses: [
            .success(
                200, "What operators have decided about the user.", "UserRestriction",
                #"""
                {
                  "userId": "user_01m7yn50kfqwxpgsbrbcag1j3a", "banned": false, "bannedAt": null, "reason": null,
                  "tokensEndedAt": "2026-11-28T08:56:46.000Z"
                }
                """#), tooMany,
        ])

    /// `POST /v1/admin/users/{userId}/ban`: ban a user from all rooms.
    package static let banUser = Operation(
        "banUser", .post, "/v1/admin/users/{userId}/ban", .service(.manageUsers), tag: "admin", "Ban a user from all rooms",
        """
        The user can send no command to any room and open no stream (403 `user.banned`), and open streams are closed (4403): on this
        node at once, on every other one within five seconds. Tokens stay valid, and what the user has bid stands.
        """,
        body: .init("BanReason", #"{"reason": "Three purchases were never paid."}"#),
        responses: [
            .success(
                200, "What operators have decided about the user.", "UserRestriction",
                #"""
                {
                  "userId": "user_01m7yn50kfqwxpgsbrbcag1j3a", "banned": true, "bannedAt": "2026-11-28T08:56:45.000Z",
                  "reason": "Three purchases were never paid.", "tokensEndedAt": null
                }
                """#), tooMany,
        ])

    /// `POST /v1/admin/users/{userId}/unban`: end the ban of a user.
    package static let unbanUser = Operation(
        "unbanUser", .post, "/v1/admin/users/{userId}/unban", .service(.manageUsers), tag: "admin", "End the ban of a user",
        "Bans by the hosts of rooms stay. No error if the user is not banned.",
        body: .init("BanReason", #"{"reason": "The purchases were paid."}"#),
        responses: [
            .success(
                200, "What operators have decided about the user.", "UserRestriction",
                #"""
                {
                  "userId": "user_01m7yn50kfqwxpgsbrbcag1j3a", "banned": false, "bannedAt": null, "reason": null,
                  "tokensEndedAt": null
                }
                """#), tooMany,
        ])
}

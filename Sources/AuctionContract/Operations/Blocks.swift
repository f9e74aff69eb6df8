extension Operation {
    /// Whom the caller does not want to see.
    static let blocks: [Operation] = [blockUser, listBlocks, unblockUser]

    /// `POST /v1/me/blocks`: block a user.
    package static let blockUser = Operation(
        "blockUser", .post, "/v1/me/blocks", .required, tag: "me", "Block a user",
        """
        The caller does not want to see what this user writes, in any room. The server filters nothing, because events are the same for all
        readers: clients leave out the messages of users that the caller blocks, and do not show their names. Who is blocked is not told.
        A user can block neither themself nor the floor, which is no user. A repeat changes nothing. An `Idempotency-Key` has no effect.
        """,
        body: .init("NewBlock", #"{"userId": "user_01m7yn50kkb5yddpv711bt7xfe"}"#),
        responses: [
            .success(200, "The user was blocked already.", "Block", example),
            .success(201, "The user is blocked from now on.", "Block", example),
            .refusal(
                429, "The caller blocks as many users as one may, or sends too many commands; or a storage limit is reached.",
                ["block.too_many", "command.rate", "address.storage_full"]),
        ])

    /// `GET /v1/me/blocks`: list the users whom the caller blocks, oldest user id first.
    package static let listBlocks = Operation(
        "listBlocks", .get, "/v1/me/blocks", .required, tag: "me",
        "List the users whom the caller blocks, oldest user id first",
        parameters: [
            .query("limit", "The most rows to return.", "integer 1...1000 = 100", example: 50),
            .query("cursor", "`nextCursor` of the previous page.", "UserId", example: "user_01m7yn50kfqwxpgsbrbcag1j3a"),
        ],
        responses: [
            .success(
                200, "A page of the blocks.", "BlockList",
                #"""
                {
                  "blocks": [
                    {"userId": "user_01m7yn50kkb5yddpv711bt7xfe", "blockedAt": "2026-11-21T08:56:46.572Z"}
                  ],
                  "nextCursor": null
                }
                """#)
        ])

    /// `DELETE /v1/me/blocks/{userId}`: end a block.
    package static let unblockUser = Operation(
        "unblockUser", .delete, "/v1/me/blocks/{userId}", .required, tag: "me", "End a block",
        responses: [
            .success(204, "The user is not blocked any more."),
            .refusal(404, "The caller does not block this user.", ["block.not_found"]),
            .refusal(429, "The caller sends too many commands.", ["command.rate"]),
        ])

    private static let example =
        #"{"userId": "user_01m7yn50kkb5yddpv711bt7xfe", "blockedAt": "2026-11-21T08:56:46.572Z"}"#
}

internal import AuctionDomain

extension Operation {
    /// Members of a room.
    static let members: [Operation] = [joinRoom, listMembers, leaveRoom, changeMember, kick]

    /// `POST /v1/rooms/{id}/members`: join a room, or change between viewer and bidder.
    package static let joinRoom = Operation(
        "joinRoom", .post, "/v1/rooms/{id}/members", .required, tag: "members",
        "Join a room, or change between viewer and bidder",
        """
        While the host approves bidders (the rule `bid.not_approved`), who joins as bidder without having been approved is or stays a viewer, or the bidder that they \
        were before the rule was switched on, and has an `application`. A repeat changes nothing.
        """, opensHidden: true,
        body: .init(
            "JoinRoom",
            examples: [
                .init("public", "a public room", #"{"role": "bidder"}"#),
                .init("private", "a private room", #"{"role": "viewer", "inviteCode": "cwjcncaqzx54"}"#),
            ], isRequired: false, "May be left out, or be `null`."),
        responses: [
            .success(
                200,
                """
                The caller was a member already; the role changed only if the request named one. Host and auctioneer are \
                never demoted.
                """, "Member",
                #"""
                {
                  "user": {"id": "user_01m7yn50kknr5n15wtee4btqvw", "nickname": "Di"}, "role": "viewer",
                  "joinedAt": "2026-11-21T08:56:46.550Z", "muted": false, "banned": false
                }
                """#),
            .success(
                201, "A new member.", "Member",
                #"""
                {
                  "user": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"}, "role": "bidder",
                  "joinedAt": "2026-11-21T08:56:46.548Z", "muted": false, "banned": false
                }
                """#),
            .refusal(
                403, "The caller is banned, or the host has declined their application.",
                ["member.banned", "application.declined"]),
            .refusal(409, "As many applications are open as a room may have.", ["application.too_many"]),
        ])

    /// `GET /v1/rooms/{id}/members`: list members, oldest user id first.
    package static let listMembers = Operation(
        "listMembers", .get, "/v1/rooms/{id}/members", .optional, tag: "members", "List members, oldest user id first",
        """
        With `banned=true` the users who are banned instead, which the host may ask for. It also has those who have \
        left, with null as `role` and `joinedAt`; `PATCH` of one of them with `{"banned":false}` lifts the ban.
        """,
        parameters: [
            .query("role", "Only members with this role.", "Role", example: "bidder"),
            .query(
                "banned", "Whether to list the users who are banned, members or not, instead of the members. By the host.",
                "boolean = false", example: true),
            .query(
                "limit", "The most rows to return; a page also ends with the row that reaches 256 KiB.",
                "integer 1...1000 = 100", example: 50),
            .query("cursor", "`nextCursor` of the previous page.", "UserId", example: "user_01m7yn50kfqwxpgsbrbcag1j3a"),
        ],
        responses: [
            .success(
                200, "A page of members.", "MemberList",
                examples: [
                    .init(
                        "members", "the members",
                        #"""
                        {
                          "members": [
                            {
                              "user": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}, "role": "host",
                              "joinedAt": "2026-11-21T08:56:46.534Z", "muted": false, "banned": false
                            },
                            {
                              "user": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"}, "role": "auctioneer",
                              "joinedAt": "2026-11-21T08:56:46.548Z", "muted": false, "banned": false
                            },
                            {
                              "user": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "role": "bidder",
                              "joinedAt": "2026-11-21T08:56:46.549Z", "muted": false, "banned": false
                            },
                            {
                              "user": {"id": "user_01m7yn50kknr5n15wtee4btqvw", "nickname": "Di"}, "role": "viewer",
                              "joinedAt": "2026-11-21T08:56:46.550Z", "muted": false, "banned": false
                            },
                            {
                              "user": {"id": "user_01m7yn50kms8ch1s9abvdq8hf6", "nickname": "Ed"}, "role": "bidder",
                              "joinedAt": "2026-11-21T08:56:46.550Z", "muted": false, "banned": false
                            }
                          ],
                          "counts": {"host": 1, "auctioneer": 1, "bidder": 2, "viewer": 1}, "nextCursor": null
                        }
                        """#),
                    .init(
                        "banned", "the users who are banned",
                        #"""
                        {
                          "members": [
                            {
                              "user": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "role": "bidder",
                              "joinedAt": "2026-11-21T08:56:46.549Z", "muted": false, "banned": true, "creditLimit": null
                            },
                            {
                              "user": {"id": "user_01m7yn50kknr5n15wtee4btqvw", "nickname": "Di"}, "role": null, "joinedAt": null,
                              "muted": false, "banned": true, "creditLimit": null
                            }
                          ],
                          "counts": {"host": 1, "auctioneer": 1, "bidder": 2, "viewer": 0}, "nextCursor": null
                        }
                        """#),
                ]),
            .refusal(403, "The caller asks for the users who are banned and is not the host.", ["ban.not_host"]),
        ])

    /// `DELETE /v1/rooms/{id}/members/me`: leave a room.
    package static let leaveRoom = Operation(
        "leaveRoom", .delete, "/v1/rooms/{id}/members/me", .required, tag: "members", "Leave a room",
        """
        The longest-serving auctioneer who does not own the item succeeds a host who leaves; without one a running \
        round pauses.
        """,
        responses: [
            .success(204, "The caller is no longer a member. Their bids remain valid."),
            .refusal(
                404, "There is no such room, or the caller is not a member of it.", ["room.not_found", "member.not_found"],
                example: "member.not_found"),
        ])

    /// `PATCH /v1/rooms/{id}/members/{userId}`: change a member: role, mute, ban, credit limit.
    package static let changeMember = Operation(
        "changeMember", .patch, "/v1/rooms/{id}/members/{userId}", .required, tag: "members",
        "Change a member: role, mute, ban, credit limit",
        """
        By the host, for any member but themself; at least one change. Either all changes are made or none. They \
        survive leaving and joining again. Bids stand, but a ban ends the maximum of a bidder who leads, at the \
        price at which they lead (`bid.maximumVoided`), and so does a credit limit that the maximum exceeds. Mute, \
        ban and credit limit can also be changed for a user who left or was removed, if they have one of these or a \
        bid in this round, or are among the latest 1,000 who left. An id that was never in the room is not found (404).
        """,
        needs: [.setRole, .ban, .mute, .setCreditLimit],
        body: .init(
            "MemberChanges",
            examples: [
                .init("role", "a role", #"{"role": "auctioneer"}"#),
                .init("limit", "a credit limit", #"{"creditLimit": "500.00"}"#),
                .init("ban", "a ban", #"{"banned": true}"#),
            ]),
        responses: [
            .success(
                200, "The member; null as `role` and `joinedAt` if they have left.", "ChangedMember",
                #"""
                {
                  "user": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"}, "role": "auctioneer",
                  "joinedAt": "2026-11-21T08:56:46.548Z", "muted": false, "banned": false, "creditLimit": null
                }
                """#),
            .refusal(
                403, "The caller is not the host, or is the member concerned.",
                [
                    "role.not_host", "role.themself", "ban.not_host", "ban.themself", "mute.not_host", "mute.themself",
                    "credit.not_host", "credit.themself",
                ]),
            .refusal(404, "There is no such room or member.", ["room.not_found", "member.not_found"]),
        ])

    /// `DELETE /v1/rooms/{id}/members/{userId}`: remove a member.
    package static let kick = Operation(
        "kick", .delete, "/v1/rooms/{id}/members/{userId}", .required, tag: "members", "Remove a member",
        "By the host, for any member but themself. The member may join again unless banned.",
        responses: [
            .success(204, "The caller is no longer a member. Their bids remain valid."),
            .refusal(403, "The caller is not the host, or is the member concerned.", ["kick.not_host", "kick.themself"]),
            .refusal(404, "There is no such room or member.", ["room.not_found", "member.not_found"]),
        ])
}

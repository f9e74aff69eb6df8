extension Operation {
    /// Rooms themselves.
    static let rooms: [Operation] = [openRoom, listRooms, readRoom, archiveRoom]

    /// `POST /v1/rooms`: open a room and become its host.
    package static let openRoom = Operation(
        "openRoom", .post, "/v1/rooms", .required, tag: "rooms", "Open a room and become its host",
        body: .init("NewRoom", #"{"name": "Night market", "currency": "CNY", "visibility": "public"}"#),
        responses: [
            .success(
                201, "The room. A repeat with the same Idempotency-Key gets the same room.", "Room",
                #"""
                {
                  "like": "room", "seq": 1, "item": null, "rules": null, "currentPrice": null, "currentBid": null,
                  "nextMinimum": null, "endsAt": null, "members": {"auctioneer": 0, "bidder": 0, "viewer": 0},
                  "state": "preparing",
                  "stateDescription": "Preparing: an auctioneer uploads the item, then the host starts the auction.",
                  "remainingMs": null, "allowedActions": ["setRole", "archiveRoom"], "serverTime": "2026-11-21T08:56:46.534Z"
                }
                """#, headers: ["Location"]),
            .refusal(409, "The key opened a room before and is no longer stored.", ["room.exists"]),
            .shared(429, "TooManyRooms"),
        ])

    /// `GET /v1/rooms`: list rooms, newest first.
    package static let listRooms = Operation(
        "listRooms", .get, "/v1/rooms", .optional, tag: "rooms", "List rooms, newest first",
        parameters: [
            .query("state", "Only rooms in this state.", "StateName", example: "auctioning"),
            .query(
                "limit", "The most rows to return.", "integer 1...100 = 20",
                example: 50),
            .query(
                "cursor", "`nextCursor` of the previous page.", #"{"type": "string", "pattern": "^[1-9][0-9]{0,17}$"}"#,
                example: "17"),
        ],
        responses: [
            .success(
                200, "A page of public rooms, and of private ones that the caller hosts.", "RoomList",
                #"""
                {
                  "rooms": [
                    {
                      "id": "room_3pype17b8wec585enw02ex8qa0", "name": "Night market",
                      "host": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}, "currency": "CNY",
                      "visibility": "public", "state": "auctioning", "round": 1, "seq": 15, "itemName": "Teapot",
                      "currentPrice": "130.00", "endsAt": "2026-11-21T08:57:01.564Z", "viewers": 0,
                      "openedAt": "2026-11-21T08:56:46.534Z"
                    }
                  ],
                  "nextCursor": null
                }
                """#)
        ])

    /// `GET /v1/rooms/{id}`: read a room.
    package static let readRoom = Operation(
        "readRoom", .get, "/v1/rooms/{id}", .optional, tag: "rooms", "Read a room",
        parameters: [
            .header("If-None-Match", "The ETag of an earlier response.", "text", example: #"W/"12oen""#)
        ],
        responses: [
            .success(
                200, "The room as the caller sees it.", "Room",
                examples: [
                    .init(
                        "member", "as a member sees it",
                        #"""
                        {
                          "like": "room", "without": ["inviteCode", "reports", "applications"], "seq": 15, "endsAt": "2026-11-21T08:57:01.564Z",
                          "remainingMs": 14997, "allowedActions": ["placeBid"], "me": {"role": "bidder"},
                          "serverTime": "2026-11-21T08:56:46.567Z"
                        }
                        """#),
                    .init(
                        "anonymous", "without a token",
                        #"""
                        {
                          "like": "room", "without": ["allowedActions", "me", "inviteCode", "reports", "applications"], "seq": 15,
                          "endsAt": "2026-11-21T08:57:01.564Z", "remainingMs": 14996, "serverTime": "2026-11-21T08:56:46.568Z"
                        }
                        """#),
                ], headers: ["ETag"]),
            .success(304, "`If-None-Match` has the current ETag.", headers: ["ETag"]),
        ])

    /// `DELETE /v1/rooms/{id}`: archive a room.
    package static let archiveRoom = Operation(
        "archiveRoom", .delete, "/v1/rooms/{id}", .required, tag: "rooms", "Archive a room",
        "By the host, not during a round. An archived room reads as absent.",
        responses: [
            .success(204, "The room is archived."),
            .refusal(403, "The caller is not the host.", ["room.not_host"]),
            .refusal(409, "A round is in progress, or an offer stands.", ["room.round_running", "room.offer_open"]),
        ])
}

extension Operation {
    /// All rooms, for operators.
    static let adminRooms: [Operation] = [listAllRooms, readAnyRoom]

    /// `GET /v1/admin/rooms`: list all rooms, newest first.
    package static let listAllRooms = Operation(
        "listAllRooms", .get, "/v1/admin/rooms", .service(.readRooms), tag: "admin", "List all rooms, private ones too",
        """
        Newest first; archived rooms are left out. A search reads at most 2000 rooms for one page, which may then have fewer rows than
        `limit`, or none: `nextCursor` goes on.
        """,
        parameters: [
            .query("state", "Only rooms in this state.", "StateName", example: "auctioning"),
            .query("host", "Only rooms of this host.", "UserId", example: "user_01m7yn50kede3n4atvf2gzfe2s"),
            .query("q", "Only rooms whose name, or item's name, has this text in it.", "text 1...100", example: "market"),
            .query("limit", "The most rows to return.", "integer 1...100 = 20", example: 50),
            .query(
                "cursor", "`nextCursor` of the previous page.", #"{"type": "string", "pattern": "^[1-9][0-9]{0,17}$"}"#,
                example: "17"),
        ],
        responses: [
            .success(
                200, "A page of the rooms.", "RoomList",
                #"""
                {
                  "rooms": [
                    {
                      "id": "room_3pype17b8wec585enw02ex8qa0", "name": "Night market",
                      "host": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}, "currency": "CNY",
                      "visibility": "private", "state": "auctioning", "round": 1, "seq": 15, "itemName": "Teapot",
                      "currentPrice": "130.00", "endsAt": "2026-11-21T08:57:01.564Z", "viewers": 0,
                      "openedAt": "2026-11-21T08:56:46.534Z"
                    }
                  ],
                  "nextCursor": null
                }
                """#)
        ])

    /// `GET /v1/admin/rooms/{id}`: read any room.
    package static let readAnyRoom = Operation(
        "readAnyRoom", .get, "/v1/admin/rooms/{id}", .service(.readRooms), tag: "admin", "Read any room",
        responses: [
            .success(
                200, "The room.", "AdminRoom",
                #"""
                {
                  "like": "room", "without": ["allowedActions", "me", "inviteCode"], "reports": 0, "applications": 0, "banned": 0,
                  "openedAt": "2026-11-21T08:56:46.534Z", "serverTime": "2026-11-21T08:56:46.567Z"
                }
                """#)
        ])
}

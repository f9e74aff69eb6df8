extension Operation {
    /// What the caller has in all rooms.
    static let me: [Operation] = [readMe, changeMe, leaveForGood, linkGuest, listMyRooms, listMyBids, listMyWins]

    /// `GET /v1/me`: read the account of the caller.
    package static let readMe = Operation(
        "readMe", .get, "/v1/me", .required, tag: "me", "Read the account of the caller",
        responses: [
            .success(
                200, "The caller.", "Account",
                #"""
                {
                  "user": {"id": "user_01m7yn50kms8ch1s9abvdq8hf6", "nickname": "Ed"},
                  "tokenExpiresAt": "2026-11-28T08:56:46.000Z", "rooms": 2
                }
                """#)
        ])

    /// `PATCH /v1/me`: change the nickname of a guest.
    package static let changeMe = Operation(
        "changeMe", .patch, "/v1/me", .required, tag: "me", "Change the nickname of a guest",
        """
        The nickname is part of the token, so the answer has a new token. The rooms of the guest show the nickname of the token
        that their latest event was caused with; earlier events keep the earlier one. Tokens that were issued before stay valid, and keep the
        earlier nickname until they are replaced.

        An `Idempotency-Key` has no effect. A response is stored under its key in the transaction of the events of the command's room; this call
        has neither a room nor an event, and its response has a token, which the server stores nowhere. A repeat is carried out again: it has
        another token with the same nickname, and both are valid.
        """,
        body: .init("AccountChange", #"{"nickname": "Eddie"}"#),
        responses: [
            .success(
                200, "The same user with the new nickname, and a new token.", "Session",
                #"""
                {
                  "user": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Eddie"},
                  "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhdWN0aW9uLXJvb20iLCJzdWIiOiJ1c2VyXzAxbTd5bjUwa2VkZTNuNGF0dmYyZ3pmZTJzIiwibmFtZSI6IkFubiIsImlhdCI6MTc5NTI1MTQwNSwiZXhwIjoxNzk1ODU2MjA1fQ.hjDDHpMNOTvW2ihAQ4f6ns9DvxJ49YIAqgIcn4XdeOE",
                  "expiresAt": "2026-11-28T08:56:46.000Z"
                }
                """#),
            .refusal(403, "The token was issued by the identity provider, which has the nickname too.", ["nickname.not_ours"]),
        ])

    /// `DELETE /v1/me`: leave the service for good.
    package static let leaveForGood = Operation(
        "leaveForGood", .delete, "/v1/me", .required, tag: "me", "Leave the service for good",
        """
        The caller's tokens end at once, on other nodes within two seconds, and so do streams and codes for other devices. In each room the
        caller's membership ends as if they left it, with seats, requests, applications, offers and absentee bids; a room that they host gets the
        host that it would get then, or is archived if there is none. The nickname disappears from everything that the service shows and stores:
        `Former user` and four letters, the same everywhere, stands in its place in rooms, earlier events, results, exports, lists and stored responses, which the event
        `member.erased` of each room announces. Texts of the caller's messages, and the reasons of their reports, become `[…]`. Prices and identifiers of users
        stay, and so do names and descriptions of rooms, items and lots and the reasons that they gave as a host. Guests whom the caller was linked to are
        erased too.

        Refused while the caller hosts a round that is announced, running or paused, or a sale that runs, and while a bid of theirs may win such a round: `actual` is the
        room, and nothing has ended. Of sealed bids each may win. While that is being decided the caller's commands get 503 `service.unavailable`, for a moment, or
        three seconds with several nodes: a bid at the same moment is either placed, and then the caller stays, or is not.

        Answered when all is done. What cannot be done yet follows by itself, also after a crash.
        There is no way back, and no `Idempotency-Key`: a repeat gets 401, as every request with these tokens. Who signs in with the same
        identity provider later begins anew, with another identifier.
        """,
        responses: [
            .success(204, "The caller has left."),
            .refusal(
                409, "The caller hosts or leads a round that runs.", ["account.hosts_round", "account.leads_round"]),
            .refusal(429, "The caller sends too many commands.", ["command.rate"]),
        ])

    /// `POST /v1/me/link`: make what a guest has in rooms the caller's.
    package static let linkGuest = Operation(
        "linkGuest", .post, "/v1/me/link", .required, tag: "me", "Make what a guest has in rooms the caller's",
        """
        For a user of the identity provider who was a guest before. Membership, bids, wins, lots and the item of the round become the caller's
        in each room of the guest, with one `member.linked` event per room; the results of earlier rounds and their export have the caller as
        the buyer or the seller, and `listMyWins` has them, while earlier events stay as they are. If the caller is a member already, the
        stronger role counts; an invitation of the host counts for the role that it was for. What the host decided about either of them applies to the caller: a ban, being muted,
        and the lower credit limit, with what both have won; a host is not subject to them. What the guest has won counts against the guest's own
        limit still. A seat of the guest on the stage ends, with the role that it gave; so does the caller's, if it gave a role over one that is
        weaker than the guest's. A host who had left, on either side, is host again.

        Rooms are found by a membership, a bid, or a win of the guest, and by what the host decided about them, also after they left. Not found are
        rooms that the guest left without any of these: an item or lots of theirs are not linked there. Archived rooms are linked for the wins.

        Rooms are left out, with the reason in `skipped`, while a round is announced, running or paused in them (`link.in_round`), and if they are
        damaged (`service.internal_error`). The rooms of a page are linked one after the other, newest first, and each is durable before the next
        one; at most eight are linked by a call, so a page may be shorter than `limit`. After an interruption, or later when a round is over, send
        the same call again: a repeat leaves linked rooms as they are, and does not list them. Therefore there is no `Idempotency-Key`. A user
        has one such call in progress at a time; another one gets 503 (`service.too_many_reads`).

        The guest stays a guest: the token is valid until it expires, without any rooms but those that are left out.
        """,
        body: .init(
            "GuestLinking",
            #"""
            {
              "guestToken": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhdWN0aW9uLXJvb20iLCJzdWIiOiJ1c2VyXzAxbTd5bjUwa2VkZTNuNGF0dmYyZ3pmZTJzIiwibmFtZSI6IkFubiIsImlhdCI6MTc5NTI1MTQwNSwiZXhwIjoxNzk1ODU2MjA1fQ.hjDDHpMNOTvW2ihAQ4f6ns9DvxJ49YIAqgIcn4XdeOE"
            }
            """#),
        responses: [
            .success(
                200, "What was linked, and what was not.", "GuestLinkResult",
                #"""
                {
                  "user": {"id": "user_5g2z1q8m4c7r0t9v3x6y8b1d2f", "nickname": "Ann Archer"},
                  "linked": [
                    {
                      "room": {"id": "room_3pype17b8wec585enw02ex8qa0", "name": "Night market"}, "role": "bidder",
                      "banned": false, "wins": 1
                    }
                  ],
                  "skipped": [
                    {
                      "room": {"id": "room_01m7yn50m2e9s3v7b5k1d8q4wz", "name": "Spring sale"},
                      "reason": {
                        "type": "/problems/conflict", "title": "Conflict", "status": 409, "code": "link.in_round",
                        "detail": "A round is running in this room; link the guest again when it is over.",
                        "instance": "/v1/me/link", "required": "preparing or closed", "actual": "auctioning",
                        "requestId": "req_2di789d9mcaba0_2b"
                      }
                    }
                  ],
                  "nextCursor": null
                }
                """#, codes: ["link.in_round", "service.internal_error"]),
            .refusal(
                403, "The caller is a guest, or `guestToken` is not a guest token that the server accepts.",
                ["link.by_guest", "link.token_invalid"]),
        ])

    /// `GET /v1/me/rooms`: list the rooms of which the caller is a member, newest room first.
    package static let listMyRooms = Operation(
        "listMyRooms", .get, "/v1/me/rooms", .required, tag: "me",
        "List the rooms of which the caller is a member, newest room first",
        "Private rooms too. Archived rooms, and rooms that the caller is banned from, are left out.",
        parameters: [
            .query(
                "limit", "The most rows to return.", "integer 1...100 = 20",
                example: 50),
            .query(
                "cursor", "`nextCursor` of the previous page.", #"{"type": "string", "pattern": "^[1-9][0-9]{0,17}$"}"#,
                example: "17"),
        ],
        responses: [
            .success(
                200, "A page of the rooms, with the role of the caller.", "MyRoomList",
                #"""
                {
                  "rooms": [
                    {
                      "role": "bidder",
                      "room": {
                        "id": "room_3pype17b8wec585enw02ex8qa0", "name": "Night market",
                        "host": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}, "currency": "CNY",
                        "visibility": "private", "state": "auctioning", "round": 1, "seq": 15, "itemName": "Teapot",
                        "currentPrice": "130.00", "offer": {"name": "Teapot", "startingPrice": "100.00"},
                        "endsAt": "2026-11-21T08:57:01.564Z", "viewers": 0, "openedAt": "2026-11-21T08:56:46.534Z"
                      }
                    }
                  ],
                  "nextCursor": null
                }
                """#)
        ])

    /// `GET /v1/me/bids`: list the bids of the caller in rounds that are not over, newest room first.
    package static let listMyBids = Operation(
        "listMyBids", .get, "/v1/me/bids", .required, tag: "me",
        "List the bids of the caller in rounds that are not over, newest room first",
        """
        One row per room, also of a room that the caller has left, unless it is hidden from them. A page may have \
        fewer rows than `limit`, or none, and still have a `nextCursor`, because at most 8 rooms are read from the \
        log for it. While one such request of the caller is in progress, another one gets 503.
        """,
        parameters: [
            .query(
                "limit", "The most rows to return.", "integer 1...50 = 20",
                example: 25),
            .query(
                "cursor", "`nextCursor` of the previous page.", #"{"type": "string", "pattern": "^[1-9][0-9]{0,17}$"}"#,
                example: "17"),
        ],
        responses: [
            .success(
                200, "A page of the bids.", "StandingBidList",
                #"""
                {
                  "bids": [
                    {
                      "room": {"id": "room_3pype17b8wec585enw02ex8qa0", "name": "Night market"}, "state": "auctioning",
                      "round": 1, "item": {"id": "item_01m7yn51psh16pxpxz9yp3xz7p", "name": "Teapot"}, "currency": "CNY",
                      "standing": "leading", "bidId": "bid_01m7yn51q4q1z490kmeybkexbs", "amount": "130.00",
                      "maximum": "200.00", "bidAt": "2026-11-21T08:56:46.564Z", "currentPrice": "130.00", "total": "143.00",
                      "nextMinimum": "140.00", "endsAt": "2026-11-21T08:57:01.564Z"
                    }
                  ],
                  "nextCursor": null
                }
                """#)
        ])

    /// `GET /v1/me/wins`: list what the caller bought, newest first.
    package static let listMyWins = Operation(
        "listMyWins", .get, "/v1/me/wins", .required, tag: "me", "List what the caller bought, newest first",
        """
        Also in rooms that the caller has left or may no longer see, and in archived ones. At most eight rooms are \
        read for a page, so it may be shorter than `limit`.
        """,
        parameters: [
            .query(
                "limit", "The most rows to return.", "integer 1...100 = 20",
                example: 50),
            .query(
                "cursor", "`nextCursor` of the previous page.",
                #"{"type": "string", "pattern": "^[0-9]{1,18}-[0-9]{1,18}-[0-9]{1,18}$"}"#, example: "1795251406572-17-1"),
        ],
        responses: [
            .success(
                200, "A page of the sales.", "WinList",
                #"""
                {
                  "wins": [
                    {
                      "room": {"id": "room_3pype17b8wec585enw02ex8qa0", "name": "Night market"}, "round": 1,
                      "item": {"id": "item_01m7yn51psh16pxpxz9yp3xz7p", "name": "Teapot"}, "currency": "CNY",
                      "price": "130.00", "total": "146.25", "wonAt": "2026-11-21T08:56:46.572Z"
                    }
                  ],
                  "nextCursor": null
                }
                """#)
        ])
}

extension Schema {
    private static let serviceToken = """
        "id": "text 1...", "name": "text 1...100", "scopes": "[ServiceScope]", "createdAt": "Time", \
        "expiresAt": "Time?: Null: it does not expire.", "lastUsedAt": "Time?: To the minute; null before its first use."
        """

    /// Users, and what is theirs.
    static let accounts: [Schema] = [
        .request("NewGuest", #"{"nickname": "Nickname"}"#),
        .request(
            "NewSession",
            #"""
            {
              "idToken": {"type": "string", "description": "An ID token of a provider that the operator has named.", "minLength": 1, "maxLength": 16384},
              "nonce?": {"type": "string", "description": "What the client has sent to the provider for it.", "minLength": 1, "maxLength": 255},
              "nickname?": "Nickname"
            }
            """#),
        .request(
            "PairingCode",
            #"{"code": {"type": "string", "description": "As it was shown.", "minLength": 1, "maxLength": 64}}"#),
        .object(
            "Pairing",
            #"{"code": {"type": "string", "pattern": "^[A-HJKMNP-Z2-9]{8}$"}, "expiresAt": "Time"}"#),
        .object(
            "Session",
            #"""
            {
              "user": "Person",
              "token": {"type": "string", "description": "A signed JWT for `Authorization: Bearer`.", "pattern": "^[\\w-]+\\.[\\w-]+\\.[\\w-]+$"},
              "expiresAt": "Time"
            }
            """#),
        .request("AccountChange", #"{"nickname": "Nickname"}"#),
        .object(
            "Account",
            #"""
            {
              "user": "Person", "tokenExpiresAt": "Time",
              "rooms": "integer 0...: Number of rooms of which the caller is a member, as listed by `listMyRooms`."
            }
            """#, "The account of the caller."),
        .request(
            "GuestLinking",
            #"""
            {
              "guestToken": {"type": "string", "description": "The token of the guest; as secret as the caller's own.", "minLength": 1, "maxLength": 2048, "pattern": "^[!-~]+$"},
              "limit?": "integer 1...50 = 20: The most rooms of a page, skipped ones included; at most eight are linked.",
              "cursor?": {"type": "string", "description": "`nextCursor` of the previous page of the same guest.", "pattern": "^[1-9][0-9]{0,17}$"}
            }
            """#),
        .object(
            "LinkedRoom",
            #"""
            {
              "room": "NamedRoom", "role": "Role?: The caller's role; null if neither is a member.",
              "banned": "boolean: Whether the caller is banned from the room, since the guest was or the caller.",
              "wins": "integer 0...: Number of the guest's wins."
            }
            """#, "A room in which everything of the guest is the caller's now."),
        .object(
            "SkippedRoom",
            #"""
            {
              "room": "NamedRoom", "reason": "Problem: Why; `link.in_round` passes, and an internal error needs the operator."
            }
            """#, "A room that was not linked."),
        .object(
            "GuestLinkResult",
            #"""
            {
              "user": "Person", "linked": "[LinkedRoom] ...8", "skipped": "[SkippedRoom] ...50",
              "nextCursor": "text? 1...: Send it as `cursor`, with the same token, for the next rooms; null if there are none."
            }
            """#, "The result of linking a page of a guest's rooms."),
        .request("NewBlock", #"{"userId": "UserId: Another user."}"#),
        .object("Block", #"{"userId": "UserId", "blockedAt": "Time"}"#, "A user whom the caller does not want to see."),
        .page("BlockList", #"{"blocks": "[Block] ...1000"}"#, "Oldest user id first."),
        .request(
            "NewServiceToken",
            #"""
            {
              "name": "text 1...100: What it is for, for people.", "scopes": "[ServiceScope] 1...",
              "expiresAt?": "Time: Left out: it does not expire."
            }
            """#),
        .value(
            "ServiceScope",
            "one of \(ServiceScope.allCases.map(\.rawValue).joined(separator: " | ")): What a service token is for."),
        .object("ServiceToken", #"{\#(serviceToken)}"#, "A token of a program of the operator's."),
        .object(
            "CreatedServiceToken",
            #"""
            {
              \#(serviceToken),
              "token": {"type": "string", "description": "For `Authorization: Bearer`; shown only here.", "pattern": "^svc_[0-9a-f]{64}$"}
            }
            """#),
        .object("ServiceTokenList", #"{"tokens": "[ServiceToken] ...1000"}"#),
        .request(
            "NewUserSession",
            #"""
            {
              "subject": "text 1...255: How the backend calls the user; at most 255 bytes.", "nickname": "Nickname",
              "expiresInSeconds?": "integer 60...31622400: Left out: as a guest's token."
            }
            """#),
        .object(
            "AuditEntry",
            #"""
            {
              "id": "text 1...", "at": "Time", "token": "AuditedToken", "action": "text 1...: The operation.",
              "target": "text 1...: What it concerned.", "reason": "text?"
            }
            """#, "What was done by a service token."),
        .object("AuditedToken", #"{"id": "text 1...", "name": "text 1..."}"#, "The service token that something was done by."),
        .page("AuditList", #"{"entries": "[AuditEntry] ...1000"}"#, "Newest first."),
        .request(
            "BanReason", #"{"reason": "prose 1...500: Kept with the ban and in the audit; the user does not see it."}"#),
        .request("RevokeReason", #"{"reason?": "prose 1...500: Kept in the audit."}"#),
        .object(
            "UserRestriction",
            #"""
            {
              "userId": "UserId", "banned": "boolean", "bannedAt": "Time?", "reason": "text?: Why they are banned.",
              "tokensEndedAt": "Time?: Tokens issued before are not accepted; null if none were revoked, and 400 days later."
            }
            """#, "What operators have decided about a user, in all rooms."),
        .object(
            "FeedEvent",
            #"""
            {
              "cursor": "FeedCursor", "room": "RoomId?: Null beside `webhook.paused`.",
              "event": {
                "anyOf": [
                  {"$ref": "#/components/schemas/Event"}, {"$ref": "#/components/schemas/OutbidEvent"},
                  {"$ref": "#/components/schemas/NextLotEvent"}, {"$ref": "#/components/schemas/WebhookPausedEvent"}
                ]
              }
            }
            """#,
            "An event of a room, one that follows from it, `bid.outbid` or `lot.next`, or that a webhook was paused."),
        .object(
            "OutbidEvent",
            #"""
            {
              "seq": "Seq", "type": {"const": "bid.outbid"}, "at": "Time", "round": "Round",
              "data": {"members": {"bidder": "Person: Who led until then.", "price": "Amount: What stands now."}}
            }
            """#, "In the feed, beside the bid that leads now."),
        .object(
            "NextLotEvent",
            #"""
            {
              "seq": "Seq", "type": {"const": "lot.next"}, "at": "Time", "round": "Round",
              "data": {"members": {"lotId": "LotId", "item": "NamedItem"}}
            }
            """#, "In the feed, beside the upload of the item of a lot."),
        .object(
            "WebhookPausedEvent",
            #"""
            {
              "type": {"const": "webhook.paused"}, "at": "Time",
              "data": {
                "members": {
                  "webhook": "text 1...: Its id.",
                  "reason": "one of operator | gone | failing | cursor_gone: As in the webhook's `paused`."
                }
              }
            }
            """#, "In the feed, after all rooms' events: a webhook gets no events until it is resumed."),
        .value(
            "FeedCursor",
            #"{"type": "string", "description": "A position in the feed.", "pattern": "^[0-9a-f]{48}([0-9a-f]{16}){0,2}$"}"#),
        .object(
            "FeedPage",
            #"{"events": "[FeedEvent] ...1001", "next": "FeedCursor", "more": "boolean: Whether further events may follow at once."}"#
        ),
        .object("MyRoom", #"{"role": "Role", "room": "RoomRow"}"#, "A room of the caller."),
        .page("MyRoomList", #"{"rooms": "[MyRoom] ...100"}"#, "Newest room first."),
        .object("NamedRoom", #"{"id": "RoomId", "name": "text 1...100"}"#, "A room by its id and name."),
        .value(
            "Standing",
            "one of leading | outbid | sealed: How a bid stands; `sealed` while it is unknown, until the round ends."),
        .object(
            "StandingBid",
            #"""
            {
              "room": "NamedRoom", "state": "ShownState", "round": "Round", "item": "ResultItem", "currency": "CurrencyCode",
              "standing": "Standing",
              "bidId": "BidId: The leading bid, which the server may have placed for the caller; otherwise the latest that they placed themselves.",
              "amount": "Amount", "maximum": "Amount?: Up to where the server bids for the caller; null unless they lead.",
              "bidAt": "Time", "currentPrice": "Amount?",
              "total?": "Amount?: `currentPrice` with the premium; absent without a premium.",
              "nextMinimum": "Amount?: The least amount of the caller's next bid, also while none is taken, as in a pause; null if there is none.",
              "endsAt": "Time?"
            }
            """#, "The bid of the caller in a round that is not over."),
        .page("StandingBidList", #"{"bids": "[StandingBid] ...50"}"#, "Newest room first."),
        .object(
            "Win",
            #"""
            {
              "room": "NamedRoom", "round": "Round", "item": "ResultItem", "currency": "CurrencyCode",
              "price": "Amount: The hammer price.",
              "total": "Amount?: Price and premium, which the buyer pays; null if the room cannot be read.", "wonAt": "Time"
            }
            """#, "What the caller bought."),
        .page("WinList", #"{"wins": "[Win] ...100"}"#, "Newest first."),
    ]
}

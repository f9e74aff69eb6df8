extension Schema {
    /// What all see of a running round.
    private static let roundMembers = #"""
        "currentPrice": "Amount?: The hammer price as it would be now, or was in a round that is closed; null before the first bid and while bids are sealed. Dutch: the asking price.",
        "currentBid": "CurrentBid",
        "nextMinimum": "Amount?: The least amount of the next bid by the caller; null without an item.",
        "reserveMet": "boolean?: Whether the reserve price is reached; null without one, and while bids are sealed.",
        "endsAt": "Time?: When the running countdown ends; null while none runs, and while paused.",
        "nextDropAt": "Time?: When a Dutch price drops next.",
        "total?": "Amount?: `currentPrice` with the premium; absent without a premium."
        """#

    /// Rooms and their members.
    static let rooms: [Schema] = [
        .request(
            "NewRoom",
            #"""
            {
              "name": "line 1...100", "currency?": "CurrencyCode = CNY", "visibility?": "Visibility = public"
            }
            """#),
        .object(
            "CurrentBid", #"{"id": "BidId", "amount": "Amount", "bidder": "Person", "at": "Time"}"#,
            """
            The bid that would win now; after a sealed round the winner's, at the price that they pay. Null before the first \
            bid and while bids are sealed.
            """, isNullable: true),
        .object(
            "RoleCounts",
            #"""
            {
              "host": "integer 0...", "auctioneer": "integer 0...", "bidder": "integer 0...", "viewer": "integer 0..."
            }
            """#),
        .object(
            "Me",
            #"""
            {
              "role": "Role?", "leading": "boolean: Whether `currentBid` is theirs; false while bids are sealed.",
              "maximum": "Amount?: The maximum up to which the server bids for the caller while they lead.",
              "sealedAmount": "Amount?: Their standing bid of a sealed round.", "creditLimit": "Amount?", "muted": "boolean",
              "banned": "boolean", "offers": "[OwnOffer]: What is offered to them, the first to expire first.",
              "application": "OwnApplication?: That they asked to be approved as a bidder; null if they have not, once they are, and while the host approves no bidders."
            }
            """#, "The caller in this room; `role` is null for a caller who is not a member."),
        .object(
            "Room",
            #"""
            {
              "id": "RoomId", "name": "text 1...100", "host": "Person", "currency": "CurrencyCode",
              "visibility": "Visibility", "state": "ShownState",
              "stateDescription": "text 1...: The state described for users, in the caller's language.", "round": "Round",
              "seq": "Seq", "item": "RoomItem", "rules": "Rules?",
              \#(roundMembers),
              "warning": "integer 0...2: 1 after \"going once\", 2 after \"going twice\"; 0 once a bid, a retraction or a transition followed.",
              "remainingMs": "integer? 0...: Milliseconds from `serverTime` to `endsAt`; 0 once it has passed. While paused, what was left when the pause began, which does not change until the room is resumed or cancelled. Null while there is no countdown.",
              "members": "RoleCounts: How many members have each role.",
              "viewers": "integer 0...: Streams and held long-polls on the room now; 0 in responses to commands.",
              "allowedActions?": "{Action}: What the caller may do now; absent without a token.",
              "me?": "Me: The caller in this room; absent without a token.",
              "sale?": "Sale: How the room's lots are sold; absent in a room without lots whose sale was never configured, or was called off.",
              "inviteCode?": {"type": "string", "description": "The code with which users join; visible to the host only.", "pattern": "^[0-9a-hjkmnp-tv-z]{12}$"},
              "reports?": "integer 0...: How many messages were reported so far; visible to the host only.",
              "applications?": "integer 0...500: How many wait to be approved as bidders; visible to the host only.",
              "serverTime": "Time", "receipt?": "Receipt: In responses to the host's orders at a sale: extend, warn, changeAsk."
            }
            """#,
            more:
                #"{"dependentRequired": {"me": ["allowedActions"], "allowedActions": ["me"], "inviteCode": ["me"], "reports": ["me"], "applications": ["me"]}}"#
        ),
        .object(
            "AdminRoom",
            #"""
            {
              "id": "RoomId", "name": "text 1...100", "host": "Person", "currency": "CurrencyCode",
              "visibility": "Visibility", "state": "ShownState",
              "stateDescription": "text 1...: The state described for users, in the caller's language.", "round": "Round",
              "seq": "Seq", "item": "RoomItem", "rules": "Rules?",
              \#(roundMembers),
              "warning": "integer 0...2: As in `Room`.", "remainingMs": "integer? 0...: As in `Room`.",
              "members": "RoleCounts: How many members have each role.",
              "viewers": "integer 0...: Streams and held long-polls on the room now.",
              "sale?": "Sale: As in `Room`.",
              "reports": "integer 0...: How many messages were reported so far.",
              "applications": "integer 0...500: How many wait to be approved as bidders.",
              "banned": "integer 0...: How many users the host has banned.",
              "openedAt": "Time", "serverTime": "Time"
            }
            """#,
            """
            A room as operators see it: what everybody sees of it, and what its host knows. The invite code is not shown, and \
            neither are the reserve price, maxima and sealed amounts.
            """),
        .object(
            "ShortRoom",
            #"""
            {
              "id": "RoomId", "state": "StateName", "round": "Round", "seq": "Seq",
              \#(roundMembers)
            }
            """#, "The part of the room that the response to a bid shows."),
        .object(
            "RoomRow",
            #"""
            {
              "id": "RoomId", "name": "text 1...100", "host": "Person", "currency": "CurrencyCode",
              "visibility": "Visibility", "state": "ShownState", "round": "Round", "seq": "Seq", "itemName": "text?",
              "currentPrice": "Amount?: The hammer price.",
              "total?": "Amount?: The price with the premium of the sale; absent without a premium.",
              "offer?": {"members": {"name": "text 1...200", "picture?": {"type": "string", "pattern": "^/v1/media/[0-9a-f]{64}$", "description": "Its first picture of this server, with `?preview` a small one; absent without one."}, "startingPrice": "Amount"}, "description": "The current item, or else the first lot to come; absent with neither, and in a room of version 1.0.0 until its item, its first lot or\nits sale changes.\n"},
              "startsAt?": "Time: When the sale begins by itself; absent if it does not.", "endsAt": "Time?",
              "viewers": "integer 0...", "openedAt": "Time"
            }
            """#, "A room in the list of rooms."),
        .page("RoomList", #"{"rooms": "[RoomRow] ...100"}"#, "Newest first; archived rooms are left out."),
        .request(
            "JoinRoom",
            #"""
            {
              "role?": "JoinRole: If left out, a new member is a viewer, and a member keeps their role.",
              "inviteCode?": "prose 1...100: Needed to join a private room."
            }
            """#),
        .request(
            "MemberChanges",
            #"""
            {
              "role?": "AssignableRole",
              "muted?": "boolean: A muted member cannot send messages, unless they have become the host.",
              "banned?": "boolean: A banned member can neither bid nor send messages, does not see a private room, and cannot join again.",
              "creditLimit?": "AmountInput?: The most they may owe in this room; null removes the limit."
            }
            """#, "At least one of them.", isEmptyAllowed: false),
        .object(
            "Member",
            #"""
            {
              "user": "Person", "role": "Role", "joinedAt": "Time", "muted": "boolean", "banned": "boolean",
              "creditLimit?": "Amount?: Visible to the host and the member only.",
              "application?": "OwnApplication: In the response to who joins, if they have applied and are not approved.",
              "receipt?": "Receipt: In the response to approveApplication."
            }
            """#),
        .object(
            "OwnApplication",
            #"""
            {
              "state": "ApplicationState", "at": "Time",
              "reason": "text? 1...500: Why it was declined; null while it is open, and if the host gave no reason."
            }
            """#, "What the caller has asked the host of this room: to be approved as a bidder."),
        .optional("OwnApplication"),
        .request(
            "ApproveApplication",
            #"{"creditLimit?": "AmountInput: The most they may owe in this room; if left out, as it was before."}"#),
        .request("DeclineApplication", #"{"reason?": "prose? 1...500: Told to the applicant and the host only."}"#),
        .object(
            "Application",
            #"""
            {
              "applicant": "Person", "at": "Time", "state": "ApplicationState", "reason": "text? 1...500: Why it was declined.",
              "receipt?": "Receipt: In the response to declineApplication."
            }
            """#, "The application of a bidder; visible to the host only."),
        .page("ApplicationList", #"{"applications": "[Application] ...100"}"#, "Oldest first."),
        .object(
            "ChangedMember",
            #"""
            {
              "user": "Person", "role": "Role?", "joinedAt": "Time?", "muted": "boolean", "banned": "boolean",
              "creditLimit?": "Amount?: Visible to the host and the user only."
            }
            """#,
            "A member, or a user who has left, with what the host decided about them; then `role` and `joinedAt` are null."),
        .page(
            "MemberList",
            #"""
            {
              "members": "[ChangedMember] ...1000", "counts": "RoleCounts: Of the whole room, not of this page."
            }
            """#),
    ]
}

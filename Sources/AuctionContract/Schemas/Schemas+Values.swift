internal import AuctionDomain
internal import Permissions

extension Schema {
    /// Identifiers, times, amounts, and words that many schemas use.
    static let values: [Schema] = [
        .id("RoomId", "a room", "room_3pype17b8wec585enw02ex8qa0"),
        .value(
            "UserId",
            #"""
            {
              "type": "string", "pattern": "^user_([0-7][0-9a-hjkmnp-tv-z]{25}|floor)$",
              "examples": ["user_01m7yn50kede3n4atvf2gzfe2s"],
              "description": "Identifier of a user. Opaque; ids of one kind sort by age. `user_floor` is no user, but the bidder of floor bids."
            }
            """#),
        .id("ItemId", "an item", "item_01m7yn51psh16pxpxz9yp3xz7p"),
        .id("LotId", "a lot", "lot_01m7yn51psh16pxpxz9yp3xz7p"),
        .id("BidId", "a bid", "bid_01m7yn51q0zthtweg1a3x7wgpt"),
        .id("MessageId", "a message", "message_01m7yn51q0zthtweg1a3x7wgpt"),
        .id("ReportId", "a report of a message", "report_01m7yn51q0zthtweg1a3x7wgpt"),
        .id("OfferId", "an offer", "offer_01m7yn51q0zthtweg1a3x7wgpt"),
        .id("StageId", "a request or invitation to the stage", "stage_01m7yn51q0zthtweg1a3x7wgpt"),
        .value(
            "Time",
            #"""
            {
              "description": "RFC 3339 in UTC, always with three fractional digits: a decoder that takes whole seconds only refuses it.",
              "type": "string", "format": "date-time", "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
              "examples": ["2026-11-21T08:54:33.126Z"]
            }
            """#),
        .optional("Time"),
        .value(
            "Amount",
            #"""
            {
              "description": "Major units as a decimal with exactly the currency's fraction digits. At most 2^53-1 minor units; a `total`, up to twice as many.",
              "type": "string", "pattern": "^(0|[1-9][0-9]{0,16})(\\.[0-9]{1,4})?$", "examples": ["120.00"]
            }
            """#),
        .optional("Amount", "An amount, or null for none."),
        .value(
            "AmountInput",
            #"""
            {
              "description": "A decimal with at most the currency's fraction digits, more than zero and at most 2^53-1 minor units; no sign, no exponent. The server also takes a JSON number, whose literal it reads exactly; the string is the safer way.",
              "type": "string", "pattern": "^[0-9]+(\\.[0-9]{1,4})?$", "x-accepts-number": true,
              "examples": ["120.00", "120", "120.5"]
            }
            """#),
        .optional("AmountInput", "As `AmountInput`, or null for none."),
        .value(
            "CurrencyCode",
            #"""
            {
              "type": "string", "description": "An active ISO 4217 code.",
              "x-extensible-enum": ["\#(Currency.codes.joined(separator: #"", ""#))"], "examples": ["CNY"]
            }
            """#),
        .value("Seq", "integer 1...: A place in the history of the room: 1, 2, 3 … without gaps."),
        .value("Round", "integer 1...: Numbered from 1."),
        .value(
            "Visibility",
            "\(oneOf(AuctionDomain.Visibility.self)): Whether the room is visible to everyone or to its members only."),
        .value("Role", "\(oneOf(AuctionDomain.Role.self)): The role of a member in a room."),
        .optional("Role", "The role of a member, or null for none."),
        .value("SeatRole", "\(oneOf(StageRole.self)): The role that a seat gives."),
        .value("AssignableRole", "only auctioneer | bidder | viewer: A role that the host may give."),
        .value("JoinRole", "only viewer | bidder: A role that users may take themselves."),
        .value("ApplicationState", "one of open | declined: Whether an application waits for the host or was declined."),
        .value("StateName", "one of preparing | listing | auctioning | paused | closed: A state of the room."),
        .value(
            "ShownState",
            """
            one of preparing | listing | auctioning | closing | paused | closed: The state of the room; `closing` while a \
            round is past `endsAt` and its close is not recorded yet.
            """),
        .value("Action", "\(oneOf(RoomAction.self)): An action in a room; each permission rule is about one."),
        .value(
            "Category",
            """
            one of identity | role | state | amount | limit: What a rule is about; it decides the status: identity and role \
            403, state 409, amount 422, limit 429.
            """),
        .value(
            "Cause",
            """
            one of start | end | countdown | bid | pause | resume | cancel | hostGone | sale: What makes a room change its \
            state: a command of the host, an expired countdown, a bid that bought the item, the absence of the host, or the \
            next lot of a sale.
            """),
        .value(
            "Nickname",
            #"""
            {
              "description": "See Names above.", "type": "string", "minLength": 1, "maxLength": 40,
              "pattern": "^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028-\\u202E\\u2066-\\u2069]*$", "examples": ["Ann"]
            }
            """#),
        .object("Person", #"{"id": "UserId", "nickname": "Nickname"}"#),
        .optional("Person", "A person, or null for none."),
        .object(
            "Actor",
            #"""
            {
              "kind?": "one of operator: A program of the operator, which acts by a service token; absent for a person.",
              "id": "text 1...: The id of a person, or of a service token.",
              "nickname": "text 1...100: The nickname of a person, or the name of a service token."
            }
            """#, "Who acted."),
        .optional("Actor", "Who acted, or null for the service."),
    ]
}

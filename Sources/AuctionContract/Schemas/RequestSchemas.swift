extension RequestSchema {
    /// What an item and a lot have beside their rules.
    private static let itemMembers = #"""
        "name": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "\#(TextPattern.line)"},
        "description?": {"type": "string", "maxLength": 5000, "default": "", "pattern": "\#(TextPattern.prose)"},
        "media?": {
          "type": "array", "maxItems": 20,
          "description": "Each is a valid `https` address with a host and without user information, quotation marks or invisible characters, or the `url` of an uploaded picture.",
          "items": {
            "type": "string", "format": "uri-reference",
            "pattern": "^([Hh][Tt][Tt][Pp][Ss]://|/v1/media/[0-9a-f]{64}$)", "maxLength": 2000
          },
          "default": []
        },
        "estimate?": "NewEstimate",
        "condition?": {
          "type": ["string", "null"], "minLength": 1, "maxLength": 200, "pattern": "\#(TextPattern.line)",
          "description": "The state that the item is in, as one line; null for none."
        }
        """#

    /// What the caller saw, of a transition.
    private static let expectedMembers = #"""
        "expectedState?": {"$ref": "StateName", "description": "Refused (409) if the room is in another state."},
        "expectedRound?": {
          "type": "integer", "description": "Refused (409) if the room is in another round.", "minimum": 1,
          "maximum": 2147483647
        },
        "expectedItem?": {
          "$ref": "ItemId",
          "description": "The item that the caller saw. Refused (409) if the room has another one, or none."
        }
        """#

    /// All of them, in the order of the operations.
    static let all: [RequestSchema] = [
        .init("NewGuest", #"{"nickname": "Nickname"}"#),
        .init("AccountChange", #"{"nickname": "Nickname"}"#),
        .init(
            "GuestLinking",
            #"""
            {
              "guestToken": {
                "type": "string", "description": "The token of the guest; as secret as the caller's own.", "minLength": 1,
                "maxLength": 2048, "pattern": "^[!-~]+$"
              },
              "limit?": {
                "type": "integer",
                "description": "The most rooms of a page, skipped ones included; at most eight are linked.", "minimum": 1,
                "maximum": 50, "default": 20
              },
              "cursor?": {
                "type": "string", "description": "`nextCursor` of the previous page of the same guest.",
                "pattern": "^[1-9][0-9]{0,17}$"
              }
            }
            """#),
        .init(
            "NewRoom",
            #"""
            {
              "name": {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "\#(TextPattern.line)"},
              "currency?": {"$ref": "CurrencyCode", "default": "CNY"},
              "visibility?": {"$ref": "Visibility", "default": "public"}
            }
            """#),
        .init(
            "JoinRoom",
            #"""
            {
              "role?": {"$ref": "JoinRole", "description": "If left out, a new member is a viewer, and a member keeps their role."},
              "inviteCode?": {
                "type": "string", "description": "Needed to join a private room.", "minLength": 1, "maxLength": 100,
                "pattern": "\#(TextPattern.prose)"
              }
            }
            """#),
        .init(
            "MemberChanges",
            #"""
            {
              "role?": "AssignableRole",
              "muted?": {"type": "boolean", "description": "A muted member cannot send messages, unless they have become the host."},
              "banned?": {
                "type": "boolean",
                "description": "A banned member can neither bid nor send messages, does not see a private room, and cannot join again."
              },
              "creditLimit?": {
                "$ref": "OptionalAmountInput",
                "description": "The most they may owe in this room; null removes the limit."
              }
            }
            """#, "At least one of them.", isEmptyAllowed: false),
        .init(
            "NewItem",
            #"""
            {
              \#(itemMembers),
              "rules": "NewRules"
            }
            """#),
        .init("AdjustRules", #"{"rules": {"$ref": "RulesPatch", "description": "At least one rule."}}"#),
        .init(
            "NewLot",
            #"""
            {
              \#(itemMembers),
              "reference?": {
                "type": "string", "minLength": 1, "maxLength": 64, "pattern": "\#(TextPattern.worded)",
                "description": "The seller's own number of the lot, unique in the room."
              },
              "rules": "NewRules"
            }
            """#),
        .init(
            "LotChanges",
            #"""
            {
              "name?": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "\#(TextPattern.line)"},
              "description?": {"type": "string", "maxLength": 5000, "pattern": "\#(TextPattern.prose)"},
              "media?": {
                "type": "array", "maxItems": 20,
                "items": {
                  "type": "string", "format": "uri-reference",
                  "pattern": "^([Hh][Tt][Tt][Pp][Ss]://|/v1/media/[0-9a-f]{64}$)", "maxLength": 2000
                }
              },
              "estimate?": {"$ref": "NewEstimate", "description": "Null removes it."},
              "condition?": {
                "type": ["string", "null"], "minLength": 1, "maxLength": 200, "pattern": "\#(TextPattern.line)",
                "description": "The state that the item is in, as one line; null removes it."
              },
              "reference?": {
                "type": ["string", "null"], "minLength": 1, "maxLength": 64, "pattern": "\#(TextPattern.worded)",
                "description": "The seller's own number of the lot, unique in the room; null removes it."
              },
              "rules?": "RulesPatch",
              "before?": {
                "type": ["string", "null"],
                "description": "The lot before which this one is moved; null moves it to the end. 400 for one that the room does not have.",
                "pattern": "^lot_[0-7][0-9a-hjkmnp-tv-z]{25}$"
              }
            }
            """#, "What changes; absent members stay as they are.", isEmptyAllowed: false),
        .init(
            "NewSale",
            #"""
            {
              "mode": {"type": "string", "enum": ["manual", "automatic"]},
              "pauseSeconds?": {
                "type": "integer", "minimum": 0, "maximum": 3600, "default": 10,
                "description": "Time from the end of a round to the beginning of the next."
              },
              "startsAt?": {
                "type": ["string", "null"], "format": "date-time",
                "description": "When an automatic sale begins by itself, within a year; null for never."
              },
              "premium?": "SalePremium",
              "attended?": {
                "type": "boolean", "default": false,
                "description": "Whether an automatic sale needs its host. false: it begins at its time and goes on to its last lot, whether the host is there or not. true: while the host is gone, rounds are paused and no lot begins; a start that they prevent is `sale.postponed`, and they start the sale when they return."
              }
            }
            """#),
        .init(
            "Expectation",
            #"""
            {
              "reason?": {"type": "string", "maxLength": 500, "pattern": "\#(TextPattern.prose)"},
              \#(expectedMembers)
            }
            """#),
        .init(
            "Cancellation",
            #"""
            {
              "reason": {
                "type": "string", "minLength": 1, "maxLength": 500, "pattern": "\#(TextPattern.worded)",
                "description": "Visible to everyone in the room."
              },
              \#(expectedMembers)
            }
            """#),
        .init(
            "PlaceBid",
            #"""
            {
              "amount?": "OptionalAmountInput",
              "maximum?": {
                "$ref": "OptionalAmountInput",
                "description": "The maximum up to which the server bids on the caller's behalf; at least `amount`. Without `amount` the server opens at the next minimum, or, for the leader, only raises the maximum. Where the next minimum is the buy-now price, `amount` has to name it (`bid.names_no_price`). English auctions only."
              },
              "round?": {
                "type": "integer", "description": "The round that the bid is meant for; refused (409) in any other.",
                "minimum": 1, "maximum": 2147483647
              },
              "item?": {
                "$ref": "ItemId",
                "description": "The item that the bidder saw; refused (409) for any other. A round that is cancelled before its first bid begins again with the same number, perhaps with another item."
              }
            }
            """#, "An amount, a maximum, or both: at least one of them.", isEmptyAllowed: false),
        .init(
            "ConfigureRule",
            #"""
            {
              "enabled?": {"type": "boolean", "description": "A permanent rule cannot be switched off."},
              "priority?": {"type": "integer", "minimum": 0, "maximum": 1000, "description": "Higher is asked first."}
            }
            """#, "At least one of them.", isEmptyAllowed: false),
        .init(
            "NewMessage",
            #"{"text": {"type": "string", "minLength": 1, "maxLength": 500, "pattern": "\#(TextPattern.worded)"}}"#),
        .init("StageRequest", #"{"role": "SeatRole"}"#),
        .init("StageInvitation", #"{"userId": "UserId", "role": "SeatRole"}"#),
        .init("MuteSeat", #"{"muted?": {"type": "boolean", "default": true}}"#),
    ]
}

internal import AuctionDomain

extension EventSchema {
    /// Rooms, members and permission rules.
    static let room: [EventSchema] = [
        .init(
            "RoomOpened", "room.opened", "The room exists: always the event with seq 1.",
            #"{"name": {"type": "string"}, "host": "Person", "currency": "CurrencyCode", "visibility": "Visibility"}"#, seq: 1,
            at: "2026-11-21T08:56:46.534Z",
            #"""
            {
              "name": "Night market", "host": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"},
              "currency": "CNY", "visibility": "public"
            }
            """#),
        .init(
            "RoomArchived", "room.archived", "The room is archived. Only `member.linked` may follow.", #"{"by": "Person"}"#,
            seq: 33, at: "2026-11-21T08:56:48.102Z", round: 2,
            #"{"by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}}"#),
        .init(
            "MemberJoined", "member.joined", "A user joined.", #"{"member": "Person", "role": "Role"}"#, seq: 2,
            at: "2026-11-21T08:56:46.548Z",
            #"{"member": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"}, "role": "bidder"}"#),
        .init(
            "MemberLeft", "member.left", "A member left.", #"{"member": "Person"}"#, seq: 22, at: "2026-11-21T08:56:46.575Z",
            round: 2, #"{"member": {"id": "user_01m7yn50kknr5n15wtee4btqvw", "nickname": "Di"}}"#),
        .init(
            "MemberRoleChanged", "member.roleChanged", "A member has another role.",
            #"""
            {
              "member": "Person", "from": "Role", "to": "Role",
              "by": {"$ref": "OptionalPerson", "description": "Null: the server chose the successor of an absent host."}
            }
            """#, seq: 6, at: "2026-11-21T08:56:46.551Z",
            #"""
            {
              "member": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"}, "from": "bidder", "to": "auctioneer",
              "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}
            }
            """#),
        .init(
            "MemberKicked", "member.kicked", "The host removed a member, who may join again.",
            #"{"member": "Person", "by": "Person"}"#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "member": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"},
              "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}
            }
            """#),
        .init(
            "MemberLinked", "member.linked",
            """
            The guest `from` is the user `to` of the identity provider, to whom the guest's membership, bids so far, \
            wins and item belong now. The guest is no member any more; if they were the host, `to` is.
            """,
            #"""
            {
              "from": "Person", "to": "Person",
              "role": {"$ref": "OptionalRole", "description": "The role of `to` from now on; null: not a member."},
              "banned": {"type": "boolean", "description": "Whether `to` is banned from now on."},
              "muted": {"type": "boolean", "description": "Whether `to` is muted from now on."}
            }
            """#, seq: 34, at: "2026-11-21T08:56:49.310Z", round: 2,
            #"""
            {
              "from": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"},
              "to": {"id": "user_5g2z1q8m4c7r0t9v3x6y8b1d2f", "nickname": "Bo Berg"}, "role": "bidder", "banned": false,
              "muted": false
            }
            """#),
        .init(
            "MemberBanned", "member.banned", "The host banned a member, or lifted the ban.",
            #"{"member": "Person", "banned": {"type": "boolean"}, "by": "Person"}"#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "member": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "banned": true,
              "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}
            }
            """#),
        .init(
            "MemberMuted", "member.muted", "The host muted or unmuted a member.",
            #"{"member": "Person", "muted": {"type": "boolean"}, "by": "Person"}"#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "member": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "muted": true,
              "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}
            }
            """#),
        .init(
            "MemberCreditLimitChanged", "member.creditLimitChanged",
            "The host set or removed a credit limit; the amount is visible to the two only.",
            #"{"member": "Person", "by": "Person"}"#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "member": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"},
              "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}
            }
            """#),
        .init(
            "HostGone", "host.gone", "The host is absent and has no successor.", #"{"host": "Person"}"#, seq: 20,
            at: "2026-11-21T08:56:46.572Z", #"{"host": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}}"#),
        .init(
            "HostReturned", "host.returned", "The host is back.", #"{"host": "Person"}"#, seq: 20,
            at: "2026-11-21T08:56:46.572Z", #"{"host": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}}"#),
        .init(
            "PermissionChanged", "permission.changed", "The host configured a permission rule.",
            #"""
            {
              "rule": {"type": "string", "minLength": 1}, "enabled?": {"type": "boolean"},
              "priority?": {"type": "integer"}, "by": "Person"
            }
            """#, seq: 9, at: "2026-11-21T08:56:46.572Z",
            #"{"rule": "bid.viewer", "enabled": false, "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}}"#),
    ]

    /// Items, states, bids and results of a round.
    static let round: [EventSchema] = [
        .init(
            "ItemUploaded", "item.uploaded", "The item of this round, new or in place of the earlier one.",
            #"""
            {
              "item": "PublicItem",
              "lotId?": {
                "$ref": "LotId",
                "description": "The lot whose item it is; absent if the item was uploaded for this round."
              }
            }
            """#, seq: 7, at: "2026-11-21T08:56:46.553Z",
            #"""
            {
              "item": {
                "id": "item_01m7yn51psh16pxpxz9yp3xz7p", "name": "Teapot", "description": "Yixing clay, 1980s.",
                "media": ["https://example.org/teapot.jpg"],
                "owner": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"},
                "rules": {
                  "startingPrice": "120.00", "increment": {"fixed": "10.00"}, "buyNowPrice": null, "floorPrice": null,
                  "listingSeconds": 3, "biddingSeconds": 15, "countdown": "reset", "extendWindowSeconds": 10,
                  "extendBySeconds": 10, "maxDurationSeconds": null, "dutchTickSeconds": null, "format": "english",
                  "tie": "earliest"
                }
              }
            }
            """#),
        .init(
            "RulesAdjusted", "rules.adjusted", "The item has these rules now.",
            #"{"itemId": "ItemId", "rules": "PublicRules", "by": "Person"}"#, seq: 9, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "itemId": "item_01m7yn51psh16pxpxz9yp3xz7p",
              "rules": {
                "startingPrice": "120.00", "increment": {"fixed": "10.00"}, "buyNowPrice": null, "floorPrice": null,
                "listingSeconds": 3, "biddingSeconds": 15, "countdown": "reset", "extendWindowSeconds": 10,
                "extendBySeconds": 10, "maxDurationSeconds": null, "dutchTickSeconds": null, "format": "english",
                "tie": "earliest"
              },
              "by": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"}
            }
            """#),
        .init(
            "StateChanged", "state.changed", "The room is in another state. From closed to preparing `round` is the new one.",
            #"""
            {
              "from": "StateName", "to": "StateName", "cause": "Cause",
              "by": {"$ref": "OptionalPerson", "description": "Null: the clock."},
              "reason?": {"type": "string", "description": "The reason given with the command, if any."},
              "lotId?": {
                "$ref": "LotId",
                "description": "The lot whose round it is; absent if the item was uploaded for this round."
              }
            }
            """#, seq: 8, at: "2026-11-21T08:56:46.556Z",
            #"""
            {
              "from": "preparing", "to": "listing", "cause": "start",
              "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}
            }
            """#),
        .init(
            "CountdownStarted", "countdown.started", "A countdown started.",
            #"{"endsAt": "Time", "nextDropAt?": {"$ref": "Time", "description": "Dutch only: when the price drops first."}}"#,
            seq: 10, at: "2026-11-21T08:56:46.556Z", #"{"endsAt": "2026-11-21T08:56:49.556Z"}"#),
        .init(
            "CountdownMoved", "countdown.moved", "The deadline of the running countdown changed.",
            #"""
            {
              "endsAt": "Time", "extendedBySeconds": {"type": "integer", "minimum": 0},
              "cause": "\#(Schema.oneOf(CountdownMoved.Cause.self))",
              "nextDropAt?": {"$ref": "Time", "description": "Dutch only: when the price drops next."}
            }
            """#, seq: 17, at: "2026-11-21T08:57:40.250Z",
            #"{"endsAt": "2026-11-21T08:57:55.250Z", "extendedBySeconds": 53, "cause": "outage"}"#),
        .init(
            "DrawCommitted", "draw.committed", "A draw will decide among equal bids; this binds the server to it.",
            #"""
            {
              "seedHash": {
                "type": "string", "pattern": "^[0-9a-f]{64}$",
                "description": "SHA-256 of the seed, written as 32 hexadecimal digits."
              }
            }
            """#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"{"seedHash": "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"}"#),
        .init(
            "DrawRevealed", "draw.revealed", "The seed, so that every client can check the draw.",
            #"{"seed": {"type": "string", "pattern": "^[0-9a-f]{32}$"}}"#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"{"seed": "0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"}"#),
        .init(
            "BidPlaced", "bid.placed", "A bid was accepted.",
            #"""
            {
              "bidId": "BidId", "amount?": {"$ref": "Amount", "description": "Absent while bids are sealed."},
              "bidder": "Person",
              "leading": {"type": "boolean", "description": "Whether it is the highest; false while bids are sealed."},
              "automatic": {"type": "boolean", "description": "Whether the server placed it on the bidder's behalf."},
              "nextMinimum": "OptionalAmount",
              "endsAt": {"$ref": "OptionalTime", "description": "The deadline of the countdown after this bid."},
              "reserveMet": {"type": ["boolean", "null"]}
            }
            """#, seq: 14, at: "2026-11-21T08:56:46.560Z",
            #"""
            {
              "bidId": "bid_01m7yn51q0zthtweg1a3x7wgpt", "amount": "120.00",
              "bidder": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "leading": true, "automatic": false,
              "nextMinimum": "130.00", "endsAt": "2026-11-21T08:57:01.560Z", "reserveMet": null
            }
            """#),
        .init(
            "MaximumRaised", "bid.maximumRaised", "The leader raised their maximum; the amount is visible to them only.",
            #"{"bidId": "BidId", "bidder": "Person"}"#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "bidId": "bid_01m7yn51q0zthtweg1a3x7wgpt",
              "bidder": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}
            }
            """#),
        .init(
            "BidRetracted", "bid.retracted",
            """
            The host retracted the latest bid that was not automatic, or one of a banned bidder, with the automatic bids \
            it caused.
            """,
            #"""
            {
              "bidId": "BidId", "bidder": "Person", "by": "Person", "reason": {"type": "string"},
              "removed": {"type": "array", "items": {"$ref": "BidId"}, "minItems": 1, "uniqueItems": true},
              "price": {"$ref": "OptionalAmount", "description": "The price now."},
              "leader": {"$ref": "OptionalPerson", "description": "Who leads now."}, "nextMinimum": "OptionalAmount",
              "reserveMet": {"type": ["boolean", "null"]}
            }
            """#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "bidId": "bid_01m7yn51q4q1z490kmeybkexbs",
              "bidder": {"id": "user_01m7yn50kms8ch1s9abvdq8hf6", "nickname": "Ed"},
              "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}, "reason": "a slip of the finger",
              "removed": ["bid_01m7yn51q4q1z490kmeybkexbs"], "price": "120.00",
              "leader": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "nextMinimum": "130.00",
              "reserveMet": null
            }
            """#),
        .init(
            "MaximumVoided", "bid.maximumVoided",
            """
            The bidder leads without their maximum, at the current price, until they give a new one. Follows \
            `bid.retracted`, if the stream has shown the maximum, `member.banned` of the leader, and \
            `member.creditLimitChanged` with a limit below the maximum.
            """, #"{"bidId": {"$ref": "BidId", "description": "The leading bid."}, "bidder": "Person"}"#, seq: 21,
            at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "bidId": "bid_01m7yn51q0zthtweg1a3x7wgpt",
              "bidder": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}
            }
            """#),
        .init(
            "PriceDropped", "price.dropped", "A Dutch price dropped.",
            #"{"price": "Amount", "nextDropAt": {"$ref": "OptionalTime", "description": "Null at the floor."}}"#, seq: 20,
            at: "2026-11-21T08:56:46.572Z", #"{"price": "110.00", "nextDropAt": "2026-11-21T08:56:46.572Z"}"#),
        .init(
            "ItemSold", "item.sold", "The round has a winner.",
            #"""
            {
              "winner": "Person", "price": "Amount",
              "lotId?": {
                "$ref": "LotId",
                "description": "The lot whose item it is; absent if the item was uploaded for this round."
              }
            }
            """#, seq: 18, at: "2026-11-21T08:56:46.572Z",
            #"{"winner": {"id": "user_01m7yn50kms8ch1s9abvdq8hf6", "nickname": "Ed"}, "price": "130.00"}"#),
        .init(
            "ItemPassed", "item.passed", "The item was not sold.",
            #"""
            {
              "reason": {"type": "string", "x-extensible-enum": ["no_bids", "reserve_not_met"]},
              "lotId?": {
                "$ref": "LotId",
                "description": "The lot whose item it is; absent if the item was uploaded for this round."
              }
            }
            """#, seq: 31, at: "2026-11-21T08:56:46.578Z", round: 2, #"{"reason": "no_bids"}"#),
    ]
}

extension Operation {
    /// Permission rules and decisions.
    static let permissions: [Operation] = [readPermissions, listPermissionRules, readPermissionRule, configurePermissions]

    /// `GET /v1/rooms/{id}/permissions`: ask what the caller may do.
    package static let readPermissions = Operation(
        "readPermissions", .get, "/v1/rooms/{id}/permissions", .required, tag: "permissions",
        "Ask what the caller may do",
        parameters: [
            .query("action", "Only this action.", "Action", example: "placeBid"),
            .query(
                "amount", "The amount of a bid.", #"{"type": "string", "pattern": "^[0-9]+(\\.[0-9]{1,4})?$"}"#, example: "120"),
            .query(
                "maximum", "The maximum of a bid.", #"{"type": "string", "pattern": "^[0-9]+(\\.[0-9]{1,4})?$"}"#,
                example: "300"),
            .query(
                "round", "The round that a bid is meant for.", "integer 1...2147483647",
                example: 1),
            .query("item", "The item that a bid is meant for.", "ItemId", example: "item_01m7yn51hqg9w4ebvy9v1v1c9p"),
            .query("target", "The member whom the action concerns.", "UserId", example: "user_01m7yn50kfqwxpgsbrbcag1j3a"),
            .query("bid", "The bid to retract.", "BidId", example: "bid_01m7yn51q4q1z490kmeybkexbs"),
            .query("lot", "The lot to change or withdraw.", "LotId", example: "lot_01m7yn51psh16pxpxz9yp3xz7p"),
            .query(
                "explain", "With `action`: every rule with its verdict.", "boolean = false",
                example: true),
        ],
        responses: [
            .success(
                200, "Without `action` the matrix, with it one decision. Asking changes nothing.",
                content: [
                    .init(
                        "application/json",
                        ##"{"oneOf": [{"$ref": "#/components/schemas/PermissionMatrix"}, {"$ref": "#/components/schemas/Decision"}]}"##,
                        examples: [
                            .init(
                                "matrix", "every action",
                                #"""
                                {
                                  "role": "bidder",
                                  "permissions": [
                                    {
                                      "action": "uploadItem", "allowed": false,
                                      "denial": {
                                        "rule": "item.not_preparing", "category": "state", "priority": 100,
                                        "detail": "Items are uploaded while the room is preparing.", "required": "preparing",
                                        "actual": "auctioning"
                                      }
                                    },
                                    {
                                      "action": "startAuction", "allowed": false,
                                      "denial": {
                                        "rule": "start.wrong_state", "category": "state", "priority": 100,
                                        "detail": "An auction is started from preparing, listing or closed.",
                                        "required": "preparing, listing, closed", "actual": "auctioning"
                                      }
                                    },
                                    {"action": "placeBid", "allowed": true, "denial": null},
                                    {
                                      "action": "endAuction", "allowed": false,
                                      "denial": {
                                        "rule": "end.not_host", "category": "role", "priority": 90,
                                        "detail": "Only the host may end the auction.", "required": "host", "actual": "bidder"
                                      }
                                    },
                                    {
                                      "action": "setRole", "allowed": false,
                                      "denial": {
                                        "rule": "role.not_host", "category": "role", "priority": 90,
                                        "detail": "Only the host may change a member's role.", "required": "host", "actual": "bidder"
                                      }
                                    },
                                    {
                                      "action": "archiveRoom", "allowed": false,
                                      "denial": {
                                        "rule": "room.not_host", "category": "role", "priority": 100,
                                        "detail": "Only the host may archive the room.", "required": "host", "actual": "bidder"
                                      }
                                    }
                                  ]
                                }
                                """#),
                            .init("decision", "one action", #"{"action": "placeBid", "allowed": true, "denial": null}"#),
                            .init(
                                "explained", "one action with its trace",
                                #"""
                                {
                                  "action": "placeBid", "allowed": false,
                                  "denial": {
                                    "rule": "bid.viewer", "category": "role", "priority": 80,
                                    "detail": "Viewers watch; to bid, join the room as a bidder.", "required": "bidder", "actual": "viewer",
                                    "allowedActions": ["sendMessage", "requestStage"]
                                  },
                                  "trace": [
                                    {
                                      "rule": "bid.not_auctioning", "category": "state", "priority": 100,
                                      "description": "Bids are taken only while the auction is running.", "verdict": "passed"
                                    },
                                    {
                                      "rule": "bid.wrong_round", "category": "state", "priority": 95,
                                      "description": "A bid that names a round counts only in that round.", "verdict": "passed"
                                    },
                                    {
                                      "rule": "bid.not_member", "category": "role", "priority": 90,
                                      "description": "Only members of the room may bid. Join it as a bidder first.", "verdict": "passed"
                                    },
                                    {
                                      "rule": "bid.viewer", "category": "role", "priority": 80,
                                      "description": "Viewers watch; to bid, join the room as a bidder.", "verdict": "denied",
                                      "detail": "Viewers watch; to bid, join the room as a bidder.", "required": "bidder", "actual": "viewer"
                                    },
                                    {
                                      "rule": "bid.host", "category": "role", "priority": 75,
                                      "description": "The host leads the auction and does not bid in it.", "verdict": "passed"
                                    },
                                    {
                                      "rule": "bid.own_item", "category": "identity", "priority": 70,
                                      "description": "Nobody may bid on their own item.", "verdict": "passed"
                                    },
                                    {
                                      "rule": "bid.already_leading", "category": "identity", "priority": 65,
                                      "description": "You already have the highest bid.", "verdict": "passed"
                                    },
                                    {
                                      "rule": "bid.below_minimum", "category": "amount", "priority": 60,
                                      "description": "A bid must be at least the next minimum.", "verdict": "denied",
                                      "detail": "The bid of 120.00 is below the minimum of 140.00 CNY.", "required": "140.00",
                                      "actual": "120.00"
                                    }
                                  ]
                                }
                                """#),
                        ])
                ])
        ])

    /// `GET /v1/rooms/{id}/permission-rules`: list the permission rules.
    package static let listPermissionRules = Operation(
        "listPermissionRules", .get, "/v1/rooms/{id}/permission-rules", .optional, tag: "permissions",
        "List the permission rules",
        """
        As the host configured them for this room. Optional rules are listed, and off until the host switches them \
        on.
        """,
        responses: [
            .success(
                200, "By action, highest priority first.", "PermissionRuleList",
                #"""
                {
                  "rules": [
                    {
                      "id": "item.not_preparing", "action": "uploadItem", "priority": 100, "category": "state",
                      "enabled": true, "permanent": true, "description": "Items are uploaded while the room is preparing."
                    },
                    {
                      "id": "bid.viewer", "action": "placeBid", "priority": 80, "category": "role", "enabled": true,
                      "permanent": false, "description": "Viewers watch; to bid, join the room as a bidder."
                    },
                    {
                      "id": "bid.below_minimum", "action": "placeBid", "priority": 60, "category": "amount", "enabled": true,
                      "permanent": true, "description": "A bid must be at least the next minimum."
                    },
                    {
                      "id": "start.no_item", "action": "startAuction", "priority": 80, "category": "state", "enabled": true,
                      "permanent": true, "description": "There is no item yet: an auctioneer uploads one first."
                    }
                  ]
                }
                """#)
        ])

    /// `GET /v1/rooms/{id}/permission-rules/{ruleId}`: read one rule.
    package static let readPermissionRule = Operation(
        "readPermissionRule", .get, "/v1/rooms/{id}/permission-rules/{ruleId}", .optional, tag: "permissions",
        "Read one rule",
        responses: [
            .success(
                200, "The rule as it is in this room.", "PermissionRule",
                #"""
                {
                  "id": "bid.viewer", "action": "placeBid", "priority": 80, "category": "role", "enabled": true,
                  "permanent": false, "description": "Viewers watch; to bid, join the room as a bidder."
                }
                """#),
            .refusal(
                404, "There is no such room or rule.", ["room.not_found", "rule.not_found"], example: "rule.not_found",
                with: #"{"instance": "/v1/rooms/room_3pype17b8wec585enw02ex8qa0/permission-rules/bid.lucky"}"#),
        ])

    /// `PATCH /v1/rooms/{id}/permission-rules/{ruleId}`: switch a rule on or off, or change its priority.
    package static let configurePermissions = Operation(
        "configurePermissions", .patch, "/v1/rooms/{id}/permission-rules/{ruleId}", .required, tag: "permissions",
        "Switch a rule on or off, or change its priority",
        "By the host, while the room is preparing; at least one change.",
        body: .init("ConfigureRule", #"{"enabled": false}"#),
        responses: [
            .success(
                200, "The rule as it is in this room now.", "PermissionRule",
                #"""
                {
                  "id": "bid.viewer", "action": "placeBid", "priority": 80, "category": "role", "enabled": false,
                  "permanent": false, "description": "Viewers watch; to bid, join the room as a bidder."
                }
                """#),
            .refusal(403, "The caller is not the host.", ["permission.not_host"]),
            .refusal(
                404, "There is no such room or rule.", ["room.not_found", "rule.not_found"], example: "rule.not_found",
                with: #"{"instance": "/v1/rooms/room_3pype17b8wec585enw02ex8qa0/permission-rules/bid.lucky"}"#),
            .refusal(
                409, "The room is not preparing, or the rule is permanent.", ["permission.not_preparing", "rule.permanent"],
                example: "rule.permanent",
                with: #"{"instance": "/v1/rooms/room_3pype17b8wec585enw02ex8qa0/permission-rules/bid.own_item"}"#),
        ])
}

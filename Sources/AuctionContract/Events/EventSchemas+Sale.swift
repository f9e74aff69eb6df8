extension EventSchema {
    /// Messages.
    static let messages: [EventSchema] = [
        .init(
            "MessageSent", "message.sent", "A member sent a message.",
            #"{"messageId": "MessageId", "author": "Person", "text": {"type": "string", "minLength": 1, "maxLength": 500}}"#,
            seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "messageId": "message_01m7yn51q0zthtweg1a3x7wgpt",
              "author": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "text": "Is the lid original?"
            }
            """#),
        .init(
            "MessageRemoved", "message.removed", "The host removed a message; clients no longer show it.",
            #"{"messageId": "MessageId", "by": "Person"}"#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "messageId": "message_01m7yn51q0zthtweg1a3x7wgpt",
              "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}
            }
            """#),
        .init(
            "SystemMessage", "message.system", "A message of the room itself, in both languages.",
            #"""
            {
              "key": {
                "type": "string",
                "x-extensible-enum": [
                  "state.listing", "state.auctioning", "state.paused", "state.closed", "auction.resumed",
                  "auction.cancelled", "round.next", "item.sold", "item.passed"
                ]
              },
              "en": {"type": "string", "minLength": 1}, "zh": {"type": "string", "minLength": 1}
            }
            """#, seq: 9, at: "2026-11-21T08:56:46.556Z",
            #"{"key": "state.listing", "en": "Up next: Teapot", "zh": "即将开拍:Teapot"}"#),
    ]

    /// The stage.
    static let stage: [EventSchema] = [
        .init(
            "StageRequested", "stage.requested", "A guest asks for a seat.",
            #"""
            {
              "stageId": "StageId", "guest": "Person",
              "role": {
                "type": "string", "x-extensible-enum": ["auctioneer", "bidder"],
                "description": "The role that the seat gives."
              }
            }
            """#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "stageId": "stage_01m7yn51q0zthtweg1a3x7wgpt",
              "guest": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "role": "bidder"
            }
            """#),
        .init(
            "StageInvited", "stage.invited", "The host asks a member to take a seat.",
            #"""
            {
              "stageId": "StageId", "guest": "Person",
              "role": {
                "type": "string", "x-extensible-enum": ["auctioneer", "bidder"],
                "description": "The role that the seat gives."
              },
              "by": "Person"
            }
            """#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "stageId": "stage_01m7yn51q0zthtweg1a3x7wgpt",
              "guest": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "role": "bidder",
              "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}
            }
            """#),
        .init(
            "StageAccepted", "stage.accepted", "By the host: the guest is to confirm. By the guest: the host is.",
            #"""
            {
              "stageId": "StageId", "guest": "Person",
              "role": {
                "type": "string", "x-extensible-enum": ["auctioneer", "bidder"],
                "description": "The role that the seat gives."
              },
              "by": "Person"
            }
            """#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "stageId": "stage_01m7yn51q0zthtweg1a3x7wgpt",
              "guest": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "role": "bidder",
              "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}
            }
            """#),
        .init(
            "StageSeated", "stage.seated", "The guest is on stage and has the role of the seat.",
            #"""
            {
              "stageId": "StageId", "guest": "Person",
              "role": {
                "type": "string", "x-extensible-enum": ["auctioneer", "bidder"],
                "description": "The role that the seat gives."
              },
              "seat": {"type": "integer", "minimum": 1, "maximum": 8}, "previousRole": "Role", "by": "Person"
            }
            """#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "stageId": "stage_01m7yn51q0zthtweg1a3x7wgpt",
              "guest": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "role": "bidder", "seat": 1,
              "previousRole": "viewer", "by": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}
            }
            """#),
        .init(
            "StageDeclined", "stage.declined", "Host or guest declined.",
            #"{"stageId": "StageId", "guest": "Person", "by": "Person"}"#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "stageId": "stage_01m7yn51q0zthtweg1a3x7wgpt",
              "guest": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"},
              "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}
            }
            """#),
        .init(
            "StageCancelled", "stage.cancelled", "Host or guest cancelled.",
            #"{"stageId": "StageId", "guest": "Person", "by": "Person"}"#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "stageId": "stage_01m7yn51q0zthtweg1a3x7wgpt",
              "guest": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"},
              "by": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}
            }
            """#),
        .init(
            "StageTimedOut", "stage.timedOut", "A waiting state timed out.", #"{"stageId": "StageId", "guest": "Person"}"#,
            seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "stageId": "stage_01m7yn51q0zthtweg1a3x7wgpt",
              "guest": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}
            }
            """#),
        .init(
            "StageEnded", "stage.ended", "The handshake ended for another reason than a refusal.",
            #"""
            {
              "stageId": "StageId", "guest": "Person",
              "reason": {"type": "string", "x-extensible-enum": ["disconnected", "leftRoom", "startedAnew", "error", "hostChanged"]},
              "by": {"$ref": "OptionalPerson", "description": "Null: the clock."}
            }
            """#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "stageId": "stage_01m7yn51q0zthtweg1a3x7wgpt",
              "guest": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "reason": "leftRoom",
              "by": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}
            }
            """#),
        .init(
            "StageSeatClosed", "stage.seatClosed", "A seat is closed.",
            #"{"seat": {"type": "integer", "minimum": 1, "maximum": 8}, "by": "Person"}"#, seq: 20,
            at: "2026-11-21T08:56:46.572Z", #"{"seat": 1, "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}}"#),
        .init(
            "StageSeatMuted", "stage.seatMuted", "A seat was muted or unmuted.",
            #"{"seat": {"type": "integer", "minimum": 1, "maximum": 8}, "muted": {"type": "boolean"}, "by": "Person"}"#,
            seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"{"seat": 1, "muted": true, "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}}"#),
        .init(
            "StageSeatCleared", "stage.seatCleared", "A seat is open, empty and not muted.",
            #"{"seat": {"type": "integer", "minimum": 1, "maximum": 8}, "by": "Person"}"#, seq: 20,
            at: "2026-11-21T08:56:46.572Z", #"{"seat": 1, "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}}"#),
        .init(
            "StageLeft", "stage.left",
            "A member left the stage and has their previous role again, or the one that they got while they were seated.",
            #"""
            {
              "member": "Person", "seat": {"type": "integer", "minimum": 1, "maximum": 8}, "restoredRole": "Role",
              "cause": {"type": "string", "x-extensible-enum": ["evicted", "steppedDown", "leftRoom", "becameHost"]}
            }
            """#, seq: 20, at: "2026-11-21T08:56:46.572Z",
            #"""
            {
              "member": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "seat": 1, "restoredRole": "viewer",
              "cause": "steppedDown"
            }
            """#),
    ]

    /// Lots and sales.
    static let sale: [EventSchema] = [
        .init(
            "LotQueued", "lot.queued", "A lot was added at the end of the queue.",
            #"""
            {
              "lotId": "LotId", "item": "PublicItem",
              "reference?": {"type": "string", "description": "The seller's own number, if the lot has one."},
              "number?": {
                "type": "integer", "minimum": 1,
                "description": "The number of the lot in the room; absent in events that version 1.0 wrote."
              }
            }
            """#, seq: 8, at: "2026-11-21T08:56:46.556Z",
            #"""
            {
              "lotId": "lot_01m7yn51psh16pxpxz9yp3xz7p",
              "item": {
                "id": "item_01m7yn51psh16pxpxz9yp3xz7q", "name": "Teapot", "description": "Yixing clay, 1980s.",
                "media": ["https://example.org/teapot.jpg"],
                "owner": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"},
                "rules": {
                  "startingPrice": "120.00", "increment": {"fixed": "10.00"}, "buyNowPrice": null, "floorPrice": null,
                  "listingSeconds": 3, "biddingSeconds": 15, "countdown": "reset", "extendWindowSeconds": 10,
                  "extendBySeconds": 10, "maxDurationSeconds": null, "dutchTickSeconds": null, "format": "english",
                  "tie": "earliest"
                }
              },
              "reference": "A-12", "number": 1
            }
            """#),
        .init(
            "LotChanged", "lot.changed", "The item or the reference of a queued lot changed.",
            #"""
            {
              "lotId": "LotId", "item": {"$ref": "PublicItem", "description": "The whole item as it is now."},
              "reference?": {"type": "string", "description": "The seller's own number, if the lot has one."},
              "number?": {
                "type": "integer", "minimum": 1,
                "description": "The number of the lot in the room; absent in events that version 1.0 wrote."
              },
              "by": "Person"
            }
            """#, seq: 8, at: "2026-11-21T08:56:46.556Z",
            #"""
            {
              "lotId": "lot_01m7yn51psh16pxpxz9yp3xz7p",
              "item": {
                "id": "item_01m7yn51psh16pxpxz9yp3xz7q", "name": "Teapot", "description": "Yixing clay, 1980s.",
                "media": ["https://example.org/teapot.jpg"],
                "owner": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"},
                "rules": {
                  "startingPrice": "120.00", "increment": {"fixed": "10.00"}, "buyNowPrice": null, "floorPrice": null,
                  "listingSeconds": 3, "biddingSeconds": 15, "countdown": "reset", "extendWindowSeconds": 10,
                  "extendBySeconds": 10, "maxDurationSeconds": null, "dutchTickSeconds": null, "format": "english",
                  "tie": "earliest"
                }
              },
              "reference": "A-12", "number": 1, "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}
            }
            """#),
        .init(
            "LotMoved", "lot.moved", "A lot has another place in the order.",
            #"""
            {
              "lotId": "LotId",
              "before": {
                "type": ["string", "null"], "description": "The lot that follows it now; null if it is the last one.",
                "pattern": "^lot_[0-7][0-9a-hjkmnp-tv-z]{25}$"
              },
              "by": {"$ref": "OptionalPerson", "description": "Null: the service."}
            }
            """#, seq: 8, at: "2026-11-21T08:56:46.556Z",
            #"""
            {
              "lotId": "lot_01m7yn51psh16pxpxz9yp3xz7p", "before": null,
              "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}
            }
            """#),
        .init(
            "LotWithdrawn", "lot.withdrawn", "A queued lot will not be auctioned.",
            #"""
            {
              "lotId": "LotId", "by": "Person",
              "reason?": {"type": "string", "description": "The reason that was given, if any."}
            }
            """#, seq: 8, at: "2026-11-21T08:56:46.556Z",
            #"""
            {
              "lotId": "lot_01m7yn51psh16pxpxz9yp3xz7p",
              "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}, "reason": "Broken in transit."
            }
            """#),
        .init(
            "SaleConfigured", "sale.configured", "The host said how the lots are sold.",
            #"""
            {
              "mode": "SaleMode", "pauseSeconds": {"type": "integer", "minimum": 0, "maximum": 3600},
              "startsAt": "OptionalTime", "premium": "SalePremium",
              "attended?": {"type": "boolean", "description": "Whether it needs its host; absent: false."}, "by": "Person"
            }
            """#, seq: 8, at: "2026-11-21T08:56:46.556Z",
            #"""
            {
              "mode": "automatic", "pauseSeconds": 10, "startsAt": null, "premium": {"percent": "12.5"},
              "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}
            }
            """#),
        .init(
            "SaleStarting", "sale.starting", "The sale will begin by itself at this time.",
            #"""
            {
              "startsAt": "Time",
              "cause?": {
                "type": "string", "x-extensible-enum": ["outage", "clock"],
                "description": "Why the start is later than the host said; absent if it is not."
              }
            }
            """#, seq: 8, at: "2026-11-21T08:56:46.556Z", #"{"startsAt": "2026-11-21T20:00:00.000Z"}"#),
        .init(
            "SaleStarted", "sale.started", "From now on the lots follow each other by themselves.",
            #"{"by": {"$ref": "OptionalPerson", "description": "Null: the service."}}"#, seq: 8, at: "2026-11-21T08:56:46.556Z",
            #"{"by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}}"#),
        .init(
            "SaleStopped", "sale.stopped", "No lot follows the current one by itself.",
            #"""
            {
              "cause": {
                "type": "string", "x-extensible-enum": ["host", "cancel", "hostGone", "storageFull"],
                "description": "host: the host stopped it. cancel: the round was cancelled. hostGone: the next lot was due in a room without a host, which an attended sale needs. storageFull: the room has no space for another round."
              },
              "by": {"$ref": "OptionalPerson", "description": "Null: the service."}
            }
            """#, seq: 8, at: "2026-11-21T08:56:46.556Z",
            #"{"cause": "host", "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}}"#),
        .init(
            "SalePostponed", "sale.postponed", "The sale was due to begin by itself, and does not; the host starts it.",
            #"""
            {
              "cause": {
                "type": "string", "x-extensible-enum": ["host_gone"],
                "description": "host_gone: the sale is attended, and its host was gone."
              }
            }
            """#, seq: 8, at: "2026-11-21T20:00:00.000Z", #"{"cause": "host_gone"}"#),
        .init(
            "SaleFinished", "sale.finished", "The last queued lot has been auctioned.", "{}", seq: 8,
            at: "2026-11-21T08:56:46.556Z", "{}"),
    ]
}

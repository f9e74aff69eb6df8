extension ProblemCode {
    /// What the state of a room forbids.
    static let conflicts: [ProblemCode] = [
        .init(
            "lot.reference_taken", 409, "Another lot of the room has this reference.",
            "Another lot of this room has this reference.", actual: "A-12"),
        .plain(
            "sale.premium_in_round", 409, "The premium is not changed during a round.", required: "preparing or closed",
            actual: "auctioning"),
        .init(
            "result.not_sold", 409, "The round ended without a sale.", "This round ended without a sale.", actual: "1"),
        .init(
            "offer.no_bidder", 409,
            "There is no next bidder of the round, or they are no member, banned, the host or the seller.",
            "It can be offered to no bidder: the next one has to be a member who is not banned, and neither the host nor the seller.",
            actual: "1"),
        .init(
            "offer.made_before", 409, "An item is offered to the next bidder of its round once.",
            "The item of this round was offered to the next bidder already: that happens once.", actual: "1"),
        .init(
            "offer.own", 409, "The caller has become the host or the seller since the offer was made.",
            "Neither the seller nor the host of the room buys its item; the offer can be declined.", actual: "1"),
        .init(
            "offer.too_many", 409, "As many offers of the room stand as may at a time.",
            "As many offers of this room stand as may at a time; one ends when it is answered, or after ten minutes.",
            required: "100", actual: "101"),
        .init(
            "offer.lot_reoffered", 409, "The lot has been offered again to all.", "This lot has been offered again.",
            actual: "lot_01m7yn51psh16pxpxz9yp3xz7p"),
        .init("sale.running", 409, "A sale that runs gets no time to start."),
        .init("sale.not_automatic", 409, "Only an automatic sale is started."),
        .plain("sale.no_lots", 409, "No lot is queued.", required: "1", actual: "0"),
        .plain("sale.not_running", 409, "No sale is running."),
        .init(
            "rule.permanent", 409, "The rule is permanent and cannot be switched off.",
            "The rule bid.own_item is permanent and cannot be switched off.", actual: "bid.own_item"),
        .init(
            "account.hosts_round", 409, "The caller hosts a round, or a sale, that runs in the room `actual`.",
            #"You host a round that runs in the room "Night market"; leave when it is over, or end it."#,
            required: "no running round", actual: "room_01m7yn50kxwcn1gtp2vtv3hdt7"),
        .init(
            "account.leads_round", 409, "A bid of the caller may win the round that runs in the room `actual`.",
            #"A bid of yours may win the round that runs in the room "Night market"; leave when it is over."#,
            required: "no bid that may win", actual: "room_01m7yn50kxwcn1gtp2vtv3hdt7"),
        .init(
            "link.in_round", 409,
            """
            A round is announced, running or paused in the room; link the guest again when it is over. A reason in \
            `skipped`, not a response.
            """),
        .init(
            "stage.wrong_step", 409, "The step is not the next one.",
            "accept is not the next step while the handshake is agreed.", actual: "agreed"),
        .init("stage.no_seat", 409, "Every seat is taken or closed."),
        .init(
            "stage.seat_empty", 409, "The seat is empty.", "Seat 2 is empty.", required: "occupied", actual: "empty"
        ),
        .init("stage.seat_taken", 409, "The other seat is taken or closed.", "Seat 3 is taken or closed.", required: "free"),
        .init(
            "stage.no_request", 409, "The member has not asked for a seat with this role.",
            "They have not asked for a seat with this role.", required: "a request"),
        .init("stage.queue_full", 409, "The queue of requests is full."),
        .init("stage.already_seated", 409, "The member is on stage already.", "They are on stage already."),
        .init("stage.guest_banned", 409, "The member is banned from this room."),
        .init(
            "report.own", 409, "The message that is reported is the caller's own.", "You cannot report your own message."),
        .init(
            "application.too_many", 409, "As many applications wait for the host as a room may have.",
            "As many have applied as the host may be asked to approve at a time.", required: "500", actual: "501"),
        .init(
            "room.exists", 409, "The room that this Idempotency-Key opened exists, and the key is no longer stored.",
            "This room exists already."),
        .init(
            "room.unknown_state", 409,
            "The room is in a state that this server does not know; another server of a newer version does."),
        .init("stage.not_seated", 409, "The caller is not on stage.", "You are not on stage."),
    ]

    /// What is too large, too low or too much, and failures of the server.
    static let excessive: [ProblemCode] = [
        .init(
            "request.too_large", 413, "The body is larger than the server accepts.", "The body may have at most 65536 bytes."),
        .init(
            "media.too_large", 413,
            """
            The uploaded picture has more than 40 million pixels, or the preview more bytes or pixels than previews may \
            have.
            """, "The picture has more than 40 million pixels."),
        .init(
            "request.target_too_long", 414,
            """
            The request's target is longer than the server accepts, or its query has more parameters than one for each \
            64 bytes of the header limit.
            """, "The request's target with the rest of the head may have at most 4096 bytes."),
        .init(
            "request.unsupported_media_type", 415,
            """
            A body must be `application/json`, a file of lots `text/csv` or `application/x-ndjson` in UTF-8, UTF-16 or \
            Windows-1252 and not compressed.
            """, #"The body must be application/json in UTF-8, not "text/plain"."#),
        .init(
            "media.unsupported", 415, "The body is no JPEG, PNG, WebP or AVIF picture, or is animated.",
            "Send a JPEG, PNG, WebP or AVIF picture as the body."),
        .init(
            "media.range", 416, "`Range` begins after the end of the picture.", "The range begins after the end of the picture."
        ),
        .init(
            "import.bad_rows", 422,
            "Rows of the file are wrong; `rows` names each with its line and field. Nothing was imported.",
            kind: .importRefused, "Nothing was imported: correct 1 row first.", actual: "1",
            members: #"""
                {
                  "rows": [
                    {
                      "line": 3, "field": "startingPrice", "code": "request.malformed",
                      "detail": "\"startingPrice\" is required."
                    }
                  ]
                }
                """#),
        .init(
            "idempotency.key_reused", 422, "The Idempotency-Key was used with another body in the last 24 hours.",
            "The key was used with another body in the last 24 hours. Use a new key for a new command."),
        .init("request.upgrade_required", 426, "The path serves WebSocket only: version 13, over HTTP/1.1."),
        .init(
            "bid.rate", 429, "Too many bids by this user in this room; see `Retry-After`.",
            "Too many requests of this kind; try again in 1 s."),
        .init(
            "command.rate", 429,
            """
            Too many commands by this user other than bids and messages, in all rooms together, or too many malformed \
            bodies; see `Retry-After`.
            """, "Too many requests of this kind; try again in 1 s."),
        .init(
            "guest.rate", 429, "Too many new guests from this address; see `Retry-After`. Only guests that were created count.",
            """
            There are too many new guests from this address; try again in 1 s. Keep the token of a guest and renew it \
            with POST /v1/tokens/renew instead of creating another. If many people share the address, the operator may \
            allow more at once with --limit-guests-burst.
            """),
        .init(
            "pairing.rate", 429, "Too many wrong codes for another device from this address; see `Retry-After`.",
            "Too many requests of this kind; try again in 12 s."),
        .init(
            "media.quota", 429,
            """
            The room, the caller, its network address (within a day) or the server has as many bytes of pictures as it \
            may have.
            """, "This room would have more than 67108864 bytes of pictures; those that no item uses are deleted after a day."),
        .init(
            "room.too_many", 429, "The caller hosts as many open rooms as one user may; archive one first.",
            "You host 100 open rooms, as many as one user may; archive one first."),
        .plain("token.too_many", 429, "There are as many service tokens as there may be."),
        .plain("webhook.too_many", 429, "There are as many webhooks as the operator allows."),
        .init(
            "webhook.too_many_secrets", 429, "As many replaced secrets of the webhook still sign messages as may.",
            "4 replaced secrets still sign messages, as many as may; the oldest ends at 2026-11-29T08:56:45.000Z."),
        .init(
            "user.too_many", 429, "As many users are banned, or had their tokens revoked, as may be.",
            "10000 users are banned or had their tokens revoked, as many as may be."),
        .plain("feed.too_many_readers", 429, "As many readers of the feed wait on this node as may."),
        .init(
            "block.too_many", 429, "The caller blocks as many users as one may.",
            "You block as many users as one may: 1000."),
        .init(
            "room.storage_full", 429,
            """
            The room has reached its storage limit: chat, items and new rounds are refused at the limit, bids at twice \
            as much, what ends a round never.
            """),
        .init("member.storage_full", 429, "The caller has reached one user's storage limit in this room."),
        .init(
            "address.storage_full", 429,
            """
            Within a day the network address sent as many bytes of rooms, items, lots, rules, messages, blocks and orders as it may. \
            Bids in a running round are still taken, and so is what opens an announced round, resumes or ends one, voids a sale, \
            answers an offer, takes something back, mutes, bans or removes a member, or leaves.
            """),
        .init(
            "stream.too_many", 429,
            "The caller, or the address, has as many streams and held long-polls as it may; `detail` names the bound.",
            "You have as many streams and held long-polls as you may: 64 (limit-streams-per-user)."),
        .init(
            "request.header_too_large", 431,
            """
            Request line and headers together are larger than the server accepts, or have too many headers and \
            parameters.
            """, "The request line and the headers together may have at most 4096 bytes."),
        .init("request.socket_over_tls", 501, "The server itself terminates TLS and serves no WebSockets over it."),
        .init(
            "service.internal_error", 500, "The command was not carried out; nothing was changed.",
            "The server failed to carry this out; nothing was changed. The request id helps to find out why."),
        .init(
            "service.unavailable", 503, "The log cannot be reached; nothing was changed.",
            "The event log cannot be reached right now; try again."),
        .init(
            "session.provider_away", 503,
            "The provider that the user signs in with has not been reached since the server's start: its keys are not known.",
            "The provider that users sign in with cannot be reached, and its keys are not known yet; try again in a minute."),
        .init("service.overloaded", 503, "Too many commands are pending; nothing was changed."),
        .init("service.too_many_reads", 503, "Too many reads of this kind are pending, of this caller or in all."),
        .init(
            "service.outcome_unknown", 503,
            "Whether the command was carried out is not known: retry with the same Idempotency-Key.",
            "Whether this was carried out is not known yet: retry with the same Idempotency-Key."),
        .init(
            "service.stale", 503,
            "On reads: for too long this server has not seen what other servers of the same service wrote.",
            """
            This server could not see for more than 5 s what others wrote to the event log; try again, or another \
            server.
            """),
        .init("service.stopping", 503, "The server is stopping."),
        .init(
            "media.too_many_uploads", 503,
            "Too many uploaded pictures, of this caller or in all, wait to be stored; nothing was changed."),
        .init("media.disk_full", 503, "The server's disk has no space for pictures; nothing was changed."),
        .init(
            "log.full", 503,
            """
            The server's log fills up (`--limit-log-bytes`, or its disk): first new rooms and imports are refused, then commands, \
            and bids of running rounds last; nothing was changed.
            """),
        .init("media.unavailable", 503, "The server's pictures cannot be read or stored; nothing was changed."),
        .init("idempotency.too_many_keys", 503, "Too many commands of the caller with a key are in progress in the room."),
        .init(
            "server.busy", 503,
            """
            The server has all the connections it accepts, or the rest is reserved for short requests: poll without \
            `wait`.
            """),
        .init("connection.too_many", 503, "The same for the connections of the caller's address (IPv6: of its /64)."),
        .init(
            "response.too_many_bytes", 503,
            "Too many bytes wait for slow readers, so reads are refused now; commands are still carried out."),
        .init("server.stopping", 503, "The server stopped before it could respond."),
    ]
}

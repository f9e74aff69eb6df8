extension RoomEvent.Body {
    typealias Decoder = @Sendable (JSONFields, Currency) throws(MalformedJSON) -> Self

    /// The body of a known type with the members that it should have; otherwise `unknown`.
    init(_ type: EventType, _ data: JSONValue, _ currency: Currency) {
        guard let decoder = Self.decoders[type] else {
            self = .unknown
            return
        }
        do throws(MalformedJSON) { self = try decoder(try JSONFields(data), currency) } catch { self = .unknown }
    }

    static let decoders: [EventType: Decoder] = {
        var all = roomDecoders
        all.merge(memberDecoders) { first, _ in first }
        all.merge(bidDecoders) { first, _ in first }
        let stage: Decoder = { (fields, _) throws(MalformedJSON) in .stage(try RoomEvent.StageEvent(fields)) }
        for step in RoomEvent.StageEvent.steps { all[EventType(rawValue: "stage.\(step)")] = stage }
        let lot: Decoder = { (fields, currency) throws(MalformedJSON) in .lot(try RoomEvent.LotEvent(fields, currency)) }
        for step in ["queued", "changed", "moved", "withdrawn", "bidsChanged"] { all[EventType(rawValue: "lot.\(step)")] = lot }
        let sale: Decoder = { (fields, _) throws(MalformedJSON) in .sale(try RoomEvent.SaleEvent(fields)) }
        for step in ["configured", "starting", "started", "stopped", "postponed", "finished"] {
            all[EventType(rawValue: "sale.\(step)")] = sale
        }
        return all
    }()

    private static let roomDecoders: [EventType: Decoder] = [
        "room.opened": { (fields, _) throws(MalformedJSON) in
            .roomOpened(
                name: try fields.string("name"), host: try fields.person("host"), visibility: try fields.name("visibility"))
        },
        "room.archived": { (fields, _) throws(MalformedJSON) in .roomArchived(by: try fields.person("by")) },
        "host.gone": { (fields, _) throws(MalformedJSON) in .hostGone(try fields.person("host")) },
        "host.returned": { (fields, _) throws(MalformedJSON) in .hostReturned(try fields.person("host")) },
        "item.uploaded": { (fields, currency) throws(MalformedJSON) in
            let item = try fields.fields("item")
            return .itemUploaded(try Item(item, currency), try AuctionRules(try item.fields("rules"), currency))
        },
        "rules.adjusted": { (fields, currency) throws(MalformedJSON) in
            .rulesAdjusted(try AuctionRules(try fields.fields("rules"), currency), by: try fields.person("by"))
        },
        "permission.changed": { (fields, _) throws(MalformedJSON) in
            .permissionChanged(rule: try fields.string("rule"), by: try fields.person("by"))
        },
        "state.changed": { (fields, _) throws(MalformedJSON) in .stateChanged(try RoomEvent.StateChange(fields)) },
        "countdown.started": { (fields, _) throws(MalformedJSON) in
            .countdownStarted(endsAt: try fields.time("endsAt"), nextDropAt: try fields.optionalTime("nextDropAt"))
        },
        "countdown.moved": { (fields, _) throws(MalformedJSON) in
            .countdownMoved(
                endsAt: try fields.time("endsAt"), cause: try fields.string("cause"),
                nextDropAt: try fields.optionalTime("nextDropAt"))
        },
        "warning.given": { (fields, _) throws(MalformedJSON) in
            .warningGiven(level: try fields.count("level"), by: try fields.person("by"))
        },
        "message.sent": { (fields, _) throws(MalformedJSON) in
            .messageSent(
                .init(
                    messageId: try fields.string("messageId"), author: try fields.person("author"),
                    text: try fields.string("text")))
        },
        "message.removed": { (fields, _) throws(MalformedJSON) in
            .messageRemoved(messageId: try fields.string("messageId"), by: try fields.person("by"))
        },
        "message.reported": { (fields, _) throws(MalformedJSON) in .messageReported(reports: try fields.count("reports")) },
        "application.made": { (_, _) throws(MalformedJSON) in .applicationMade },
        "application.declined": { (fields, _) throws(MalformedJSON) in .applicationDeclined(by: try fields.person("by")) },
        "message.system": { (fields, _) throws(MalformedJSON) in
            .systemMessage(
                key: try fields.string("key"), english: try fields.string("en"), chinese: try fields.string("zh"))
        },
    ]

    private static let memberDecoders: [EventType: Decoder] = [
        "member.joined": { (fields, _) throws(MalformedJSON) in
            .memberJoined(try fields.person("member"), try fields.name("role"))
        },
        "member.left": { (fields, _) throws(MalformedJSON) in .memberLeft(try fields.person("member")) },
        "member.roleChanged": { (fields, _) throws(MalformedJSON) in
            .memberRoleChanged(
                try fields.person("member"), from: try fields.name("from"), to: try fields.name("to"),
                by: try fields.optionalPerson("by"))
        },
        "member.kicked": { (fields, _) throws(MalformedJSON) in
            .memberKicked(try fields.person("member"), by: try fields.person("by"))
        },
        "member.banned": { (fields, _) throws(MalformedJSON) in
            .memberBanned(try fields.person("member"), isBanned: try fields.bool("banned"), by: try fields.person("by"))
        },
        "member.muted": { (fields, _) throws(MalformedJSON) in
            .memberMuted(try fields.person("member"), isMuted: try fields.bool("muted"), by: try fields.person("by"))
        },
        "member.linked": { (fields, _) throws(MalformedJSON) in
            .memberLinked(
                from: try fields.person("from"), to: try fields.person("to"),
                role: try fields.optionalString("role").map(Role.init(rawValue:)))
        },
        "member.erased": { (fields, _) throws(MalformedJSON) in .memberErased(try fields.person("member")) },
        "member.creditLimitChanged": { (fields, _) throws(MalformedJSON) in
            .creditLimitChanged(try fields.person("member"), by: try fields.person("by"))
        },
    ]

    private static let bidDecoders: [EventType: Decoder] = [
        "bid.placed": { (fields, currency) throws(MalformedJSON) in .bidPlaced(try RoomEvent.PlacedBid(fields, currency)) },
        "increment.changed": { (fields, currency) throws(MalformedJSON) in
            .incrementChanged(
                try Increment(try fields.value("increment"), currency), nextMinimum: try fields.money("nextMinimum", currency),
                by: try fields.person("by"))
        },
        "ask.changed": { (fields, currency) throws(MalformedJSON) in
            .askChanged(nextMinimum: try fields.money("nextMinimum", currency), by: try fields.person("by"))
        },
        "draw.committed": { (fields, _) throws(MalformedJSON) in .drawCommitted(seedHash: try fields.string("seedHash")) },
        "draw.revealed": { (fields, _) throws(MalformedJSON) in .drawRevealed(seed: try fields.string("seed")) },
        "bid.maximumRaised": { (fields, _) throws(MalformedJSON) in
            .maximumRaised(bidId: try fields.string("bidId"), bidder: try fields.person("bidder"))
        },
        "bid.retracted": { (fields, currency) throws(MalformedJSON) in
            .bidRetracted(try RoomEvent.RetractedBid(fields, currency))
        },
        "bid.maximumVoided": { (fields, _) throws(MalformedJSON) in
            .maximumVoided(bidId: try fields.string("bidId"), bidder: try fields.person("bidder"))
        },
        "price.dropped": { (fields, currency) throws(MalformedJSON) in
            .priceDropped(try fields.money("price", currency), nextDropAt: try fields.optionalTime("nextDropAt"))
        },
        "item.sold": { (fields, currency) throws(MalformedJSON) in
            .itemSold(winner: try fields.person("winner"), price: try fields.money("price", currency))
        },
        "item.passed": { (fields, _) throws(MalformedJSON) in .itemPassed(reason: try fields.string("reason")) },
        "offer.made": { (fields, currency) throws(MalformedJSON) in
            .offerMade(
                offerId: try fields.string("offerId"), round: try fields.count("round"), to: try fields.person("to"),
                price: try fields.money("price", currency), expiresAt: try fields.time("expiresAt"))
        },
        "offer.accepted": { (fields, currency) throws(MalformedJSON) in
            .offerAccepted(
                offerId: try fields.string("offerId"), round: try fields.count("round"), winner: try fields.person("winner"),
                price: try fields.money("price", currency))
        },
        "offer.declined": { (fields, _) throws(MalformedJSON) in
            .offerDeclined(offerId: try fields.string("offerId"), to: try fields.person("to"))
        },
        "offer.expired": { (fields, _) throws(MalformedJSON) in
            .offerExpired(offerId: try fields.string("offerId"), to: try fields.person("to"))
        },
        "item.voided": { (fields, currency) throws(MalformedJSON) in
            .itemVoided(
                round: try fields.count("round"), item: try fields.fields("item").string("name"),
                try RoundOutcome.VoidedSale(fields, currency))
        },
    ]
}

extension RoomEvent.StateChange {
    init(_ fields: JSONFields) throws(MalformedJSON) {
        from = try fields.name("from")
        to = try fields.name("to")
        cause = try fields.string("cause")
        by = try fields.optionalPerson("by")
        reason = try fields.optionalString("reason")
    }
}

extension RoomEvent.PlacedBid {
    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        bidId = try fields.string("bidId")
        amount = try fields.optionalMoney("amount", currency)
        bidder = try fields.person("bidder")
        isLeading = try fields.bool("leading")
        isAutomatic = try fields.bool("automatic")
        nextMinimum = try fields.optionalMoney("nextMinimum", currency)
        endsAt = try fields.optionalTime("endsAt")
        reserveMet = try fields.optionalBool("reserveMet")
        isOfFloor = try fields.optionalBool("floor") ?? false
        enteredBy = try fields.optionalPerson("by")
    }
}

extension RoomEvent.RetractedBid {
    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        bidId = try fields.string("bidId")
        bidder = try fields.person("bidder")
        by = try fields.person("by")
        reason = try fields.optionalString("reason") ?? ""
        removed = fields.strings("removed")
        price = try fields.optionalMoney("price", currency)
        leader = try fields.optionalPerson("leader")
        nextMinimum = try fields.optionalMoney("nextMinimum", currency)
        reserveMet = try fields.optionalBool("reserveMet")
    }
}

extension RoomEvent.LotEvent {
    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        lotId = try fields.string("lotId")
        let shown = try fields.optionalFields("item")
        item = if let shown { try Item(shown, currency) } else { nil }
        rules = if let rules = try shown?.fields("rules") { try AuctionRules(rules, currency) } else { nil }
        reference = try fields.optionalString("reference")
        number = try fields.optionalInteger("number").flatMap(Int.init(exactly:))
        offeredBefore = try fields.optionalString("offeredBefore")
        before = try fields.optionalString("before")
        by = try fields.optionalPerson("by")
        reason = try fields.optionalString("reason")
        absenteeBids = try fields.optionalInteger("absenteeBids").flatMap(Int.init(exactly:))
    }
}

extension RoomEvent.SaleEvent {
    init(_ fields: JSONFields) throws(MalformedJSON) {
        mode = try fields.optionalString("mode").map(SaleMode.init(rawValue:))
        pauseSeconds = try fields.optionalInteger("pauseSeconds").flatMap(Int.init(exactly:))
        premiumPercent = try fields.optionalFields("premium")?.string("percent")
        isAttended = try fields.optionalBool("attended") ?? false
        startsAt = try fields.optionalTime("startsAt")
        cause = try fields.optionalString("cause")
        by = try fields.optionalPerson("by")
    }
}

internal import AuctionDomain
internal import ExactJSON
internal import Permissions

/// Decodes the `data` object of one stored event.
struct EventBodyDecoder {
    let type: String
    /// The room's currency; nil only while decoding `room.opened`, which sets it.
    let currency: Currency?
    let beginsRound: Bool

    func body(_ data: JSONFields, _ secret: JSONFields?) throws(JSONError) -> EventBody {
        var (data, secret) = (data, secret)
        switch type {
        case "bid.placed": return .bidPlaced(try bidPlaced(&data, &secret))
        case "bid.maximumRaised":
            var hidden = try required(secret)
            return .maximumRaised(
                MaximumRaised(
                    bid: try data.identifier("bidId"), bidder: try data.person("bidder"),
                    maximum: try hidden.money("maximum", in: try knownCurrency())))
        case "bid.retracted": return .bidRetracted(try bidRetracted(&data))
        case "bid.maximumVoided":
            return .maximumVoided(
                MaximumVoided(bid: try data.identifier("bidId"), bidder: try data.person("bidder")))
        case "item.uploaded":
            return .itemUploaded(
                try AuctionItem(
                    try data.object("item"), reserve: try reserve(&secret), currency: try knownCurrency()))
        case "rules.adjusted":
            var rules = try AuctionRules(try data.object("rules"), currency: try knownCurrency())
            rules.reservePrice = try reserve(&secret)
            return .rulesAdjusted(try data.identifier("itemId"), rules, by: try data.person("by"))
        case "state.changed": return try stateChanged(&data)
        case "countdown.started":
            return .countdownStarted(
                endsAt: try data.timestamp("endsAt"), nextDropAt: try data.optionalTimestamp("nextDropAt"))
        case "countdown.moved":
            return .countdownMoved(
                CountdownMoved(
                    endsAt: try data.timestamp("endsAt"), nextDropAt: try data.optionalTimestamp("nextDropAt"),
                    extendedBySeconds: try data.int("extendedBySeconds"), cause: try data.enumeration("cause")))
        case "draw.committed":
            var hidden = try required(secret)
            return .drawCommitted(seed: try seed(&hidden))
        case "draw.revealed": return .drawRevealed(seed: try seed(&data))
        case "price.dropped":
            return .priceDropped(
                price: try data.money("price", in: try knownCurrency()), nextDropAt: try data.optionalTimestamp("nextDropAt"))
        case "item.sold":
            return .itemSold(
                winner: try data.person("winner"), price: try data.money("price", in: try knownCurrency()))
        case "item.passed": return .itemPassed(try data.enumeration("reason"))
        case "message.sent":
            return .messageSent(
                Message(
                    id: try data.identifier("messageId"), author: try data.person("author"), text: try data.string("text")))
        case "message.removed": return .messageRemoved(try data.identifier("messageId"), by: try data.person("by"))
        case "message.system":
            return .systemMessage(
                SystemMessage(
                    key: try data.string("key"), text: LocalizedText(try data.string("en"), try data.string("zh"))))
        case _ where type.hasPrefix("stage."): return .stage(try StageEvent(type: type, &data))
        default: return try people(&data, &secret)
        }
    }

    private func people(_ data: inout JSONFields, _ secret: inout JSONFields?) throws(JSONError) -> EventBody {
        switch type {
        case "room.opened": return try roomOpened(&data, secret)
        case "room.archived": return .roomArchived(by: try data.person("by"))
        case "member.joined": return .memberJoined(try data.person("member"), role: try data.word("role"))
        case "member.left": return .memberLeft(try data.person("member"))
        case "member.roleChanged":
            return .memberRoleChanged(
                try data.person("member"), from: try data.word("from"), to: try data.word("to"),
                by: try data.optionalPerson("by"))
        case "member.kicked": return .memberKicked(try data.person("member"), by: try data.person("by"))
        case "member.banned":
            return .memberBanned(
                try data.person("member"), isBanned: try data.bool("banned"), by: try data.person("by"))
        case "member.muted":
            return .memberMuted(try data.person("member"), isMuted: try data.bool("muted"), by: try data.person("by"))
        case "member.creditLimitChanged":
            var hidden = try required(secret)
            let limit = try hidden.optionalMoney("creditLimit", in: try knownCurrency())
            return .memberCreditLimitChanged(try data.person("member"), limit: limit, by: try data.person("by"))
        case "host.gone": return .hostGone(try data.person("host"))
        case "host.returned": return .hostReturned(try data.person("host"))
        case "permission.changed":
            return .permissionChanged(
                PermissionChange(
                    rule: try data.string("rule"), isEnabled: try data.optionalBool("enabled"),
                    priority: try data.optionalInt("priority"), by: try data.person("by")))
        default: throw JSONError(.invalidField, field: "type", "There is no event type \"\(type)\".")
        }
    }

    private func roomOpened(_ data: inout JSONFields, _ secret: JSONFields?) throws(JSONError) -> EventBody {
        var hidden = try required(secret)
        guard let currency = Currency(code: try data.string("currency")) else {
            throw data.invalid("currency", "must be an ISO 4217 code")
        }
        return .roomOpened(
            RoomOpened(
                name: try data.string("name"), host: try data.person("host"), currency: currency,
                visibility: try data.word("visibility"), inviteCode: try hidden.string("inviteCode")))
    }

    private func stateChanged(_ data: inout JSONFields) throws(JSONError) -> EventBody {
        .stateChanged(
            StateChange(
                from: RoomState(rawValue: try data.string("from")), to: RoomState(rawValue: try data.string("to")),
                cause: TransitionCause(rawValue: try data.string("cause")), by: try data.optionalPerson("by"),
                reason: try data.optionalString("reason"), beginsRound: beginsRound))
    }

    private func bidPlaced(_ data: inout JSONFields, _ secret: inout JSONFields?) throws(JSONError) -> BidPlaced {
        let currency = try knownCurrency()
        let sealedAmount = try secret?.optionalMoney("amount", in: currency)
        return BidPlaced(
            bid: try data.identifier("bidId"), amount: try amount(sealedAmount, &data, currency),
            bidder: try data.person("bidder"), leading: try data.bool("leading"),
            automatic: try data.bool("automatic"), maximum: try secret?.optionalMoney("maximum", in: currency),
            isSealed: sealedAmount != nil, nextMinimum: try data.optionalMoney("nextMinimum", in: currency),
            reserveMet: try data.optionalBool("reserveMet"), endsAt: try data.optionalTimestamp("endsAt"))
    }

    private func amount(
        _ sealed: Money?, _ data: inout JSONFields, _ currency: Currency
    ) throws(JSONError) -> Money {
        if let sealed { return sealed }
        return try data.money("amount", in: currency)
    }

    private func bidRetracted(_ data: inout JSONFields) throws(JSONError) -> BidRetracted {
        let currency = try knownCurrency()
        var removed: [BidID] = []
        for element in try data.array("removed") {
            guard case .string(let text) = element, let id = BidID(text) else {
                throw data.invalid("removed", "must be ids of bids")
            }
            removed.append(id)
        }
        return BidRetracted(
            bid: try data.identifier("bidId"), bidder: try data.person("bidder"), by: try data.person("by"),
            reason: try data.string("reason"), removed: removed, price: try data.optionalMoney("price", in: currency),
            leader: try data.optionalPerson("leader"), nextMinimum: try data.optionalMoney("nextMinimum", in: currency),
            reserveMet: try data.optionalBool("reserveMet"))
    }

    private func reserve(_ secret: inout JSONFields?) throws(JSONError) -> Money? {
        try secret?.optionalMoney("reservePrice", in: try knownCurrency())
    }

    private func seed(_ fields: inout JSONFields) throws(JSONError) -> UInt128 {
        guard let seed = DrawSeed.seed(try fields.string("seed")) else {
            throw fields.invalid("seed", "must be 32 hexadecimal digits")
        }
        return seed
    }

    private func required(_ secret: JSONFields?) throws(JSONError) -> JSONFields {
        guard let secret else { throw JSONError(.missingField, "The private part of \(type) is missing.") }
        return secret
    }

    private func knownCurrency() throws(JSONError) -> Currency {
        guard let currency else { throw JSONError(.invalidField, "The event \(type) precedes room.opened.") }
        return currency
    }
}

extension JSONFields {
    /// Raw value of an enumeration, as the log wrote it; an unknown value is an error.
    mutating func enumeration<Word: RawRepresentable>(
        _ name: String, _ words: Word.Type = Word.self
    ) throws(JSONError) -> Word where Word.RawValue == String {
        let text = try string(name)
        guard let word = Word(rawValue: text) else { throw invalid(name, "has the unknown value \"\(text)\"") }
        return word
    }
}

internal import AuctionDomain
internal import Permissions

// Every kind of event: its type, its fields, and which of them are private.
extension EventBody {
    /// The event's type in the API and in the log.
    var type: String {
        switch self {
        case .roomOpened: EventType.roomOpened
        case .roomArchived: "room.archived"
        case .memberJoined: "member.joined"
        case .memberLeft: "member.left"
        case .memberRoleChanged: "member.roleChanged"
        case .memberKicked: "member.kicked"
        case .memberBanned: "member.banned"
        case .memberMuted: "member.muted"
        case .memberCreditLimitChanged: "member.creditLimitChanged"
        case .memberLinked: EventType.memberLinked
        case .memberErased: EventType.memberErased
        case .hostGone: "host.gone"
        case .hostReturned: EventType.hostReturned
        case .itemUploaded: "item.uploaded"
        case .rulesAdjusted: "rules.adjusted"
        case .permissionChanged: "permission.changed"
        case .stateChanged: "state.changed"
        case .countdownStarted: "countdown.started"
        case .countdownMoved: "countdown.moved"
        case .warningGiven: "warning.given"
        case .incrementChanged: "increment.changed"
        case .askChanged: "ask.changed"
        case .drawCommitted: "draw.committed"
        case .drawRevealed: "draw.revealed"
        case .bidPlaced, .floorBidPlaced: EventType.bidPlaced
        case .maximumRaised: "bid.maximumRaised"
        case .bidRetracted: "bid.retracted"
        case .maximumVoided: "bid.maximumVoided"
        case .priceDropped: "price.dropped"
        case .itemSold: EventType.itemSold
        case .lotQueued: "lot.queued"
        case .lotChanged: "lot.changed"
        case .lotMoved: "lot.moved"
        case .lotWithdrawn: "lot.withdrawn"
        case .lotBidsChanged: "lot.bidsChanged"
        case .sale(let event): event.type
        case .itemPassed: "item.passed"
        case .itemVoided: "item.voided"
        case .offer(let event): event.type
        case .stage(let event): event.type
        case .messageSent: "message.sent"
        case .messageRemoved: "message.removed"
        case .messageReported: "message.reported"
        case .application(.made): "application.made"
        case .application(.declined): "application.declined"
        case .systemMessage: EventType.systemMessage
        }
    }

    /// Passes the fields in the order of their bytes; the result has the values that `fields` returned.
    func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> EventBody {
        switch self {
        case .bidPlaced(let placed): try placed.passed(through: &fields, by: nil)
        case .floorBidPlaced(let entered): try entered.placed.passed(through: &fields, by: entered)
        case .maximumRaised(let old):
            try .maximumRaised(
                .init(
                    bid: fields("bidId", old.bid), bidder: fields("bidder", old.bidder),
                    maximum: fields.secret("maximum", old.maximum)))
        case .bidRetracted(let retracted): try .bidRetracted(retracted.passed(through: &fields))
        case .maximumVoided(let old):
            try .maximumVoided(.init(bid: fields("bidId", old.bid), bidder: fields("bidder", old.bidder)))
        case .stage(let event): try .stage(event.passed(through: &fields))
        case .itemUploaded(let item): try .itemUploaded(item.uploaded(through: &fields))
        case .rulesAdjusted(let item, let rules, let by):
            try .rulesAdjusted(fields("itemId", item), rules.passed(through: &fields), by: fields("by", by))
        case .stateChanged(let old):
            try .stateChanged(
                .init(
                    from: fields.word("from", old.from), to: fields.word("to", old.to), cause: fields.word("cause", old.cause),
                    by: fields("by", old.by), reason: fields.optional("reason", old.reason),
                    beginsRound: fields.beginsRound(old.beginsRound), lot: fields.optional("lotId", old.lot)))
        case .countdownStarted(let end, let drop, let cuts):
            try .countdownStarted(
                endsAt: fields("endsAt", end), nextDropAt: fields.optional("nextDropAt", drop),
                cuts: fields.optionalSecret("cuts", cuts.map(AbsenteeCuts.init))?.all)
        case .countdownMoved(let old):
            try .countdownMoved(
                .init(
                    endsAt: fields("endsAt", old.endsAt), nextDropAt: fields.optional("nextDropAt", old.nextDropAt),
                    extendedBySeconds: fields("extendedBySeconds", old.extendedBySeconds),
                    cause: fields.word("cause", old.cause)))
        case .warningGiven(let old): try .warningGiven(.init(level: fields("level", old.level), by: fields("by", old.by)))
        case .incrementChanged(let old):
            try .incrementChanged(
                .init(
                    increment: fields("increment", old.increment), nextMinimum: fields("nextMinimum", old.nextMinimum),
                    by: fields("by", old.by)))
        case .askChanged(let old):
            try .askChanged(.init(nextMinimum: fields("nextMinimum", old.nextMinimum), by: fields("by", old.by)))
        case .drawCommitted(let seed): try .drawCommitted(seed: seed.committed(through: &fields))
        case .drawRevealed(let seed): try .drawRevealed(seed: fields("seed", seed))
        case .priceDropped(let price, let drop):
            try .priceDropped(price: fields("price", price), nextDropAt: fields("nextDropAt", drop))
        case .itemSold(let winner, let price, let lot):
            try .itemSold(winner: fields("winner", winner), price: fields("price", price), lot: fields.optional("lotId", lot))
        case .itemPassed(let reason, let lot):
            try .itemPassed(fields.word("reason", reason), lot: fields.optional("lotId", lot))
        case .itemVoided(let voided): try .itemVoided(voided.passed(through: &fields))
        case .offer(let event): try .offer(event.passed(through: &fields))
        case .lotQueued(let lot): try .lotQueued(lot.passed(through: &fields))
        case .lotChanged(let lot): try .lotChanged(lot.passed(through: &fields))
        case .lotMoved(let lot): try .lotMoved(lot.passed(through: &fields))
        case .lotWithdrawn(let lot): try .lotWithdrawn(lot.passed(through: &fields))
        case .lotBidsChanged(let changed): try .lotBidsChanged(changed.passed(through: &fields))
        case .sale(let event): try .sale(event.passed(through: &fields))
        case .roomOpened, .roomArchived, .permissionChanged, .messageSent, .messageRemoved, .messageReported, .systemMessage,
            .application, .memberJoined, .memberLeft, .memberRoleChanged, .memberKicked, .memberBanned, .memberMuted,
            .memberCreditLimitChanged,
            .memberLinked, .memberErased, .hostGone, .hostReturned:
            try passedRoomAndMembers(through: &fields)
        }
    }

    private func passedRoomAndMembers<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure)
        -> EventBody
    {
        switch self {
        case .roomOpened(let old):
            try .roomOpened(
                .init(
                    name: fields("name", old.name), host: fields("host", old.host), currency: fields("currency", old.currency),
                    visibility: fields.word("visibility", old.visibility),
                    inviteCode: fields.secret("inviteCode", old.inviteCode)))
        case .roomArchived(let by): try .roomArchived(by: fields("by", by))
        case .permissionChanged(let old):
            try .permissionChanged(
                .init(
                    rule: fields("rule", old.rule), isEnabled: fields.optional("enabled", old.isEnabled),
                    priority: fields.optional("priority", old.priority), by: fields("by", old.by)))
        case .messageSent(let old):
            try .messageSent(
                .init(id: fields("messageId", old.id), author: fields("author", old.author), text: fields("text", old.text)))
        case .messageRemoved(let id, let by): try .messageRemoved(fields("messageId", id), by: fields("by", by))
        case .messageReported(let old):
            try .messageReported(
                .init(
                    reports: fields("reports", old.reports), id: fields.secret("reportId", old.id),
                    message: fields.secret("messageId", old.message), messageSeq: fields.secret("messageSeq", old.messageSeq),
                    reporter: fields.secret("reporter", old.reporter), reason: fields.secret("reason", old.reason)))
        case .application(.made(let person)): try .application(.made(fields.secret("applicant", person)))
        case .application(.declined(let person, let by, let reason)):
            try .application(
                .declined(
                    fields.secret("applicant", person), by: fields("by", by), reason: fields.secret("reason", reason)))
        case .systemMessage(let old):
            try .systemMessage(
                .init(key: fields("key", old.key), text: .init(fields("en", old.text.english), fields("zh", old.text.chinese))))
        case .memberJoined(let member, let role): try .memberJoined(fields("member", member), role: fields.word("role", role))
        case .memberLeft(let member): try .memberLeft(fields("member", member))
        case .memberRoleChanged(let member, let from, let to, let by):
            try .memberRoleChanged(
                fields("member", member), from: fields.word("from", from), to: fields.word("to", to), by: fields("by", by))
        case .memberKicked(let member, let by): try .memberKicked(fields("member", member), by: fields("by", by))
        case .memberBanned(let member, let isBanned, let by):
            try .memberBanned(fields("member", member), isBanned: fields("banned", isBanned), by: fields("by", by))
        case .memberMuted(let member, let isMuted, let by):
            try .memberMuted(fields("member", member), isMuted: fields("muted", isMuted), by: fields("by", by))
        case .memberCreditLimitChanged(let member, let limit, let by):
            try .memberCreditLimitChanged(
                fields("member", member), limit: fields.secret("creditLimit", limit), by: fields("by", by))
        case .memberLinked(let link): try .memberLinked(link.passed(through: &fields))
        case .memberErased(let erased): try .memberErased(erased.passed(through: &fields))
        case .hostGone(let host): try .hostGone(fields("host", host))
        case .hostReturned(let host): try .hostReturned(fields("host", host))
        default: self
        }
    }
}

extension BidPlaced {
    /// - Parameter entry: Who entered it for the floor, and their note; nil: it is not the floor's, or that is to be read.
    fileprivate func passed<Fields: EventFields & ~Copyable>(
        through fields: inout Fields, by entry: FloorBidPlaced?
    ) throws(Fields.Failure) -> EventBody {
        let bid = try fields("bidId", bid)
        let sealed = try fields.optionalSecret("amount", isSealed ? amount : nil)
        let amount = if let sealed { sealed } else { try fields("amount", amount) }
        let (bidder, leading) = try (fields("bidder", bidder), fields("leading", leading))
        let (automatic, nextMinimum) = try (fields("automatic", automatic), fields("nextMinimum", nextMinimum))
        let (endsAt, reserveMet) = try (fields("endsAt", endsAt), fields("reserveMet", reserveMet))
        let isFloor = try fields.optional("floor", entry == nil ? nil : true) == true
        let by = try fields.optional("by", entry?.by)
        let isAbsentee = try fields.optional("absentee", origin == .absentee ? true : nil) == true
        let placed = try Self(
            bid: bid, amount: amount, bidder: bidder, leading: leading,
            origin: isFloor ? .floor : isAbsentee ? .absentee : automatic ? .automatic : .bidder,
            maximum: fields.optionalSecret("maximum", maximum),
            ownAmount: fields.optionalSecret("ownAmount", ownAmount), isSealed: sealed != nil, nextMinimum: nextMinimum,
            reserveMet: reserveMet, endsAt: endsAt)
        let paddle = try fields.optionalSecret("paddle", entry?.paddle)
        guard isFloor, let by else { return .bidPlaced(placed) }
        return .floorBidPlaced(FloorBidPlaced(placed: placed, by: by, paddle: paddle))
    }
}

extension BidRetracted {
    fileprivate func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        try Self(
            bid: fields("bidId", bid), bidder: fields("bidder", bidder), by: fields("by", by),
            reason: fields("reason", reason), removed: fields("removed", removed), price: fields("price", price),
            leader: fields("leader", leader), nextMinimum: fields("nextMinimum", nextMinimum),
            reserveMet: fields("reserveMet", reserveMet))
    }
}

extension MemberLinked {
    fileprivate func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        let (from, to) = try (fields("from", from), fields("to", to))
        let role = try fields("role", role.map(EventWord.init))?.word
        var standing = Standing()
        standing.isBanned = try fields("banned", self.standing.isBanned)
        standing.isMuted = try fields("muted", self.standing.isMuted)
        standing.creditLimit = try fields.secret("creditLimit", self.standing.creditLimit)
        return Self(from: from, to: to, role: role, standing: standing)
    }
}

extension MemberErased {
    fileprivate func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        let person = try fields("member", person)
        let named = try fields.optionalSecret("rewritten", rewritten.isEmpty ? nil : RewrittenEvents(all: rewritten))
        return Self(person, rewritten: named?.all ?? [])
    }
}

extension AuctionItem {
    fileprivate func uploaded<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        var item = try passed(through: &fields)
        item.lot = try fields.optional("lotId", lot)
        return item
    }

    /// Without the lot, which is a field of the event.
    func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        var item = try fields("item", self)
        item.rules.reservePrice = try fields.optionalSecret("reservePrice", rules.reservePrice)
        return item
    }
}

extension AuctionRules {
    fileprivate func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        var rules = try fields("rules", self)
        rules.reservePrice = try fields.optionalSecret("reservePrice", reservePrice)
        return rules
    }
}

extension DrawSeed {
    fileprivate func committed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        _ = try fields("seedHash", hash)
        return try fields.secret("seed", self)
    }
}

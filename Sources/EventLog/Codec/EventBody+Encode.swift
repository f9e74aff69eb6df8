internal import AuctionDomain
internal import ExactJSON
internal import Permissions

extension EventBody {
    /// The event's type on the wire.
    var type: String {
        switch self {
        case .roomOpened: "room.opened"
        case .roomArchived: "room.archived"
        case .memberJoined: "member.joined"
        case .memberLeft: "member.left"
        case .memberRoleChanged: "member.roleChanged"
        case .memberKicked: "member.kicked"
        case .memberBanned: "member.banned"
        case .memberMuted: "member.muted"
        case .memberCreditLimitChanged: "member.creditLimitChanged"
        case .hostGone: "host.gone"
        case .hostReturned: "host.returned"
        case .itemUploaded: "item.uploaded"
        case .rulesAdjusted: "rules.adjusted"
        case .permissionChanged: "permission.changed"
        case .stateChanged: "state.changed"
        case .countdownStarted: "countdown.started"
        case .countdownMoved: "countdown.moved"
        case .drawCommitted: "draw.committed"
        case .drawRevealed: "draw.revealed"
        case .bidPlaced: "bid.placed"
        case .maximumRaised: "bid.maximumRaised"
        case .bidRetracted: "bid.retracted"
        case .maximumVoided: "bid.maximumVoided"
        case .priceDropped: "price.dropped"
        case .itemSold: "item.sold"
        case .itemPassed: "item.passed"
        case .stage(let event): event.type
        case .messageSent: "message.sent"
        case .messageRemoved: "message.removed"
        case .systemMessage: "message.system"
        }
    }

    /// Writes the members of the public `data` object.
    func write(to json: inout JSONWriter, currency: Currency) {
        switch self {
        case .bidPlaced(let placed): placed.write(to: &json, currency: currency)
        case .roomOpened, .roomArchived, .memberJoined, .memberLeft, .memberRoleChanged, .memberKicked, .memberBanned,
            .memberMuted, .memberCreditLimitChanged, .hostGone, .hostReturned, .permissionChanged:
            writePeople(to: &json)
        case .itemUploaded(let item): json.member("item", item, in: currency)
        case .rulesAdjusted(let item, let rules, let by):
            json.member("itemId", item)
            json.member("rules", rules, in: currency)
            json.member("by", by)
        case .stateChanged(let change):
            json.member("from", change.from.rawValue)
            json.member("to", change.to.rawValue)
            json.member("cause", change.cause.rawValue)
            json.member("by", change.by)
            if let reason = change.reason { json.member("reason", reason) }
        case .countdownStarted(let endsAt, let nextDropAt):
            json.member("endsAt", endsAt)
            if let nextDropAt { json.member("nextDropAt", nextDropAt) }
        case .countdownMoved(let moved):
            json.member("endsAt", moved.endsAt)
            if let nextDropAt = moved.nextDropAt { json.member("nextDropAt", nextDropAt) }
            json.member("extendedBySeconds", moved.extendedBySeconds)
            json.member("cause", moved.cause.rawValue)
        case .drawCommitted(let seed): json.member("seedHash", DrawSeed.hash(seed))
        case .drawRevealed(let seed): json.member("seed", DrawSeed.text(seed))
        case .maximumRaised(let raised):
            json.member("bidId", raised.bid)
            json.member("bidder", raised.bidder)
        case .bidRetracted(let retracted): retracted.write(to: &json, currency: currency)
        case .maximumVoided(let voided):
            json.member("bidId", voided.bid)
            json.member("bidder", voided.bidder)
        case .priceDropped(let price, let nextDropAt):
            json.member("price", price, in: currency)
            json.member("nextDropAt", nextDropAt)
        case .itemSold(let winner, let price):
            json.member("winner", winner)
            json.member("price", price, in: currency)
        case .itemPassed(let reason): json.member("reason", reason.rawValue)
        case .stage(let event): event.write(to: &json)
        case .messageSent(let message):
            json.member("messageId", message.id)
            json.member("author", message.author)
            json.member("text", message.text)
        case .messageRemoved(let id, let by):
            json.member("messageId", id)
            json.member("by", by)
        case .systemMessage(let message):
            json.member("key", message.key)
            json.member("en", message.text.english)
            json.member("zh", message.text.chinese)
        }
    }

    private func writePeople(to json: inout JSONWriter) {
        switch self {
        case .roomOpened(let opened):
            json.member("name", opened.name)
            json.member("host", opened.host)
            json.member("currency", opened.currency.code)
            json.member("visibility", opened.visibility.rawValue)
        case .roomArchived(let by): json.member("by", by)
        case .memberJoined(let person, let role):
            json.member("member", person)
            json.member("role", role.rawValue)
        case .memberLeft(let person): json.member("member", person)
        case .memberRoleChanged(let person, let from, let to, let by):
            json.member("member", person)
            json.member("from", from.rawValue)
            json.member("to", to.rawValue)
            json.member("by", by)
        case .memberKicked(let person, let by), .memberCreditLimitChanged(let person, _, let by):
            json.member("member", person)
            json.member("by", by)
        case .memberBanned(let person, let isBanned, let by):
            json.member("member", person)
            json.member("banned", isBanned)
            json.member("by", by)
        case .memberMuted(let person, let isMuted, let by):
            json.member("member", person)
            json.member("muted", isMuted)
            json.member("by", by)
        case .hostGone(let host), .hostReturned(let host): json.member("host", host)
        case .permissionChanged(let change):
            json.member("rule", change.rule)
            if let isEnabled = change.isEnabled { json.member("enabled", isEnabled) }
            if let priority = change.priority { json.member("priority", priority) }
            json.member("by", change.by)
        default: break
        }
    }
}

extension BidPlaced {
    fileprivate func write(to json: inout JSONWriter, currency: Currency) {
        json.member("bidId", bid)
        if !isSealed { json.member("amount", amount, in: currency) }
        json.member("bidder", bidder)
        json.member("leading", leading)
        json.member("automatic", automatic)
        json.member("nextMinimum", nextMinimum, in: currency)
        json.member("endsAt", endsAt)
        json.member("reserveMet", reserveMet)
    }
}

extension BidRetracted {
    fileprivate func write(to json: inout JSONWriter, currency: Currency) {
        json.member("bidId", bid)
        json.member("bidder", bidder)
        json.member("by", by)
        json.member("reason", reason)
        json.member("removed", array: { array in for id in removed { array.string(id.description) } })
        json.member("price", price, in: currency)
        json.member("leader", leader)
        json.member("nextMinimum", nextMinimum, in: currency)
        json.member("reserveMet", reserveMet)
    }
}

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
        case .itemUploaded: "item.uploaded"
        case .stateChanged: "state.changed"
        case .countdownStarted: "countdown.started"
        case .countdownMoved: "countdown.moved"
        case .bidPlaced: "bid.placed"
        case .itemSold: "item.sold"
        case .itemPassed: "item.passed"
        case .systemMessage: "message.system"
        }
    }

    /// What no stream may read; nil if the event hides nothing.
    var privateBytes: [UInt8]? {
        guard case .roomOpened(let opened) = self else { return nil }
        var json = JSONWriter(reserving: 64)
        json.object { $0.member("inviteCode", opened.inviteCode) }
        return json.bytes
    }

    /// The members of `data`.
    func write(to json: inout JSONWriter, currency: Currency) {
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
        case .itemUploaded(let item): json.member("item", item, in: currency)
        case .stateChanged(let change):
            json.member("from", change.from.rawValue)
            json.member("to", change.to.rawValue)
            json.member("cause", change.cause.rawValue)
            json.member("by", change.by)
        case .countdownStarted(let endsAt): json.member("endsAt", endsAt)
        case .countdownMoved(let endsAt, let extendedBySeconds, let cause):
            json.member("endsAt", endsAt)
            json.member("extendedBySeconds", extendedBySeconds)
            json.member("cause", cause.rawValue)
        case .bidPlaced(let placed): Self.write(placed, to: &json, currency: currency)
        case .itemSold(let winner, let price):
            json.member("winner", winner)
            json.member("price", price, in: currency)
        case .itemPassed(let reason): json.member("reason", reason.rawValue)
        case .systemMessage(let message):
            json.member("key", message.key)
            json.member("en", message.text.english)
            json.member("zh", message.text.chinese)
        }
    }

    private static func write(_ placed: BidPlaced, to json: inout JSONWriter, currency: Currency) {
        json.member("bidId", placed.bid)
        json.member("amount", placed.amount, in: currency)
        json.member("bidder", placed.bidder)
        json.member("leading", placed.leading)
        json.member("automatic", placed.automatic)
        json.member("nextMinimum", placed.nextMinimum, in: currency)
        json.member("endsAt", placed.endsAt)
        // No reserve price yet, so there is nothing to meet.
        json.name("reserveMet")
        json.null()
    }
}

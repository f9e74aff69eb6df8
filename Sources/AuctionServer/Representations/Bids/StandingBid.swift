internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// A user's bid in a round that is not over, as the user sees it. Does not retain the room.
struct StandingBid {
    /// How the bid stands.
    enum Standing: String {
        case leading
        case outbid
        /// Unknown until the round ends.
        case sealed
    }

    private let room: (id: RoomID, name: String)
    private let item: (id: ItemID, name: String)
    private let state: String
    private let round: Int
    private let currency: Currency
    private let currentPrice: Money?
    private let premium: Premium?
    private let endsAt: Timestamp?
    private let bid: Bid
    private let standing: Standing
    private let maximum: Money?
    private let nextMinimum: Money?

    /// Nil if the user has no bid in the round, the round is over, or the user may not see the room.
    init?(of user: UserID, in room: Room, _ rulebook: RoomRulebook, at now: Timestamp) {
        guard !room.isArchived, room.currentResult == nil, room.isVisible(to: user), let item = room.item,
            let latest = room.bids.latest(of: user)
        else { return nil }
        self.room = (room.id, room.details.name)
        self.item = (item.id, item.name)
        state = room.isClosing(at: now) ? "closing" : room.state.rawValue
        round = room.round
        currency = room.currency
        currentPrice = room.currentPrice
        premium = room.premium
        endsAt = room.endsAt
        let leading = room.currentBid.flatMap { $0.bidder.id == user ? $0 : nil }
        bid = leading ?? latest
        standing = rulebook.format(of: room)?.isSealed == true ? .sealed : leading == nil ? .outbid : .leading
        maximum = leading == nil ? nil : room.leaderMaximum
        nextMinimum = rulebook.nextMinimum(in: room, for: user)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("room", id: room.id, name: room.name)
            json.member("state", state)
            json.member("round", round)
            json.member("item", id: item.id, name: item.name)
            json.member("currency", currency.code)
            json.member("standing", standing.rawValue)
            json.member("bidId", bid.id)
            json.member("amount", bid.amount, in: currency)
            json.member("maximum", maximum, in: currency)
            json.member("bidAt", bid.at)
            json.member("currentPrice", currentPrice, in: currency)
            if let premium { json.member("total", currentPrice.map { premium.total(of: $0) }, in: currency) }
            json.member("nextMinimum", nextMinimum, in: currency)
            json.member("endsAt", endsAt)
        }
    }
}

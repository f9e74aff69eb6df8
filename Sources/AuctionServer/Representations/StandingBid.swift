internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// A user's bid in a round that is not over, as the user sees it.
struct StandingBid {
    /// How the bid stands.
    enum Standing: String {
        case leading
        case outbid
        /// Unknown until the round ends.
        case sealed
    }

    private let room: Room
    private let item: AuctionItem
    private let bid: Bid
    private let standing: Standing
    private let maximum: Money?
    private let nextMinimum: Money?

    /// Nil if the user has no bid in the round, the round is over, or the user may not see the room.
    init?(of user: UserID, in room: Room, _ rulebook: RoomRulebook) {
        guard !room.isArchived, room.currentResult == nil, room.isVisible(to: user), let item = room.item,
            let latest = room.bids.latest(of: user)
        else { return nil }
        self.room = room
        self.item = item
        let leading = room.currentBid.flatMap { $0.bidder.id == user ? $0 : nil }
        bid = leading ?? latest
        standing = rulebook.format(of: room)?.isSealed == true ? .sealed : leading == nil ? .outbid : .leading
        maximum = leading == nil ? nil : room.leaderMaximum
        nextMinimum = rulebook.nextMinimum(in: room, for: user)
    }

    func write(at now: Timestamp, to json: inout JSONWriter) {
        let currency = room.currency
        json.object { json in
            json.member("room", id: room.id, name: room.details.name)
            json.member("state", room.isClosing(at: now) ? "closing" : room.state.rawValue)
            json.member("round", room.round)
            json.member("item", id: item.id, name: item.name)
            json.member("currency", currency.code)
            json.member("standing", standing.rawValue)
            json.member("bidId", bid.id)
            json.member("amount", bid.amount, in: currency)
            json.member("maximum", maximum, in: currency)
            json.member("bidAt", bid.at)
            json.member("currentPrice", room.currentPrice, in: currency)
            json.member("nextMinimum", nextMinimum, in: currency)
            json.member("endsAt", room.endsAt)
        }
    }
}

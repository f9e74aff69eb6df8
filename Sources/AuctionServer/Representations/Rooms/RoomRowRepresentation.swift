internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// A room as lists of rooms show it.
enum RoomRowRepresentation {
    /// - Parameter viewers: Number of watchers on all nodes.
    static func write(_ row: RoomRow, viewers: Int, at now: Timestamp, to json: inout JSONWriter) {
        let state = RoomState(rawValue: row.status.state)
        let isClosing = state == .auctioning && row.status.endsAt.map { now >= $0 } ?? false
        json.object { json in
            json.member("id", row.room)
            json.member("name", row.profile.name)
            json.member("host", row.profile.host)
            json.member("currency", row.profile.currency)
            json.member("visibility", row.profile.visibility)
            json.member("state", isClosing ? "closing" : state.rawValue)
            json.member("round", row.status.round)
            json.member("seq", row.head.seq)
            json.member("itemName", row.profile.itemName)
            let (price, currency) = (
                row.status.currentPrice.map { Money(minorUnits: $0) }, Currency(code: row.profile.currency)
            )
            json.member("currentPrice", price.flatMap { currency?.text($0) })
            if let premium = row.profile.premium {
                json.member("total", price.flatMap { currency?.text(premium.total(of: $0)) })
            }
            if let offer = row.profile.offer, let currency {
                json.member(
                    "offer",
                    object: { json in
                        json.member("name", offer.name)
                        if let picture = offer.picture { json.member("picture", picture.path) }
                        json.member("startingPrice", currency.text(Money(minorUnits: offer.startingPrice)))
                    })
            }
            if let startsAt = row.profile.startsAt { json.member("startsAt", startsAt) }
            json.member("endsAt", row.status.endsAt)
            json.member("viewers", viewers)
            json.member("openedAt", row.profile.openedAt)
        }
    }
}

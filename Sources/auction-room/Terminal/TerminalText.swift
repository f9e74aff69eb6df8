internal import AuctionClientCore

extension String {
    /// Without characters that a terminal would take as commands or that reorder the text around them.
    var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.filter { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: false
                    default: true
                    }
                }))
    }
}

extension Duration {
    /// Minutes and seconds, rounded up: `1:05`.
    var clock: String {
        let parts = components
        let seconds = max(0, parts.seconds + (parts.attoseconds > 0 ? 1 : 0))
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }
}

extension RoomEvent {
    /// What happened, in a few words.
    var summary: String {
        switch body {
        case .roomOpened(let name, let host, _): "\(host.nickname) opened \(name)"
        case .roomArchived(let by): "\(by.nickname) archived the room"
        case .memberJoined(let person, let role): "\(person.nickname) joined as \(role)"
        case .memberLeft(let person): "\(person.nickname) left"
        case .memberRoleChanged(let person, _, let role, _): "\(person.nickname) is \(role) now"
        case .memberLinked(let guest, let user, _): "\(guest.nickname) is \(user.nickname) now"
        case .itemUploaded(let item, _): "\(item.owner.nickname) uploaded \(item.name)"
        case .stateChanged(let change): "\(change.from) → \(change.to)"
        case .bidPlaced(let bid):
            "\(bid.bidder.nickname) bids \(bid.amount?.description ?? "a sealed amount")"
                + (bid.isAutomatic ? ", automatically" : "")
        case .bidRetracted(let bid): "\(bid.by.nickname) retracted a bid of \(bid.bidder.nickname): \(bid.reason)"
        case .priceDropped(let price, _): "the price drops to \(price)"
        case .itemSold(let winner, let price): "sold to \(winner.nickname) for \(price)"
        case .itemPassed(let reason): "not sold: \(reason)"
        case .messageSent(let message): "\(message.author.nickname): \(message.text)"
        case .systemMessage(_, let english, _): english
        case .hostGone(let host): "the host \(host.nickname) is away"
        case .hostReturned(let host): "the host \(host.nickname) is back"
        default: ""
        }
    }

    /// A line for a log: number, type and what happened.
    var line: String { "\(seq) \(type) \(summary)".printable }

    /// The event as the service sent it, but for the order of members.
    var json: String {
        JSONValue.object([
            "seq": .number(String(seq)), "type": .string(type.rawValue), "at": .string(at.rfc3339),
            "round": .number(String(round)),
            "data": data,
        ]).text
    }
}

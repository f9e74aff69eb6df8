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
    /// - Parameter total: of a sale, what the buyer pays with the premium; nil without one.
    private func summary(total: Money?) -> String {
        switch body {
        case .roomOpened(let name, let host, _): "\(host.nickname) opened \(name)"
        case .roomArchived(let by): "\(by.nickname) archived the room"
        case .memberJoined(let person, let role): "\(person.nickname) joined as \(role)"
        case .memberLeft(let person): "\(person.nickname) left"
        case .memberRoleChanged(let person, _, let role, _): "\(person.nickname) is \(role) now"
        case .memberLinked(let guest, let user, _): "\(guest.nickname) is \(user.nickname) now"
        case .memberKicked(let person, let by): "\(by.nickname) removed \(person.nickname)"
        case .memberBanned(let person, let isBanned, let by):
            "\(by.nickname) \(isBanned ? "banned" : "lifted the ban of") \(person.nickname)"
        case .memberMuted(let person, let isMuted, let by):
            "\(by.nickname) \(isMuted ? "muted" : "lets speak again") \(person.nickname)"
        case .creditLimitChanged(let person, let by): "\(by.nickname) changed the credit limit of \(person.nickname)"
        case .rulesAdjusted(_, let by): "\(by.nickname) changed the rules of the item"
        case .permissionChanged(let rule, let by): "\(by.nickname) configured the rule \(rule)"
        case .countdownStarted: "the countdown runs"
        case .countdownMoved(_, let cause, _): "the countdown has another end (\(cause))"
        case .drawCommitted: "a draw will decide among equal bids"
        case .drawRevealed: "the draw is laid open"
        case .maximumRaised(_, let bidder): "\(bidder.nickname) raised their maximum"
        case .maximumVoided(_, let bidder): "\(bidder.nickname) leads without their maximum"
        case .messageRemoved(_, let by): "\(by.nickname) removed a message"
        case .itemUploaded(let item, _): "\(item.owner.nickname) uploaded \(item.name)"
        case .stateChanged(let change): "\(change.from) → \(change.to)"
        case .bidPlaced(let bid):
            "\(bid.bidder.nickname) bids \(bid.amount?.description ?? "a sealed amount")"
                + (bid.isAutomatic ? ", automatically" : "")
        case .bidRetracted(let bid): "\(bid.by.nickname) retracted a bid of \(bid.bidder.nickname): \(bid.reason)"
        case .priceDropped(let price, _): "the price drops to \(price)"
        case .itemSold(let winner, let price): "sold to \(winner.nickname) for \(price.description(total: total))"
        case .itemPassed(let reason): "not sold: \(reason)"
        case .messageSent(let message): "\(message.author.nickname): \(message.text)"
        case .systemMessage(_, let english, _): english
        case .hostGone(let host): "the host \(host.nickname) is away"
        case .hostReturned(let host): "the host \(host.nickname) is back"
        case .lot(let lot): [words, lot.item?.name].compactMap { $0 }.joined(separator: ": ")
        case .stage(let stage): [words, stage.guest?.nickname].compactMap { $0 }.joined(separator: ": ")
        default: words
        }
    }

    /// The name of the event as words: "sale started" of `sale.started`.
    private var words: String { type.rawValue.replacing(".", with: " ") }

    /// Whether a view that shows the state as well can do without it.
    var isQuiet: Bool {
        switch body {
        case .countdownStarted, .countdownMoved, .drawCommitted, .drawRevealed, .unknown: true
        default: false
        }
    }

    /// A line for a log: number, and what happened.
    /// - Parameter total: of a sale, what the buyer pays with the premium; nil without one.
    func line(total: Money?) -> String { "\(seq) \(summary(total: total))".printable }

    /// How a terminal shows it.
    var style: TerminalStyle {
        switch body {
        case .bidPlaced: .good
        case .itemSold, .itemPassed: .strong
        case .messageSent: .plain
        default: .faint
        }
    }

    /// The event as the service sent it, but for the order of members.
    var json: String {
        JSONValue.object([
            "seq": .number(String(seq)), "type": .string(type.rawValue), "at": .string(at.rfc3339),
            "round": .number(String(round)),
            "data": data,
        ]).text
    }
}

/// How a line looks on a terminal with colours.
enum TerminalStyle: String {
    case plain = ""
    case strong = "1"
    case faint = "2"
    case good = "32"
    case alarm = "1;31"

    /// The text, which has no control characters, in this style.
    func applied(to text: String) -> String { self == .plain ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}

internal import AuctionClientCore

extension RoomEvent {
    /// What happened, in a few words.
    /// - Parameter total: of a sale, what the buyer pays with the premium; nil without one.
    func summary(total: Money?) -> String {
        switch body {
        case .roomOpened(let name, let host, _): "\(host.nickname) opened \(name)"
        case .roomArchived(let by): "\(by.nickname) archived the room"
        case .memberJoined(let person, let role): "\(person.nickname) joined as \(role.words)"
        case .memberLeft(let person): "\(person.nickname) left"
        case .memberRoleChanged(let person, _, let role, _): "\(person.nickname) is \(role.words) now"
        case .memberErased(let person): "\(person.nickname) has left the service"
        case .memberLinked(let guest, let user, _): "\(guest.nickname) is \(user.nickname) now"
        case .memberKicked(let person, let by): "\(by.nickname) removed \(person.nickname)"
        case .memberBanned(let person, let isBanned, let by):
            "\(by.nickname) \(isBanned ? "banned" : "lifted the ban of") \(person.nickname)"
        case .memberMuted(let person, let isMuted, let by):
            isMuted ? "\(by.nickname) muted \(person.nickname)" : "\(by.nickname) lets \(person.nickname) speak again"
        case .creditLimitChanged(let person, let by): "\(by.nickname) changed the credit limit of \(person.nickname)"
        case .rulesAdjusted(_, let by): "\(by.nickname) changed the rules of the item"
        case .permissionChanged(let rule, let by): "\(by.nickname) changed the permission rule \(rule)"
        case .countdownStarted: "the countdown runs"
        case .countdownMoved(_, let cause, _): "the countdown has another end, \(Self.wordsOfMove(cause))"
        case .warningGiven(let level, let by): "\(by.nickname) says: going \(level == 1 ? "once" : "twice")"
        case .incrementChanged(_, let minimum, let by): "\(by.nickname) changed the increment: the next bid is \(minimum)"
        case .askChanged(let minimum, let by): "\(by.nickname) asks for \(minimum)"
        case .drawCommitted: "a draw will decide among equal bids"
        case .drawRevealed: "the draw is laid open"
        case .maximumRaised(_, let bidder): "\(bidder.nickname) raised their maximum"
        case .maximumVoided(_, let bidder): "\(bidder.nickname) leads without their maximum"
        case .messageRemoved(_, let by): "\(by.nickname) removed a message"
        case .applicationMade: "a bidder asks to be approved"
        case .applicationDeclined(let by): "\(by.nickname) declined the application of a bidder"
        case .messageReported: "a message was reported to the host"
        case .itemUploaded(let item, _): "\(item.owner.nickname) uploaded \(item.name)"
        case .stateChanged(let change): "\(change.from) → \(change.to)"
        case .bidPlaced(let bid):
            "\(bid.bidder.nickname) bids \(bid.amount?.description ?? "a sealed amount")"
                + (bid.isAutomatic ? ", automatically" : bid.enteredBy.map { ", entered by \($0.nickname)" } ?? "")
        case .bidRetracted(let bid): "\(bid.by.nickname) retracted a bid of \(bid.bidder.nickname): \(bid.reason)"
        case .priceDropped(let price, _): "the price drops to \(price)"
        case .itemSold(let winner, let price): "sold to \(winner.nickname) for \(price.description(total: total))"
        case .itemPassed(let reason): "not sold: \(Self.wordsOfPass(reason))"
        case .itemVoided(_, let item, let voided): "\(voided.by.nickname) voided the sale of \(item): \(voided.reason)"
        case .offerMade(_, _, let to, let price, _): "offered to \(to.nickname) for \(price)"
        case .offerAccepted(_, _, let winner, let price): "\(winner.nickname) takes the offer: \(price)"
        case .offerDeclined(_, let to): "\(to.nickname) declines the offer"
        case .offerExpired(_, let to): "the offer to \(to.nickname) is over"
        case .messageSent(let message): "\(message.author.nickname): \(message.text)"
        case .systemMessage(_, let english, _): english
        case .hostGone(let host): "the host \(host.nickname) is away"
        case .hostReturned(let host): "the host \(host.nickname) is back"
        case .lot(let lot) where lot.absenteeBids != nil:
            "bids that were left on a lot before its turn: \(lot.absenteeBids ?? 0)"
        case .lot(let lot): [type.words, Self.label(lot) ?? lot.reason].compactMap { $0 }.joined(separator: ": ")
        case .sale(let sale):
            "\(type.words)\(sale.by.map { " by \($0.nickname)" } ?? "")"
                + (sale.cause.flatMap(Self.wordsOfSale).map { ": \($0)" } ?? "")
        case .stage(let stage): stage.guest.map { wordsOfStage($0.nickname) } ?? type.words
        case .unknown: type.words
        }
    }

    /// A lot as the page names it: its reference, or else its number, and the item.
    private static func label(_ lot: LotEvent) -> String? {
        let name = [lot.reference ?? lot.number.map { "\($0)" }, lot.item?.name].compactMap { $0 }.joined(separator: " · ")
        return name.isEmpty ? nil : name
    }

    private func wordsOfStage(_ guest: String) -> String {
        switch type {
        case "stage.requested": "\(guest) asks for a seat on the stage"
        case "stage.invited": "\(guest) is invited to the stage"
        case "stage.accepted": "\(guest) may come on stage"
        case "stage.seated": "\(guest) is on stage"
        case "stage.declined": "\(guest) does not come on stage"
        case "stage.left": "\(guest) left the stage"
        default: "\(type.words): \(guest)"
        }
    }

    private static func wordsOfPass(_ reason: String) -> String {
        switch reason {
        case "no_bids": "there were no bids"
        case "reserve_not_met": "the reserve was not met"
        default: words(reason)
        }
    }

    private static func wordsOfMove(_ cause: String) -> String {
        switch cause {
        case "resume": "after a pause"
        case "outage": "after an outage"
        case "clock": "after a change of the server's clock"
        case "retraction": "after a retraction"
        case "maximum": "for a raised maximum"
        case "host": "by the host"
        default: words(cause)
        }
    }

    /// Nil where the person who did it says as much.
    private static func wordsOfSale(_ cause: String) -> String? {
        switch cause {
        case "host": nil
        case "cancel": "the round was cancelled"
        case "hostGone", "host_gone": "the host is away"
        case "storageFull": "the room is full"
        case "outage": "later, after an outage"
        case "clock": "later, after a change of the server's clock"
        default: words(cause)
        }
    }

    /// A name of the service's vocabulary as words: "seat muted" of `seatMuted`, "no bids" of `no_bids`.
    fileprivate static func words(_ name: String) -> String {
        name.map { character in
            switch character {
            case ".", "_": " "
            case "A"..."Z": " \(character.lowercased())"
            default: String(character)
            }
        }.joined()
    }
}

extension EventType {
    /// "sale started" of `sale.started`.
    fileprivate var words: String { RoomEvent.words(rawValue) }
}

extension Role {
    /// As one says it of a person.
    fileprivate var words: String {
        switch self {
        case .host: "the host"
        case .auctioneer: "an auctioneer"
        case .bidder: "a bidder"
        case .viewer: "a viewer"
        default: RoomEvent.words(rawValue)
        }
    }
}

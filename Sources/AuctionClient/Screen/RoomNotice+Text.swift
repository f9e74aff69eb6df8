internal import AuctionClientCore
public import Foundation

extension RoomNotice {
    /// The notice in English, with amounts as the locale writes them; a refusal in the client's language. An app with other languages
    /// switches over the cases itself.
    public func text(locale: Locale = .current) -> String {
        func amount(_ money: Money) -> String { money.formatted(locale: locale) }
        return switch self {
        case .sold(let winner, let price): "Sold to \(winner.nickname) for \(amount(price))."
        case .passed: "Not sold."
        case .leading: "You lead."
        case .bought: "It is yours."
        case .outbid(let minimum): minimum.map { "Outbid: at least \(amount($0)) now." } ?? "Outbid."
        case .sealed: "Your sealed bid is in."
        case .refused(let refusal): refusal.requiredAmount.map { "At least \(amount($0))." } ?? refusal.refusal.detail
        case .notSent: "No connection: nothing was sent."
        case .inDoubt: "It is not known whether your bid was placed."
        case .undecidable: "It cannot be found out whether your bid was placed."
        case .earlierBid(true?): "Your bid for the item before was placed."
        case .earlierBid(false?): "Your bid for the item before was not placed."
        case .earlierBid(nil): "It is not known whether your bid for the item before was placed."
        case .notAnAmount(let typed): "Not an amount: \(typed)"
        case .closed: "The room is closed."
        }
    }
}

extension RoomLink {
    /// What to say of it in English; nil while the screen is live.
    public var text: String? {
        switch self {
        case .live: nil
        case .connecting: "Connecting …"
        case .offline: "You are offline."
        case .noAnswer: "The service does not answer; it is tried again."
        case .paused: "Paused."
        case .ended(.archived): "The room is closed."
        case .ended(let reason): reason.localizedDescription
        }
    }
}

internal import AuctionDomain
internal import ExactJSON
internal import Permissions

/// Reads the `data` of one stored event.
struct EventBodyDecoder {
    let type: String
    /// The room's currency; nil only for the event that sets it.
    let currency: Currency?
    let beginsRound: Bool

    func body(_ data: JSONFields, _ secret: JSONFields?) throws(JSONError) -> EventBody {
        var data = data
        switch type {
        case "room.opened": return try roomOpened(&data, secret)
        case "room.archived": return .roomArchived(by: try data.person("by"))
        case "member.joined": return .memberJoined(try data.person("member"), role: try data.word("role"))
        case "member.left": return .memberLeft(try data.person("member"))
        case "member.roleChanged":
            return .memberRoleChanged(
                try data.person("member"), from: try data.word("from"), to: try data.word("to"), by: try data.person("by"))
        case "item.uploaded":
            return .itemUploaded(try AuctionItem(try data.object("item"), currency: try knownCurrency()))
        case "state.changed": return try stateChanged(&data)
        case "countdown.started": return .countdownStarted(endsAt: try data.timestamp("endsAt"))
        case "countdown.moved":
            return .countdownMoved(
                endsAt: try data.timestamp("endsAt"), extendedBySeconds: try data.int("extendedBySeconds"),
                cause: try data.enumeration("cause"))
        case "bid.placed": return try bidPlaced(&data)
        case "item.sold":
            return .itemSold(
                winner: try data.person("winner"), price: try data.money("price", in: try knownCurrency()))
        case "item.passed": return .itemPassed(try data.enumeration("reason"))
        case "message.system":
            return .systemMessage(
                SystemMessage(
                    key: try data.string("key"), text: LocalizedText(try data.string("en"), try data.string("zh"))))
        default: throw JSONError(.invalidField, field: "type", "There is no event type \"\(type)\".")
        }
    }

    private func roomOpened(_ data: inout JSONFields, _ secret: JSONFields?) throws(JSONError) -> EventBody {
        guard var secret else { throw JSONError(.missingField, "The private part of room.opened is missing.") }
        guard let currency = Currency(code: try data.string("currency")) else {
            throw data.invalid("currency", "must be an ISO 4217 code")
        }
        return .roomOpened(
            RoomOpened(
                name: try data.string("name"), host: try data.person("host"), currency: currency,
                visibility: try data.word("visibility"), inviteCode: try secret.string("inviteCode")))
    }

    private func stateChanged(_ data: inout JSONFields) throws(JSONError) -> EventBody {
        .stateChanged(
            StateChange(
                from: RoomState(rawValue: try data.string("from")), to: RoomState(rawValue: try data.string("to")),
                cause: TransitionCause(rawValue: try data.string("cause")), by: try data.optionalPerson("by"),
                beginsRound: beginsRound))
    }

    private func bidPlaced(_ data: inout JSONFields) throws(JSONError) -> EventBody {
        let currency = try knownCurrency()
        return .bidPlaced(
            BidPlaced(
                bid: try data.identifier("bidId"), amount: try data.money("amount", in: currency),
                bidder: try data.person("bidder"), leading: try data.bool("leading"),
                automatic: try data.bool("automatic"), nextMinimum: try data.money("nextMinimum", in: currency),
                endsAt: try data.optionalTimestamp("endsAt")))
    }

    private func knownCurrency() throws(JSONError) -> Currency {
        guard let currency else { throw JSONError(.invalidField, "The event \(type) stands before room.opened.") }
        return currency
    }
}

extension JSONFields {
    /// A word of an enumeration that the log wrote.
    fileprivate mutating func enumeration<Word: RawRepresentable>(
        _ name: String, _ words: Word.Type = Word.self
    ) throws(JSONError) -> Word where Word.RawValue == String {
        let text = try string(name)
        guard let word = Word(rawValue: text) else { throw invalid(name, "has the unknown value \"\(text)\"") }
        return word
    }
}

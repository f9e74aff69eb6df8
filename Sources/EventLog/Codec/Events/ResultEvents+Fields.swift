internal import AuctionDomain
internal import ExactJSON

// The fields of events about results of finished rounds. All are public.
extension ItemVoided {
    func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        try Self(
            round: fields("round", round), lot: fields.optional("lotId", lot), item: fields("item", item),
            winner: fields("winner", winner), price: fields("price", price), reason: fields("reason", reason),
            by: fields("by", by))
    }
}

extension OfferEvent {
    /// The name of the kind, as in `offer.made`.
    var type: String {
        switch self {
        case .made: "offer.made"
        case .accepted: "offer.accepted"
        case .declined: "offer.declined"
        case .expired: "offer.expired"
        }
    }

    func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        switch self {
        case .made(let old, let cause):
            try .made(
                ItemOffer(
                    id: fields("offerId", old.id), round: fields("round", old.round), lot: fields.optional("lotId", old.lot),
                    to: fields("to", old.to), price: fields("price", old.price), expiresAt: fields("expiresAt", old.expiresAt)),
                cause: fields.optional("cause", cause.map(EventWord.init))?.word)
        case .accepted(let id, let round, let lot, let buyer, let price):
            try .accepted(
                fields("offerId", id), round: fields("round", round), lot: fields.optional("lotId", lot),
                by: fields("winner", buyer), price: fields("price", price))
        case .declined(let id, let bidder): try .declined(fields("offerId", id), by: fields("to", bidder))
        case .expired(let id, let bidder): try .expired(fields("offerId", id), to: fields("to", bidder))
        }
    }
}

/// `{"id","name"}`.
extension NamedItem: EventValue {
    static var schema: String { "NamedItem" }

    func write(_ name: StaticString, _ json: inout JSONWriter, _: Currency) {
        json.member(
            name,
            object: { json in
                json.member("id", id)
                json.member("name", self.name)
            })
    }

    static func read(_ name: String, _ fields: inout JSONFields, _: Currency) throws(JSONError) -> Self {
        var fields = try fields.object(name)
        let item = Self(id: try fields.identifier("id"), name: try fields.string("name"))
        try fields.finish()
        return item
    }
}

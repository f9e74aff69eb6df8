package import AuctionDomain
package import ExactJSON

// The fields of events about lots and the sale. The reserve price of a lot is private, and so are the bytes of an import's response.
extension LotQueued {
    func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        let id = try fields("lotId", id)
        var item = try item.passed(through: &fields)
        item.lot = id
        return try Self(
            id: id, item: item, reference: fields.optional("reference", reference), number: fields.optional("number", number),
            offeredBefore: fields.optional("offeredBefore", offeredBefore), by: fields.optional("by", by),
            responseBytes: fields.optionalSecret("responseBytes", responseBytes))
    }
}

extension LotChanged {
    func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        let id = try fields("lotId", id)
        var item = try item.passed(through: &fields)
        item.lot = id
        return try Self(
            id: id, item: item, reference: fields.optional("reference", reference), number: fields.optional("number", number),
            by: fields("by", by),
            responseBytes: fields.optionalSecret("responseBytes", responseBytes))
    }
}

extension LotMoved {
    func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        try Self(id: fields("lotId", id), before: fields("before", before), by: fields("by", by))
    }
}

extension LotWithdrawn {
    func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        try Self(id: fields("lotId", id), by: fields("by", by), reason: fields.optional("reason", reason))
    }
}

// Who gave or took back an absentee bid is private, and so is what it may cost.
extension LotBidsChanged {
    func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        try Self(
            lot: fields("lotId", lot), absenteeBids: fields("absenteeBids", absenteeBids),
            bidder: fields.secret("bidder", bidder),
            bid: fields.secret("bidId", bid), maximum: fields.secret("maximum", maximum))
    }
}

/// `[{"bidder", "bidId", "amount"}]`, private.
struct AbsenteeCuts: EventValue {
    let all: [AbsenteeCut]

    static var schema: String { "{AbsenteeCut}" }

    func write(_ name: StaticString, _ json: inout JSONWriter, _ currency: Currency) {
        json.member(
            name,
            array: { array in
                for cut in all {
                    array.object { json in
                        json.member("bidder", cut.bidder)
                        json.member("bidId", cut.bid)
                        json.member("amount", cut.amount, in: currency)
                    }
                }
            })
    }

    static func read(_ name: String, _ fields: inout JSONFields, _ currency: Currency) throws(JSONError) -> Self {
        var cuts: [AbsenteeCut] = []
        for element in try fields.array(name) {
            var cut = try JSONFields(element)
            cuts.append(
                AbsenteeCut(
                    bidder: try cut.identifier("bidder"), bid: try cut.identifier("bidId"),
                    amount: try Money?.read("amount", &cut, currency)))
        }
        return Self(all: cuts)
    }
}

extension SaleEvent {
    /// The name of the kind, as in `sale.started`.
    var type: String {
        switch self {
        case .configured: "sale.configured"
        case .starting: "sale.starting"
        case .started: "sale.started"
        case .stopped: "sale.stopped"
        case .postponed: "sale.postponed"
        case .finished: "sale.finished"
        }
    }

    func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        switch self {
        case .configured(let old, let by):
            try .configured(
                Sale(
                    mode: fields.word("mode", old.mode), pause: fields("pauseSeconds", old.pause),
                    startsAt: fields("startsAt", old.startsAt), premium: fields("premium", old.premium),
                    isAttended: fields.optional("attended", old.isAttended ? true : nil) ?? false), by: fields("by", by))
        case .starting(let instant, let cause):
            try .starting(fields("startsAt", instant), cause: fields.optional("cause", cause.map(EventWord.init))?.word)
        case .started(let by): try .started(by: fields("by", by))
        case .stopped(let cause, let by): try .stopped(fields.word("cause", cause), by: fields("by", by))
        case .postponed(let cause): try .postponed(fields.word("cause", cause))
        case .finished: .finished
        }
    }
}

extension Seconds: EventValue {
    static var schema: String { "integer" }

    func write(_ name: StaticString, _ json: inout JSONWriter, _: Currency) { json.member(name, count) }
    static func read(_ name: String, _ fields: inout JSONFields, _: Currency) throws(JSONError) -> Self {
        Seconds(try fields.int(name))
    }
}

/// `{"percent":"12.5"}`.
extension Premium: EventValue {
    static var schema: String { "SalePremium" }

    func write(_ name: StaticString, _ json: inout JSONWriter, _: Currency) {
        json.member(name, object: { writePercent(to: &$0) })
    }

    /// Writes the member `percent`, a decimal string.
    package func writePercent(to json: inout JSONWriter) { json.member("percent", Percentage.text(rawValue)) }

    static func read(_ name: String, _ fields: inout JSONFields, _: Currency) throws(JSONError) -> Self {
        var fields = try fields.object(name)
        return try Self(&fields)
    }

    /// Reads the member `percent`, a decimal string or a number, and refuses any other.
    /// - Throws: `JSONError` if it is missing or malformed.
    package init(_ fields: inout JSONFields) throws(JSONError) {
        let literal =
            switch try fields.value("percent") {
            case .string(let text): text
            case .number(let text): text
            default: ""
            }
        guard let premium = Percentage.basisPoints(literal).flatMap(Premium.init(rawValue:)) else {
            throw fields.invalid(
                "percent", "must be a percentage from 0 to 100 with at most two decimals, such as \"12.5\"",
                "须为 0 至 100 之间、最多两位小数的百分比,例如 \"12.5\"")
        }
        try fields.finish()
        self = premium
    }
}

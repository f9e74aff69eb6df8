package import AuctionDomain
package import ExactJSON

extension AuctionRules {
    /// Decodes rules from a request or an event; absent fields get their defaults.
    /// - Throws: `JSONError` naming the field that is missing, unknown, malformed or out of range.
    package init(_ fields: JSONFields, currency: Currency) throws(JSONError) {
        var fields = fields
        let startingPrice = try fields.money("startingPrice", in: currency)
        let patch = try RulesPatch(reading: &fields, currency: currency)
        try fields.finish()
        let plain = AuctionRules(startingPrice: startingPrice, increment: .fixed(Money(minorUnits: currency.unitsPerMajor)))
        self = patch.applied(to: plain)
    }
}

extension RulesPatch {
    /// Decodes a change of rules; absent fields stay unchanged. Null removes an optional rule, resets `increment` to its default
    /// and counts as absent for every other field.
    /// - Throws: `JSONError` naming the field that is unknown, malformed or out of range.
    package init(_ fields: JSONFields, currency: Currency) throws(JSONError) {
        var fields = fields
        let startingPrice = try fields.optionalMoney("startingPrice", in: currency)
        try self.init(reading: &fields, currency: currency)
        self.startingPrice = startingPrice
        try fields.finish()
    }

    /// Decodes every field except the starting price.
    fileprivate init(reading fields: inout JSONFields, currency: Currency) throws(JSONError) {
        self.init()
        if let value = fields.take("increment") {
            increment =
                value == .null
                ? .fixed(Money(minorUnits: currency.unitsPerMajor))
                : try Increment(try JSONFields(value, path: fields.fullName("increment")), currency: currency)
        }
        reservePrice = try fields.removableMoney("reservePrice", in: currency)
        buyNowPrice = try fields.removableMoney("buyNowPrice", in: currency)
        floorPrice = try fields.removableMoney("floorPrice", in: currency)
        listing = try fields.optionalSeconds("listingSeconds", in: AuctionRules.listingRange)
        bidding = try fields.optionalSeconds("biddingSeconds", in: AuctionRules.biddingRange)
        countdown = try fields.optionalWord("countdown", Countdown.self)
        extendWindow = try fields.optionalSeconds("extendWindowSeconds", in: AuctionRules.extendRange)
        extendBy = try fields.optionalSeconds("extendBySeconds", in: AuctionRules.extendRange)
        maxDuration = try fields.removableSeconds("maxDurationSeconds", in: AuctionRules.maxDurationRange)
        dutchTick = try fields.removableSeconds("dutchTickSeconds", in: AuctionRules.dutchTickRange)
        format = try fields.optionalKeyword("format").map(AuctionFormatName.init(rawValue:))
        tie = try fields.optionalWord("tie", TiePolicy.self)
    }
}

extension JSONFields {
    fileprivate mutating func removableMoney(_ name: String, in currency: Currency) throws(JSONError) -> Money?? {
        try removable(name) { fields, name throws(JSONError) in try fields.money(name, in: currency) }
    }

    fileprivate mutating func removableSeconds(_ name: String, in range: ClosedRange<Int>) throws(JSONError) -> Seconds?? {
        try removable(name) { fields, name throws(JSONError) in try fields.optionalSeconds(name, in: range) }
    }
}

extension Increment {
    /// Reads `{"fixed"}`, `{"percent"}` or `{"tiers"}`.
    /// - Throws: `JSONError` naming the field that is missing, unknown, malformed or out of range.
    package init(_ fields: JSONFields, currency: Currency) throws(JSONError) {
        var fields = fields
        let kinds = ["fixed", "percent", "tiers"]
        guard kinds.count(where: { !fields.isAbsent($0) }) == 1 else {
            // A name that does not exist is what is wrong with it, rather than that the others are too few.
            for kind in kinds { _ = fields.take(kind) }
            try fields.finish()
            throw fields.invalidObject(
                "must have exactly one of \"fixed\", \"percent\" and \"tiers\"", "须且只能包含 fixed、percent、tiers 之一")
        }
        if let literal = try fields.optionalNumber("percent") {
            guard let basisPoints = Self.basisPoints(literal) else {
                throw fields.invalid(
                    "percent", "must be a number from 0.01 to 1000 with at most two decimals", "须为 0.01 至 1000 之间、最多两位小数的数字")
            }
            self = .percent(basisPoints: basisPoints)
        } else if let elements = try fields.optionalArray("tiers") {
            self = .tiers(try Self.tiers(elements, fields, currency: currency))
        } else {
            self = .fixed(try fields.money("fixed", in: currency))
        }
        try fields.finish()
    }

    private static func tiers(_ elements: [JSONValue], _ fields: JSONFields, currency: Currency) throws(JSONError) -> [Tier] {
        guard (1...tierLimit).contains(elements.count) else {
            throw fields.invalid(
                "tiers", "must have from 1 to \(tierLimit) tiers, not \(elements.count)",
                "须有 1 至 \(tierLimit) 档,不能是 \(elements.count) 档")
        }
        var tiers: [Tier] = []
        for (index, element) in elements.enumerated() {
            var tier = try JSONFields(element, path: "\(fields.fullName("tiers"))[\(index)]")
            let from = try tier.money("from", in: currency, allowsZero: true)
            let step = try tier.money("step", in: currency)
            try tier.finish()
            guard tiers.last.map({ $0.from < from }) ?? (from == Money(minorUnits: 0)) else {
                throw fields.invalid("tiers", "must begin at zero and rise from tier to tier", "须从零开始并逐档递增")
            }
            tiers.append(Tier(from: from, step: step))
        }
        return tiers
    }

    /// Hundredths of a percent from a decimal literal; nil if it has more than two decimals or is out of range.
    private static func basisPoints(_ literal: String) -> Int? {
        Percentage.basisPoints(literal).flatMap { basisPointsRange.contains($0) ? $0 : nil }
    }
}

/// Percentages as decimal literals with at most two decimals.
enum Percentage {
    /// Hundredths of a percent; nil if the literal is malformed or has more than four digits before the point.
    static func basisPoints(_ literal: String) -> Int? {
        let parts = literal.split(separator: ".", omittingEmptySubsequences: false)
        // Only digits are accepted, because `Int(_:)` also parses a sign.
        guard (1...2).contains(parts.count), parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            (1...4).contains(parts[0].utf8.count), let whole = Int(parts[0])
        else { return nil }
        var hundredths = 0
        if parts.count == 2 {
            guard (1...2).contains(parts[1].utf8.count), let fraction = Int(parts[1]) else { return nil }
            hundredths = parts[1].utf8.count == 1 ? fraction * 10 : fraction
        }
        return whole * 100 + hundredths
    }

    /// Without digits that say nothing: `5`, `12.5`.
    static func text(_ basisPoints: Int) -> String {
        let (whole, hundredths) = basisPoints.quotientAndRemainder(dividingBy: 100)
        if hundredths == 0 { return String(whole) }
        return hundredths % 10 == 0 ? "\(whole).\(hundredths / 10)" : "\(whole).\(hundredths < 10 ? "0" : "")\(hundredths)"
    }
}

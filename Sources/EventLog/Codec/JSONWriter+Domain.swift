package import AuctionDomain
package import ExactJSON

// JSON representation of domain values, shared by events, responses and exports.
extension JSONWriter {
    /// Writes an identifier as a string with its prefix.
    @inline(__always) package mutating func member<Kind: IdentifierKind>(_ name: StaticString, _ id: Identifier<Kind>) {
        self.name(name)
        if let named = id.name { return string(Kind.prefix + named) }
        let digits = id.digits
        plainString(Kind.opening, lowest: 2, of: digits[0], digits[1], digits[2], digits[3])
    }

    /// Writes a time in RFC 3339, UTC, with milliseconds, or null.
    @inline(__always) package mutating func member(_ name: StaticString, _ instant: Timestamp?) {
        self.name(name)
        if let instant { value(instant) } else { null() }
    }

    /// Writes a time in RFC 3339, UTC, with milliseconds.
    package mutating func value(_ instant: Timestamp) {
        let text = instant.text
        plainString("\"", lowest: 8, of: text[0], text[1], text[2])
    }

    /// Writes an amount as a decimal string in major units, or null.
    @inline(__always) package mutating func member(_ name: StaticString, _ amount: Money?, in currency: Currency) {
        self.name(name)
        if let amount { value(amount, in: currency) } else { null() }
    }

    /// Writes an amount as a decimal string in major units.
    package mutating func value(_ amount: Money, in currency: Currency) {
        let (text, start) = currency.digits(of: amount)
        plainString(text.span.extracting(start...))
    }

    /// Writes a person as `{"id","nickname"}`, or null.
    @inline(__always) package mutating func member(_ name: StaticString, _ person: Person?) {
        self.name(name)
        if let person { value(person) } else { null() }
    }

    /// Writes a person as `{"id","nickname"}`, and a program of the operator with its kind.
    package mutating func value(_ person: Person) {
        beginObject()
        if person.id.isOperator {
            member("kind", Person.operatorKind)
            member("id", person.id.serviceToken)
        } else {
            member("id", person.id)
        }
        member("nickname", person.nickname)
        endObject()
    }

    /// Writes an item as a value, without the reserve price.
    mutating func item(_ item: AuctionItem, in currency: Currency) {
        object { json in
            json.members(of: item, in: currency)
            json.name("rules")
            json.rules(item.rules, in: currency)
        }
    }

    /// Writes an item's members except its rules.
    package mutating func members(of item: AuctionItem, in currency: Currency) {
        member("id", item.id)
        member("name", item.name)
        member("description", item.description)
        member("media", strings: item.media)
        appraisal(item.estimate, item.condition, in: currency)
        member("owner", item.owner)
    }

    /// Writes what a seller says of an item as members, each only if it is not nil.
    package mutating func appraisal(_ estimate: Estimate?, _ condition: String?, in currency: Currency) {
        if let estimate {
            member(
                "estimate",
                object: { json in
                    json.member("low", estimate.low, in: currency)
                    json.member("high", estimate.high, in: currency)
                })
        }
        if let condition { member("condition", condition) }
    }

    /// Writes rules as a value.
    /// - Parameter showsReserve: Whether to include the reserve price, which is visible to the item's owner only.
    package mutating func rules(_ rules: AuctionRules, in currency: Currency, showsReserve: Bool = false) {
        object { json in
            json.member("startingPrice", rules.startingPrice, in: currency)
            json.member("increment", object: { rules.increment.write(to: &$0, currency: currency) })
            if showsReserve { json.member("reservePrice", rules.reservePrice, in: currency) }
            json.member("buyNowPrice", rules.buyNowPrice, in: currency)
            json.member("floorPrice", rules.floorPrice, in: currency)
            json.member("listingSeconds", rules.listing.count)
            json.member("biddingSeconds", rules.bidding.count)
            json.member("countdown", rules.countdown.rawValue)
            json.member("extendWindowSeconds", rules.extendWindow.count)
            json.member("extendBySeconds", rules.extendBy.count)
            json.member("maxDurationSeconds", rules.maxDuration?.count)
            json.member("dutchTickSeconds", rules.dutchTick?.count)
            json.member("format", rules.format.rawValue)
            json.member("tie", rules.tie.rawValue)
        }
    }
}

extension Increment {
    /// Writes the members of `base`.
    func write(to json: inout JSONWriter, currency: Currency) {
        switch self {
        case .asked(_, _, let then): then.write(to: &json, currency: currency)
        case .fixed(let step): json.member("fixed", step, in: currency)
        case .percent(let basisPoints):
            json.name("percent")
            json.raw(Percentage.text(basisPoints))
        case .tiers(let tiers):
            json.member(
                "tiers",
                array: { array in
                    for tier in tiers {
                        array.object { json in
                            json.member("from", tier.from, in: currency)
                            json.member("step", tier.step, in: currency)
                        }
                    }
                })
        }
    }
}

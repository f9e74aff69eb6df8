public import AuctionDomain
public import ExactJSON

// How the domain's values look in JSON: in events, answers and exports alike.
extension JSONWriter {
    public mutating func member(_ name: String, _ id: Identifier<some IdentifierKind>) {
        self.name(name)
        plainString { id.write(to: &$0) }
    }

    public mutating func member(_ name: String, _ instant: Timestamp) {
        self.name(name)
        plainString { instant.write(to: &$0) }
    }

    public mutating func member(_ name: String, _ instant: Timestamp?) {
        self.name(name)
        if let instant { plainString { instant.write(to: &$0) } } else { null() }
    }

    public mutating func member(_ name: String, _ amount: Money, in currency: Currency) {
        self.name(name)
        plainString { currency.write(amount, to: &$0) }
    }

    public mutating func member(_ name: String, _ amount: Money?, in currency: Currency) {
        self.name(name)
        if let amount { plainString { currency.write(amount, to: &$0) } } else { null() }
    }

    public mutating func member(_ name: String, _ person: Person) {
        self.name(name)
        self.person(person)
    }

    public mutating func member(_ name: String, _ person: Person?) {
        self.name(name)
        if let person { self.person(person) } else { null() }
    }

    public mutating func person(_ person: Person) {
        object { json in
            json.member("id", person.id)
            json.member("nickname", person.nickname)
        }
    }

    public mutating func member(_ name: String, _ item: AuctionItem, in currency: Currency) {
        self.name(name)
        self.item(item, in: currency)
    }

    public mutating func item(_ item: AuctionItem, in currency: Currency) {
        object { json in
            json.member("id", item.id)
            json.member("name", item.name)
            json.member("description", item.description)
            json.member("media", array: { media in for address in item.media { media.string(address) } })
            json.member("owner", item.owner)
            json.member("rules", item.rules, in: currency)
        }
    }

    public mutating func member(_ name: String, _ rules: AuctionRules, in currency: Currency) {
        self.name(name)
        self.rules(rules, in: currency)
    }

    public mutating func rules(_ rules: AuctionRules, in currency: Currency) {
        object { json in
            json.member("startingPrice", rules.startingPrice, in: currency)
            json.member(
                "increment",
                object: { increment in
                    switch rules.increment {
                    case .fixed(let step): increment.member("fixed", step, in: currency)
                    }
                })
            json.member("listingSeconds", rules.listing.count)
            json.member("biddingSeconds", rules.bidding.count)
            json.member("countdown", rules.countdown.rawValue)
            json.member("format", rules.format.rawValue)
        }
    }
}

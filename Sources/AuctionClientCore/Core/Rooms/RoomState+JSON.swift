extension RoomState {
    /// A room as a response has it.
    init(_ json: JSONValue) throws(MalformedJSON) {
        let fields = try JSONFields(json)
        let currency = Currency(try fields.string("currency"))
        let shown: RoomPhase = try fields.name("state")
        id = try fields.string("id")
        seq = try fields.integer("seq")
        name = try fields.string("name")
        host = try fields.person("host")
        self.currency = currency
        visibility = try fields.name("visibility")
        // `closing` is how a response shows `auctioning` past the deadline; events never say so.
        phase = shown == .closing ? .auctioning : shown
        round = try fields.count("round")
        item = if let item = try fields.optionalFields("item") { try Item(item, currency) } else { nil }
        rules = if let rules = try fields.optionalFields("rules") { try AuctionRules(rules, currency) } else { nil }
        currentPrice = try fields.optionalMoney("currentPrice", currency)
        total = fields.total(currency)
        sale = if let sale = fields.optional("sale") { try Sale(sale) } else { nil }
        currentBid =
            if let bid = try fields.optionalFields("currentBid") { try LeadingBid(bid, currency) } else { nil }
        // A response still has one after the close, events do not.
        nextMinimum = shown == .closed ? nil : try fields.optionalMoney("nextMinimum", currency)
        reserveMet = try fields.optionalBool("reserveMet")
        endsAt = try fields.optionalTime("endsAt")
        nextDropAt = try fields.optionalTime("nextDropAt")
        warning = try fields.optionalInteger("warning").flatMap(Int.init(exactly:)) ?? 0
        reports = try fields.optionalInteger("reports").flatMap(Int.init(exactly:))
        viewers = Int(exactly: try fields.optionalInteger("viewers") ?? 0) ?? 0
        details = try RoomDetails(fields, currency)
    }
}

extension JSONFields {
    /// A price with its premium; nil also if it is beyond the largest amount, which the price is not.
    func total(_ currency: Currency) -> Money? {
        optional("total")?.string.flatMap { Money(wire: $0, currency: currency) }
    }
}

extension RoomDetails {
    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        seq = try fields.integer("seq")
        allowedActions = fields.optional("allowedActions") == nil ? nil : fields.names("allowedActions")
        me = if let me = try fields.optionalFields("me") { try Caller(me, currency) } else { nil }
        applications = try fields.optionalInteger("applications").flatMap(Int.init(exactly:))
        phaseDescription = try fields.optionalString("stateDescription") ?? ""
        inviteCode = try fields.optionalString("inviteCode")
        var counts: [Role: Int] = [:]
        if case .object(let members)? = fields.optional("members") {
            for (role, count) in members { counts[Role(rawValue: role)] = count.integer.flatMap(Int.init(exactly:)) }
        }
        memberCounts = counts
        let remaining = try fields.optionalInteger("remainingMs")
        frozenRemaining = fields.optional("endsAt") == nil ? remaining.map { .milliseconds($0) } : nil
    }
}

extension Caller {
    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        role = try fields.optionalString("role").map(Role.init(rawValue:))
        isLeading = try fields.optionalBool("leading") ?? false
        maximum = try fields.optionalMoney("maximum", currency)
        sealedAmount = try fields.optionalMoney("sealedAmount", currency)
        creditLimit = try fields.optionalMoney("creditLimit", currency)
        isMuted = try fields.optionalBool("muted") ?? false
        isBanned = try fields.optionalBool("banned") ?? false
        // A service of an earlier version makes none.
        offers =
            fields.optional("offers") == nil
            ? [] : try fields.objects("offers") { (fields) throws(MalformedJSON) in try Offer(fields, currency) }
        application =
            if let fields = try fields.optionalFields("application") { try OwnApplication(fields) } else { nil }
    }
}

extension Offer {
    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        id = try fields.string("id")
        round = try fields.count("round")
        lotId = try fields.optionalString("lotId")
        itemName = try fields.fields("item").string("name")
        price = try fields.money("price", currency)
        total = fields.total(currency) ?? price
        expiresAt = try fields.time("expiresAt")
    }
}

extension LeadingBid {
    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        id = try fields.string("id")
        amount = try fields.money("amount", currency)
        bidder = try fields.person("bidder")
        at = try fields.time("at")
    }
}

extension AuctionRoom {
    /// The bids of a round, newest first, read page by page as they are asked for.
    /// - Parameter round: nil for the current one.
    public func bids(round: Int? = nil, pageSize: Int = 100) -> Pages<Bid> {
        let query = round.map { "round=\($0)&" } ?? ""
        return pages("\(path)/bids?\(query)limit=\(pageSize)", "bids") { (fields, currency) throws(MalformedJSON) in
            try Bid(fields, currency)
        }
    }

    /// The members, read page by page as they are asked for.
    /// - Parameter banned: true: the users who are banned, members or not, instead. By the host.
    public func members(banned: Bool = false, pageSize: Int = 100) -> Pages<Member> {
        let query = banned ? "banned=true&" : ""
        return pages("\(path)/members?\(query)limit=\(pageSize)", "members") { (fields, currency) throws(MalformedJSON) in
            try Member(fields, currency)
        }
    }

    /// The finished rounds, newest first, read page by page as they are asked for.
    public func results(pageSize: Int = 100) -> Pages<RoundResult> {
        pages("\(path)/results?limit=\(pageSize)", "results") { (fields, currency) throws(MalformedJSON) in
            try RoundResult(fields, currency)
        }
    }

    /// The reports of messages, newest first, read page by page as they are asked for. By the host.
    public func reports(pageSize: Int = 50) -> Pages<Report> {
        pages("\(path)/reports?limit=\(pageSize)", "reports") { (fields, _) throws(MalformedJSON) in try Report(fields) }
    }

    /// The seats, and who is on the way to one.
    public func stage() async throws(AuctionError) -> Stage {
        try await client.read("\(path)/stage") { (json) throws(MalformedJSON) in try Stage(json) }
    }

    /// Whether the caller may do something now, and why not. Asking changes nothing.
    /// - Parameter amount: for `placeBid`: the amount.
    /// - Returns: nil if it is allowed.
    public func denial(of action: RoomAction, amount: Money? = nil) async throws(AuctionError) -> Denial? {
        let bid = amount.map { "&amount=\($0.decimal)" } ?? ""
        return try await client.read("\(path)/permissions?action=\(action.rawValue.pathSegment)\(bid)") {
            (json) throws(MalformedJSON) in
            let fields = try JSONFields(json)
            if try fields.bool("allowed") { return nil }
            guard case .object(var denial) = try fields.value("denial") else { throw MalformedJSON(member: "denial") }
            denial["action"] = .string(action.rawValue)
            return Denial(json: .object(denial))
        }
    }

    func pages<Element: Sendable>(
        _ target: String, _ list: String,
        _ decode: @escaping @Sendable (JSONFields, Currency) throws(MalformedJSON) -> Element
    ) -> Pages<Element> {
        Pages { cursor in
            let currency = try await currency()
            return try await client.page(target, cursor, list) { (fields) throws(MalformedJSON) in try decode(fields, currency)
            }
        }
    }
}

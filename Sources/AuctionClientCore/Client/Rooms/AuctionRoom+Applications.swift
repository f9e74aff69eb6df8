extension AuctionRoom {
    /// The applications of bidders, oldest first, read page by page as they are asked for. By the host.
    /// - Parameter state: `open`, or `declined`.
    public func applications(_ state: ApplicationState = .open, pageSize: Int = 100) -> Pages<Application> {
        pages("\(path)/applications?state=\(state.rawValue.pathSegment)&limit=\(pageSize)", "applications") {
            (fields, _) throws(MalformedJSON) in try Application(fields)
        }
    }

    /// Makes the applicant a bidder, also one who was declined. By the host.
    /// - Parameter creditLimit: the most they may owe in this room; nil: as before.
    @discardableResult
    public func approveApplication(of userId: String, creditLimit: Money? = nil) async throws(AuctionError) -> Member {
        let body = creditLimit.map { ["creditLimit": JSONValue.string($0.decimal)] } ?? [:]
        return try await member(
            .approveApplication, "POST", "\(path)/applications/\(userId.pathSegment)/approve", .object(body),
            [creditLimit].compactMap(\.self))
    }

    /// Declines an application; the host may approve it later. A repeat changes nothing. By the host.
    /// - Parameter reason: 1 to 500 characters, which the applicant and the host read.
    @discardableResult
    public func declineApplication(of userId: String, reason: String? = nil) async throws(AuctionError) -> Application {
        let body = reason.map { ["reason": JSONValue.string($0)] } ?? [:]
        return try await command(
            .declineApplication, "POST", "\(path)/applications/\(userId.pathSegment)/decline", .object(body)
        ) { (json) throws(MalformedJSON) in try Application(try JSONFields(json)) }
    }
}

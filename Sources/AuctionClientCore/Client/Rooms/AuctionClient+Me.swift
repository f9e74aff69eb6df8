extension AuctionClient {
    /// The caller's account. Needs a token, as everything about the caller.
    public func me() async throws(AuctionError) -> Account {
        try await read("/v1/me") { (json) throws(MalformedJSON) in try Account(try JSONFields(json)) }
    }

    /// The rooms of which the caller is a member, newest first, private ones too, read page by page as they are asked for. Archived
    /// rooms, and rooms that the caller is banned from, are left out.
    public func myRooms(pageSize: Int = 50) -> Pages<MyRoom> {
        pages("/v1/me/rooms?limit=\(pageSize)", "rooms", MyRoom.init)
    }

    /// The caller's bids in rounds that are not over, one for each room, newest room first, read page by page as they are asked for.
    /// - Parameter pageSize: at most 50.
    public func myBids(pageSize: Int = 25) -> Pages<StandingBid> {
        pages("/v1/me/bids?limit=\(pageSize)", "bids", StandingBid.init)
    }

    /// What the caller bought, newest first, read page by page as it is asked for: also in rooms that they have left, and in archived ones.
    public func myWins(pageSize: Int = 50) -> Pages<Win> {
        pages("/v1/me/wins?limit=\(pageSize)", "wins", Win.init)
    }

    /// The users whom the caller does not want to see, read page by page as they are asked for. The service sends their messages all the
    /// same: an app leaves them out, and does not show their names.
    public func blocks(pageSize: Int = 100) -> Pages<Block> { pages("/v1/me/blocks?limit=\(pageSize)", "blocks", Block.init) }

    /// Blocks a user in all rooms. A repeat changes nothing; the user is not told.
    @discardableResult
    public func block(_ userId: String) async throws(AuctionError) -> Block {
        let request = ExchangeRequest(
            "POST", "/v1/me/blocks", body: ["userId": .string(userId)], language: configuration.language)
        return try await runner.value(request, configuration.commands) { (json) throws(MalformedJSON) in
            try Block(try JSONFields(json))
        }
    }

    /// Ends a block.
    /// - Throws: `AuctionError`; refused with `block.not_found` if there is none.
    public func unblock(_ userId: String) async throws(AuctionError) {
        let request = ExchangeRequest("DELETE", "/v1/me/blocks/\(userId.pathSegment)", language: configuration.language)
        try await runner.value(request, configuration.commands) { (_) throws(MalformedJSON) in }
    }

    /// Leaves the service for good: the caller's tokens end, and a pseudonym stands for their nickname everywhere. There is no way back.
    /// - Throws: `AuctionError`; refused with `account.hosts_round` or `account.leads_round` while a round needs the caller, whose room is
    ///   `Problem.actual`. A repeat is refused with status 401, also after a response that was lost.
    public func leaveForGood() async throws(AuctionError) {
        let request = ExchangeRequest("DELETE", "/v1/me", language: configuration.language)
        try await runner.value(request, configuration.commands) { (_) throws(MalformedJSON) in }
    }

    /// Changes the nickname of a guest. It is part of the token, so there is a new one: the client uses it from now on, and `GuestTokens`
    /// keeps it. A room shows the new nickname from the caller's next command there.
    /// - Parameter nickname: 1 to 40 characters.
    /// - Returns: the session to keep in place of the earlier one.
    /// - Throws: `AuctionError`; refused with `nickname.not_ours` for users of an identity provider; failed with `differentUser` if another
    ///   user has signed in before it was changed.
    @discardableResult
    public func setNickname(_ nickname: String) async throws(AuctionError) -> Session {
        let request = ExchangeRequest(
            "PATCH", "/v1/me", body: ["nickname": .string(nickname)], language: configuration.language)
        let before = await context.tokens.version
        let session = try await runner.value(request, configuration.commands, Session.init)
        await context.tokens.use(session, ifStill: before)
        return session
    }

    /// Makes a code by which another device becomes the same user (`AccountTokens.signIn(pairingCode:)`): show it as it is, or as a QR code.
    /// It is valid once, for five minutes, or until another one is made.
    /// - Throws: `AuctionError`; refused with `token.not_ours` for a token of the operator's identity provider.
    public func createPairing() async throws(AuctionError) -> Pairing {
        let request = ExchangeRequest("POST", "/v1/me/pairing", body: [:], language: configuration.language)
        return try await runner.value(request, configuration.commands, Pairing.init)
    }
}

/// A code for another device.
public struct Pairing: Hashable, Sendable {
    /// Eight letters and digits, of which no two look alike.
    public let code: String
    /// When it expires, by the server's clock.
    public let expiresAt: ServerTime

    init(_ json: JSONValue) throws(MalformedJSON) {
        let fields = try JSONFields(json)
        (code, expiresAt) = (try fields.string("code"), try fields.time("expiresAt"))
    }
}

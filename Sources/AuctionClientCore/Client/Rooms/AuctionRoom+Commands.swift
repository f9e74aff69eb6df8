extension AuctionRoom {
    func command<Value: Sendable>(
        _ kind: CommandKind, _ method: String, _ target: String, _ body: JSONValue? = nil,
        file: (text: String, type: String)? = nil,
        _ decode: @escaping @Sendable (JSONValue) throws(MalformedJSON) -> Value
    ) async throws(AuctionError) -> Value {
        try await client.perform(
            Command(kind: kind, method: method, target: target, room: id, body: body, file: file, currency: nil, decode: decode)
        )
    }

    func state(
        _ kind: CommandKind, _ method: String, _ target: String, _ body: JSONValue? = nil
    ) async throws(AuctionError) -> RoomState {
        try await command(kind, method, target, body) { (json) throws(MalformedJSON) in try RoomState(json) }
    }

    func done(
        _ kind: CommandKind, _ method: String, _ target: String, _ body: JSONValue? = nil
    ) async throws(AuctionError) {
        try await command(kind, method, target, body) { (_) throws(MalformedJSON) in }
    }

    // MARK: - The auction

    /// Lists the item, opens the bidding early, or begins the next round. By the host.
    @discardableResult
    public func start(expecting: Expectation = .init()) async throws(AuctionError) -> RoomState {
        try await state(.start, "POST", "\(path)/auction/start", expecting.json(reason: nil))
    }

    /// Ends the bidding. By the host.
    @discardableResult
    public func end(expecting: Expectation = .init()) async throws(AuctionError) -> RoomState {
        try await state(.end, "POST", "\(path)/auction/end", expecting.json(reason: nil))
    }

    /// Stops the countdown. By the host.
    @discardableResult
    public func pause(reason: String? = nil, expecting: Expectation = .init()) async throws(AuctionError) -> RoomState {
        try await state(.pause, "POST", "\(path)/auction/pause", expecting.json(reason: reason))
    }

    /// Lets the countdown run on. By the host.
    @discardableResult
    public func resume(expecting: Expectation = .init()) async throws(AuctionError) -> RoomState {
        try await state(.resume, "POST", "\(path)/auction/resume", expecting.json(reason: nil))
    }

    /// Takes the item back while there is no bid. By the host.
    /// - Parameter reason: visible to everyone in the room.
    @discardableResult
    public func cancel(reason: String, expecting: Expectation = .init()) async throws(AuctionError) -> RoomState {
        try await state(.cancel, "POST", "\(path)/auction/cancel", expecting.json(reason: reason))
    }

    /// Changes by how much the price of an English auction rises, for the rest of the round. By the host.
    @discardableResult
    public func changeIncrement(
        _ increment: Increment, expecting: Expectation = .init()
    ) async throws(AuctionError) -> RoomState {
        try check(increment.amounts)
        return try await state(.changeAsk, "PATCH", "\(path)/auction", expecting.json(["increment": increment.json]))
    }

    /// Asks for the next bid at the present price of an English auction: "I'll take 130". By the host.
    @discardableResult
    public func ask(for nextMinimum: Money, expecting: Expectation = .init()) async throws(AuctionError) -> RoomState {
        try check([nextMinimum])
        return try await state(
            .changeAsk, "PATCH", "\(path)/auction", expecting.json(["nextMinimum": .string(nextMinimum.decimal)]))
    }

    /// Uploads the item of the round, while the room is preparing. By an auctioneer.
    @discardableResult
    public func uploadItem(_ item: NewItem) async throws(AuctionError) -> Item {
        let currency = try await currency()
        try check(item.amounts)
        return try await command(.uploadItem, "POST", "\(path)/items", item.json) { (json) throws(MalformedJSON) in
            try Item(try JSONFields(json), currency)
        }
    }

    /// Changes rules of the item, while the room is preparing. By its owner or the host.
    public func adjustRules(_ rules: NewRules, ofItem itemId: String) async throws(AuctionError) {
        try check(rules.amounts)
        try await done(.adjustRules, "PATCH", "\(path)/items/\(itemId.pathSegment)", ["rules": rules.json])
    }

    /// Archives the room, not during a round. By the host.
    public func archive() async throws(AuctionError) { try await done(.archiveRoom, "DELETE", path) }

    // MARK: - Members

    /// Joins the room, or changes the own role.
    /// - Parameters:
    ///   - role: `viewer` or `bidder`; nil: a new member is a viewer, and a member keeps their role.
    ///   - inviteCode: needed for a private room.
    @discardableResult
    public func join(as role: Role? = nil, inviteCode: String? = nil) async throws(AuctionError) -> Member {
        var body: [String: JSONValue] = [:]
        if let role { body["role"] = .string(role.rawValue) }
        if let inviteCode { body["inviteCode"] = .string(inviteCode) }
        return try await member(.join, "POST", "\(path)/members", .object(body))
    }

    /// Leaves the room.
    public func leave() async throws(AuctionError) { try await done(.leave, "DELETE", "\(path)/members/me") }

    /// Changes a member: role, mute, ban, credit limit. By the host.
    @discardableResult
    public func change(member userId: String, _ changes: MemberChanges) async throws(AuctionError) -> Member {
        try await member(.changeMember, "PATCH", "\(path)/members/\(userId.pathSegment)", changes.json, changes.amounts)
    }

    /// Removes a member, who may join again. By the host.
    public func kick(member userId: String) async throws(AuctionError) {
        try await done(.kick, "DELETE", "\(path)/members/\(userId.pathSegment)")
    }

    func member(
        _ kind: CommandKind, _ method: String, _ target: String, _ body: JSONValue, _ amounts: [Money] = []
    ) async throws(AuctionError) -> Member {
        let currency = try await currency()
        try check(amounts)
        return try await command(kind, method, target, body) { (json) throws(MalformedJSON) in
            try Member(try JSONFields(json), currency)
        }
    }

    // MARK: - Messages

    /// Sends a message of at most 500 characters.
    /// - Returns: its id.
    @discardableResult
    public func sendMessage(_ text: String) async throws(AuctionError) -> String {
        try await command(.sendMessage, "POST", "\(path)/messages", ["text": .string(text)]) { (json) throws(MalformedJSON) in
            try JSONFields(json).string("id")
        }
    }

    /// Reports a message to the host. Others learn neither who reported it nor which message it is; a repeat changes nothing.
    /// - Parameter reason: what is wrong with it, 1 to 500 characters.
    public func reportMessage(_ messageId: String, reason: String? = nil) async throws(AuctionError) {
        let body = reason.map { ["reason": JSONValue.string($0)] } ?? [:]
        try await done(.reportMessage, "POST", "\(path)/messages/\(messageId.pathSegment)/report", .object(body))
    }

    /// Switches a permission rule on or off, or changes its priority, while the room is preparing. By the host.
    public func configureRule(
        _ rule: String, isEnabled: Bool? = nil, priority: Int? = nil
    ) async throws(AuctionError) {
        var body: [String: JSONValue] = [:]
        if let isEnabled { body["enabled"] = .bool(isEnabled) }
        if let priority { body["priority"] = .number(String(priority)) }
        try await done(.configureRule, "PATCH", "\(path)/permission-rules/\(rule.pathSegment)", .object(body))
    }

    // MARK: - Stage

    /// Asks for a seat.
    @discardableResult
    public func requestStage(as role: Role) async throws(AuctionError) -> Handshake {
        try await handshake("\(path)/stage/requests", ["role": .string(role.rawValue)])
    }

    /// Invites a member to a seat. By the host.
    @discardableResult
    public func inviteToStage(_ userId: String, as role: Role) async throws(AuctionError) -> Handshake {
        try await handshake("\(path)/stage/invitations", ["userId": .string(userId), "role": .string(role.rawValue)])
    }

    /// Seats a member who has asked for a seat with this role: without another confirmation. By the host.
    /// - Throws: `AuctionError`; refused with `stage.no_request` if they have not.
    public func seatMember(_ userId: String, as role: Role) async throws(AuctionError) {
        try await done(.stage, "POST", "\(path)/stage/seats", ["userId": .string(userId), "role": .string(role.rawValue)])
    }

    /// Takes the next step of a handshake.
    @discardableResult
    public func stage(_ step: HandshakeStep, _ stageId: String) async throws(AuctionError) -> Handshake {
        try await handshake("\(path)/stage/\(stageId.pathSegment)/\(step.rawValue)", [:])
    }

    /// Mutes a seat, or lifts that. By the host.
    public func muteSeat(_ seat: Int, isMuted: Bool = true) async throws(AuctionError) {
        try await done(.stage, "POST", "\(path)/stage/seats/\(seat)/mute", ["muted": .bool(isMuted)])
    }

    private func handshake(_ target: String, _ body: JSONValue) async throws(AuctionError) -> Handshake {
        try await command(.stage, "POST", target, body) { (json) throws(MalformedJSON) in
            try Handshake(try JSONFields(json))
        }
    }
}

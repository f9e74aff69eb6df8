/// A room of the service: what can be read and done there. A value without a connection; following it gives a `LiveRoom`.
public struct AuctionRoom: Sendable, Identifiable {
    /// Opaque identifier.
    public let id: String
    let client: AuctionClient

    var path: String { "/v1/rooms/\(id.pathSegment)" }

    /// Follows the room over one connection.
    /// - Parameter start: where to begin; the first event of the past, the last that the app has stored, or now.
    public func follow(from start: FollowStart = .now) -> LiveRoom {
        LiveRoom(
            room: id, start: start, settings: client.configuration.connection, context: client.context,
            seed: .random(in: .min ... .max))
    }

    /// The room as it is.
    public func read() async throws(AuctionError) -> RoomState {
        let state = try await client.read(path) { (json) throws(MalformedJSON) in try RoomState(json) }
        client.context.currencies[id] = state.currency
        return state
    }

    /// The currency of the room's amounts, which never changes: the room is read if the client does not know it yet.
    func currency() async throws(AuctionError) -> Currency {
        if let known = client.context.currencies[id] { return known }
        return try await read().currency
    }

    /// Requests have amounts without their currency, so one in another currency than the room's would count in the room's.
    ///
    /// The room's currency is known once the client has read or followed it; two currencies are wrong in every room.
    /// - Throws: `failed` with `differentCurrency`.
    func check(_ amounts: [Money]) throws(AuctionError) {
        guard let expected = client.context.currencies[id] ?? amounts.first?.currency,
            amounts.contains(where: { $0.currency.code != expected.code })
        else { return }
        throw .failed(.differentCurrency(room: expected))
    }

    // MARK: - Bids

    /// Bids.
    /// - Parameters:
    ///   - amount: what to bid.
    ///   - maximum: up to which the service bids on the caller's behalf; nil for a plain bid. English auctions only.
    ///   - round: the round that the bid is meant for, as in `RoomState.round`; the service refuses it in any other. Nil: the round of the
    ///     latest update that was read, if the client follows the room. Otherwise the bid counts in any round, so it is tried only once:
    ///     a repeat could place it for another item.
    ///   - item: identifier of the item that the bid is meant for, as in `RoomState.item`; the service refuses it for any other. A round that
    ///     is cancelled before its first bid begins again with the same number. Nil: the item of the latest update that was read, if that is
    ///     of the same round.
    /// - Returns: what became of it, never a guess. Cancelling the task while it is sent makes it `unknown`. An amount or a maximum in another
    ///   currency than the room's is `notSent`, if the client has read or followed the room before; so are the two in different currencies.
    public func placeBid(_ amount: Money, maximum: Money? = nil, round: Int? = nil, item: String? = nil) async -> BidOutcome {
        await bid(amount: amount, maximum: maximum, round: round, item: item, currency: amount.currency)
    }

    /// Bids the next minimum with a maximum, or, for the leader, only raises the maximum.
    /// - Parameters:
    ///   - maximum: up to which the service bids on the caller's behalf.
    ///   - round: as with an amount.
    ///   - item: as with an amount.
    public func placeBid(maximum: Money, round: Int? = nil, item: String? = nil) async -> BidOutcome {
        await bid(amount: nil, maximum: maximum, round: round, item: item, currency: maximum.currency)
    }

    /// Enters a bid of a person in the hall or at the telephone: by the host, or by an auctioneer who does not own the item, in a room whose
    /// host has switched the rule `bid.floor_off` off.
    /// - Parameters:
    ///   - amount: what that person bids.
    ///   - paddle: who it is, in one line of at most 16 characters; only the host sees it. Nil: nothing is noted.
    ///   - round: as with a bid of one's own.
    ///   - item: as with a bid of one's own.
    public func placeFloorBid(
        _ amount: Money, paddle: String? = nil, round: Int? = nil, item: String? = nil
    ) async -> BidOutcome {
        let floor = JSONValue.object(paddle.map { ["paddle": .string($0)] } ?? [:])
        return await bid(amount: amount, maximum: nil, round: round, item: item, currency: amount.currency, floor: floor)
    }

    /// Sends a bid again whose outcome is not known; it is never placed twice. One that names no round is not sent again
    /// (`ExchangeFailure.roundNotNamed`). One that never arrived is placed now; if it names no item, also for another one that came up in
    /// the same round.
    public func resendBid(_ command: PendingCommand) async -> BidOutcome { await client.resendBid(command) }

    private func bid(
        amount: Money?, maximum: Money?, round: Int?, item: String?, currency: Currency, floor: JSONValue? = nil
    ) async -> BidOutcome {
        var body: [String: JSONValue] = [:]
        if let amount { body["amount"] = .string(amount.decimal) }
        if let maximum { body["maximum"] = .string(maximum.decimal) }
        if let floor { body["floor"] = floor }
        let shown = client.context.rounds[id]
        let round = round ?? shown?.round
        if let round { body["round"] = .number(String(round)) }
        if let item = item ?? (shown?.round == round ? shown?.item : nil) { body["item"] = .string(item) }
        let command = Command(
            kind: .placeBid, method: "POST", target: "\(path)/bids", room: id, body: .object(body), currency: currency
        ) { (json) throws(MalformedJSON) in json }
        let pending = await client.pending(command)
        // The service takes amounts without their currency, so a maximum in another one would count in the room's.
        let expected = client.context.currencies[id] ?? currency
        guard [amount, maximum].allSatisfy({ $0 == nil || $0?.currency.code == expected.code }) else {
            return .notSent(pending, .differentCurrency(room: expected))
        }
        return await client.outcome(ofBid: pending, isResent: false, in: currency)
    }
}

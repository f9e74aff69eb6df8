internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON

/// Encodes responses with the fields that the auditor needs: the outcome and the room's public state.
struct SimulatedResponseEncoder: ResponseEncoder {
    static let replayed = ResponseHeader(name: "Idempotency-Replayed", value: "true")
    let rulebook: RoomRulebook
    let bug: SimulationBug?

    func accepted(_ outcome: CommandOutcome, of request: CommandRequest, in room: Room, at now: Timestamp) -> CommandResponse {
        encode(200, request, now) { json in
            json.member("outcome", Self.outcomeName(outcome))
            switch outcome {
            case .bidPlaced(let bid, _): json.member("id", bid.id)
            case .handshake(let id): json.member("id", id)
            case .messageSent(let message): json.member("id", message.id)
            case .itemUploaded: if let item = room.item { json.member("id", item.id) }
            case .lotQueued(let id): json.member("id", id)
            default: break
            }
            if room.host.id == request.caller.id { json.member("inviteCode", room.details.inviteCode) }
            if let paddle = paddle(in: room, for: request.caller.id) { json.member("paddle", paddle) }
            json.member("won", won(by: request.caller.id, in: room), in: room.currency)
            write(room, to: &json)
        }
    }

    func refused(_ refusal: Refusal, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse {
        encode(409, request, now) { json in
            json.member("code", refusal.code)
            if let required = refusal.required { json.member("required", required) }
            if let room { write(room, to: &json) }
        }
    }

    func failed(_ failure: ServiceFailure, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse {
        encode(failure == .poisoned ? 500 : failure == .keyReused ? 422 : 503, request, now) { json in
            json.member("code", "\(failure)")
        }
    }

    func replayed(_ record: StoredResponse) -> CommandResponse {
        let body = bug == .responseEncodedAgain ? record.body.dropLast() + Array(",\"again\":true}".utf8) : record.body
        return CommandResponse(status: record.status, headers: record.headers + [Self.replayed], body: body)
    }

    private func encode(
        _ status: Int, _ request: CommandRequest, _ now: Timestamp, _ write: (inout JSONWriter) -> Void
    ) -> CommandResponse {
        var json = JSONWriter(reserving: 320)
        json.object { json in
            json.member("request", request.info.requestID)
            json.member("serverTime", now)
            write(&json)
        }
        return CommandResponse(status: status, body: json.bytes)
    }

    private func write(_ room: Room, to json: inout JSONWriter) {
        json.member("seq", room.seq)
        json.member("state", room.state.rawValue)
        json.member("round", room.round)
        json.member("price", room.currentPrice, in: room.currency)
        json.member("leader", room.currentBid?.bidder.id.description)
        json.member("nextMinimum", rulebook.nextMinimum(in: room), in: room.currency)
        json.member("reserveMet", rulebook.reserveMet(in: room))
        json.member("endsAt", room.endsAt)
        json.member("warning", warning(of: room))
    }

    /// The leading bid's paddle, which the host receives.
    private func paddle(in room: Room, for caller: UserID) -> String? {
        guard let bid = room.currentBid, caller == room.host.id || bug == .floorPaddleShown else { return nil }
        return room.paddle(of: bid)
    }

    private func won(by caller: UserID, in room: Room) -> Money {
        let won = room.results.amountWon(by: caller)
        guard bug == .voidedCounts else { return won }
        let voided = room.results.filter { $0.isVoid && $0.winner?.id == caller }
        return voided.compactMap(\.price).reduce(won, +)
    }

    private func warning(of room: Room) -> Int { bug == .warningStays ? room.lastWarning?.level ?? 0 : room.warning }

    /// The outcomes that the auditor distinguishes.
    private static func outcomeName(_ outcome: CommandOutcome) -> String {
        switch outcome {
        case .joined(let isNew): isNew ? "joined" : "joinedAgain"
        case .guestLinked(let link, _): link == nil ? "nothingLinked" : "linked"
        case .itemUploaded: "uploaded"
        case .lotQueued: "lotQueued"
        case .bidPlaced: "bid"
        case .handshake: "handshake"
        case .messageSent: "message"
        default: "done"
        }
    }
}

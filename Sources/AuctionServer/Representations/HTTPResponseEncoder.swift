internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import Permissions

/// Encodes the responses to commands as HTTP bodies. The sequencer calls it for each command in order.
struct HTTPResponseEncoder: ResponseEncoder {
    let room: RoomRepresentation

    static let json = ResponseHeader(name: "Content-Type", value: "application/json")

    func accepted(_ outcome: CommandOutcome, of request: CommandRequest, in room: Room, at now: Timestamp) -> CommandResponse {
        switch outcome {
        case .roomOpened:
            let location = ResponseHeader(name: "Location", value: "/v1/rooms/\(room.id)")
            return CommandResponse(status: 201, headers: [Self.json, location], body: whole(room, request, now))
        case .roomArchived, .left: return CommandResponse(status: 204, body: [])
        case .joined(let isNew):
            return CommandResponse(
                status: isNew ? 201 : 200, headers: [Self.json], body: member(request.caller.id, request, room))
        case .memberChanged(let user):
            return CommandResponse(status: 200, headers: [Self.json], body: member(user, request, room))
        case .itemUploaded: return CommandResponse(status: 201, headers: [Self.json], body: item(room, for: request.caller.id))
        case .rulesAdjusted: return CommandResponse(status: 200, headers: [Self.json], body: item(room, for: request.caller.id))
        case .ruleConfigured(let id): return CommandResponse(status: 200, headers: [Self.json], body: rule(id, request, room))
        case .messageSent(let message):
            return CommandResponse(status: 201, headers: [Self.json], body: self.message(message, room))
        case .messageRemoved, .silent: return CommandResponse(status: 204, body: [])
        case .handshake(let id):
            var isNew = false
            if case .stage(.request) = request.command { isNew = true }
            if case .stage(.invite) = request.command { isNew = true }
            return CommandResponse(
                status: isNew ? 201 : 200, headers: [Self.json], body: StageRepresentation.handshake(id, room))
        case .stageChanged: return CommandResponse(status: 200, headers: [Self.json], body: StageRepresentation.stage(room))
        case .advanced: return CommandResponse(status: 200, headers: [Self.json], body: whole(room, request, now))
        case .bidPlaced(let bid, let nextMinimum):
            return CommandResponse(status: 201, headers: [Self.json], body: self.bid(bid, nextMinimum, request, room, now))
        }
    }

    func refused(_ refusal: Refusal, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse {
        let allowed = room.map { self.room.rulebook.allowedActions(of: request.caller.id, in: $0, at: now) } ?? []
        return Problem(refusal, allowed: allowed).answer(problemContext(of: request, room, now))
    }

    func failed(_ failure: ServiceFailure, of request: CommandRequest, at now: Timestamp) -> CommandResponse {
        Problem(failure).answer(problemContext(of: request, nil, now))
    }

    func replayed(_ record: StoredResponse) -> CommandResponse {
        let mark = ResponseHeader(name: "Idempotency-Replayed", value: "true")
        return CommandResponse(status: record.status, headers: record.headers + [mark], body: record.body)
    }

    private func problemContext(of request: CommandRequest, _ room: Room?, _ now: Timestamp) -> ProblemContext {
        var receipt: Receipt?
        if case .placeBid = request.command {
            receipt = Receipt(receivedAt: request.info.receivedAt, serverTime: now, endsAt: room?.endsAt, seq: room?.seq)
        }
        return ProblemContext(
            language: request.info.language, instance: request.info.path, requestID: request.info.requestID,
            receipt: receipt)
    }

    private func whole(_ room: Room, _ request: CommandRequest, _ now: Timestamp) -> [UInt8] {
        self.room.json(room, for: request.caller.id, language: request.info.language, viewers: 0, at: now)
    }

    private func member(_ user: UserID, _ request: CommandRequest, _ room: Room) -> [UInt8] {
        var json = JSONWriter(reserving: 256)
        if let member = room.members[user] {
            MemberRepresentation.write(member, of: room, to: request.caller.id, &json)
        } else {
            json.null()
        }
        return json.bytes
    }

    private func rule(_ id: String, _ request: CommandRequest, _ room: Room) -> [UInt8] {
        var json = JSONWriter(reserving: 256)
        if let rule = self.room.rulebook.permissions[id] {
            PermissionRuleRepresentation.write(rule, room.configuration, request.info.language, to: &json)
        } else {
            json.null()
        }
        return json.bytes
    }

    private func message(_ message: Message, _ room: Room) -> [UInt8] {
        var json = JSONWriter(reserving: 256)
        json.object { json in
            json.member("id", message.id)
            json.member("author", message.author)
            json.member("text", message.text)
            json.member("at", room.lastEventAt)
        }
        return json.bytes
    }

    private func item(_ room: Room, for caller: UserID) -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        if let item = room.item {
            json.item(item, in: room.currency, showsReserve: item.owner.id == caller)
        } else {
            json.null()
        }
        return json.bytes
    }

    private func bid(
        _ bid: Bid, _ nextMinimum: Money?, _ request: CommandRequest, _ room: Room, _ now: Timestamp
    ) -> [UInt8] {
        var json = JSONWriter(reserving: 1024)
        json.object { json in
            json.name("bid")
            BidVisibility(of: room, self.room.rulebook, caller: request.caller.id).write(bid, to: &json)
            json.member("room", object: { self.room.writeShort(room, nextMinimum: nextMinimum, to: &$0) })
            let receipt = Receipt(
                receivedAt: request.info.receivedAt, serverTime: now, endsAt: room.endsAt, seq: room.seq)
            json.member("receipt", object: { receipt.write(to: &$0) })
        }
        return json.bytes
    }
}

internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import Permissions

/// Writes the answers of commands as HTTP bodies; called by the sequencer at their place in the queue.
struct HTTPAnswers: AnswerEncoder {
    let room: RoomAnswer

    static let json = AnswerHeader(name: "Content-Type", value: "application/json")

    func accepted(_ outcome: Outcome, of request: CommandRequest, in room: Room, at now: Timestamp) -> Answer {
        switch outcome {
        case .roomOpened:
            let location = AnswerHeader(name: "Location", value: "/v1/rooms/\(room.id)")
            return Answer(status: 201, headers: [Self.json, location], body: whole(room, request, now))
        case .roomArchived, .left: return Answer(status: 204, body: [])
        case .joined(let isNew):
            return Answer(status: isNew ? 201 : 200, headers: [Self.json], body: member(request.caller.id, request, room))
        case .memberChanged(let user): return Answer(status: 200, headers: [Self.json], body: member(user, request, room))
        case .itemUploaded: return Answer(status: 201, headers: [Self.json], body: item(room, for: request.caller.id))
        case .rulesAdjusted: return Answer(status: 200, headers: [Self.json], body: item(room, for: request.caller.id))
        case .ruleConfigured(let id): return Answer(status: 200, headers: [Self.json], body: rule(id, request, room))
        case .messageSent(let message): return Answer(status: 201, headers: [Self.json], body: self.message(message, room))
        case .messageRemoved, .silent: return Answer(status: 204, body: [])
        case .handshake(let id):
            var isNew = false
            if case .stage(.request) = request.command { isNew = true }
            if case .stage(.invite) = request.command { isNew = true }
            return Answer(status: isNew ? 201 : 200, headers: [Self.json], body: StageAnswer.handshake(id, room))
        case .stageChanged: return Answer(status: 200, headers: [Self.json], body: StageAnswer.stage(room))
        case .advanced: return Answer(status: 200, headers: [Self.json], body: whole(room, request, now))
        case .bidPlaced(let bid): return Answer(status: 201, headers: [Self.json], body: self.bid(bid, request, room, now))
        }
    }

    func refused(_ refusal: Refusal, of request: CommandRequest, in room: Room?, at now: Timestamp) -> Answer {
        let allowed = room.map { self.room.rulebook.allowedActions(of: request.caller.id, in: $0, at: now) } ?? []
        return Problem(refusal, allowed: allowed).answer(surroundings(of: request, room, now))
    }

    func failed(_ failure: ServiceFailure, of request: CommandRequest, at now: Timestamp) -> Answer {
        Problem(failure).answer(surroundings(of: request, nil, now))
    }

    func replayed(_ record: AnswerRecord) -> Answer {
        let mark = AnswerHeader(name: "Idempotency-Replayed", value: "true")
        return Answer(status: record.status, headers: record.headers + [mark], body: record.body)
    }

    private func surroundings(of request: CommandRequest, _ room: Room?, _ now: Timestamp) -> ProblemSurroundings {
        var receipt: Receipt?
        if case .placeBid = request.command {
            receipt = Receipt(receivedAt: request.info.receivedAt, serverTime: now, endsAt: room?.endsAt, seq: room?.seq)
        }
        return ProblemSurroundings(
            language: request.info.language, instance: request.info.path, requestID: request.info.requestID,
            receipt: receipt)
    }

    private func whole(_ room: Room, _ request: CommandRequest, _ now: Timestamp) -> [UInt8] {
        self.room.json(room, for: request.caller.id, language: request.info.language, viewers: 0, at: now)
    }

    private func member(_ user: UserID, _ request: CommandRequest, _ room: Room) -> [UInt8] {
        var json = JSONWriter(reserving: 256)
        if let member = room.members[user] {
            MemberAnswer.write(member, of: room, to: request.caller.id, &json)
        } else {
            json.null()
        }
        return json.bytes
    }

    private func rule(_ id: String, _ request: CommandRequest, _ room: Room) -> [UInt8] {
        var json = JSONWriter(reserving: 256)
        if let rule = self.room.rulebook.permissions[id] {
            PermissionRuleAnswer.write(rule, room.configuration, request.info.language, to: &json)
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

    private func bid(_ id: BidID, _ request: CommandRequest, _ room: Room, _ now: Timestamp) -> [UInt8] {
        var json = JSONWriter(reserving: 1024)
        json.object { json in
            json.name("bid")
            if let bid = find(id, room) {
                BidSight(of: room, self.room.rulebook, caller: request.caller.id).write(bid, to: &json)
            } else {
                json.null()
            }
            json.member("room", object: { self.room.writeShort(room, for: request.caller.id, to: &$0) })
            let receipt = Receipt(
                receivedAt: request.info.receivedAt, serverTime: now, endsAt: room.endsAt, seq: room.seq)
            json.member("receipt", object: { receipt.write(to: &$0) })
        }
        return json.bytes
    }

    /// The bid that the decision named: the last one, or one with an automatic bid behind it, or the leading one whose maximum
    /// was raised.
    private func find(_ id: BidID, _ room: Room) -> Bid? {
        if let last = room.bids.last, last.id == id { return last }
        if let current = room.currentBid, current.id == id { return current }
        return room.bids.newest(before: nil, limit: 8).first { $0.id == id }
    }
}

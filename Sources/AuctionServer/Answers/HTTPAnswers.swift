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
            return Answer(status: isNew ? 201 : 200, headers: [Self.json], body: member(request.caller.id, room))
        case .memberChanged(let user): return Answer(status: 200, headers: [Self.json], body: member(user, room))
        case .itemUploaded: return Answer(status: 201, headers: [Self.json], body: item(room, for: request.caller.id))
        case .rulesAdjusted: return Answer(status: 200, headers: [Self.json], body: item(room, for: request.caller.id))
        case .handshake(let id):
            var isNew = false
            if case .stage(.request) = request.command { isNew = true }
            if case .stage(.invite) = request.command { isNew = true }
            return Answer(status: isNew ? 201 : 200, headers: [Self.json], body: StageAnswer.handshake(id, room))
        case .stageChanged: return Answer(status: 200, headers: [Self.json], body: StageAnswer.stage(room))
        case .ruleConfigured, .messageSent, .messageRemoved, .silent: return Answer(status: 204, body: [])
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

    private func member(_ user: UserID, _ room: Room) -> [UInt8] {
        var json = JSONWriter(reserving: 192)
        if let member = room.members[user] { MemberAnswer.write(member, to: &json) } else { json.null() }
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
            // The room may have automatic bids behind it; the caller's own is the one the decision named.
            if let bid = room.bids.last, bid.id == id {
                BidAnswer.write(bid, in: room.currency, to: &json)
            } else if let bid = room.bids.newest(before: nil, limit: 8).first(where: { $0.id == id }) {
                BidAnswer.write(bid, in: room.currency, to: &json)
            } else {
                json.null()
            }
            json.member("room", object: { self.room.writeShort(room, to: &$0) })
            let receipt = Receipt(
                receivedAt: request.info.receivedAt, serverTime: now, endsAt: room.endsAt, seq: room.seq)
            json.member("receipt", object: { receipt.write(to: &$0) })
        }
        return json.bytes
    }
}

/// The JSON of a bid.
enum BidAnswer {
    static func write(_ bid: Bid, in currency: Currency, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", bid.id)
            json.member("amount", bid.amount, in: currency)
            json.member("bidder", bid.bidder)
            json.member("leading", bid.leading)
            json.member("automatic", bid.automatic)
            json.member("at", bid.at)
            json.member("seq", bid.seq)
        }
    }
}

/// The JSON of a member.
enum MemberAnswer {
    static func write(_ member: Member, to json: inout JSONWriter) {
        json.object { json in
            json.member("user", member.person)
            json.member("role", member.role.rawValue)
            json.member("joinedAt", member.joinedAt)
        }
    }
}

internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import Permissions

/// Encodes the responses to commands as HTTP bodies. The sequencer calls it for each command in order.
struct HTTPResponseEncoder: ResponseEncoder {
    let room: RoomRepresentation

    func accepted(_ outcome: CommandOutcome, of request: CommandRequest, in room: Room, at now: Timestamp) -> CommandResponse {
        switch outcome {
        case .roomOpened:
            return .json(
                whole(room, request, now), status: 201,
                [ResponseHeader(name: "Location", value: "/v1/rooms/\(room.id)")])
        case .roomArchived, .left: return CommandResponse(status: 204, body: [])
        case .joined(let isNew):
            let application = room.application(of: request.caller.id)
            return .json(member(request.caller, request, room, application), status: isNew ? 201 : 200)
        case .memberChanged(let person):
            return .json(adding(receipt(request, room, now), to: member(person, request, room), of: request))
        case .applicationDeclined(let user):
            return .json(adding(receipt(request, room, now), to: application(of: user, room), of: request))
        case .guestLinked(let link, let wins):
            guard let link else { return CommandResponse(status: 204, body: []) }
            return .json(linked(link, wins: wins, room))
        case .itemUploaded(let replaced):
            return .json(item(room, for: request.caller.id, replaced: replaced), status: replaced == nil ? 201 : 200)
        case .lotQueued(let id):
            return .json(
                adding(receipt(request, room, now), to: lot(id, request, room, now), of: request), status: 201,
                [ResponseHeader(name: "Location", value: "/v1/rooms/\(room.id)/lots/\(id)")])
        case .lotChanged(let id): return .json(lot(id, request, room, now))
        case .absenteeBid(let id, let isNew):
            return .json(absenteeBid(on: id, request, room, now), status: isNew ? 201 : 200)
        case .lotsImported(let lots): return .json(imported(lots, request, room))
        case .resultChanged(let round):
            let result = result(ofRound: round, room, for: request.caller.id)
            return .json(adding(receipt(request, room, now), to: result, of: request))
        case .saleChanged: return .json(encoded(room) { LotRepresentation.writeSale(of: $0, to: &$1) })
        case .rulesAdjusted: return .json(item(room, for: request.caller.id))
        case .ruleConfigured(let id): return .json(rule(id, request, room))
        case .messageSent(let message):
            return .json(self.message(message, room), status: 201, rateOfMessages(of: request.caller.id, in: room, at: now))
        case .messageRemoved, .silent: return CommandResponse(status: 204, body: [])
        case .handshake(let id):
            var isNew = false
            if case .stage(.request) = request.command { isNew = true }
            if case .stage(.invite) = request.command { isNew = true }
            return .json(StageRepresentation.handshake(id, room), status: isNew ? 201 : 200)
        case .stageChanged: return .json(StageRepresentation.stage(room))
        case .transitioned:
            return .json(adding(receipt(request, room, now), to: whole(room, request, now), of: request))
        case .bidPlaced(let bid, let nextMinimum):
            return .json(self.bid(bid, nextMinimum, request, room, now), status: 201)
        }
    }

    func refused(_ refusal: Refusal, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse {
        let allowed = room.map { self.room.rulebook.allowedActions(of: request.caller.id, in: $0, at: now) } ?? RoomActions()
        var problem = Problem(refusal, allowed: allowed)
        if let file = request.command.importedFile, file.isTable { problem.rows = problem.rows.map(LotColumns.naming) }
        return problem.commandResponse(problemContext(of: request, room, now))
    }

    func failed(_ failure: ServiceFailure, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse {
        var problem = Problem(failure)
        if case .linkGuest = request.command, failure == .outcomeUnknown { problem = .linkOutcomeUnknown }
        return problem.commandResponse(problemContext(of: request, room, now))
    }

    func replayed(_ record: StoredResponse) -> CommandResponse {
        let mark = ResponseHeader(name: "Idempotency-Replayed", value: "true")
        return CommandResponse(status: record.status, headers: record.headers + [mark], body: record.body)
    }

    private func problemContext(of request: CommandRequest, _ room: Room?, _ now: Timestamp) -> ProblemContext {
        ProblemContext(
            language: request.info.language, instance: request.info.path, requestID: request.info.requestID,
            receipt: request.command.givesReceipt ? receipt(request, room, now) : nil)
    }

    /// How many messages the sender has left, as a refusal for their rate says it.
    private func rateOfMessages(of sender: UserID, in room: Room, at now: Timestamp) -> [ResponseHeader] {
        let limit = self.room.rulebook.limits.messagesPerSecond
        guard limit > 0 else { return [] }
        let sent = room.messages.count(by: sender, after: now.advanced(byMilliseconds: -RoomMessages.rateWindow))
        let left = max(0, limit - sent)  // proven: both are counts
        let headers = RateLimit.headers(
            of: "messages", count: limit, periodSeconds: Int(RoomMessages.rateWindow / 1000), remaining: left,
            waitSeconds: left > 0 ? 0 : 1)
        return headers.map { ResponseHeader(name: $0.name, value: $0.value) }
    }

    private func receipt(_ request: CommandRequest, _ room: Room?, _ now: Timestamp) -> Receipt {
        Receipt(receivedAt: request.info.receivedAt, serverTime: now, endsAt: room?.endsAt, seq: room?.seq)
    }

    /// The object with the receipt as its last member, if the command has one.
    private func adding(_ receipt: Receipt, to object: [UInt8], of request: CommandRequest) -> [UInt8] {
        guard request.command.givesReceipt, object.last == UInt8(ascii: "}") else { return object }
        var json = JSONWriter(reserving: 160)
        json.object { $0.member("receipt", object: { receipt.write(to: &$0) }) }
        return object.dropLast() + [UInt8(ascii: ",")] + json.bytes.dropFirst()
    }

    private func whole(_ room: Room, _ request: CommandRequest, _ now: Timestamp) -> [UInt8] {
        self.room.json(room, for: request.caller.id, language: request.info.language, viewers: 0, at: now)
    }

    private func member(
        _ person: Person, _ request: CommandRequest, _ room: Room, _ application: BidderApplication? = nil
    ) -> [UInt8] {
        encoded(person) { MemberRepresentation.write($0, in: room, to: request.caller.id, application: application, &$1) }
    }

    private func application(of user: UserID, _ room: Room) -> [UInt8] {
        encoded(room.application(of: user)) { ApplicationRepresentation.write($0, in: room, to: &$1) }
    }

    /// One element of the response to a link, which has the elements of several rooms.
    private func linked(_ link: MemberLinked, wins: Int, _ room: Room) -> [UInt8] {
        encoded(link) { link, json in
            json.object { json in
                json.member("room", id: room.id, name: room.details.name)
                json.member("role", link.role?.rawValue)
                json.member("banned", link.standing.isBanned)
                json.member("wins", wins)
            }
        }
    }

    private func rule(_ id: String, _ request: CommandRequest, _ room: Room) -> [UInt8] {
        encoded(self.room.rulebook.permissions[id]) { rule, json in
            PermissionRuleRepresentation.write(rule, room.configuration, request.info.language, to: &json)
        }
    }

    private func message(_ message: Message, _ room: Room) -> [UInt8] {
        encoded(message) { message, json in
            json.object { json in
                json.member("id", message.id)
                json.member("author", message.author)
                json.member("text", message.text)
                json.member("at", room.lastEventAt)
            }
        }
    }

    /// - Parameter replaced: The caller's own item that an upload replaced.
    private func item(_ room: Room, for caller: UserID, replaced: ItemID? = nil) -> [UInt8] {
        encoded(room.item) { item, json in
            json.object { json in
                json.members(of: item, in: room.currency)
                json.name("rules")
                json.rules(item.rules, in: room.currency, showsReserve: item.owner.id == caller)
                if let replaced { json.member("replaced", replaced) }
            }
        }
    }

    private func lot(_ id: LotID, _ request: CommandRequest, _ room: Room, _ now: Timestamp) -> [UInt8] {
        let own = ownBids(request, room, now)
        return encoded(room.lots[id]) { LotRepresentation.write($0, in: room, for: request.caller.id, own, to: &$1) }
    }

    private func ownBids(_ request: CommandRequest, _ room: Room, _ now: Timestamp) -> OwnBidRepresentation {
        OwnBidRepresentation(room: room, rulebook: self.room.rulebook, caller: request.caller.id, now: now)
    }

    private func absenteeBid(on lot: LotID, _ request: CommandRequest, _ room: Room, _ now: Timestamp) -> [UInt8] {
        encoded(room.absenteeBid(of: request.caller.id, on: lot)) { bid, json in
            json.object { json in
                json.member("lotId", lot)
                ownBids(request, room, now).write(bid, on: lot, to: &json)
                json.member("receipt", object: { receipt(request, room, now).write(to: &$0) })
            }
        }
    }

    private func result(ofRound round: Int, _ room: Room, for caller: UserID) -> [UInt8] {
        encoded(room.results.row(ofRound: round)) { row, json in
            json.object { ResultTable.write(row, in: room, for: caller, to: &$0) }
        }
    }

    /// The lots of a file with what the import did, and how many rows have each outcome.
    private func imported(_ lots: [ImportedLot], _ request: CommandRequest, _ room: Room) -> [UInt8] {
        encoded(lots) { lots, json in
            json.object { json in
                json.member("rows", lots.count)
                for outcome in ImportedLot.Outcome.allCases {
                    json.foreignMember(outcome.rawValue, lots.count { $0.outcome == outcome })
                }
                json.member("lots", each: lots) { imported, json in
                    json.object { json in
                        json.member("line", imported.line)
                        json.member("id", imported.lot)
                        json.member("reference", room.lots[imported.lot]?.reference)
                        json.member("outcome", imported.outcome.rawValue)
                    }
                }
                if let file = request.command.importedFile { json.member("ignoredColumns", strings: file.ignoredColumns) }
            }
        }
    }

    private func encoded<Value>(_ value: Value?, _ write: (Value, inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.value(value, write)
        return json.bytes
    }

    private func bid(
        _ bid: Bid, _ nextMinimum: Money?, _ request: CommandRequest, _ room: Room, _ now: Timestamp
    ) -> [UInt8] {
        // Below 1,032 bytes, the largest allocation that glibc keeps ready for each thread.
        var json = JSONWriter(reserving: 1000)
        json.object { json in
            json.name("bid")
            let written = BidVisibility(of: room, self.room.rulebook, caller: request.caller.id).write(bid, to: &json)
            json.member("room", object: { self.room.writeShort(room, nextMinimum: nextMinimum, written, to: &$0) })
            json.member("receipt", object: { receipt(request, room, now).write(to: &$0) })
        }
        return json.bytes
    }
}

extension Command {
    /// The file of an import.
    fileprivate var importedFile: ImportLots? {
        switch self {
        case .importLots(let file), .byOperator(.importLots(let file), _): file
        default: nil
        }
    }

    /// Whether its response says when it was received, as the operation has it.
    fileprivate var givesReceipt: Bool {
        switch self {
        case .byOperator(let command, _): command.givesReceipt
        case .placeBid, .placeFloorBid, .absentee(.place), .reofferLot, .result, .application: true
        case .auction(let step, _):
            switch step {
            case .extend, .warn, .ask: true
            case .start, .end, .pause, .resume, .cancel: false
            }
        default: false
        }
    }
}

extension CommandResponse {
    private static let jsonHeaders = [ResponseHeader(name: "Content-Type", value: "application/json")]

    fileprivate static func json(_ body: [UInt8], status: Int = 200, _ headers: [ResponseHeader] = []) -> CommandResponse {
        CommandResponse(status: status, headers: headers.isEmpty ? jsonHeaders : jsonHeaders + headers, body: body)
    }
}

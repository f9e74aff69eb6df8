internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import Cryptography
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

extension Routes {
    static let rooms: [Route] = [
        Route(.openRoom, .caller(openRoom)),
        Route(.listRooms, .viewer(listRooms)),
        Route(.readRoom, .room(readRoom)),
        Route(.archiveRoom, .bodiless(.archiveRoom)),
    ]

    private static func openRoom(_ context: RequestContext, by caller: Caller) throws(Problem) -> Reply {
        let caller = caller.person
        var fields = try context.bodyFields()
        let name = try fields.displayName("name", OpenRoom.nameLimit)
        let currency = try fields.taking { fields throws(JSONError) in
            guard let code = try fields.optionalKeyword("currency") else { return Currency.cny }
            guard let currency = Currency(code: code) else {
                throw fields.invalid(
                    "currency", "must be an active ISO 4217 code such as \"CNY\"", "须为现行的 ISO 4217 货币代码,例如 \"CNY\"")
            }
            return currency
        }
        let visibility = try fields.taking { fields throws(JSONError) in
            try fields.optionalWord("visibility", Visibility.self) ?? .public
        }
        try fields.end()
        try context.endQuery()
        let key = try context.idempotencyKey(of: caller)
        // A repeated request must find the room of the first one, so the id is derived from the key.
        let room = key.map { context.loop.shared.access.keyedRoomIDs.room(for: $0) } ?? freshRoomID(context)
        let command = Command.openRoom(OpenRoom(name: name, currency: currency, visibility: visibility))
        let loop = context.loop
        let limit = loop.shared.options.limits.roomsPerUser
        guard limit > 0 else {
            try loop.commands.submit(command, of: room, in: context, by: caller, idempotency: key)
            return .later
        }
        try loop.takeCommand(of: caller, in: context)
        let host = caller.id
        loop.count(context) { log throws(EventLogError) in
            // A repeated request opens no further room, so the limit does not apply to it.
            if key != nil, try !log.events(of: room, after: 0, limit: 1).isEmpty { return 0 }
            return try log.openRoomCount(of: host)
        } then: { count throws(Problem) in
            guard count < limit else { throw tooManyRooms(limit) }
            try loop.commands.submit(command, of: room, in: context, by: caller, idempotency: key, isCounted: true)
        }
        return .later
    }

    private static func tooManyRooms(_ limit: Int) -> Problem {
        Problem(
            .tooManyRequests, code: "room.too_many",
            LocalizedText(
                "You host \(limit) open rooms, as many as one user may; archive one first.",
                "您主持的房间已达上限 \(limit) 个,请先归档一个。"),
            retryAfterSeconds: 60)
    }

    private static func freshRoomID(_ context: RequestContext) -> RoomID {
        var identifiers = IdentifierSource(instant: context.now.wall, seed: context.loop.nextSeed())
        return identifiers.next()
    }

    private static func readRoom(_ context: RequestContext, _ visible: VisibleRoom) throws(Problem) -> Reply {
        try context.endQuery()
        let (room, caller) = (visible.state, visible.viewer?.id)
        let representation = context.loop.shared.roomRepresentation
        let allowed = caller.map { context.rulebook.allowedActions(of: $0, in: room, at: context.now.wall) }
        let tag = tag(of: room, for: caller, allowed, context)
        if let known = context.exchange.list("If-None-Match"), known.namesTag(tag) {
            return .now(Response(status: 304, headers: [("ETag", tag), ("Cache-Control", "no-store")]))
        }
        let body = representation.json(
            room, lastingPart: visible.view.rendered { representation.lastingPart($0) }, for: caller,
            allowed: allowed, language: context.language, viewers: visible.committed.viewers, at: context.now.wall)
        var response = Response.json(body)
        response.headers.append(("ETag", tag))
        return .now(response)
    }

    /// A weak tag, because serverTime, remainingMs and viewers change while the room does not. As bytes, because each text on the way to it would
    /// be copied.
    private static func tag(of room: Room, for caller: UserID?, _ allowed: RoomActions?, _ context: RequestContext) -> String {
        var tag: [UInt8] = []
        tag.reserveCapacity(80)
        tag += "W/\"".utf8
        tag += String(room.seq).utf8
        tag.append(UInt8(ascii: room.isClosing(at: context.now.wall) ? "c" : "o"))
        tag += context.language.rawValue.utf8
        if let caller, let allowed {
            tag.append(addingCapacity: UserID.textLength) { caller.write(to: &$0) }
            // Some rules depend on the time alone: what new members may do, and the rate of messages.
            var actions = allowed.mask
            while actions > 0 {
                tag.append(UInt8(ascii: "A") + UInt8(actions & 15))
                actions >>= 4
            }
        }
        tag.append(UInt8(ascii: "\""))
        return String(decoding: tag, as: UTF8.self)
    }

    private static func listRooms(_ context: RequestContext, for viewer: Caller?) throws(Problem) -> Reply {
        let items = try context.query("state", "limit", "cursor")
        let limit = try items.int("limit", in: 1...100, default: 20)
        let cursor = try items.roomPosition()
        let state = try context.stateName(in: items)
        let query = RoomQuery(state: state, viewer: viewer?.id, after: cursor, limit: limit + 1)
        let shared = context.loop.shared
        let now = context.now.wall
        return context.loop.offload(context, for: viewer) { log throws(EventLogError) in
            let rows = try log.rooms(query)
            let viewers = try shared.service.viewers(of: rows.prefix(limit).map(\.room))
            return .object(reserving: 512 * rows.count) { json in
                json.member("rooms", each: rows.prefix(limit)) { row, json in
                    RoomRowRepresentation.write(row, viewers: viewers[row.room] ?? 0, at: now, to: &json)
                }
                json.member("nextCursor", rows.count > limit ? String(rows[limit - 1].position) : nil)
            }
        }
    }
}

extension RequestContext {
    /// The query's `state`; nil if it is absent.
    func stateName(in items: QueryItems) throws(Problem) -> String? {
        guard let state = items["state"], rulebook.states[RoomState(rawValue: state)] == nil else { return items["state"] }
        let known = rulebook.states.all.map(\.name.rawValue).joined(separator: ", ")
        throw .malformed("\"state\" must be one of \(known).", "state 须为 \(known) 之一。", field: "state")
    }
}

internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// The caller's own account: rooms, standing bids and wins. All reads are of the log's index by user, so they are as recent as the log.
extension Routes {
    static let me: [Route] = [
        Route(.readMe, .caller(readMe)),
        Route(
            .changeMe,
            .caller { context, caller throws(Problem) in
                var fields = try context.bodyFields()
                let nickname = try fields.displayName("nickname", Person.nicknameLimit)
                try fields.end()
                try context.endQuery()
                try context.loop.takeCommand(of: caller.person, in: context)
                guard caller.principal.source.isNamedHere else { throw .namedElsewhere }
                // Without an Idempotency-Key, whose responses are stored with a room's events: that would keep a token. A repeat does no harm.
                // Rooms take the nickname from the token of the next command that changes them, so that is where it has to be.
                // It is no renewal, which a user who has signed in may not get any more.
                let session = caller.principal.source.session
                return .now(
                    token(
                        for: Person(id: caller.id, nickname: nickname), context, status: 200, session: session,
                        until: session.map { _ in caller.principal.expiresAt }))
            }),
        Route(
            .leaveForGood,
            .caller { context, caller throws(Problem) in
                try context.endQuery()
                try context.loop.takeCommand(of: caller.person, in: context)
                try context.loop.beginErasure(of: caller.person, context)
                return .later
            }),
        Route(.linkGuest, .caller(linkGuest)),
        Route(.listMyRooms, .caller(listMyRooms)),
        Route(.listMyBids, .caller(listMyBids)),
        Route(.listMyWins, .caller(listMyWins)),
    ]

    /// The longest token that is read as a guest's; this server's own are shorter.
    static let guestTokenLimit = 2048

    /// Needs no Idempotency-Key: a repeat finds the rooms that are linked already to be the caller's.
    private static func linkGuest(_ context: RequestContext, by caller: Caller) throws(Problem) -> Reply {
        var fields = try context.bodyFields()
        let token = try fields.text("guestToken", 1...guestTokenLimit)
        let (limit, cursor) = try fields.taking { fields throws(JSONError) in
            let limit = try fields.optionalInt("limit") ?? 20
            guard (1...50).contains(limit) else { throw fields.invalid("limit", "must be from 1 to 50", "须为 1 至 50") }
            return (limit, try fields.optionalString("cursor"))
        }
        try fields.end()
        try context.endQuery()
        let position = cursor.flatMap(QueryItems.roomPosition)
        guard cursor == nil || position != nil else { throw .notACursor }
        try context.loop.takeCommand(of: caller.person, in: context)
        if case .guests = caller.principal.source { throw .linkedByGuest }
        guard let guest = try? context.loop.principal(of: token[...], at: context.now), case .guests = guest.source
        else {
            throw .guestTokenInvalid
        }
        // A ban of the guest would end with the link otherwise.
        guard !context.loop.isBanned(guest.person.id) else { throw .userBanned }
        try context.loop.begin(
            PendingLink(context, user: caller.person, guest: guest.person), after: position, limit: limit)
        return .later
    }

    private static func readMe(_ context: RequestContext, by caller: Caller) throws(Problem) -> Reply {
        try context.endQuery()
        let (person, expiresAt) = (caller.person, caller.principal.end(at: context.now))
        return context.loop.offload(context, for: caller) { log throws(EventLogError) in
            let rooms = try log.roomCount(of: person.id)
            return .object(reserving: 256) { json in
                json.member("user", person)
                json.member("tokenExpiresAt", expiresAt)
                json.member("rooms", rooms)
            }
        }
    }

    private static func listMyRooms(_ context: RequestContext, by caller: Caller) throws(Problem) -> Reply {
        let items = try context.query("limit", "cursor")
        let query = UserRoomQuery(
            user: caller.id, .memberships, after: try items.roomPosition(),
            limit: try items.int("limit", in: 1...100, default: 20))
        let shared = context.loop.shared
        let now = context.now.wall
        return context.loop.offload(context, for: caller) { log throws(EventLogError) in
            let page = try log.rooms(query)
            let viewers = try shared.service.viewers(of: page.rows.map(\.room.room))
            return .object(reserving: 512 * (page.rows.count + 1)) { json in
                json.member("rooms", each: page.rows) { row, json in
                    json.object { json in
                        json.member("role", row.role)
                        json.name("room")
                        RoomRowRepresentation.write(row.room, viewers: viewers[row.room.room] ?? 0, at: now, to: &json)
                    }
                }
                json.member("nextCursor", page.next.map { String($0) })
            }
        }
    }

    private static func listMyBids(_ context: RequestContext, by caller: Caller) throws(Problem) -> Reply {
        let items = try context.query("limit", "cursor")
        let query = UserRoomQuery(
            user: caller.id, .standingBids, after: try items.roomPosition(),
            limit: try items.int("limit", in: 1...50, default: 20))
        let (shared, now) = (context.loop.shared, context.now.wall)
        // Loads rooms, so a caller may keep one reader thread busy with it, not all.
        return context.loop.offload(context, for: caller, oneAtATime: "bids") { log throws(EventLogError) in
            try StandingBidPage(
                try log.rooms(query), resident: shared.service.residentRoom(of:),
                load: { row throws(EventLogError) in try shared.service.loadedRoom(row.room, from: log) },
                standing: { StandingBid(of: query.user, in: $0, shared.rulebook, at: now) }
            ).response
        }
    }

    private static func listMyWins(_ context: RequestContext, by caller: Caller) throws(Problem) -> Reply {
        let items = try context.query("limit", "cursor")
        let limit = try items.int("limit", in: 1...100, default: 20)
        let query = WinQuery(user: caller.id, after: try items.cursor(WinPlace.init), limit: limit + 1)
        let service = context.loop.shared.service
        // Loads rooms, so a caller may keep one reader thread busy with it, not all.
        return context.loop.offload(context, for: caller, oneAtATime: "wins") { log throws(EventLogError) in
            try WinPage(
                try log.wins(query), limit: limit, resident: service.residentRoom,
                load: { room throws(EventLogError) in try service.loadedRoom(room, from: log) }
            ).response
        }
    }
}

extension WinPlace {
    var cursor: String { "\(at)-\(room)-\(round)" }

    fileprivate init?(_ cursor: String) {
        let parts = cursor.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 3, let at = parts[0], let room = parts[1], let round = parts[2] else { return nil }
        self.init(at: at, room: room, round: round)
    }
}

extension Problem {
    fileprivate static let namedElsewhere = Problem(
        .permissionDenied, code: "nickname.not_ours",
        LocalizedText(
            "Your nickname comes from the identity provider that issued your token; change it there.",
            "您的昵称来自签发令牌的身份提供方,请在那里修改。"))

    fileprivate static let linkedByGuest = Problem(
        .permissionDenied, code: "link.by_guest",
        LocalizedText(
            "Only a user of the identity provider can take over what a guest has: sign in there, and send this request with that token, "
                + "and the guest's as \"guestToken\".",
            "只有身份提供方的用户才能接收访客的内容:请先在那里登录,用所得令牌发送此请求,并在 guestToken 中附上访客的令牌。"))
    /// The same for every reason, so that the response tells nothing about a token that was found.
    fileprivate static let guestTokenInvalid = Problem(
        .permissionDenied, code: "link.token_invalid",
        LocalizedText(
            "\"guestToken\" is not a guest token that this server accepts; it may have expired or been revoked.",
            "guestToken 不是此服务器接受的访客令牌,可能已过期或被撤销。"), field: "guestToken")
}

@testable import AuctionServer
import AuctionContract
import AuctionDomain
import AuctionService
import AuctionTestKit
import ExactJSON
import Testing

/// Users of every kind of the permission table; all rooms of a server may have the same ones.
struct TableUsers {
    let guests: [PermissionTable.CallerKind: Guest]
    /// The member that commands apply to, and the author of the message that is removed.
    let targetUser: Guest

    /// - Parameter host: nil: a new user.
    init(_ server: TestServer, host: Guest? = nil) throws {
        var guests: [PermissionTable.CallerKind: Guest] = [:]
        for callerKind in PermissionTable.CallerKind.allCases { guests[callerKind] = try server.guest(callerKind.rawValue) }
        if let host { guests[.host] = host }
        self.guests = guests
        targetUser = try server.guest("spare")
    }

    func guest(_ callerKind: PermissionTable.CallerKind) throws -> Guest { try #require(guests[callerKind]) }
}

/// The users of the access table: those of its room, and others.
struct AccessUsers {
    let users: TableUsers
    /// Those of another room, whose host is `foreign`.
    let others: TableUsers
    let kicked: Guest
    private let foreign: Guest
    private let expired: Guest
    /// Programs of the operator.
    private let (service, program): (Guest, Guest)

    init(_ server: TestServer) throws {
        users = try TableUsers(server)
        kicked = try server.guest("kicked")
        foreign = try server.guest("foreign")
        others = try TableUsers(server, host: foreign)
        let bidder = try users.guest(.bidder)
        let person = Person(id: try #require(UserID(bidder.id)), nickname: bidder.nickname)
        let past = server.clock.now().wall.advanced(byMilliseconds: -8 * 24 * 3_600_000)
        let token = TokenSigner(secret: TestServer.secret).sign(person, number: 1, at: past).token
        expired = Guest(id: bidder.id, nickname: bidder.nickname, token: token)
        program = Guest(id: "", nickname: "", token: OperatorFixture.adminToken)
        let made = try server.call(
            "POST", "/v1/admin/tokens", ["name": "Reader", "scopes": [.string(AccessTable.scope.rawValue)]], by: program)
        service = Guest(id: "", nickname: "", token: try #require(made.text("token")))
    }

    /// Nil for callers without a token.
    func guest(_ callerKind: AccessTable.CallerKind) -> Guest? {
        switch callerKind {
        case .kicked: kicked
        case .foreign: foreign
        case .expired: expired
        case .service: service
        case .operator: program
        default: callerKind.permission.flatMap { users.guests[$0] }
        }
    }
}

/// One room in a situation of the tables, set up by real requests.
struct TableRoom {
    let path: String
    private let server: TestServer
    private let users: TableUsers
    /// Objects of the room, by the names of parameters.
    private(set) var ids: [String: String]
    /// A lot of each auctioneer that is not queued any more.
    private var withdrawn: [PermissionTable.CallerKind: String] = [:]

    /// - Parameters:
    ///   - kicked: a user who joins and is removed; nil: none.
    ///   - queuesLot: whether a lot waits; otherwise each auctioneer has withdrawn one.
    init(
        _ server: TestServer, _ users: TableUsers, _ situation: AccessTable.Situation, isPrivate: Bool = false,
        format: AuctionFormatName = .english, kicked: Guest? = nil, queuesLot: Bool = false
    ) throws {
        (self.server, self.users) = (server, users)
        let room = try server.call(
            "POST", "/v1/rooms", ["name": "Room", "visibility": .string(isPrivate ? "private" : "public")],
            by: users.guest(.host))
        path = try #require(room.header("Location"))
        let none = String(repeating: "0", count: 26)
        let objects = ["item", "lot", "bid", "message", "stage"].map { ("\($0)Id", "\($0)_\(none)") }
        ids = Dictionary(uniqueKeysWithValues: objects + [("userId", users.targetUser.id)])
        try admitMembers(code: .string(try #require(room.text("inviteCode"))), kicked)
        ids["messageId"] = try made("/messages", ["text": "hello"], by: users.targetUser)
        let lot: JSONValue = ["name": "Lot", "rules": Self.rules(of: format)]
        for owner in [PermissionTable.CallerKind.owner, .auctioneer] where !queuesLot {
            withdrawn[owner] = try made("/lots", lot, by: users.guest(owner))
            try done("DELETE", "/lots/\(withdrawn[owner] ?? "")", by: users.guest(owner))
        }
        guard situation != .empty, situation != .nowhere else { return }
        ids["itemId"] = try made("/items", lot, by: users.guest(.owner))
        if queuesLot { ids["lotId"] = try made("/lots", lot, by: users.guest(.owner)) }
        try advance(to: situation, format)
    }

    private func admitMembers(code: JSONValue, _ kicked: Guest?) throws {
        let host = try users.guest(.host)
        for callerKind in PermissionTable.CallerKind.allCases where callerKind != .host && callerKind != .stranger {
            let role = callerKind == .viewer ? "viewer" : "bidder"
            try done("POST", "/members", ["role": .string(role), "inviteCode": code], by: users.guest(callerKind))
        }
        for guest in [users.targetUser, kicked].compactMap(\.self) {
            try done("POST", "/members", ["inviteCode": code], by: guest)
        }
        let changes: [(PermissionTable.CallerKind, JSONValue)] = [
            (.owner, ["role": "auctioneer"]), (.auctioneer, ["role": "auctioneer"]), (.muted, ["muted": true]),
            (.banned, ["banned": true]),
        ]
        for (callerKind, change) in changes { try done("PATCH", "/members/\(users.guest(callerKind).id)", change, by: host) }
        if let kicked { try done("DELETE", "/members/\(kicked.id)", by: host) }
    }

    private static func rules(of format: AuctionFormatName) -> JSONValue {
        guard format == .dutch else {
            return ["startingPrice": "100", "listingSeconds": 60, "biddingSeconds": 60, "format": .string(format.rawValue)]
        }
        return [
            "startingPrice": "100", "listingSeconds": 60, "format": "dutch", "floorPrice": "10", "dutchTickSeconds": 60,
            "increment": ["fixed": "10"],
        ]
    }

    private mutating func advance(to situation: AccessTable.Situation, _ format: AuctionFormatName) throws {
        let (host, bidder) = (try users.guest(.host), try users.guest(.bidder))
        switch situation {
        case .nowhere, .empty, .item: return
        case .asked, .accepted, .seated:
            let stage = try made("/stage/requests", ["role": "bidder"], by: bidder)
            (ids["stageId"], ids["guestId"]) = (stage, bidder.id)
            if situation != .asked { try done("POST", "/stage/\(stage)/accept", by: host) }
            if situation == .seated { try done("POST", "/stage/\(stage)/confirm", by: bidder) }
            return
        case .listing, .open, .bids, .paused, .closed: try done("POST", "/auction/start", by: host)
        }
        guard situation != .listing else { return }
        try done("POST", "/auction/start", by: host)
        guard situation != .open else { return }
        let endsWithBid = format == .dutch
        if !endsWithBid || situation == .closed {
            let placed = try done("POST", "/bids", ["amount": "100"], by: users.guest(.leader))
            let bid = try #require(placed.text("bid.id"))
            ids["bidId"] = bid
        }
        if situation == .paused { try done("POST", "/auction/pause", by: host) }
        if situation == .closed, !endsWithBid { try done("POST", "/auction/end", by: host) }
    }

    /// The id of what a request makes.
    private func made(_ tail: String, _ body: JSONValue, by guest: Guest) throws -> String {
        try #require(try done("POST", tail, body, by: guest).text("id"))
    }

    @discardableResult
    private func done(_ method: String, _ tail: String, _ body: JSONValue? = nil, by guest: Guest) throws -> HTTPResponse {
        let response = try server.call(method, path + tail, body, by: guest)
        try #require((200..<300).contains(response.status), "\(method) \(tail): \(response.bodyText)")
        return response
    }

    func read(_ tail: String, by callerKind: PermissionTable.CallerKind) throws -> HTTPResponse {
        try server.call("GET", path + tail, by: users.guest(callerKind))
    }

    func seq() throws -> Int { try #require(try read("", by: .host).seq) }
}

extension TableRoom {
    /// Of several operations the one that every situation permits to the host.
    private static let operations: [RoomAction: String] = [.manageStage: "muteSeat", .runSale: "configureSale"]
    private static let bodies: [RoomAction: JSONValue] = [
        .ban: ["banned": true], .mute: ["muted": true], .setCreditLimit: ["creditLimit": "5"],
        .placeFloorBid: ["amount": "100", "floor": [:]],
        .voidResult: ["reason": "Not paid."],
    ]

    /// Performs the action by a real request, with the example of an operation that needs it; returns its response.
    func perform(_ action: RoomAction, by callerKind: PermissionTable.CallerKind) throws -> HTTPResponse {
        let name = Self.operations[action] ?? Operation.all.first { $0.actions.contains(action) }?.name
        let operation = try #require(try Contract.shared.get().operations.first { $0.id == name }, "\(action)")
        var ids = ids
        ids["lotId"] = withdrawn[callerKind == .auctioneer ? .auctioneer : .owner]
        let call = AccessCall(operation, in: path, ids, body: Self.bodies[action])
        return try server.call(call.method, call.path, call.body, by: users.guest(callerKind), call.headers)
    }
}

import AuctionDomain
import AuctionTestKit
import ExactJSON
import Testing

/// One room in a situation of the specification's permission table, set up by real requests, with all users of the table.
struct PermissionTableFixture {
    /// The users of the table, and the user that commands apply to. All rooms of a server have the same ones.
    struct Users {
        let guests: [PermissionTable.CallerKind: Guest]
        let targetUser: Guest

        init(_ server: TestServer) throws {
            var guests: [PermissionTable.CallerKind: Guest] = [:]
            for callerKind in PermissionTable.CallerKind.allCases { guests[callerKind] = try server.guest(callerKind.rawValue) }
            self.guests = guests
            targetUser = try server.guest("spare")
        }
    }

    private let server: TestServer
    private let users: Users
    private let path: String
    private let format: AuctionFormatName
    private var item = "item_00000000000000000000000000"
    private var bid = "bid_00000000000000000000000000"
    private var message = ""
    /// A lot of each auctioneer that is not queued any more.
    private var lots: [PermissionTable.CallerKind: String] = [:]

    init(
        _ server: TestServer, _ users: Users, _ situation: PermissionTable.Situation, _ format: AuctionFormatName = .english
    ) throws {
        self.format = format
        self.server = server
        self.users = users
        let room = try server.call("POST", "/v1/rooms", ["name": .string(situation.rawValue)], by: users.guests[.host])
        path = try #require(room.header("Location"))
        try admitMembers()
        for owner in [PermissionTable.CallerKind.owner, .auctioneer] { lots[owner] = try withdrawnLot(of: guest(owner)) }
        let sent = try call("POST", "/messages", ["text": "hello"], by: users.targetUser)
        message = try #require(sent.text("id"))
        guard situation != .empty else { return }
        let uploaded = try call("POST", "/items", ["name": "Lot", "rules": Self.rules(of: format)], by: guest(.owner))
        item = try #require(uploaded.text("id"))
        try advance(to: situation)
    }

    func guest(_ callerKind: PermissionTable.CallerKind) throws -> Guest { try #require(users.guests[callerKind]) }

    private func admitMembers() throws {
        let callerKinds = PermissionTable.CallerKind.allCases.filter { $0 != .host && $0 != .stranger }
        for callerKind in callerKinds {
            let role = callerKind == .viewer ? "viewer" : "bidder"
            try call("POST", "/members", ["role": .string(role)], by: guest(callerKind))
        }
        try call("POST", "/members", by: users.targetUser)
        let changes: [(PermissionTable.CallerKind, JSONValue)] = [
            (.owner, ["role": "auctioneer"]), (.auctioneer, ["role": "auctioneer"]), (.muted, ["muted": true]),
            (.banned, ["banned": true]),
        ]
        for (callerKind, change) in changes { try call("PATCH", "/members/\(guest(callerKind).id)", change, by: guest(.host)) }
    }

    private static func rules(of format: AuctionFormatName) -> JSONValue {
        guard format == .dutch else {
            return [
                "startingPrice": "100", "listingSeconds": 60, "biddingSeconds": 60, "format": .string(format.rawValue),
            ]
        }
        return [
            "startingPrice": "100", "listingSeconds": 60, "format": "dutch", "floorPrice": "10", "dutchTickSeconds": 60,
            "increment": ["fixed": "10"],
        ]
    }

    private mutating func advance(to situation: PermissionTable.Situation) throws {
        guard situation != .item else { return }
        try call("POST", "/auction/start", by: guest(.host))
        guard situation != .listing else { return }
        try call("POST", "/auction/start", by: guest(.host))
        guard situation != .open else { return }
        let endsWithBid = format == .dutch
        if !endsWithBid || situation == .closed {
            bid = try #require(try call("POST", "/bids", ["amount": "100"], by: guest(.leader)).text("bid.id"))
        }
        if situation == .paused { try call("POST", "/auction/pause", by: guest(.host)) }
        if situation == .closed, !endsWithBid { try call("POST", "/auction/end", by: guest(.host)) }
    }

    @discardableResult
    func call(_ method: String, _ tail: String, _ body: JSONValue? = nil, by guest: Guest) throws -> HTTPResponse {
        try server.call(method, path + tail, body, by: guest)
    }

    /// Performs the action by a real request; returns its response.
    func perform(_ action: RoomAction, by callerKind: PermissionTable.CallerKind) throws -> HTTPResponse {
        let guest = try guest(callerKind)
        switch action {
        case .uploadItem:
            return try call("POST", "/items", ["name": "Mine", "rules": ["startingPrice": "1"]], by: guest)
        case .adjustRules: return try call("PATCH", "/items/\(item)", ["rules": ["biddingSeconds": 20]], by: guest)
        case .startAuction: return try call("POST", "/auction/start", by: guest)
        case .placeBid: return try call("POST", "/bids", ["amount": "500"], by: guest)
        case .retractBid: return try call("DELETE", "/bids/\(bid)?reason=slip", by: guest)
        case .endAuction: return try call("POST", "/auction/end", by: guest)
        case .pause: return try call("POST", "/auction/pause", by: guest)
        case .resume: return try call("POST", "/auction/resume", by: guest)
        case .cancel: return try call("POST", "/auction/cancel", ["reason": "because"], by: guest)
        case .sendMessage: return try call("POST", "/messages", ["text": "hello"], by: guest)
        case .removeMessage: return try call("DELETE", "/messages/\(message)", by: guest)
        case .configurePermissions:
            return try call("PATCH", "/permission-rules/bid.viewer", ["enabled": false], by: guest)
        case .requestStage: return try call("POST", "/stage/requests", ["role": "bidder"], by: guest)
        case .manageStage: return try call("POST", "/stage/seats/1/mute", by: guest)
        case .archiveRoom: return try call("DELETE", "", by: guest)
        case .queueLot: return try call("POST", "/lots", ["name": "Mine", "rules": ["startingPrice": "1"]], by: guest)
        case .changeLot: return try call("PATCH", "/lots/\(lot(of: callerKind))", ["name": "Ours"], by: guest)
        case .withdrawLot: return try call("DELETE", "/lots/\(lot(of: callerKind))", by: guest)
        case .runSale: return try call("PUT", "/sale", ["mode": "manual", "pauseSeconds": 20], by: guest)
        case .setRole, .kick, .ban, .mute, .setCreditLimit: return try change(action, by: guest)
        }
    }

    /// The caller's own lot, or one of the owner of the item.
    private func lot(of callerKind: PermissionTable.CallerKind) throws -> String {
        try #require(lots[callerKind == .auctioneer ? .auctioneer : .owner])
    }

    private func withdrawnLot(of owner: Guest) throws -> String {
        let body: JSONValue = ["name": "Withdrawn", "rules": ["startingPrice": "1"]]
        let lot = try #require(try call("POST", "/lots", body, by: owner).text("id"))
        try call("DELETE", "/lots/\(lot)", by: owner)
        return lot
    }

    private func change(_ action: RoomAction, by guest: Guest) throws -> HTTPResponse {
        let tail = "/members/\(users.targetUser.id)"
        let body: JSONValue =
            switch action {
            case .setRole: ["role": "bidder"]
            case .ban: ["banned": true]
            case .mute: ["muted": true]
            default: ["creditLimit": "5"]
            }
        return action == .kick ? try call("DELETE", tail, by: guest) : try call("PATCH", tail, body, by: guest)
    }
}

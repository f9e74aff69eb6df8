import AuctionDomain
import AuctionTestKit
import ExactJSON
import Testing

/// One room brought into a situation of the specification's table by real requests, with everybody whom the table names.
struct TableScene {
    /// Everybody of the table, and somebody to whom things are done. They are the same in all rooms of a house.
    struct Cast {
        let guests: [PermissionTable.Asker: Guest]
        let spare: Guest

        init(_ house: House) throws {
            var guests: [PermissionTable.Asker: Guest] = [:]
            for asker in PermissionTable.Asker.allCases { guests[asker] = try house.guest(asker.rawValue) }
            self.guests = guests
            spare = try house.guest("spare")
        }
    }

    private let house: House
    private let cast: Cast
    private let path: String
    private var item = "item_00000000000000000000000000"
    private var bid = "bid_00000000000000000000000000"
    private var message = ""

    init(_ house: House, _ cast: Cast, _ situation: PermissionTable.Situation) throws {
        self.house = house
        self.cast = cast
        let room = try house.call("POST", "/v1/rooms", ["name": .string(situation.rawValue)], by: cast.guests[.host])
        path = try #require(room.header("Location"))
        try admitMembers()
        let said = try call("POST", "/messages", ["text": "hello"], by: cast.spare)
        message = try #require(said.text("id"))
        guard situation != .empty else { return }
        let uploaded = try call(
            "POST", "/items", ["name": "Lot", "rules": ["startingPrice": "100", "listingSeconds": 60, "biddingSeconds": 60]],
            by: guest(.owner))
        item = try #require(uploaded.text("id"))
        try advance(to: situation)
    }

    func guest(_ asker: PermissionTable.Asker) throws -> Guest { try #require(cast.guests[asker]) }

    private func admitMembers() throws {
        let askers = PermissionTable.Asker.allCases.filter { $0 != .host && $0 != .stranger }
        for asker in askers {
            let role = asker == .viewer ? "viewer" : "bidder"
            try call("POST", "/members", ["role": .string(role)], by: guest(asker))
        }
        try call("POST", "/members", by: cast.spare)
        let changes: [(PermissionTable.Asker, JSONValue)] = [
            (.owner, ["role": "auctioneer"]), (.auctioneer, ["role": "auctioneer"]), (.muted, ["muted": true]),
            (.banned, ["banned": true]),
        ]
        for (asker, change) in changes { try call("PATCH", "/members/\(guest(asker).id)", change, by: guest(.host)) }
    }

    private mutating func advance(to situation: PermissionTable.Situation) throws {
        guard situation != .item else { return }
        try call("POST", "/auction/start", by: guest(.host))
        guard situation != .listing else { return }
        try call("POST", "/auction/start", by: guest(.host))
        guard situation != .open else { return }
        bid = try #require(try call("POST", "/bids", ["amount": "100"], by: guest(.leader)).text("bid.id"))
        if situation == .paused { try call("POST", "/auction/pause", by: guest(.host)) }
        if situation == .closed { try call("POST", "/auction/end", by: guest(.host)) }
    }

    @discardableResult
    func call(_ method: String, _ tail: String, _ body: JSONValue? = nil, by guest: Guest) throws -> HTTPAnswer {
        try house.call(method, path + tail, body, by: guest)
    }

    /// Really does it, or is refused.
    func perform(_ action: RoomAction, by asker: PermissionTable.Asker) throws -> HTTPAnswer {
        let guest = try guest(asker)
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
        case .setRole, .kick, .ban, .mute, .setCreditLimit: return try change(action, by: guest)
        }
    }

    private func change(_ action: RoomAction, by guest: Guest) throws -> HTTPAnswer {
        let tail = "/members/\(cast.spare.id)"
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

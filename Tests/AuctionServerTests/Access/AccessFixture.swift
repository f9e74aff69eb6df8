@testable import AuctionServer
import AuctionDomain
import AuctionService
import AuctionTestKit
import ExactJSON
import Testing

/// The users of the access table; all rooms of a server have the same ones.
struct AccessUsers {
    typealias CallerKind = AccessTable.CallerKind

    let guests: [CallerKind: Guest]
    /// The user that commands apply to, and the author of the message that is removed.
    let targetUser: Guest
    /// The users of the other room: its auctioneer, its bidder and its target user.
    let otherRoomUsers: [Guest]

    init(_ server: TestServer) throws {
        var guests: [CallerKind: Guest] = [:]
        for callerKind in CallerKind.allCases where callerKind != .anonymous && callerKind != .expired {
            guests[callerKind] = try server.guest(callerKind.rawValue)
        }
        let bidder = try #require(guests[.bidder])
        let person = Person(id: try #require(UserID(bidder.id)), nickname: bidder.nickname)
        let past = server.clock.now().wall.advanced(byMilliseconds: -8 * 24 * 3_600_000)
        let token = TokenSigner(secret: TestServer.secret).sign(person, number: 1, at: past).token
        guests[.expired] = Guest(id: bidder.id, nickname: bidder.nickname, token: token)
        self.guests = guests
        targetUser = try server.guest("spare")
        otherRoomUsers = try ["seller", "buyer", "talker"].map { try server.guest($0) }
    }

    func guest(_ callerKind: CallerKind) throws -> Guest { try #require(guests[callerKind]) }
}

/// One room in the situation that an operation needs, set up by real requests.
struct AccessFixture {
    let server: TestServer
    let path: String
    private let host: Guest
    private let auctioneer: Guest
    private let bidder: Guest
    let targetUser: Guest
    private(set) var item = "item_00000000000000000000000000"
    private(set) var lot = "lot_00000000000000000000000000"
    private(set) var bid = "bid_00000000000000000000000000"
    private(set) var message = ""
    private(set) var stage = "stage_00000000000000000000000000"

    /// The room with all users of the table.
    init(_ server: TestServer, _ users: AccessUsers, _ situation: AccessTable.Situation, isPrivate: Bool) throws {
        try self.init(
            server, situation, isPrivate: isPrivate, host: users.guest(.host), auctioneer: users.guest(.auctioneer),
            bidder: users.guest(.bidder), targetUser: users.targetUser,
            besides: [.viewer, .muted, .banned, .kicked].map { try users.guest($0) })
        try call("PATCH", "/members/\(users.guest(.muted).id)", ["muted": true], by: host)
        try call("PATCH", "/members/\(users.guest(.banned).id)", ["banned": true], by: host)
        try call("DELETE", "/members/\(users.guest(.kicked).id)", by: host)
    }

    /// A room of another host with the same objects, whose ids must not work in the first room.
    init(other server: TestServer, _ users: AccessUsers, _ situation: AccessTable.Situation) throws {
        try self.init(
            server, situation, isPrivate: false, host: users.guest(.foreign), auctioneer: users.otherRoomUsers[0],
            bidder: users.otherRoomUsers[1],
            targetUser: users.otherRoomUsers[2], besides: [])
    }

    private init(
        _ server: TestServer, _ situation: AccessTable.Situation, isPrivate: Bool, host: Guest, auctioneer: Guest,
        bidder: Guest,
        targetUser: Guest, besides members: [Guest]
    ) throws {
        (self.server, self.host, self.auctioneer, self.bidder, self.targetUser) = (server, host, auctioneer, bidder, targetUser)
        let room = try server.call(
            "POST", "/v1/rooms", ["name": "Room", "visibility": .string(isPrivate ? "private" : "public")], by: host)
        path = try #require(room.header("Location"))
        let code: JSONValue = .string(try #require(room.text("inviteCode")))
        for member in [auctioneer, bidder, targetUser] + members {
            let role = member.nickname == "viewer" ? "viewer" : "bidder"
            try call("POST", "/members", ["role": .string(role), "inviteCode": code], by: member)
        }
        try call("PATCH", "/members/\(auctioneer.id)", ["role": "auctioneer"], by: host)
        message = try #require(try call("POST", "/messages", ["text": "hello"], by: targetUser).text("id"))
        try advance(to: situation)
    }

    private mutating func advance(to situation: AccessTable.Situation) throws {
        guard situation != .empty else { return }
        let body: JSONValue = [
            "name": "Lot", "rules": ["startingPrice": "100", "listingSeconds": 60, "biddingSeconds": 60],
        ]
        item = try #require(try call("POST", "/items", body, by: auctioneer).text("id"))
        lot = try #require(try call("POST", "/lots", body, by: auctioneer).text("id"))
        switch situation {
        case .open, .bids, .paused:
            for _ in 0..<2 { try call("POST", "/auction/start", by: host) }
            if situation == .bids {
                bid = try #require(try call("POST", "/bids", ["amount": "100"], by: bidder).text("bid.id"))
            }
            if situation == .paused { try call("POST", "/auction/pause", by: host) }
        case .asked, .accepted, .seated:
            stage = try #require(try call("POST", "/stage/requests", ["role": "bidder"], by: bidder).text("id"))
            if situation != .asked { try call("POST", "/stage/\(stage)/accept", by: host) }
            if situation == .seated { try call("POST", "/stage/\(stage)/confirm", by: bidder) }
        case .nowhere, .empty, .item: break
        }
    }

    @discardableResult
    private func call(_ method: String, _ tail: String, _ body: JSONValue? = nil, by guest: Guest) throws -> HTTPResponse {
        let response = try server.call(method, path + tail, body, by: guest)
        try #require((200..<300).contains(response.status), "\(method) \(tail): \(response.bodyText)")
        return response
    }

    func seq() throws -> Int { try #require(try server.call("GET", path, by: host).seq) }
}

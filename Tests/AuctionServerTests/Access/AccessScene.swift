@testable import AuctionServer
import AuctionDomain
import AuctionService
import AuctionTestKit
import ExactJSON
import Testing

/// Everybody of the access table; the same people in all rooms of a house.
struct AccessCast {
    typealias Asker = AccessTable.Asker

    let guests: [Asker: Guest]
    /// To whom things are done, and whose words are removed.
    let spare: Guest
    /// The people of the other room: its auctioneer, its bidder, and its own spare one.
    let others: [Guest]

    init(_ house: House) throws {
        var guests: [Asker: Guest] = [:]
        for asker in Asker.allCases where asker != .anonymous && asker != .expired {
            guests[asker] = try house.guest(asker.rawValue)
        }
        let bidder = try #require(guests[.bidder])
        let person = Person(id: try #require(UserID(bidder.id)), nickname: bidder.nickname)
        let past = house.clock.now().wall.advanced(byMilliseconds: -8 * 24 * 3_600_000)
        let token = TokenSigner(secret: House.secret).sign(person, at: past).token
        guests[.expired] = Guest(id: bidder.id, nickname: bidder.nickname, token: token)
        self.guests = guests
        spare = try house.guest("spare")
        others = try ["seller", "buyer", "talker"].map { try house.guest($0) }
    }

    func guest(_ asker: Asker) throws -> Guest { try #require(guests[asker]) }
}

/// One room as an operation needs it, made by real requests.
struct AccessScene {
    let house: House
    let path: String
    private let host: Guest
    private let auctioneer: Guest
    private let bidder: Guest
    let spare: Guest
    private(set) var item = "item_00000000000000000000000000"
    private(set) var bid = "bid_00000000000000000000000000"
    private(set) var message = ""
    private(set) var stage = "stage_00000000000000000000000000"

    /// The room with everybody in it.
    init(_ house: House, _ cast: AccessCast, _ situation: AccessTable.Situation, isPrivate: Bool) throws {
        try self.init(
            house, situation, isPrivate: isPrivate, host: cast.guest(.host), auctioneer: cast.guest(.auctioneer),
            bidder: cast.guest(.bidder), spare: cast.spare,
            besides: [.viewer, .muted, .banned, .kicked].map { try cast.guest($0) })
        try call("PATCH", "/members/\(cast.guest(.muted).id)", ["muted": true], by: host)
        try call("PATCH", "/members/\(cast.guest(.banned).id)", ["banned": true], by: host)
        try call("DELETE", "/members/\(cast.guest(.kicked).id)", by: host)
    }

    /// The room of another host, with the same things in it.
    init(other house: House, _ cast: AccessCast, _ situation: AccessTable.Situation) throws {
        try self.init(
            house, situation, isPrivate: false, host: cast.guest(.foreign), auctioneer: cast.others[0], bidder: cast.others[1],
            spare: cast.others[2], besides: [])
    }

    private init(
        _ house: House, _ situation: AccessTable.Situation, isPrivate: Bool, host: Guest, auctioneer: Guest, bidder: Guest,
        spare: Guest, besides members: [Guest]
    ) throws {
        (self.house, self.host, self.auctioneer, self.bidder, self.spare) = (house, host, auctioneer, bidder, spare)
        let room = try house.call(
            "POST", "/v1/rooms", ["name": "Room", "visibility": .string(isPrivate ? "private" : "public")], by: host)
        path = try #require(room.header("Location"))
        let code: JSONValue = .string(try #require(room.text("inviteCode")))
        for member in [auctioneer, bidder, spare] + members {
            let role = member.nickname == "viewer" ? "viewer" : "bidder"
            try call("POST", "/members", ["role": .string(role), "inviteCode": code], by: member)
        }
        try call("PATCH", "/members/\(auctioneer.id)", ["role": "auctioneer"], by: host)
        message = try #require(try call("POST", "/messages", ["text": "hello"], by: spare).text("id"))
        try advance(to: situation)
    }

    private mutating func advance(to situation: AccessTable.Situation) throws {
        guard situation != .empty else { return }
        let lot: JSONValue = [
            "name": "Lot", "rules": ["startingPrice": "100", "listingSeconds": 60, "biddingSeconds": 60],
        ]
        item = try #require(try call("POST", "/items", lot, by: auctioneer).text("id"))
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
    private func call(_ method: String, _ tail: String, _ body: JSONValue? = nil, by guest: Guest) throws -> HTTPAnswer {
        let answer = try house.call(method, path + tail, body, by: guest)
        try #require((200..<300).contains(answer.status), "\(method) \(tail): \(answer.bodyText)")
        return answer
    }

    func seq() throws -> Int { try #require(try house.call("GET", path, by: host).seq) }
}

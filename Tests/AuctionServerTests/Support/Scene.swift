import ExactJSON
import Testing

/// A room with one of everybody: host, owner (an auctioneer), two bidders, a viewer, and a stranger who is no member.
struct Scene {
    let house: House
    let host: Guest
    let owner: Guest
    let bidder: Guest
    let rival: Guest
    let viewer: Guest
    let stranger: Guest
    /// `/v1/rooms/room_…`
    let path: String

    init(_ house: House? = nil, visibility: String = "public", currency: String = "CNY") throws {
        let house = try house ?? House()
        self.house = house
        host = try house.guest("Hana")
        owner = try house.guest("Otto")
        bidder = try house.guest("Bea")
        rival = try house.guest("Rui")
        viewer = try house.guest("Vera")
        stranger = try house.guest("Sam")
        let room = try house.call(
            "POST", "/v1/rooms", ["name": "Night market", "visibility": .string(visibility), "currency": .string(currency)],
            by: host)
        try #require(room.status == 201)
        path = try #require(room.header("Location"))
        let code: JSONValue = .string(try #require(room.text("inviteCode")))
        for (guest, role) in [(owner, "bidder"), (bidder, "bidder"), (rival, "bidder"), (viewer, "viewer")] {
            let body: JSONValue = ["role": .string(role), "inviteCode": code]
            try #require(try call("POST", "/members", body, by: guest).status == 201)
        }
        try #require(try call("PATCH", "/members/\(owner.id)", ["role": "auctioneer"], by: host).status == 200)
    }

    static let teapot: JSONValue = [
        "name": "Teapot",
        "rules": [
            "startingPrice": "100.00", "increment": ["fixed": "10.00"], "listingSeconds": 3, "biddingSeconds": 15,
        ],
    ]

    /// What every member but the host may do in any state, beside what the state is for.
    static let memberActions = ["sendMessage", "requestStage"]
    /// What the host may do to people and their words in any state.
    static let hostActions = ["setRole", "kick", "ban", "mute", "setCreditLimit", "sendMessage", "removeMessage"]

    /// A call below the room's path.
    @discardableResult
    func call(
        _ method: String, _ tail: String = "", _ body: JSONValue? = nil, by guest: Guest? = nil,
        _ headers: [(name: String, value: String)] = [], at location: SourceLocation = #_sourceLocation
    ) throws -> HTTPAnswer {
        try house.call(method, path + tail, body, by: guest, headers, at: location)
    }

    func upload(_ item: JSONValue = teapot) throws {
        try #require(try call("POST", "/items", item, by: owner).status == 201)
    }

    @discardableResult
    func start() throws -> HTTPAnswer {
        let answer = try call("POST", "/auction/start", by: host)
        try #require(answer.status == 200)
        return answer
    }

    /// From preparing without an item to taking bids.
    func openBidding() throws {
        try upload()
        try start()
        let answer = try start()
        try #require(answer.text("state") == "auctioning")
    }

    @discardableResult
    func bid(_ amount: JSONValue, by guest: Guest, at location: SourceLocation = #_sourceLocation) throws -> HTTPAnswer {
        try call("POST", "/bids", ["amount": amount], by: guest, at: location)
    }

    func room(as guest: Guest? = nil) throws -> HTTPAnswer { try call("GET", "", by: guest ?? host) }
    func seq() throws -> Int { try #require(try room().seq) }
    func state() throws -> String? { try room().text("state") }
    func events(after seq: Int = 0) throws -> [JSONValue] {
        try call("GET", "/events?after=\(seq)&limit=256", by: host).list("events")
    }

    /// Lets the countdown end: whoever speaks to the room next finds it ended.
    func letClockRun(seconds: Double) throws {
        house.clock.advance(seconds: seconds)
        // Changes nothing, and is decided after the countdown.
        try #require(try call("DELETE", "/members/me", by: stranger).status == 404)
    }
}

extension Scene {
    /// The same room and people in another house.
    init(_ scene: Scene, in house: House) {
        self.house = house
        host = scene.host
        owner = scene.owner
        bidder = scene.bidder
        rival = scene.rival
        viewer = scene.viewer
        stranger = scene.stranger
        path = scene.path
    }
}

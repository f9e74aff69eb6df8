import ExactJSON
import Testing

/// A room with a user of every kind: host, owner (an auctioneer), two bidders, a viewer, and a stranger who is not a member.
struct RoomFixture {
    let server: TestServer
    let host: Guest
    let owner: Guest
    let bidder: Guest
    let rival: Guest
    let viewer: Guest
    let stranger: Guest
    /// `/v1/rooms/room_…`
    let path: String

    init(_ server: TestServer? = nil, visibility: String = "public", currency: String = "CNY") throws {
        let server = try server ?? TestServer()
        self.server = server
        host = try server.guest("Hana")
        owner = try server.guest("Otto")
        bidder = try server.guest("Bea")
        rival = try server.guest("Rui")
        viewer = try server.guest("Vera")
        stranger = try server.guest("Sam")
        let room = try server.call(
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

    /// The actions that every member but the host may perform in any state.
    static let memberActions = ["sendMessage", "requestStage", "reportMessage"]
    /// The same of the owner of the item.
    static let auctioneerActions = ["sendMessage", "requestStage", "queueLot", "reportMessage"]
    /// The actions on lots, the sale and results that the host may perform in any state, and those of later versions.
    static let saleActions = ["queueLot", "runSale", "reportMessage", "voidResult", "decideApplication"]
    /// The actions on members and messages that the host may perform in any state.
    static let hostActions = ["setRole", "kick", "ban", "mute", "setCreditLimit", "sendMessage", "removeMessage"]

    /// Sends a request to a path below the room's.
    @discardableResult
    func call(
        _ method: String, _ tail: String = "", _ body: JSONValue? = nil, by guest: Guest? = nil,
        _ headers: [(name: String, value: String)] = [], at location: SourceLocation = #_sourceLocation
    ) throws -> HTTPResponse {
        try server.call(method, path + tail, body, by: guest, headers, at: location)
    }

    func upload(_ item: JSONValue = teapot) throws {
        try #require([200, 201].contains(try call("POST", "/items", item, by: owner).status))
    }

    @discardableResult
    func start() throws -> HTTPResponse {
        let response = try call("POST", "/auction/start", by: host)
        try #require(response.status == 200)
        return response
    }

    /// Takes the room from preparing without an item to auctioning.
    func openBidding() throws {
        try upload()
        try start()
        let response = try start()
        try #require(response.text("state") == "auctioning")
    }

    @discardableResult
    func bid(_ amount: JSONValue, by guest: Guest, at location: SourceLocation = #_sourceLocation) throws -> HTTPResponse {
        try call("POST", "/bids", ["amount": amount], by: guest, at: location)
    }

    func room(as guest: Guest? = nil) throws -> HTTPResponse { try call("GET", "", by: guest ?? host) }
    func seq() throws -> Int { try #require(try room().seq) }
    func state() throws -> String? { try room().text("state") }
    func events(after seq: Int = 0) throws -> [JSONValue] {
        try call("GET", "/events?after=\(seq)&limit=256", by: host).list("events")
    }

    /// Advances the clock past the deadline and waits until it is handled.
    func letClockRun(seconds: Double) throws {
        server.clock.advance(seconds: seconds)
        // A command without effect, which the room decides after the expired deadline.
        try #require(try call("DELETE", "/members/me", by: stranger).status == 404)
    }
}

extension RoomFixture {
    /// The same room and users at another server.
    init(_ fixture: RoomFixture, in server: TestServer) {
        self.server = server
        host = fixture.host
        owner = fixture.owner
        bidder = fixture.bidder
        rival = fixture.rival
        viewer = fixture.viewer
        stranger = fixture.stranger
        path = fixture.path
    }
}

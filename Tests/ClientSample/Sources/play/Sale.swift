import AuctionClient
import Foundation

struct CheckFailed: Error { let text: String }

/// A user with a client of their own.
struct User {
    let client: AuctionClient
    let person: Person

    init(_ address: URL, _ nickname: String) async throws {
        let tokens = GuestTokens(transport: URLSessionTransport(baseURL: address), nickname: nickname)
        var configuration = ClientConfiguration()
        configuration.tokens = tokens
        // The other program follows by server-sent events.
        configuration.connection.transports = [.longPoll]
        client = AuctionClient(baseURL: address, configuration: configuration)
        person = try await tokens.guest()
    }
}

/// One room, from its opening to its archiving.
final class Sale {
    let format: AuctionFormat
    let host: User
    let auctioneer: User
    let bidders: [User]
    let id: String
    var checks = 0
    private var updates: RoomUpdates.Iterator
    private var latest: RoomState?

    init(_ address: URL, _ format: AuctionFormat) async throws {
        self.format = format
        host = try await User(address, "Ann")
        auctioneer = try await User(address, "Bo")
        bidders = [try await User(address, "Cy"), try await User(address, "Di")]
        id = try await host.client.openRoom(name: "Sale \(format)", currency: "EUR").id
        // From the beginning and before anything has happened, so that the whole state is made of events.
        updates = bidders[0].client.room(id).follow(from: .after(0)).updates.makeAsyncIterator()
    }

    func check(_ holds: Bool, _ text: @autoclosure () -> String) throws {
        checks += 1
        guard holds else { throw CheckFailed(text: "\(format): \(text())") }
    }

    func room(of user: User) -> AuctionRoom { user.client.room(id) }

    /// Reads the room, follows the events up to it, and compares.
    func compare(_ step: String) async throws {
        let truth = try await room(of: bidders[0]).read()
        while (latest?.seq ?? 0) < truth.seq {
            guard let update = try await updates.next() else { throw CheckFailed(text: "the updates ended") }
            if let event = update.event { try check(event.body != .unknown, "\(event.type) \(event.data) is not understood") }
            // Only states that events have made, so that a read in between cannot hide a mistake.
            if update.event != nil || latest == nil { latest = update.state }
        }
        // A clock moved the room on after it was read.
        guard let made = latest, made.seq == truth.seq else { return try await compare(step) }
        func same<Value: Equatable>(_ name: String, _ path: KeyPath<RoomState, Value>) throws {
            try check(
                made[keyPath: path] == truth[keyPath: path],
                "\(step): \(name) is \(made[keyPath: path]), not \(truth[keyPath: path])")
        }
        try same("phase", \.phase)
        try same("round", \.round)
        try same("host", \.host)
        try same("item", \.item)
        try same("rules", \.rules)
        try same("currentPrice", \.currentPrice)
        try same("bidder", \.currentBid?.bidder)
        try same("amount", \.currentBid?.amount)
        // Not known from the events of an upload.
        if made.reserveMet != nil { try same("reserveMet", \.reserveMet) }
        try same("endsAt", \.endsAt)
        try same("nextDropAt", \.nextDropAt)
        // In a sealed round it is the caller's own.
        if !format.isSealed { try same("nextMinimum", \.nextMinimum) }
    }

    func next() async throws -> RoomUpdate? { try await updates.next() }

    func euros(_ text: String) throws -> Money { try Money(text, "EUR") }

    var rules: NewRules {
        get throws {
            var rules = NewRules(startingPrice: try euros("100"))
            rules.increment = .fixed(try euros("10"))
            rules.listingSeconds = 0
            rules.biddingSeconds = 600
            rules.format = format
            if format == .dutch {
                rules.floorPrice = try euros("20")
                rules.dutchTickSeconds = 1
                rules.biddingSeconds = nil
            } else {
                rules.reservePrice = try euros("110")
            }
            if format.isSealed { rules.tie = "draw" }
            if format == .english { rules.buyNowPrice = try euros("1000") }
            return rules
        }
    }
}

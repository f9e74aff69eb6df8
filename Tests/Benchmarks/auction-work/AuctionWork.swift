internal import ArgumentParser
internal import AuctionDomain
internal import AuctionServer
internal import AuctionTestKit
internal import EventLog
internal import ExactJSON
internal import Logging
internal import MicroHTTP
internal import Synchronization

/// `auction-work`: does one kind of work a number of times, on one thread and without clock, sockets and disk, so that the
/// instructions and allocations of two runs differ only by what the work costs. `Tests/scripts/test-work.sh` counts them.
@main
struct AuctionWork: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auction-work", abstract: "Does one kind of work many times; a profiler counts what it costs.")

    /// What is done each time.
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        /// A bid through the whole server, from the request to the response, and published; the log is in memory.
        case bid
        /// The same with an `Idempotency-Key`.
        case keyedBid = "keyed-bid"
        /// A bid below the minimum, which is refused.
        case refusal
        /// GET of a room by a member.
        case room
        /// GET of a public room without a token.
        case publicRoom = "public-room"
        /// GET of a room's first ten events.
        case events
        /// The opening of a lot on which ten thousand bids were left; prints how long one takes, and fails beyond 50 ms.
        case opening
    }

    @Argument(help: "What to do.") var kind: Kind
    @Option(help: "How often.") var count = 1000

    func run() throws {
        if kind == .opening { return try CrowdedLot().open(count) }
        let auction = try ServedAuction()
        for number in 0..<count { try auction.perform(kind, number) }
    }
}

/// A server on one thread with rooms in which two bidders take turns.
private final class ServedAuction {
    private struct Member {
        let id: String
        let authorization: String
        let client = DetachedLoop.Client()

        init(id: String, token: String) {
            self.id = id
            authorization = "Bearer " + token
        }
    }

    /// With texts that are made once, so that making them does not count.
    private struct Lot {
        let path: String
        let bidsPath: String
        let eventsPath: String
        let bidders: [Member]
        var amount = 0
    }

    private let server: SteppedServer
    private let clock = TestClock()
    private var lots: [Lot] = []
    private let expected: [AuctionWork.Kind: Int] = [
        .bid: 201, .keyedBid: 201, .refusal: 422, .room: 200, .publicRoom: 200, .events: 200,
    ]

    init() throws {
        var options = ServerOptions()
        options.limits.guestsPerMinute = 0
        options.limits.bidsPerSecond = 0
        options.limits.commandsPerSecond = 0
        var logger = Logger(label: "work") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .critical
        let source = Mutex(SeededGenerator(seed: 1))
        server = try SteppedServer(
            options: options, log: InMemoryEventLog(), secret: Array(repeating: 7, count: 32), rulebook: try .product(),
            logger: logger, clock: clock, seeds: { source.withLock { $0.word() } })
        for number in 0..<16 { lots.append(try lot(number)) }
    }

    func perform(_ kind: AuctionWork.Kind, _ number: Int) throws {
        let index = number % lots.count
        let lot = lots[index]
        let bidder = lot.bidders[lot.amount % 2]
        var (method, path, body) = ("POST", lot.bidsPath, "{\"amount\":\"\(lot.amount + 1).00\"}")
        var (caller, key): (Member?, String?) = (bidder, nil)
        switch kind {
        case .bid: break
        case .keyedBid: key = "\"\(number)\""
        case .refusal: body = "{\"amount\":\"0.50\"}"
        case .room: (method, path, body) = ("GET", lot.path, "")
        case .publicRoom: (method, path, body, caller) = ("GET", lot.path, "", nil)
        case .events: (method, path, body) = ("GET", lot.eventsPath, "")
        // Without a server.
        case .opening: return
        }
        let status = try send(method, path, body, by: caller, key: key).status
        guard status == expected[kind] else { throw ValidationError("\(kind.rawValue) was answered \(status)") }
        if status == 201 { lots[index].amount += 1 }
    }

    private func lot(_ number: Int) throws -> Lot {
        let people = try ["Ann", "Bo", "Cy", "Di"].map { name in
            let guest = try send("POST", "/v1/guests", "{\"nickname\":\"\(name)\"}")
            return Member(id: try guest.text("user.id"), token: try guest.text("token"))
        }
        let room = try send("POST", "/v1/rooms", "{\"name\":\"Room \(number)\"}", by: people[0])
        let path = "/v1/rooms/" + (try room.text("id"))
        for person in people[1...] { try send("POST", path + "/members", "{\"role\":\"bidder\"}", by: person) }
        let auctioneer = people[1]
        try send("PATCH", path + "/members/" + auctioneer.id, "{\"role\":\"auctioneer\"}", by: people[0])
        let rules =
            #"{"startingPrice":"1.00","increment":{"fixed":"1.00"},"listingSeconds":0,"biddingSeconds":86400}"#
        try send("POST", path + "/items", "{\"name\":\"Lot\",\"rules\":\(rules)}", by: auctioneer)
        try send("POST", path + "/auction/start", "{}", by: people[0])
        return Lot(
            path: path, bidsPath: path + "/bids", eventsPath: path + "/events?limit=10", bidders: Array(people[2...]))
    }

    private struct Response {
        let status: Int
        let body: [UInt8]

        func text(_ path: String) throws -> String {
            var value = try JSONReader.read(body)
            for name in path.split(separator: ".") { value = value[String(name)] ?? .null }
            guard case .string(let text) = value else { throw ValidationError("no \(path) in the response") }
            return text
        }
    }

    @discardableResult
    private func send(
        _ method: String, _ path: String, _ body: String, by member: Member? = nil, key: String? = nil
    ) throws -> Response {
        var headers: [(name: String, value: String)] = []
        headers.reserveCapacity(4)
        headers.append(("Host", "localhost"))
        if let member { headers.append(("Authorization", member.authorization)) }
        if !body.isEmpty { headers.append(("Content-Type", "application/json")) }
        if let key { headers.append(("Idempotency-Key", key)) }
        var found: Response?
        let request = DetachedLoop.Request(
            method: method, target: path, headers: headers, body: Array(body.utf8), client: member?.client)
        server.send(request) { outcome in
            if case .answered(let response) = outcome { found = Response(status: response.status, body: response.body) }
        }
        while server.step() {}
        guard let found else { throw ValidationError("\(path) was not answered") }
        if key == nil, found.status >= 300, found.status != 422 {
            throw ValidationError("\(path) was answered \(found.status): \(String(decoding: found.body, as: UTF8.self))")
        }
        return found
    }
}

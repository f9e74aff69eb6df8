import Foundation
import Testing

@testable import AuctionClientCore

/// What a test counts from several tasks.
final class Counter: Sendable {
    private let count = Locked(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

struct CommandTests {
    private let amount = Money(minorUnits: 1000, currency: "CNY")

    private func client(
        _ configuration: ClientConfiguration = .init(),
        _ response: @escaping @Sendable (HTTPCall, Int) throws(TransportError) -> HTTPResponse
    ) -> (AuctionClient, FakeTransport) {
        let counter = Counter()
        let transport = FakeTransport { call throws(TransportError) in try response(call, counter.next()) }
        var configuration = configuration
        // A test with a store is about commands that do not get through.
        configuration.commands = configuration.commandStore == nil ? .patient : .impatient
        return (AuctionClient(transport: transport, configuration: configuration, clock: TestClock()), transport)
    }

    @Test func `a lost response is asked for again under the same key`() async {
        let (client, transport) = client { _, attempt throws(TransportError) in
            if attempt < 3 { throw .interrupted("lost") }
            return Responses.bid(leading: true, isReplay: true)
        }
        guard case .leading(let placed) = await client.room("room_1").placeBid(amount, round: 1) else {
            return #expect(Bool(false))
        }
        #expect(placed.isReplay && placed.bid.total?.decimal == "11.25")
        #expect(transport.calls.count == 3)
        #expect(Set(transport.calls.map { $0.header("Idempotency-Key") }).count == 1)
        #expect(Set(transport.calls.map(\.body)).count == 1)
    }

    @Test func `a sealed bid is neither leading nor outbid`() async {
        let (client, _) = client { _, _ throws(TransportError) in Responses.bid(leading: false, price: "null") }
        guard case .sealed = await client.room("room_1").placeBid(amount) else { return #expect(Bool(false)) }
    }

    @Test func `a refusal has its rule, what was required, and what is allowed`() async {
        let (client, _) = client { _, _ throws(TransportError) in
            SimulatedService.problem(422, "bid.below_minimum", required: "\"12.00\"", at: 0)
        }
        guard case .refused(let refusal) = await client.room("room_1").placeBid(amount) else { return #expect(Bool(false)) }
        #expect(refusal.requiredAmount?.decimal == "12.00")
        #expect(refusal.refusal.code == .bidBelowMinimum && refusal.refusal.allowedActions == [])
        #expect(!refusal.refusal.mayStillBeCarriedOut && refusal.refusal.problem.requestId == "req_1")
    }

    @Test(arguments: [
        "service.unavailable", "service.overloaded", "service.too_many_reads", "service.stale", "server.busy",
        "connection.too_many", "idempotency.too_many_keys", "response.too_many_bytes", "media.unavailable", "media.disk_full",
    ])
    func `a bid that the service had no room for was certainly not placed`(code: String) async {
        var configuration = ClientConfiguration()
        configuration.commandStore = MemoryStore()
        let (client, _) = client(configuration) { _, _ throws(TransportError) in SimulatedService.problem(503, code, at: 0) }
        let outcome = await client.room("room_1").placeBid(amount, round: 1)
        guard case .refused(let refusal) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(refusal.refusal.code.rawValue == code && !refusal.refusal.mayStillBeCarriedOut)
        #expect(await (try? client.storedCommands())?.isEmpty == true)
    }

    @Test(arguments: ["service.outcome_unknown", "service.stopping", "server.stopping", "service.of_a_later_version"])
    func `a bid that the service may have begun is unknown`(code: String) async {
        var configuration = ClientConfiguration()
        configuration.commandStore = MemoryStore()
        let (client, _) = client(configuration) { _, _ throws(TransportError) in SimulatedService.problem(503, code, at: 0) }
        let outcome = await client.room("room_1").placeBid(amount, round: 1)
        guard case .unknown = outcome else { return #expect(Bool(false), "\(outcome)") }
    }

    @Test func `a command refused after a lost attempt may still be carried out`() async {
        let (client, _) = client { _, attempt throws(TransportError) in
            if attempt == 1 { throw .interrupted("lost") }
            return SimulatedService.problem(409, "bid.not_auctioning", at: 0)
        }
        guard case .refused(let refusal) = await client.room("room_1").placeBid(amount, round: 1) else {
            return #expect(Bool(false))
        }
        #expect(refusal.refusal.mayStillBeCarriedOut)
    }

    @Test func `a bid that never left the device was certainly not placed`() async {
        var configuration = ClientConfiguration()
        configuration.commandStore = MemoryStore()
        let (client, _) = client(configuration) { _, _ throws(TransportError) in throw .notSent("no network") }
        guard case .notSent = await client.room("room_1").placeBid(amount) else { return #expect(Bool(false)) }
        #expect(await (try? client.storedCommands())?.isEmpty == true)
    }

    @Test func `a command to what cannot be an address fails at once`() async {
        let (client, transport) = client { _, _ throws(TransportError) in throw .invalidAddress("auctions") }
        guard case .notSent(_, .network(.invalidAddress)) = await client.room("room_1").placeBid(amount, round: 1) else {
            return #expect(Bool(false))
        }
        #expect(transport.calls.count == 1)
    }

    @Test func `an unknown outcome is stored, and found out after a restart of the app`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = ClientConfiguration()
        configuration.commandStore = FileCommandStore(folder: folder)
        let (first, transport) = client(configuration) { _, _ throws(TransportError) in throw .interrupted("lost") }
        guard case .unknown(let command, _) = await first.room("room_1").placeBid(amount, round: 7) else {
            return #expect(Bool(false))
        }
        configuration.commandStore = FileCommandStore(folder: folder)
        let (second, again) = client(configuration) { _, _ throws(TransportError) in Responses.bid(leading: true) }
        let stored = try await second.storedCommands()
        #expect(stored == [command])
        guard case .leading = await second.resendBid(stored[0]) else { return #expect(Bool(false)) }
        #expect(again.calls[0].header("Idempotency-Key") == transport.calls[0].header("Idempotency-Key"))
        #expect(again.calls[0].body == transport.calls[0].body && again.calls[0].target == transport.calls[0].target)
        #expect(try await second.storedCommands().isEmpty)
    }

    @Test func `a stored bid without a currency gets the room's, or stays unknown, and no other command becomes a bid`()
        async throws
    {
        let (client, transport) = client { call, attempt throws(TransportError) in
            if call.method == "GET", attempt < 3 { return SimulatedService.problem(404, "room.not_found", at: 0) }
            return call.method == "GET" ? Responses.room(Responses.auctioning) : Responses.bid(leading: true)
        }
        guard case .leading = await client.room("room_1").placeBid(Money(minorUnits: 1000, currency: "USD")) else {
            return #expect(Bool(false))
        }
        let bid = try Self.stored(#""kind":"placeBid","room":"room_1""#)
        let unknown = await client.resendBid(bid)
        guard case .unknown(bid, .service(let problem)) = unknown else { return #expect(Bool(false), "\(unknown)") }
        #expect(problem.code == .roomNotFound && transport.calls.count == 2)
        guard case .leading(let placed) = await client.resendBid(bid) else { return #expect(Bool(false)) }
        #expect(placed.bid.amount == Money(minorUnits: 1000, currency: "CNY") && transport.calls.count == 4)
        for other in [#""kind":"placeBid""#, #""kind":"join","room":"room_1""#] {
            let command = try Self.stored(other)
            guard case .unknown(command, .notABid) = await client.resendBid(command) else { return #expect(Bool(false)) }
        }
        #expect(transport.calls.count == 4)
    }

    private static func stored(_ members: String) throws -> PendingCommand {
        let json = """
            {\(members),"key":"k","createdAt":{"milliseconds":3600000},"method":"POST","target":"/v1/rooms/room_1/bids",\
            "body":"{\\"round\\":1}"}
            """
        return try JSONDecoder().decode(PendingCommand.self, from: Data(json.utf8))
    }

    @Test func `an amount in another currency than the room's is not sent`() async throws {
        let (client, transport) = client { call, _ throws(TransportError) in
            call.method == "GET" ? Responses.room(Responses.auctioning) : Responses.bid(leading: true)
        }
        let room = client.room("room_1")
        _ = try await room.read()
        let outcome = await room.placeBid(Money(minorUnits: 1000, currency: "USD"))
        guard case .notSent(_, .differentCurrency(room: "CNY")) = outcome else { return #expect(Bool(false), "\(outcome)") }
        guard case .leading = await room.placeBid(amount) else { return #expect(Bool(false)) }
        #expect(transport.calls.map(\.method) == ["GET", "POST"])
    }

    @Test func `a maximum in another currency than the amount or the room is not sent`() async throws {
        let (client, transport) = client { call, _ throws(TransportError) in
            call.method == "GET" ? Responses.room(Responses.auctioning) : Responses.bid(leading: true)
        }
        let room = client.room("room_1")
        let dollars = Money(minorUnits: 9000, currency: "USD")
        for isKnown in [false, true] {
            if isKnown { _ = try await room.read() }
            let outcome = await room.placeBid(amount, maximum: dollars)
            guard case .notSent(_, .differentCurrency(room: "CNY")) = outcome else { return #expect(Bool(false), "\(outcome)") }
        }
        guard case .notSent(_, .differentCurrency(room: "CNY")) = await room.placeBid(maximum: dollars) else {
            return #expect(Bool(false))
        }
        guard case .leading = await room.placeBid(amount, maximum: amount) else { return #expect(Bool(false)) }
        #expect(transport.calls.map(\.method) == ["GET", "POST"])
    }

    @Test func `a command is not sent again when its key may be forgotten, nor as another user`() async throws {
        let alice = "e30.eyJzdWIiOiJhIn0.x"
        let bob = "e30.eyJzdWIiOiJiIn0.x"
        var configuration = ClientConfiguration()
        configuration.tokens = FixedToken(Credential(token: alice))
        let (first, _) = client(configuration) { _, _ throws(TransportError) in throw .responseTooLarge(limit: 1) }
        guard case .unknown(let command, _) = await first.room("room_1").placeBid(amount, round: 1) else {
            return #expect(Bool(false))
        }
        configuration.tokens = FixedToken(Credential(token: bob))
        let (second, transport) = client(configuration) { _, _ throws(TransportError) in Responses.bid(leading: true) }
        guard case .unknown(_, .differentUser) = await second.resendBid(command) else { return #expect(Bool(false)) }
        let json = try JSONEncoder().encode(command)
        let old = String(decoding: json, as: UTF8.self).replacing(
            String(command.createdAt.milliseconds), with: String(command.createdAt.milliseconds - 24 * 3_600_000))
        let expired = try JSONDecoder().decode(PendingCommand.self, from: Data(old.utf8))
        guard case .unknown(_, .keyExpired) = await first.resendBid(expired) else { return #expect(Bool(false)) }
        #expect(transport.calls.isEmpty)
    }

    @Test func `the provider is asked once for all requests that need a token`() async throws {
        let asked = Counter()
        var configuration = ClientConfiguration()
        configuration.tokens = ClosureTokenProvider { rejected in
            Credential(token: rejected == nil ? "old \(asked.next())" : "new \(asked.next())")
        }
        let (client, _) = client(configuration) { call, _ throws(TransportError) in
            call.header("Authorization") == "Bearer old 1"
                ? SimulatedService.problem(401, "token.expired", at: 0) : Responses.bid(leading: true)
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = await client.room("room_1").placeBid(amount) } }
        }
        #expect(asked.next() == 3)
    }

    @Test func `lists are read page by page, and a cursor that does not move ends them`() async throws {
        let (client, transport) = client { call, _ throws(TransportError) in
            let row =
                #"{"id":"r","name":"n","host":{"id":"u","nickname":"A"},"currency":"CNY","visibility":"public","state":"listing","#
            let rest =
                #""round":1,"seq":1,"itemName":null,"currentPrice":null,"endsAt":null,"viewers":0,"openedAt":"1970-01-01T00:00:00Z"}"#
            let next = call.target.contains("cursor=b") ? "\"b\"" : call.target.contains("cursor") ? "\"b\"" : "\"a\""
            return SimulatedService.response(200, "{\"rooms\":[\(row)\(rest)],\"nextCursor\":\(next)}")
        }
        var count = 0
        for try await room in client.rooms() where room.phase == .listing { count += 1 }
        #expect(count == 3 && transport.calls.count == 3)
    }

    @Test func `an error has the problem and the request id`() async {
        let (client, _) = client { _, _ throws(TransportError) in SimulatedService.problem(403, "start.not_host", at: 0) }
        do {
            try await client.room("room_1").start()
        } catch {
            #expect(error.requestId == "req_1" && error.problem?.code == "start.not_host")
        }
    }
}

/// A store that forgets everything with the process.
actor MemoryStore: CommandStore {
    private var commands: [PendingCommand] = []

    func save(_ command: PendingCommand) { commands.append(command) }
    func remove(_ command: PendingCommand) { commands.removeAll { $0 == command } }
    func all() -> [PendingCommand] { commands }
}

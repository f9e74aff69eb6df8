import Foundation
import Testing

@testable import AuctionClientCore

/// What becomes of commands in the store when they are sent again.
struct StoredCommandTests {
    private let amount = Money(minorUnits: 1000, currency: "CNY")
    private let store = MemoryStore()

    private func client(
        _ response: @escaping @Sendable (HTTPCall) throws(TransportError) -> HTTPResponse
    ) -> (AuctionClient, FakeTransport) {
        let transport = FakeTransport(response)
        var configuration = ClientConfiguration()
        configuration.commands = .impatient
        configuration.commandStore = store
        return (AuctionClient(transport: transport, configuration: configuration, clock: TestClock()), transport)
    }

    /// A bid whose response was lost; the store has it.
    private func lostBid(round: Int? = 1) async throws -> PendingCommand {
        let (client, _) = client { _ throws(TransportError) in throw .interrupted("lost") }
        guard case .unknown = await client.room("room_1").placeBid(amount, round: round) else {
            throw MalformedJSON(member: "outcome")
        }
        return try #require(await store.all().last)
    }

    @Test func `a refusal by the rules settles a command that was sent again, and it leaves the store`() async throws {
        for (status, code) in [(422, "bid.below_minimum"), (409, "bid.not_auctioning"), (403, "bid.viewer")] {
            let bid = try await lostBid()
            let (client, _) = client { _ throws(TransportError) in SimulatedService.problem(status, code, at: 0) }
            guard case .refused = await client.resendBid(bid) else { return #expect(Bool(false), "\(code)") }
            #expect(try await client.storedCommands().isEmpty, "\(code)")
        }
    }

    @Test func `a refusal that says nothing about earlier attempts keeps the command in the store`() async throws {
        let bid = try await lostBid()
        for (status, code) in [(422, "idempotency.key_reused"), (404, "room.not_found"), (409, "room.unknown_state")] {
            let (client, _) = client { _ throws(TransportError) in SimulatedService.problem(status, code, at: 0) }
            guard case .refused = await client.resendBid(bid) else { return #expect(Bool(false), "\(code)") }
            #expect(try await client.storedCommands() == [bid], "\(code)")
        }
    }

    @Test func `a firewall's refusal in the form of a problem decides nothing`() async throws {
        let bid = try await lostBid()
        let body = #"{"type":"https://waf.example/e17","title":"Blocked","status":403,"code":"E17","detail":"Blocked."}"#
        let head = HTTPHead(status: 403, headers: [HTTPHeader("Content-Type", "application/problem+json")])
        let (client, _) = client { _ throws(TransportError) in HTTPResponse(head: head, body: Array(body.utf8)) }
        let outcome = await client.resendBid(bid)
        guard case .unknown(bid, .unexpectedResponse(status: 403)) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(try await client.storedCommands() == [bid])
    }

    @Test(arguments: [(429, "request.rate"), (500, "service.internal_error"), (503, "service.overloaded")])
    func `what a gateway says leaves a bid unknown, whatever its code`(status: Int, code: String) async throws {
        let body = #"{"status":\#(status),"code":"\#(code)"}"#
        let headers = [HTTPHeader("Content-Type", "application/problem+json"), HTTPHeader("Retry-After", "1")]
        let page = HTTPResponse(head: HTTPHead(status: status, headers: headers), body: Array(body.utf8))
        let (client, _) = client { _ throws(TransportError) in page }
        let outcome = await client.room("room_1").placeBid(amount, round: 1)
        guard case .unknown(let bid, _) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(try await client.storedCommands() == [bid])
    }

    @Test func `a success that cannot be read is unknown, and the command stays in the store until one can`() async throws {
        let (gateway, _) = client { _ throws(TransportError) in SimulatedService.response(200, "{}") }
        let outcome = await gateway.room("room_1").placeBid(amount, round: 1)
        guard case .unknown(let bid, .unreadable) = outcome else { return #expect(Bool(false), "\(outcome)") }
        guard case .unknown(bid, .unreadable) = await gateway.resendBid(bid) else { return #expect(Bool(false)) }
        await #expect(throws: AuctionError.unknown(bid, .unreadable(member: "receipt"))) { try await gateway.resend(bid) }
        #expect(try await gateway.storedCommands() == [bid])
        await #expect(throws: AuctionError.self) { try await gateway.room("room_1").start() }
        #expect(try await gateway.storedCommands().map(\.kind) == [CommandKind.placeBid, .start])
        let (service, _) = client { _ throws(TransportError) in Responses.bid(leading: true, isReplay: true) }
        guard case .leading = await service.resendBid(bid) else { return #expect(Bool(false)) }
        #expect(try await service.storedCommands().map(\.kind) == [CommandKind.start])
    }

    @Test func `a command that is too old to be sent leaves the store, one from the future does not`() async throws {
        let bid = try await lostBid()
        let (client, transport) = client { _ throws(TransportError) in Responses.bid(leading: true) }
        for (hours, isKept) in [(24, false), (-24, true)] as [(Int64, Bool)] {
            let made = bid.createdAt.milliseconds
            let json = String(decoding: try JSONEncoder().encode(bid), as: UTF8.self)
                .replacing(String(made), with: String(made - hours * 3_600_000))
            let other = try JSONDecoder().decode(PendingCommand.self, from: Data(json.utf8))
            await store.remove(bid)
            await store.save(other)
            guard case .unknown(other, .keyExpired) = await client.resendBid(other) else { return #expect(Bool(false)) }
            #expect(try await client.storedCommands() == (isKept ? [other] : []))
        }
        #expect(transport.calls.isEmpty)
    }

    @Test func `a bid that names no round is tried once, and not sent again in a later round`() async throws {
        let bid = try await lostBid(round: nil)
        let (client, transport) = client { _ throws(TransportError) in Responses.bid(leading: true) }
        guard case .unknown(bid, .roundNotNamed) = await client.resendBid(bid) else { return #expect(Bool(false)) }
        await #expect(throws: AuctionError.unknown(bid, .roundNotNamed)) { try await client.resend(bid) }
        #expect(transport.calls.isEmpty)
        #expect(try await client.storedCommands() == [bid])
        // The client of this test would repeat it at once.
        let losing = FakeTransport { _ throws(TransportError) in throw .interrupted("lost") }
        var configuration = ClientConfiguration()
        configuration.commands = .patient
        configuration.commands.timeout = .milliseconds(100)
        let room = AuctionClient(transport: losing, configuration: configuration, clock: TestClock()).room("room_1")
        guard case .unknown(_, .network) = await room.placeBid(amount) else { return #expect(Bool(false)) }
        #expect(losing.calls.count == 1)
        guard case .unknown(_, .network) = await room.placeBid(amount, round: 1) else { return #expect(Bool(false)) }
        #expect(losing.calls.count > 2)
    }

    @Test func `an order that names no round is tried once, and not sent again in a later round`() async throws {
        let losing = FakeTransport { _ throws(TransportError) in throw .interrupted("lost") }
        var configuration = ClientConfiguration()
        configuration.commands = .patient
        configuration.commands.timeout = .milliseconds(100)
        configuration.commandStore = store
        let room = AuctionClient(transport: losing, configuration: configuration, clock: TestClock()).room("room_1")
        await #expect(throws: AuctionError.self) { try await room.end() }
        #expect(losing.calls.count == 1)
        await #expect(throws: AuctionError.self) { try await room.end(expecting: .init(round: 1)) }
        #expect(losing.calls.count > 2)
        let anyRound = try #require(await store.all().first)
        let ofRound = try #require(await store.all().last)
        let (client, transport) = client { _ throws(TransportError) in Responses.room(Responses.auctioning) }
        await #expect(throws: AuctionError.unknown(anyRound, .roundNotNamed)) { try await client.resend(anyRound) }
        #expect(transport.calls.isEmpty)
        try await client.resend(ofRound)
        #expect(transport.calls.count == 1)
        #expect(try await client.storedCommands() == [anyRound])
    }
}

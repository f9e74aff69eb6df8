import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Permissions
import Synchronization
import Testing

/// A service with three sequencers, run step by step.
struct SeveralSequencersTests {
    private let log = InMemoryEventLog()
    private let clock = TestClock()
    /// Two rooms of each sequencer.
    private let rooms = (6..<12).map { RoomID(bits: $0) }
    private let auction = Auction()

    /// Collects what the service delivers, reports and warns of.
    private final class Collected: DeliveryPort, ServiceObserver {
        let loopCount = 1
        let responses = Mutex<[UInt64: CommandResponse]>([:])
        let failures = Mutex<[EventLogError]>([])

        func deliver(_ delivery: Delivery, to loop: Int) {
            responses.withLock { responses in for (exchange, response) in delivery.responses { responses[exchange] = response }
            }
        }
        func committed(_ room: Room, _ events: [Event]) {}
        func appended(rooms: Int, events: Int, nanoseconds: UInt64) {}
        func commandCommitted(_ command: Command) {}
        func appendFailed(_ error: EventLogError) {}
        func logFailed(_ error: EventLogError) { failures.withLock { $0.append(error) } }
        func warning(_ message: String) {}

        func text(_ exchange: Int) -> String? { responses.withLock { $0[UInt64(exchange)]?.text } }
    }

    private struct Running {
        let service: RoomService
        let stepper: ServiceStepper
        let collected: Collected

        func settle() { while stepper.step() {} }
    }

    private func start() throws -> Running {
        let collected = Collected()
        let service = RoomService(
            log: log, rulebook: try .product(), encoder: PlainResponseEncoder(), clock: clock, port: collected,
            observer: collected, sequencers: 3, readerThreads: 0)
        return Running(service: service, stepper: try ServiceStepper(service), collected: collected)
    }

    private func request(_ command: Command, _ room: RoomID, _ exchange: Int) -> CommandRequest {
        CommandRequest(
            room: room, command: command, caller: auction.host,
            info: RequestInfo(language: .english, path: "/", requestID: "\(exchange)", receivedAt: clock.now().wall),
            idempotency: nil, reply: ReplyAddress(loop: 0, exchange: UInt64(exchange)), seed: UInt64(exchange))
    }

    private var openRoom: Command { .openRoom(OpenRoom(name: "Tonight", currency: .cny, visibility: .public)) }

    @Test func `commands for rooms of all sequencers are submitted together and decided in the order of each room`() throws {
        let running = try start()
        running.service.submit(rooms.indices.map { request(openRoom, rooms[$0], $0) })
        running.settle()
        // Two messages to each room, by turns.
        let messages = (10..<22).map { request(.sendMessage("Message \($0)"), rooms[$0 % 6], $0) }
        running.service.submit(messages)
        #expect(running.service.queued.sequencers == 12)
        running.settle()
        #expect(running.service.queued.sequencers == 0)
        for exchange in 10..<22 {
            #expect(running.collected.text(exchange) == "\(2 + (exchange - 10) / 6) \(exchange)")
        }
        #expect(try rooms.allSatisfy { try log.events(of: $0, after: 0, limit: 9).count == 3 })
    }

    @Test func `after an outage the service is ready once every sequencer has extended its deadlines`() throws {
        let harness = try ServiceHarness(log: log, now: clock.now())
        for room in rooms { auction.open(harness, room: room) }
        clock.advance(milliseconds: 3_600_000)
        let running = try start()
        var wasReady = false
        while running.stepper.step() {
            let extended = try rooms.count { try log.events(of: $0, after: 0, limit: 99).last?.type == "countdown.moved" }
            #expect(!running.service.isRecovered || extended == rooms.count)
            wasReady = running.service.isRecovered
        }
        #expect(wasReady)
    }

    @Test func `a log that fails stops all sequencers, and is reported once`() throws {
        let running = try start()
        running.service.submit(rooms.indices.map { request(openRoom, rooms[$0], $0) })
        running.settle()
        log.failNextAppend(with: EventLogError(.io, "no disk"))
        running.service.submit([request(.sendMessage("Lost"), rooms[0], 20)])
        running.settle()
        #expect(running.collected.text(20) == "outcomeUnknown")
        // Refusals too, which need no commit.
        running.service.submit(rooms.indices.map { request(.startAuction(AuctionTransition()), rooms[$0], 30 + $0) })
        running.settle()
        for exchange in 30..<36 { #expect(running.collected.text(exchange) == "logUnavailable") }
        #expect(running.collected.failures.withLock(\.count) == 1)
        #expect(running.service.failure?.code == .io)
    }
}

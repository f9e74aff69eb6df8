package import AuctionDomain
package import AuctionService
package import EventLog
internal import Permissions

/// Sequencer, committer and log in one thread, run step by step: the work of the production threads without their timing. `@unchecked Sendable`: used
/// on one thread.
package final class ServiceHarness: ServiceShell, @unchecked Sendable {
    /// The log that the service appends to.
    package let log: InMemoryEventLog
    /// See `ServiceShell.node`.
    package let node: ServiceNode
    private let clock: TestClock
    /// Every response so far, by its exchange.
    package private(set) var responses: [UInt64: CommandResponse] = [:]
    /// Rooms of which the sequencer ordered a snapshot, in order.
    package private(set) var snapshots: [Room] = []
    /// Positions of the stored responses that were discarded, in order.
    package private(set) var discarded: [Int64] = []
    /// How often free memory was to be returned to the operating system.
    package private(set) var memoryReturns = 0
    /// Replies to requests that waited for a room to be loaded, in order; nil if loading succeeded.
    package private(set) var loadFinished: [(ReplyAddress, EventLogError?)] = []
    /// Whether recovery has finished at least once.
    package var isRecovered: Bool { !recoveries.isEmpty }
    /// How each recovery has ended, in order.
    package private(set) var recoveries: [RecoveryResult] = []
    /// The log failure that the sequencer has reported; nil if none.
    package var failure: EventLogError? { node.health.failure }
    private var sequencer: Sequencer
    private var committer: Committer
    private var hasSubmitted = false
    /// Reads that the sequencer has requested, in order.
    private var reads: [(room: RoomID, job: (any EventLog) -> Void)] = []
    /// Events published for loaded rooms, in order.
    package private(set) var published: [(room: Room, events: [StoredEvent])] = []
    private var nextExchange: UInt64 = 1

    /// - Throws: `UnsoundStates` or `DuplicateRule` if the product's rulebook is invalid.
    package init(
        log: InMemoryEventLog = InMemoryEventLog(), limits: ServiceLimits = ServiceLimits(), now: Now? = nil,
        groupLimit: Int = 4096
    ) throws {
        self.log = log
        committer = Committer(groupLimit: groupLimit, recoversFromFailures: log.recoversFromFailures)
        clock = TestClock(now)
        let encoder = PlainResponseEncoder()
        node = ServiceNode(encoder: encoder, limits: limits, clock: clock, isShared: log.recoversFromFailures, loopCount: 1)
        sequencer = Sequencer(
            manager: RoomManager(rulebook: try .product()), encoder: encoder, limits: limits,
            isShared: log.recoversFromFailures, drawSecret: DrawSecret(seed: 1))
    }

    /// Time passed to the sequencer with every input.
    package var now: Now {
        get { clock.now() }
        set { clock.set(newValue) }
    }

    /// Called after an append, before this node learns of its result.
    package var afterAppend: (() -> Void)?

    /// Lets time pass on both clocks.
    package func wait(milliseconds: Int64) { clock.advance(milliseconds: milliseconds) }

    /// Sets the wall clock forward; the service's time jumps with it.
    package func jump(milliseconds: Int64) { clock.jump(milliseconds: milliseconds) }

    /// Lets time pass on both clocks.
    package func wait(until instant: Timestamp) { wait(milliseconds: instant.milliseconds(since: now.wall)) }

    /// Queues a command; returns the exchange of its response.
    @discardableResult
    package func send(
        _ command: Command, to room: RoomID, by person: Person, key: IdempotencyKey? = nil
    ) -> UInt64 {
        let exchange = nextExchange
        nextExchange += 1
        handle(
            .command(
                CommandRequest(
                    room: room, command: command, caller: person,
                    info: RequestInfo(language: .english, path: "/", requestID: "r\(exchange)", receivedAt: now.wall),
                    idempotency: key, reply: ReplyAddress(loop: 0, exchange: exchange), seed: exchange,
                    drawSeed: DrawSeed(bits: SeededGenerator.wide(exchange)))))
        return exchange
    }

    /// Passes an input to the sequencer without ending the turn.
    package func handle(_ input: Sequencer.Input) { sequencer.handle(input, now: now) }

    /// Ends the turn; its batch is submitted but nothing is committed yet.
    package func endTurn() {
        for directive in sequencer.endTurn() {
            note(directive)
            perform(directive)
            if let result = node.health.takeRecovery() { recoveries.append(result) }
        }
    }

    /// Commits all submitted batches in one transaction and notifies the sequencer.
    package func commit() {
        hasSubmitted = false
        var step = committer.begin()
        while true {
            for (batch, verdicts) in step.finished {
                deliver(node.publisher.publish(batch, verdicts))
                handle(.completed(batch, verdicts))
            }
            guard let appends = step.append else { return endTurn() }
            step = committer.appended(
                Result { () throws(EventLogError) in
                    let verdicts = try log.append(appends)
                    afterAppend?()
                    return verdicts
                })
        }
    }

    /// Ends the turn; returns the rooms that the sequencer wants to be read, and leaves them unread.
    package func requestedLoads() -> [RoomID] {
        endTurn()
        defer { reads = [] }
        return reads.map(\.room)
    }

    /// Loads every room that the sequencer requested.
    package func load() {
        while !reads.isEmpty {
            reads.removeFirst().job(log)
            endTurn()
        }
    }

    /// Does a node's poll of the log: reports the heads of these rooms to the sequencer.
    package func follow(_ rooms: [RoomID]) throws {
        let heads = try log.heads(of: rooms)
        handle(.lagging(zip(rooms, heads).map { RoomWatermark(room: $0, seq: $1.seq) }))
        settle()
    }

    /// Ends turns, loads and commits until nothing is pending.
    package func settle() {
        endTurn()
        while !reads.isEmpty || hasSubmitted {
            load()
            commit()
        }
    }

    /// Sends a command and settles; returns its response, nil if there is none.
    package func response(
        to command: Command, of room: RoomID, by person: Person, key: IdempotencyKey? = nil
    ) -> CommandResponse? {
        let exchange = send(command, to: room, by: person, key: key)
        settle()
        return responses[exchange]
    }

    /// A new process on the same log, after its recovery.
    package func restarted(_ limits: ServiceLimits = ServiceLimits()) throws -> ServiceHarness {
        let next = try ServiceHarness(log: log, limits: limits, now: now)
        next.nextExchange = nextExchange
        next.handle(.recover(try log.pendingRooms()))
        next.settle()
        return next
    }

    /// The room replayed from the log; nil if the log does not have it.
    package func storedRoom(_ id: RoomID) throws -> Room? {
        guard let history = try log.load(id, responsesSince: Timestamp(milliseconds: 0)) else { return nil }
        return try RoomReplay.room(id, from: history).room
    }

    /// The types of a room's events in the log.
    package func storedTypes(_ id: RoomID) throws -> [String] {
        try log.events(of: id, after: 0, limit: 10_000).map(\.type)
    }

    /// When the sequencer must be woken next; nil if no deadline is pending.
    package var nextTick: Timestamp? { sequencer.nextTick }
    /// See `Sequencer.hasStopped`.
    package var hasStopped: Bool { sequencer.hasStopped }
    /// Number of rooms in the sequencer's memory.
    package var loadedRooms: Int { sequencer.loadedRooms }

    /// Records what tests look at.
    private func note(_ directive: Sequencer.Directive) {
        switch directive {
        case .loadFinished(let replies, let error): loadFinished += replies.map { ($0, error) }
        case .discard(let positions): discarded += positions
        case .publish(let room, let events, _): published.append((room.room, events))
        case .memoryFreed: memoryReturns += 1
        case .snapshot(let room): snapshots.append(room)
        default: break
        }
    }

    // MARK: - What carrying out directives takes

    /// See `ServiceShell`.
    package func submit(_ batch: Batch) {
        hasSubmitted = true
        committer.submit(batch)
    }

    /// See `ServiceShell`.
    package func post(_ input: Sequencer.Input) {
        handle(input)
        if case .extendDeadlines = input { endTurn() }
    }

    /// See `ServiceShell`.
    package func deliver(_ deliveries: Deliveries) {
        deliveries.forEach { _, delivery in
            for (exchange, response) in delivery.responses { responses[exchange] = response }
        }
    }

    /// See `ServiceShell`.
    package func run(_ directive: Sequencer.Directive, _ job: @escaping @Sendable (any EventLog) -> Void) {
        switch directive {
        case .load(let room): reads.append((room, job))
        case .catchUp(let room, _): reads.append((room.room.id, job))
        default: job(log)
        }
    }
}

/// Responses with readable bodies for tests: a status, and a code or the room's seq.
package struct PlainResponseEncoder: ResponseEncoder {
    package init() {}

    /// Status 200; the body is the room's seq and the request id.
    package func accepted(_ outcome: CommandOutcome, of request: CommandRequest, in room: Room, at now: Timestamp)
        -> CommandResponse
    {
        CommandResponse(status: 200, body: Array("\(room.seq) \(request.info.requestID)".utf8))
    }

    /// Status 409; the body is the refusal's code.
    package func refused(_ refusal: Refusal, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse {
        CommandResponse(status: 409, body: Array(refusal.code.utf8))
    }

    /// Status 503; the body names the failure.
    package func failed(_ failure: ServiceFailure, of request: CommandRequest, in room: Room?, at now: Timestamp)
        -> CommandResponse
    {
        CommandResponse(status: 503, body: Array("\(failure)".utf8))
    }

    /// The stored response with the header `Idempotency-Replayed`.
    package func replayed(_ record: StoredResponse) -> CommandResponse {
        CommandResponse(
            status: record.status, headers: [ResponseHeader(name: "Idempotency-Replayed", value: "true")],
            body: record.body)
    }
}

extension CommandResponse {
    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
}

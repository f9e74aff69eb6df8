public import AuctionDomain
public import AuctionService
public import EventLog
internal import Permissions

/// Sequencer, committer and log in one thread, step by step: what the threads do in production, without their timing.
public final class ServiceHarness {
    public let log: InMemoryEventLog
    public var now: Now
    /// Every answer so far, by the exchange that it went to.
    public private(set) var answers: [UInt64: Answer] = [:]
    /// What the sequencer was told to do besides, in order.
    public private(set) var snapshots: [Room] = []
    public private(set) var touched: [(ReplyAddress, EventLogError?)] = []
    public private(set) var isRecovered = false
    /// Whether each recovery moved every end.
    public private(set) var recoveries: [Bool] = []
    public private(set) var failure: EventLogError?
    private var sequencer: Sequencer
    private var committer: Committer
    private var submitted: [Batch] = []
    private var loads: [RoomID] = []
    private var catchUps: [(room: ReplayedRoom, answersAfter: Int64)] = []
    /// What was published of rooms that were read, in order.
    public private(set) var published: [(room: Room, events: [StoredEvent])] = []
    private var nextExchange: UInt64 = 1
    private let encoder = PlainAnswers()

    public init(
        log: InMemoryEventLog = InMemoryEventLog(), limits: ServiceLimits = ServiceLimits(), now: Now? = nil,
        groupLimit: Int = 4096, roomLimits: RoomLimits = RoomLimits()
    ) throws {
        self.log = log
        committer = Committer(groupLimit: groupLimit, outlivesFailures: log.outlivesFailures)
        self.now = now ?? TestClock().now()
        sequencer = Sequencer(
            manager: RoomManager(rulebook: try .product(limits: roomLimits)), encoder: encoder, limits: limits,
            isShared: log.outlivesFailures)
    }

    /// Lets time pass on both clocks.
    public func wait(milliseconds: Int64) {
        now = Now(
            wall: now.wall.advanced(byMilliseconds: milliseconds), monotonic: now.monotonic + milliseconds * 1_000_000,
            jumps: now.jumps)
    }

    /// The service's time jumps with a wall clock that is set forward.
    public func jump(milliseconds: Int64) { now = now.jumped(byMilliseconds: milliseconds) }

    /// Lets time pass on both clocks.
    public func wait(until instant: Timestamp) { wait(milliseconds: instant.milliseconds(since: now.wall)) }

    /// Puts a command in the queue; returns the exchange that its answer goes to.
    @discardableResult
    public func send(
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
                    drawSeed: Dice.wide(exchange))))
        return exchange
    }

    public func handle(_ input: Sequencer.Input) { sequencer.handle(input, now: now) }

    /// Ends the turn; its batch is submitted but nothing is committed yet.
    public func endTurn() {
        for directive in sequencer.endTurn() { perform(directive) }
    }

    /// Commits everything that was submitted, in one transaction, and tells the sequencer.
    public func commit() {
        for batch in submitted { _ = committer.handle(.submitted(batch)) }
        submitted = []
        perform(committer.handle(.begin))
        endTurn()
    }

    /// Reads every room that the sequencer asked for.
    public func load() {
        while !loads.isEmpty {
            let room = loads.removeFirst()
            handle(.loaded(room, read(room)))
            endTurn()
        }
        while !catchUps.isEmpty {
            let (room, answersAfter) = catchUps.removeFirst()
            let found = Result { () throws(EventLogError) in
                try RoomLoader.advance(room, in: log, answersAfter: answersAfter)
            }
            handle(.advanced(room.room.id, found))
            endTurn()
        }
    }

    /// What a node's poller does: looks whether rooms are behind, and says so.
    public func follow(_ rooms: [RoomID]) throws {
        let heads = try log.heads(of: rooms)
        handle(.behind(zip(rooms, heads).map { RoomMark(room: $0, seq: $1.seq) }))
        settle()
    }

    /// Turns, loads and commits until nothing is left to do.
    public func settle() {
        endTurn()
        while !loads.isEmpty || !catchUps.isEmpty || !submitted.isEmpty {
            load()
            commit()
        }
    }

    /// Sends a command and settles; returns its answer.
    public func answer(
        to command: Command, of room: RoomID, by person: Person, key: IdempotencyKey? = nil
    ) -> Answer? {
        let exchange = send(command, to: room, by: person, key: key)
        settle()
        return answers[exchange]
    }

    /// A new process on the same log.
    public func restarted(_ limits: ServiceLimits = ServiceLimits()) throws -> ServiceHarness {
        let next = try ServiceHarness(log: log, limits: limits, now: now)
        next.nextExchange = nextExchange
        next.handle(.recover(try log.openRooms()))
        next.settle()
        return next
    }

    /// The room as the log has it.
    public func storedRoom(_ id: RoomID) throws -> Room? {
        guard let history = try log.load(id, answersSince: Timestamp(milliseconds: 0)) else { return nil }
        return try RoomReplay.room(id, from: history).room
    }

    /// The types of a room's events as the log has them.
    public func storedTypes(_ id: RoomID) throws -> [String] {
        try log.events(of: id, after: 0, limit: 10_000).map(\.type)
    }

    public var nextTick: Timestamp? { sequencer.nextTick }
    public var loadedRooms: Int { sequencer.loadedRooms }

    private func perform(_ directives: [Committer.Directive]) {
        for directive in directives {
            switch directive {
            case .append(let appends):
                do throws(EventLogError) {
                    perform(committer.handle(.appended(try log.append(appends))))
                } catch {
                    perform(committer.handle(.failed(error)))
                }
            case .finished(let batch, let verdicts):
                for (part, verdict) in zip(batch.rooms, verdicts) {
                    guard case .appended = verdict else { continue }
                    for entry in part.entries { answers[entry.request.reply.exchange] = entry.answer }
                }
                handle(.completed(batch: batch.id, verdicts))
            }
        }
    }

    private func perform(_ directive: Sequencer.Directive) {
        switch directive {
        case .submit(let batch): submitted.append(batch)
        case .release(let released): for answer in released { answers[answer.reply.exchange] = answer.answer }
        case .load(let room): loads.append(room)
        case .touched(let replies, let error): touched += replies.map { ($0, error) }
        case .replay(let position, let request):
            if case .success(let record?) = Result(catching: { () throws(EventLogError) in try log.answer(at: position) }) {
                answers[request.reply.exchange] = encoder.replayed(record)
            }
        case .catchUp(let room, let answersAfter): catchUps.append((room, answersAfter))
        case .publish(let room, let events, _): published.append((room.room, events))
        case .unpublish: break
        case .crowded: handle(.sweep(watched: []))
        case .snapshot(let room):
            snapshots.append(room)
            handle(.snapshotFinished(room.id, size: try? save(room)))
        case .recovered(let isComplete):
            isRecovered = true
            recoveries.append(isComplete)
        case .logFailed(let error): failure = error
        }
    }

    /// Writes a snapshot; returns its size.
    private func save(_ room: Room) throws -> Int {
        let snapshot = try RoomReplay.snapshot(of: room)
        try log.save([snapshot])
        return snapshot.bytes.count
    }

    private func read(_ room: RoomID) -> Result<Sequencer.LoadedState?, EventLogError> {
        Result { () throws(EventLogError) in
            guard let history = try log.load(room, answersSince: Timestamp(milliseconds: 0)) else { return nil }
            return Sequencer.LoadedState(
                room: try RoomReplay.room(room, from: history), keys: history.answers,
                snapshots: SnapshotSpacing(history))
        }
    }
}

/// Answers that a test can read: the status and a word.
public struct PlainAnswers: AnswerEncoder {
    public init() {}

    public func accepted(_ outcome: Outcome, of request: CommandRequest, in room: Room, at now: Timestamp) -> Answer {
        Answer(status: 200, body: Array("\(room.seq) \(request.info.requestID)".utf8))
    }

    public func refused(_ refusal: Refusal, of request: CommandRequest, in room: Room?, at now: Timestamp) -> Answer {
        Answer(status: 409, body: Array(refusal.code.utf8))
    }

    public func failed(_ failure: ServiceFailure, of request: CommandRequest, at now: Timestamp) -> Answer {
        Answer(status: 503, body: Array("\(failure)".utf8))
    }

    public func replayed(_ record: AnswerRecord) -> Answer {
        Answer(
            status: record.status, headers: [AnswerHeader(name: "Idempotency-Replayed", value: "true")],
            body: record.body)
    }
}

extension Answer {
    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

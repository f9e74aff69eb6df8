internal import AuctionDomain
internal import EventLog
internal import Synchronization

/// The sequencer on its thread: drains its mailbox, ends the turn, and carries out what it is told.
final class SequencerThread: Sendable {
    struct Surroundings: Sendable {
        let log: any EventLog
        /// The same one, if other nodes append to it too.
        let shared: (any SharedEventLog)?
        /// Recent events that are kept of a room.
        let recentLimit: Int
        /// Keys that are read of one user.
        let keysPerUser: Int
        let rooms: CommittedRooms
        let port: any DeliveryPort
        let encoder: any AnswerEncoder
        let committer: CommitterThread
        /// What commands wait for.
        let readers: Readers
        /// Snapshots are made and written one at a time, off everything that a client waits for.
        let snapshots: Readers
        let health: ServiceHealth
        let observer: any ServiceObserver
    }

    private static let inputsPerTurn = 16

    let inputs: Mailbox<Sequencer.Input>
    let makeCore: @Sendable () -> Sequencer
    private let clock: any ServiceClock
    private let around: Surroundings
    private let thread = ServiceThread(name: "sequencer")
    private let stopping = Atomic<Bool>(false)

    init(
        inputs: Mailbox<Sequencer.Input>, clock: any ServiceClock, surroundings: Surroundings,
        makeCore: @escaping @Sendable () -> Sequencer
    ) {
        self.makeCore = makeCore
        self.inputs = inputs
        self.clock = clock
        around = surroundings
    }

    func start() { thread.start(isHurried: true) { self.run() } }

    func recover(_ rooms: [RoomID]) { inputs.post(.recover(rooms)) }

    /// Returns once every command that was submitted has been decided and come back from the log.
    func stop() {
        stopping.store(true, ordering: .sequentiallyConsistent)
        inputs.post(.tick)
        thread.join()
    }

    private func run() {
        var core = makeCore()
        while true {
            takeTurn(inputs.take(within: wait(core.nextTick)), &core)
            if stopping.load(ordering: .sequentiallyConsistent), core.isIdle, inputs.isEmpty { return }
        }
    }

    /// Handles what came and what is due, and carries out what that means.
    func takeTurn(_ taken: [Sequencer.Input], _ core: inout Sequencer) {
        var handled = 0
        for input in taken {
            core.handle(input, now: clock.now())
            handled += 1
            // Short turns keep the committer busy while the rest is decided; it groups what comes meanwhile.
            if handled % Self.inputsPerTurn == 0 { for directive in core.endTurn() { perform(directive) } }
        }
        let now = clock.now()
        if let tick = core.nextTick, tick <= now.wall { core.handle(.tick, now: now) }
        for directive in core.endTurn() { perform(directive) }
    }

    /// In milliseconds; nil: until an input comes.
    private func wait(_ tick: Timestamp?) -> Int? {
        guard let tick else { return nil }
        // At least once a second, so that a jump of the wall clock is told from time that passed.
        return Int(min(max(tick.milliseconds(since: clock.now().wall), 0), 1000))
    }

    private func perform(_ directive: Sequencer.Directive) {
        switch directive {
        case .submit(let batch): around.committer.submit(batch)
        case .release(let answers):
            var deliveries = Deliveries(loopCount: around.port.loopCount)
            for answer in answers { deliveries.add(answer.answer, to: answer.reply) }
            deliveries.send(through: around.port)
        case .load(let room): load(room)
        case .touched(let replies, let error):
            var deliveries = Deliveries(loopCount: around.port.loopCount)
            for reply in replies { deliveries.touch(reply, error) }
            deliveries.send(through: around.port)
        case .replay(let position, let request): replay(position, request)
        case .catchUp(let room, let answersAfter): catchUp(room, answersAfter)
        case .publish(let room, let events, let readAt):
            let committed = around.rooms.publish(room.room, events, readAt: readAt)
            var deliveries = Deliveries(loopCount: around.port.loopCount)
            deliveries.publish(committed, events)
            deliveries.send(through: around.port)
        case .unpublish(let room): around.rooms.remove(room)
        case .snapshot(let room): snapshot(room)
        case .crowded: inputs.post(.sweep(watched: around.rooms.watched))
        case .recovered(let isComplete): around.health.recoveryFinished(isComplete: isComplete)
        case .logFailed(let error):
            around.health.logFailed(error)
            around.observer.logFailed(error)
        }
    }

    private func load(_ room: RoomID) {
        let (log, inputs, observer, clock) = (around.log, inputs, around.observer, clock)
        let (latest, perUser) = (around.shared == nil ? 0 : around.recentLimit, around.keysPerUser)
        let since = clock.now().instant(ofAge: IdempotencyKeys.lifetimeMilliseconds)
        around.readers.run {
            do throws(EventLogError) {
                let loaded = try RoomLoader.load(
                    room, from: log, answersSince: since, answersPerOwner: perUser, latest: latest, readAt: clock.uptime())
                inputs.post(.loaded(room, .success(loaded)))
            } catch {
                observer.warning("\(room) could not be loaded: \(error)")
                inputs.post(.loaded(room, .failure(error)))
            }
        }
    }

    private func catchUp(_ room: ReplayedRoom, _ answersAfter: Int64) {
        guard let log = around.shared else { return }
        let (inputs, clock) = (inputs, clock)
        around.readers.run {
            let found = Result { () throws(EventLogError) in
                try RoomLoader.advance(room, in: log, answersAfter: answersAfter, readAt: clock.uptime())
            }
            inputs.post(.advanced(room.room.id, found))
        }
    }

    private func snapshot(_ room: Room) {
        let (log, inputs, observer) = (around.log, inputs, around.observer)
        around.snapshots.run {
            var snapshot: RoomSnapshot?
            do throws(EventLogError) {
                snapshot = try RoomReplay.snapshot(of: room)
            } catch {
                observer.warning("\(error)")
            }
            var size: Int?
            do throws(EventLogError) {
                if let snapshot { try log.save([snapshot]) }
                size = snapshot?.bytes.count
            } catch {
                observer.warning("\(room.id): no snapshot was saved, one will be made again: \(error)")
                if error.isFinal { inputs.post(.logLost(error)) }
            }
            inputs.post(.snapshotFinished(room.id, size: size))
        }
    }

    private func replay(_ position: Int64, _ request: CommandRequest) {
        let (log, port, encoder, clock) = (around.log, around.port, around.encoder, clock)
        around.readers.run {
            let answer: Answer
            do throws(EventLogError) {
                if let record = try log.answer(at: position) {
                    answer = encoder.replayed(record)
                } else {
                    // Expired between the look-up and the read: the caller may repeat it as a new command.
                    answer = encoder.failed(.logUnavailable, of: request, at: clock.now().wall)
                }
            } catch {
                answer = encoder.failed(.logUnavailable, of: request, at: clock.now().wall)
            }
            var deliveries = Deliveries(loopCount: port.loopCount)
            deliveries.add(answer, to: request.reply)
            deliveries.send(through: port)
        }
    }
}

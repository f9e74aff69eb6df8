internal import AuctionDomain
internal import CScheduling
internal import EventLog

/// Takes the turns of one sequencer: handles what waits, ends the turn, and carries out the directives.
final class SequencerThread: Sendable {
    struct Context: Sendable {
        let log: any EventLog
        /// The same log, if other nodes append to it too; nil otherwise.
        let shared: (any SharedEventLog)?
        /// Maximum number of recent events kept per room.
        let recentLimit: Int
        /// Maximum number of idempotency keys read per user.
        let keysPerUser: Int
        /// Maximum number of idempotency keys read per room.
        let keysPerRoom: Int
        let rooms: CommittedRooms
        let publisher: Publisher
        let port: any DeliveryPort
        let encoder: any ResponseEncoder
        let committer: CommitterThread
        /// Threads for reads that commands wait for.
        let readers: ReaderPool
        /// Thread that writes snapshots, one at a time, off the threads that clients wait for.
        let snapshots: ReaderPool
        let health: ServiceHealth
        /// The inputs of all sequencers.
        let sequencers: RoutedInputs
        let observer: (any ServiceObserver)?
    }

    private static let inputsPerTurn = 16

    let inputs: SequencerInputs
    let makeCore: @Sendable () -> Sequencer
    private let clock: any ServiceClock
    private let context: Context
    private let thread: ServiceThread

    /// - Parameter index: Which of the sequencers it is, from 0.
    init(_ index: Int, clock: any ServiceClock, context: Context, makeCore: @escaping @Sendable () -> Sequencer) {
        thread = ServiceThread(name: context.sequencers.each.count > 1 ? "sequencer-\(index)" : "sequencer")
        self.makeCore = makeCore
        inputs = context.sequencers.each[index]
        self.clock = clock
        self.context = context
    }

    func start() { thread.start(isLatencySensitive: true) { self.run() } }

    /// Returns once every submitted command has been decided and its batch completed.
    func stop() {
        inputs.stop()
        thread.join()
    }

    private func run() {
        inputs.begin(makeCore) { inputs, core in self.takeTurn(inputs, &core) }
        var alarm: Timestamp?
        while true {
            inputs.wait(within: wait(alarm))
            let turn = inputs.takeTurn()
            if turn.hasStopped { break }
            alarm = turn.alarm
        }
        inputs.end()
    }

    /// Handles the inputs and due timers, and carries out the directives. Called by one thread at a time.
    func takeTurn(_ taken: [Sequencer.Input], _ core: inout Sequencer) {
        var handled = 0
        for input in taken {
            core.handle(input, now: clock.now())
            handled += 1
            // Short turns keep the committer busy while the rest is decided; it groups the batches that arrive meanwhile.
            if handled % Self.inputsPerTurn == 0 { for directive in core.endTurn() { perform(directive) } }
        }
        let now = clock.now()
        if let tick = core.nextTick, tick <= now.wall { core.handle(.tick, now: now) }
        for directive in core.endTurn() { perform(directive) }
    }

    /// Milliseconds to wait for an input; nil: without a timeout.
    private func wait(_ tick: Timestamp?) -> Int? {
        guard let tick else { return nil }
        // Read the clock at least once a second, so that a jump of the wall clock can be distinguished from elapsed time.
        return Int(min(max(tick.milliseconds(since: clock.now().wall), 0), 1000))
    }

    private func perform(_ directive: Sequencer.Directive) {
        switch directive {
        case .submit(let batch): context.committer.submit(batch)
        case .release(let responses): context.port.deliver(context.publisher.deliver(responses))
        case .load(let room): load(room)
        case .loadFinished(let replies, let error):
            context.port.deliver(context.publisher.deliverLoadFinished(replies, error))
        case .replay(let position, let request): replay(position, request)
        case .discard(let positions): discard(positions)
        case .catchUp(let room, let responsesAfter): catchUp(room, responsesAfter)
        case .publish(let room, let events, let readAt):
            context.port.deliver(context.publisher.publish(room, events, readAt: readAt))
        case .unpublish(let room): context.rooms.remove(room)
        case .snapshot(let room): snapshot(room)
        case .memoryFreed: returnMemory()
        case .memoryExceeded: inputs.post(.sweep(watched: context.rooms.watched))
        case .recoveryRead: if context.health.recoveryRead() { context.sequencers.post(.extendDeadlines) }
        case .recovered(let result): context.health.recoveryFinished(result)
        case .logFailed(let error):
            guard context.health.logFailed(error) else { return }
            context.observer?.logFailed(error)
            // The others acknowledge nothing more either.
            context.sequencers.post(.logFailed(error))
        }
    }

    private func load(_ room: RoomID) {
        let (log, inputs, observer, clock) = (context.log, inputs, context.observer, clock)
        let latest = context.shared == nil ? 0 : context.recentLimit
        let since = clock.now().instant(ofAge: IdempotencyKeys.lifetimeMilliseconds)
        let keys = WantedKeys(since: since, perOwner: context.keysPerUser, total: context.keysPerRoom)
        context.readers.run {
            do throws(EventLogError) {
                let loaded = try RoomLoader.load(room, from: log, keys: keys, latest: latest, readAt: clock.uptime())
                inputs.post(.loaded(room, .success(loaded)))
            } catch {
                observer?.warning("\(room) could not be loaded: \(error)")
                inputs.post(.loaded(room, .failure(error)))
            }
        }
    }

    private func catchUp(_ room: ReplayedRoom, _ responsesAfter: Int64) {
        guard let log = context.shared else { return }
        let (inputs, clock) = (inputs, clock)
        context.readers.run {
            let found = Result { () throws(EventLogError) in
                try RoomLoader.changes(room, in: log, responsesAfter: responsesAfter, readAt: clock.uptime())
            }
            inputs.post(.caughtUp(room.room.id, found))
        }
    }

    private func snapshot(_ room: Room) {
        let (log, inputs, observer) = (context.log, inputs, context.observer)
        context.snapshots.run {
            var snapshot: RoomSnapshot?
            do throws(EventLogError) {
                snapshot = try RoomReplay.snapshot(of: room)
            } catch {
                observer?.warning("\(error)")
            }
            var size: Int?
            do throws(EventLogError) {
                if let snapshot { try log.save([snapshot]) }
                size = snapshot?.bytes.count
            } catch {
                observer?.warning("\(room.id): the snapshot could not be saved and will be retried: \(error)")
                if error.isFinal { inputs.post(.logFailed(error)) }
            }
            inputs.post(.snapshotFinished(room.id, size: size))
        }
    }

    private func discard(_ positions: [Int64]) {
        let (log, inputs, observer) = (context.log, inputs, context.observer)
        context.snapshots.run {
            do throws(EventLogError) {
                try log.discardResponses(at: positions)
            } catch {
                observer?.warning("\(positions.count) stored responses stay until they expire: \(error)")
                if error.isFinal { inputs.post(.logFailed(error)) }
            }
        }
    }

    private func returnMemory() {
        context.snapshots.run { [log = context.log] in
            log.releaseMemory()
            scheduling_return_free_memory()
        }
    }

    private func replay(_ position: Int64, _ request: CommandRequest) {
        let (log, publisher, port, encoder, clock) = (context.log, context.publisher, context.port, context.encoder, clock)
        context.readers.run {
            // Nil also if it has expired since the lookup: the caller may repeat it as a new command.
            let record = try? log.storedResponse(at: position)
            let response =
                record.map { encoder.replayed($0) }
                ?? encoder.failed(.logUnavailable, of: request, in: nil, at: clock.now().wall)
            port.deliver(publisher.deliver([AddressedResponse(reply: request.reply, response: response)]))
        }
    }
}

internal import AuctionDomain
internal import CScheduling
package import EventLog

/// What surrounds a sequencer: where its inputs wait, when its jobs run, how it reaches the log and the event loops. The threads of `RoomService`, the
/// simulator and the unit tests each are one; what a directive means is the same for all of them, and stands below.
package protocol ServiceShell: Sendable {
    /// What the shells of one process share.
    var node: ServiceNode { get }

    /// Queues a batch for the committer.
    func submit(_ batch: Batch)
    /// Queues an input for the sequencers that it concerns; `sweep` may be left to the one of this shell.
    func post(_ input: Sequencer.Input)
    /// Hands event loops what they have to send.
    func deliver(_ deliveries: Deliveries)
    /// Runs a job of a directive with the log, off the sequencer.
    func run(_ directive: Sequencer.Directive, _ job: @escaping @Sendable (any EventLog) -> Void)
}

/// What the shells of one process share: its committed rooms, and what it takes to read rooms and to encode responses.
package struct ServiceNode: Sendable {
    /// The committed rooms in memory.
    package let rooms: CommittedRooms
    /// Makes durable changes visible in these rooms.
    package let publisher: Publisher
    /// Whether the service can acknowledge commands.
    package let health: ServiceHealth
    let encoder: any ResponseEncoder
    let limits: ServiceLimits
    let clock: any ServiceClock
    /// Whether other nodes append to the log too.
    let isShared: Bool
    let observer: (any ServiceObserver)?

    /// - Parameters:
    ///   - sequencers: Number of sequencers.
    ///   - loopCount: Number of event loops; reply addresses number them from 0.
    package init(
        encoder: any ResponseEncoder, limits: ServiceLimits, clock: any ServiceClock, isShared: Bool, sequencers: Int = 1,
        loopCount: Int, observer: (any ServiceObserver)? = nil
    ) {
        health = ServiceHealth(sequencers: sequencers)
        rooms = CommittedRooms(limits)
        publisher = Publisher(rooms, loopCount: loopCount)
        self.encoder = encoder
        self.limits = limits
        self.clock = clock
        self.isShared = isShared
        self.observer = observer
    }
}

extension ServiceShell {
    /// Carries out a directive of the sequencer.
    package func perform(_ directive: Sequencer.Directive) {
        switch directive {
        case .submit(let batch): submit(batch)
        case .release(let responses): deliver(node.publisher.deliver(responses))
        case .load(let room): run(directive) { load(room, from: $0) }
        case .loadFinished(let replies, let error): deliver(node.publisher.deliverLoadFinished(replies, error))
        case .replay(let position, let request): run(directive) { replay(position, request, from: $0) }
        case .discard(let positions): run(directive) { discard(positions, from: $0) }
        case .catchUp(let room, let responsesAfter): run(directive) { catchUp(room, responsesAfter, from: $0) }
        case .publish(let room, let events, let readAt):
            deliver(node.publisher.publish(room, events, readAt: readAt))
        case .unpublish(let room): node.rooms.remove(room)
        case .remove(let room): node.rooms.remove(room, evenIfWatched: true)
        case .snapshot(let room): run(directive) { saveSnapshot(of: room, to: $0) }
        case .memoryFreed:
            run(directive) { log in
                log.releaseMemory()
                scheduling_return_free_memory()
            }
        case .memoryExceeded: post(.sweep(watched: node.rooms.watched))
        case .recoveryRead: if node.health.recoveryRead() { post(.extendDeadlines) }
        case .recovered(let result): node.health.recoveryFinished(result)
        case .logFailed(let error):
            guard node.health.logFailed(error) else { return }
            node.observer?.logFailed(error)
            // The others acknowledge nothing more either.
            post(.logFailed(error))
        }
    }

    private func load(_ room: RoomID, from log: any EventLog) {
        let since = node.clock.now().instant(ofAge: IdempotencyKeys.lifetimeMilliseconds)
        do throws(EventLogError) {
            let loaded = try RoomLoader.load(
                room, from: log,
                keys: WantedKeys(since: since, perOwner: node.limits.keysPerUser, total: node.limits.keysPerRoom),
                latest: node.isShared ? node.limits.recentEventsPerRoom : 0, readAt: node.clock.uptime())
            post(.loaded(room, .success(loaded)))
        } catch {
            node.observer?.warning("\(room) could not be loaded: \(error)")
            post(.loaded(room, .failure(error)))
        }
    }

    private func catchUp(_ room: ReplayedRoom, _ responsesAfter: Int64, from log: any EventLog) {
        guard let log = log as? any SharedEventLog else { return }
        let found = Result { () throws(EventLogError) in
            try RoomLoader.changes(room, in: log, responsesAfter: responsesAfter, readAt: node.clock.uptime())
        }
        post(.caughtUp(room.room.id, found))
    }

    private func replay(_ position: Int64, _ request: CommandRequest, from log: any EventLog) {
        // Nil also if it has expired since the lookup: the caller may repeat it as a new command.
        let record = try? log.storedResponse(at: position)
        let response =
            record.map { node.encoder.replayed($0) }
            ?? node.encoder.failed(.logUnavailable, of: request, in: nil, at: node.clock.now().wall)
        deliver(node.publisher.deliver([AddressedResponse(reply: request.reply, response: response)]))
    }

    private func saveSnapshot(of room: Room, to log: any EventLog) {
        var snapshot: RoomSnapshot?
        do throws(EventLogError) {
            snapshot = try RoomReplay.snapshot(of: room)
        } catch {
            node.observer?.warning("\(error)")
        }
        var size: Int?
        do throws(EventLogError) {
            if let snapshot { try log.save([snapshot]) }
            size = snapshot?.bytes.count
        } catch {
            node.observer?.warning("\(room.id): the snapshot could not be saved and will be retried: \(error)")
            if error.isFinal { post(.logFailed(error)) }
        }
        post(.snapshotFinished(room.id, size: size))
    }

    private func discard(_ positions: [Int64], from log: any EventLog) {
        do throws(EventLogError) {
            try log.discardResponses(at: positions)
        } catch {
            node.observer?.warning("\(positions.count) stored responses stay until they expire: \(error)")
            if error.isFinal { post(.logFailed(error)) }
        }
    }
}

internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import FoundationEssentials

// The threads of the sequencers: turns, and the directives that they return.
extension World {
    /// Queues an input, or its parts, for the sequencers that it concerns.
    func post(_ input: Sequencer.Input, to node: SimulatedNode) {
        for part in parts(of: input, on: node) {
            node.sequencers[part.sequencer].inbox.append(part.input)
            planTurn(node, part.sequencer, in: pause())
        }
    }

    private func parts(of input: Sequencer.Input, on node: SimulatedNode) -> [(sequencer: Int, input: Sequencer.Input)] {
        var parts = node.routing.parts(of: input)
        switch (options.bug, input) {
        case (.othersNotRecovered, .recover): for index in parts.indices.dropFirst() { parts[index].input = .recover([]) }
        case (.completedByAnother, .completed): parts[0].sequencer = 0
        default: break
        }
        return parts
    }

    /// Delay of a thread in milliseconds.
    func pause() -> Int64 {
        let (short, long, isLong) = (process.amount(0...3), process.amount(5...400), process.once(in: 25))
        return isFaultFree || !options.faults.contains(.delay) ? 0 : isLong ? long : short
    }

    func planTurn(_ node: SimulatedNode, _ index: Int, in milliseconds: Int64) {
        guard !node.sequencers[index].isTurnPlanned else { return }
        node.sequencers[index].isTurnPlanned = true
        plan(on: node, in: milliseconds) { $0.turn($1, index) }
    }

    /// A sequencer's timer is due.
    func wake(_ node: SimulatedNode, _ index: Int) {
        node.sequencers[index].plannedTick = nil
        planTurn(node, index, in: 0)
    }

    func turn(_ node: SimulatedNode, _ index: Int) {
        let sequencer = node.sequencers[index]
        sequencer.isTurnPlanned = false
        let now = now(node)
        let count = min(sequencer.inbox.count, process.roll(1...16))
        let inputs = sequencer.inbox.prefix(count)
        sequencer.inbox.removeFirst(count)
        for input in inputs { sequencer.core.handle(input, now: now) }
        if sequencer.inbox.isEmpty, let tick = nextTick(of: sequencer, on: node), tick <= now.wall {
            sequencer.core.handle(.tick, now: now)
        }
        for directive in sequencer.endTurn() {
            note(directive, on: node)
            sequencer.perform(directive)
            noteHealth(of: node)
        }
        if !sequencer.inbox.isEmpty { planTurn(node, index, in: 0) }
        planTick(node, index)
    }

    private func nextTick(of sequencer: SimulatedSequencer, on node: SimulatedNode) -> Timestamp? {
        options.bug == .missedDeadlines && isShared && node.name.node > 0 ? nil : sequencer.core.nextTick
    }

    /// Plans the wake-up for a sequencer's next deadline, sometimes a few milliseconds late.
    private func planTick(_ node: SimulatedNode, _ index: Int) {
        let sequencer = node.sequencers[index]
        guard let tick = nextTick(of: sequencer, on: node) else { return }
        let late = process.once(in: 2) ? 0 : process.amount(0...8)
        let due = max(time, time + tick.milliseconds(since: now(node).wall)) + (isFaultFree ? 0 : late)
        if let planned = sequencer.plannedTick, planned <= due { return }
        sequencer.plannedTick = due
        plan(on: node, at: due) { $0.wake($1, index) }
    }

    private func note(_ directive: Sequencer.Directive, on node: SimulatedNode) {
        switch directive {
        case .load(let room): trace.note("\(time) \(node.name) loads \(room)")
        case .publish(let room, _, _):
            trace.note("\(time) \(node.name) has loaded \(room.room.id) up to \(room.room.seq)")
            guard isShared else { return }
            node.remotelyAppended.insert(room.room.id)
            planLogPoll(node, in: Replication.pollMilliseconds)
        default: break
        }
    }

    /// Notes that a directive has ended a recovery, or that the log has failed.
    private func noteHealth(of node: SimulatedNode) {
        if let result = node.service.health.takeRecovery() {
            trace.note(
                "\(time) \(node.name) serves\(result == .complete ? "" : ", and some deadlines are still to be extended")")
            node.isServing = node.failure == nil
            guard isShared else { return }
            if !isCut(node), servingSince[node.name.node] == nil { servingSince[node.name.node] = time }
            plan(on: node, in: pause()) { $0.settle($1, result) }
        }
        if node.failure == nil, let error = node.service.health.failure {
            trace.note("\(time) the log of \(node.name) has failed: \(error.code)")
            node.failure = error
            node.isServing = false
            plan(in: 20 + pause()) { $0.restart(node.name.node) }
        }
    }

    // MARK: - Jobs

    /// Plans a job of a directive. A snapshot may be lost on the way.
    func plan(_ job: SimulatedJob, on node: SimulatedNode) {
        switch job.directive {
        case .memoryFreed: break
        case .discard: job.run(reachableLog(by: node))
        case .snapshot(let room) where faults.once(in: 3) && options.faults.contains(.eviction):
            plan(on: node, in: pause()) { $0.post(.snapshotFinished(room.id, size: nil), to: $1) }
        default: plan(on: node, in: pause()) { $0.run(job, on: $1) }
        }
    }

    /// Runs a job now, with the log as the process reaches it; the sequencer receives its result later.
    func run(_ job: SimulatedJob, on node: SimulatedNode) {
        var log = reachableLog(by: node)
        if case .load(let room) = job.directive {
            let fails = faults.once(in: 30)
            if fails, !isShared, !isFaultFree, options.faults.contains(.diskFailure) {
                trace.note("\(time) \(node.name) cannot load \(room)")
                log = self.log.unreachable
            }
        }
        job.run(log)
        if case .snapshot(let room) = job.directive { saved(room, on: node) }
    }

    /// With a planted bug, the latest snapshot has the state of the one before, or lacks something.
    private func saved(_ room: Room, on node: SimulatedNode) {
        let previous = node.previousSnapshot.updateValue(room, forKey: room.id)
        var saved: Room?
        if options.bug == .snapshotStale { saved = previous ?? room }
        if options.bug == .absenteeForgotten { saved = room.with(AbsenteeBids()) }
        if options.bug == .declinedAppliesAgain { saved = Self.withoutApplications(room) }
        guard let stale = try? saved.map({ try RoomReplay.snapshot(of: $0) }) else { return }
        try? reachableLog(by: node).save([RoomSnapshot(room: room.id, seq: room.seq, bytes: stale.bytes)])
    }

    /// The room as it would be read from a snapshot that has no applications; nil if it has none anyway.
    private static func withoutApplications(_ room: Room) -> Room? {
        guard room.applications != RoomApplications(), let bytes = try? JSONEncoder().encode(room.with(BidHistory())) else {
            return nil
        }
        let changed = String(decoding: bytes, as: UTF8.self).replacing("\"applications\":", with: "\"forgotten\":")
        guard let forgetful = try? JSONDecoder().decode(Room.self, from: Data(changed.utf8)) else { return nil }
        let whole = forgetful.with(room.bids).with(room.absentees ?? AbsenteeBids())
        return room.lots.count > 0 ? whole.with(room.lots) : whole
    }

    /// The result of a job, changed by the planted bug, if any.
    func broken(_ input: Sequencer.Input, of node: SimulatedNode) -> Sequencer.Input {
        guard case .loaded(let room, .success(let state?)) = input else { return input }
        switch options.bug {
        case .keysForgottenEarly:
            let oldest = now(node).instant(ofAge: Self.hour)
            return .loaded(room, .success(state.with(keys: state.keys.filter { $0.at >= oldest })))
        case .keysNeverExpire:
            let history = try? log.log.load(room, responsesSince: Timestamp(milliseconds: 0))
            let keys = (history?.responses ?? []).map {
                StoredKey(key: $0.key, fingerprint: $0.fingerprint, owner: $0.owner, at: now(node).wall, position: $0.position)
            }
            return .loaded(room, .success(state.with(keys: keys)))
        case .absenteeActsWithdrawn: return .loaded(room, .success(state.with(log.history(of: room))))
        default: return input
        }
    }

    func sweep(_ node: SimulatedNode) {
        post(.sweep(watched: node.rooms.watched), to: node)
        guard !isFaultFree else { return }
        plan(on: node, in: time < idleUntil ? min(600_000, idleUntil - time) : 3000) { $0.sweep($1) }
    }

    func report(_ rule: String, _ text: String) {
        findings.append(SimulationFinding(rule: rule, text: "step \(step): \(text)"))
    }
}

extension Sequencer.LoadedState {
    /// A copy with the absentee bids that were taken back, as far as their bidders have left no other.
    fileprivate func with(_ history: [StoredEvent]) -> Self {
        var given: [LotID: [UserID: AbsenteeBid]] = [:]
        for event in history.lazy.filter({ $0.type == "lot.bidsChanged" }).compactMap({ AuditedEvent($0) }) {
            guard let lot = event.data["lotId"]?.text.flatMap({ LotID($0) }), let maximum = event.secret?["maximum"]?.units,
                let user = event.secret?["bidder"]?["id"]?.text.flatMap({ UserID($0) }),
                let bid = event.secret?["bidId"]?.text.flatMap({ BidID($0) })
            else { continue }
            given[lot, default: [:]][user] = AbsenteeBid(
                id: bid, seq: event.seq, at: Timestamp(milliseconds: event.at), bidder: Person(id: user, nickname: "P"),
                maximum: Money(minorUnits: maximum))
        }
        let known = room.room.absentees?.lots ?? []
        let lots = given.map { lot, bids in
            let own = known.first { $0.lot == lot }?.bids
            let there = own?.inOrder ?? []
            let back = bids.filter { user, _ in !there.contains { $0.bidder.id == user } }.map(\.value)
            return (
                lot,
                AbsenteeBids.OfLot(
                    there + back, openedSeq: own?.openedSeq, cancelledSeq: own?.cancelledSeq, merged: own?.merged ?? 0)
            )
        }
        let others = known.filter { given[$0.lot] == nil }.map { ($0.lot, $0.bids) }
        let changed = room.room.with(AbsenteeBids(stored: lots + others))
        return Self(
            room: ReplayedRoom(room: changed, hash: room.hash), keys: keys, snapshots: snapshots, latest: latest, readAt: readAt
        )
    }
}
